//! Keys of the block ciphers.

use super::code::{Code, answer};
use super::memory::{SHALLOW, Slot, boxed, hand_out, release, slice, slice_mut};
use super::names;
use core::ffi::{c_char, c_int};
use library::{Algorithm, BlockCipher, BlockKey, Error, fix_parity};

/// `cl_key`.
pub(crate) struct Key(pub(crate) BlockKey);

/// A place for a key.
fn blank(algorithm: Algorithm) -> Result<Box<Key>, Code> {
    boxed(Key(BlockKey::blank(algorithm)))
}

/// A key, made where it stays.
fn made(algorithm: Algorithm, bytes: &[u8]) -> Result<Box<Key>, Code> {
    let mut key = blank(algorithm)?;
    key.0.set(bytes)?;
    Ok(key)
}

#[unsafe(no_mangle)]
extern "C" fn cl_key_len(cipher: c_int) -> usize {
    names::algorithm(cipher).map_or(0, |algorithm| algorithm.key_len())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_key_new(
    key: Slot<Key>,
    cipher: c_int,
    bytes: *const u8,
    len: usize,
) -> c_int {
    let make = || {
        // SAFETY: the header asks for `len` bytes.
        made(names::algorithm(cipher)?, unsafe { slice(bytes, len) }?)
    };
    // SAFETY: the header asks for a place.
    answer(|| unsafe { hand_out::<SHALLOW, _>(key, make) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_key_new_checked(
    key: Slot<Key>,
    cipher: c_int,
    bytes: *const u8,
    len: usize,
    parity: c_int,
) -> c_int {
    let make = || {
        // SAFETY: the header asks for `len` bytes.
        let bytes = unsafe { slice(bytes, len) }?;
        let (algorithm, parity) = (names::algorithm(cipher)?, names::parity(parity)?);
        match BlockKey::fault(algorithm, bytes, parity)? {
            Some(fault) => Err(Error::Key(fault).into()),
            None => made(algorithm, bytes),
        }
    };
    // SAFETY: the header asks for a place.
    answer(|| unsafe { hand_out::<SHALLOW, _>(key, make) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_key_copy(copy: Slot<Key>, key: Option<&Key>) -> c_int {
    let make = || {
        let Key(key) = key.ok_or(Code::Null)?;
        let mut copy = blank(key.algorithm())?;
        copy.0.clone_from(key);
        Ok(copy)
    };
    // SAFETY: the header asks for a place.
    answer(|| unsafe { hand_out::<SHALLOW, _>(copy, make) })
}

#[unsafe(no_mangle)]
extern "C" fn cl_key_free(key: Option<Box<Key>>) {
    release(key);
}

#[unsafe(no_mangle)]
extern "C" fn cl_key_set_policy(key: Option<&mut Key>, policy: c_int) -> c_int {
    answer(|| {
        key.ok_or(Code::Null)?.0.set_policy(names::policy(policy)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_key_set_backend(key: Option<&mut Key>, name: *const c_char) -> c_int {
    answer(|| {
        // SAFETY: the header asks for a string.
        Ok(key.ok_or(Code::Null)?.0.set_backend(unsafe { names::backend(name) }?)?)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_fix_parity(key: *mut u8, len: usize) -> c_int {
    answer(|| {
        // SAFETY: the header asks for `len` bytes that nobody else uses.
        fix_parity(unsafe { slice_mut(key, len) }?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_encrypt_blocks(
    key: Option<&Key>,
    blocks: *mut [u8; 8],
    count: usize,
) -> c_int {
    answer(|| {
        // SAFETY: the header asks for `count` blocks that nobody else uses.
        let blocks = unsafe { slice_mut(blocks, count) }?;
        Ok(key.ok_or(Code::Null)?.0.encrypt_blocks(blocks)?)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_decrypt_blocks(
    key: Option<&Key>,
    blocks: *mut [u8; 8],
    count: usize,
) -> c_int {
    answer(|| {
        // SAFETY: the header asks for `count` blocks that nobody else uses.
        let blocks = unsafe { slice_mut(blocks, count) }?;
        Ok(key.ok_or(Code::Null)?.0.decrypt_blocks(blocks)?)
    })
}
