//! Keys of the block ciphers.

use crate::code::{Code, answer};
use crate::memory::{Place, hand_out, slice, slice_mut};
use crate::names;
use core::ffi::{c_char, c_int};
use library::{BlockCipher, BlockKey, fix_parity};

/// `cl_key`.
pub(crate) struct Key(pub(crate) BlockKey);

#[unsafe(no_mangle)]
extern "C" fn cl_key_len(cipher: c_int) -> usize {
    names::algorithm(cipher).map_or(0, |algorithm| algorithm.key_len())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_key_new(
    key: Place<'_, Key>,
    cipher: c_int,
    bytes: *const u8,
    len: usize,
) -> c_int {
    answer(|| {
        hand_out(key, || {
            // SAFETY: the header asks for `len` bytes.
            let bytes = unsafe { slice(bytes, len) }?;
            Ok(Key(BlockKey::new(names::algorithm(cipher)?, bytes)?))
        })
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_key_new_checked(
    key: Place<'_, Key>,
    cipher: c_int,
    bytes: *const u8,
    len: usize,
    parity: c_int,
) -> c_int {
    answer(|| {
        hand_out(key, || {
            // SAFETY: the header asks for `len` bytes.
            let bytes = unsafe { slice(bytes, len) }?;
            let (algorithm, parity) = (names::algorithm(cipher)?, names::parity(parity)?);
            Ok(Key(BlockKey::new_checked(algorithm, bytes, parity)?))
        })
    })
}

#[unsafe(no_mangle)]
extern "C" fn cl_key_copy(copy: Place<'_, Key>, key: Option<&Key>) -> c_int {
    answer(|| hand_out(copy, || Ok(Key(key.ok_or(Code::Null)?.0.clone()))))
}

/// Keys wipe themselves.
#[unsafe(no_mangle)]
extern "C" fn cl_key_free(_: Option<Box<Key>>) {}

#[unsafe(no_mangle)]
extern "C" fn cl_key_set_policy(key: Option<&mut Key>, policy: c_int) -> c_int {
    answer(|| {
        let key = key.ok_or(Code::Null)?;
        key.0 = key.0.clone().with_policy(names::policy(policy)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_key_set_backend(key: Option<&mut Key>, name: *const c_char) -> c_int {
    answer(|| {
        let key = key.ok_or(Code::Null)?;
        // SAFETY: the header asks for a string.
        key.0 = unsafe { names::backend(name) }?.force(key.0.clone())?;
        Ok(())
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
