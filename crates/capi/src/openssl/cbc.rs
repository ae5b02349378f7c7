//! CBC, in OpenSSL's ways, and PCBC.
//!
//! A last block that is not full: encryption reads what there is of it, fills it up with zeros and
//! writes 8 bytes; decryption reads 8 bytes and writes as many as the length says.

use super::cipher::{Cipher, Work};
use super::{Block, Schedule, length, moved, need, read, write, xor};
use core::ffi::{c_int, c_long};
use library::{BlockCipher, Mode, Padding};
use zeroize::Zeroize;

/// How the blocks of a message hang together.
trait Chaining {
    /// Encrypts blocks; `iv` becomes that of the next ones.
    fn encrypt(&self, cipher: Cipher<'_>, iv: &mut Block, blocks: &mut [Block]);
    /// Decrypts them.
    fn decrypt(&self, cipher: Cipher<'_>, iv: &mut Block, blocks: &mut [Block]);
}

struct Cbc;

impl Chaining for Cbc {
    fn encrypt(&self, cipher: Cipher<'_>, iv: &mut Block, blocks: &mut [Block]) {
        if let (Some(key), bytes) =
            (cipher.key(Work::Chain(blocks.len())), blocks.as_flattened_mut())
        {
            let mode = Mode::cbc(*iv, Padding::None);
            if mode.encrypt_in_place(&key, bytes, bytes.len()).is_ok() {
                *iv = blocks[blocks.len() - 1];
                return;
            }
        }
        for block in blocks {
            *iv = cipher.encrypt(xor(*block, *iv));
            *block = *iv;
        }
    }

    fn decrypt(&self, cipher: Cipher<'_>, iv: &mut Block, blocks: &mut [Block]) {
        if let (Some(key), Some(&last)) = (cipher.key(Work::Bulk(blocks.len())), blocks.last()) {
            let mode = Mode::cbc(*iv, Padding::None);
            if mode.decrypt_in_place(&key, blocks.as_flattened_mut()).is_ok() {
                *iv = last;
                return;
            }
        }
        for block in blocks {
            let before = core::mem::replace(iv, *block);
            *block = xor(cipher.decrypt(*block), before);
        }
    }
}

/// CBC in which plaintext and ciphertext go on to the next block.
struct Pcbc;

impl Chaining for Pcbc {
    fn encrypt(&self, cipher: Cipher<'_>, iv: &mut Block, blocks: &mut [Block]) {
        for block in blocks {
            let plaintext = *block;
            *block = cipher.encrypt(xor(plaintext, *iv));
            *iv = xor(plaintext, *block);
        }
    }

    fn decrypt(&self, cipher: Cipher<'_>, iv: &mut Block, blocks: &mut [Block]) {
        let key = cipher.key(Work::Bulk(blocks.len()));
        let mut buffer = [[0; 8]; 256];
        for blocks in blocks.chunks_mut(buffer.len()) {
            let ciphertext = &mut buffer[..blocks.len()];
            ciphertext.copy_from_slice(blocks);
            if key.as_ref().is_none_or(|key| key.decrypt_blocks(blocks).is_err()) {
                blocks.iter_mut().for_each(|block| *block = cipher.decrypt(*block));
            }
            for (block, ciphertext) in blocks.iter_mut().zip(ciphertext) {
                *block = xor(*block, *iv);
                *iv = xor(*block, *ciphertext);
            }
        }
    }
}

/// A message, and the IV for what may follow it.
///
/// # Safety
/// As the header says of `cl_DES_ncbc_encrypt`.
unsafe fn crypt(
    chaining: &impl Chaining,
    cipher: Cipher<'_>,
    [input, output]: Pointers,
    len: c_long,
    ivec: *const Block,
    enc: c_int,
) -> Block {
    let len = length(len);
    // SAFETY: as the caller says.
    let mut iv = unsafe { read(ivec) };
    if enc != 0 {
        // SAFETY: the output has room for whole blocks.
        let bytes = unsafe { moved(input, output.cast_mut(), len, len.next_multiple_of(8)) };
        chaining.encrypt(cipher, &mut iv, bytes.as_chunks_mut().0);
    } else {
        let (whole, rest) = (len / 8 * 8, len % 8);
        need((len == 0 || !input.is_null() && !output.is_null()).then_some(()));
        // Before anything is written, as the buffers may be the same.
        // SAFETY: the input has whole blocks.
        let mut last = (rest > 0).then(|| unsafe { read(input.wrapping_add(whole).cast()) });
        // SAFETY: so has the output, up to here.
        let bytes = unsafe { moved(input, output.cast_mut(), whole, whole) };
        chaining.decrypt(cipher, &mut iv, bytes.as_chunks_mut().0);
        if let Some(last) = &mut last {
            chaining.decrypt(cipher, &mut iv, core::slice::from_mut(last));
            let place = output.cast_mut().wrapping_add(whole);
            // SAFETY: and then `rest` bytes.
            unsafe { moved(last.as_ptr(), place, rest, rest) };
            last.zeroize();
        }
    }
    iv
}

/// Input and output.
type Pointers = [*const u8; 2];

/// The IV is not updated, as the manual warns.
#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_cbc_encrypt(
    input: *const u8,
    output: *mut u8,
    len: c_long,
    ks: Option<&Schedule>,
    ivec: *const Block,
    enc: c_int,
) {
    // SAFETY: as the header says.
    unsafe { crypt(&Cbc, Cipher::one(ks), [input, output], len, ivec, enc) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_ncbc_encrypt(
    input: *const u8,
    output: *mut u8,
    len: c_long,
    ks: Option<&Schedule>,
    ivec: *mut Block,
    enc: c_int,
) {
    // SAFETY: as the header says.
    unsafe { write(ivec, crypt(&Cbc, Cipher::one(ks), [input, output], len, ivec, enc)) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_xcbc_encrypt(
    input: *const u8,
    output: *mut u8,
    len: c_long,
    ks: Option<&Schedule>,
    ivec: *mut Block,
    inw: *const Block,
    outw: *const Block,
    enc: c_int,
) {
    // SAFETY: as the header says.
    unsafe {
        let cipher = Cipher::whitened(ks, [read(inw), read(outw)]);
        write(ivec, crypt(&Cbc, cipher, [input, output], len, ivec, enc));
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_ede3_cbc_encrypt(
    input: *const u8,
    output: *mut u8,
    len: c_long,
    ks1: Option<&Schedule>,
    ks2: Option<&Schedule>,
    ks3: Option<&Schedule>,
    ivec: *mut Block,
    enc: c_int,
) {
    // SAFETY: as the header says.
    unsafe {
        let cipher = Cipher::three([ks1, ks2, ks3]);
        write(ivec, crypt(&Cbc, cipher, [input, output], len, ivec, enc));
    }
}

/// The IV is not updated.
#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_pcbc_encrypt(
    input: *const u8,
    output: *mut u8,
    len: c_long,
    ks: Option<&Schedule>,
    ivec: *const Block,
    enc: c_int,
) {
    // SAFETY: as the header says.
    unsafe { crypt(&Pcbc, Cipher::one(ks), [input, output], len, ivec, enc) };
}
