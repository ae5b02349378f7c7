//! Cipher feedback: of 64 bits from byte to byte, and of any number of bits.

use super::cipher::{Cipher, Work};
use super::{Block, Schedule, length, moved, read, write};
use core::ffi::{c_int, c_long};
use library::Mode;

/// CFB-64 of any number of bytes. Before a segment's byte `num` the IV has ciphertext, from there
/// on keystream that waits.
///
/// # Safety
/// As the header says of `cl_DES_cfb64_encrypt`.
unsafe fn cfb64(
    cipher: Cipher<'_>,
    [input, output]: [*const u8; 2],
    len: c_long,
    ivec: *mut Block,
    num: *mut c_int,
    enc: c_int,
) {
    let len = length(len);
    // SAFETY: as the caller says. All is read before anything is written.
    let (used, mut iv, data) =
        unsafe { (read(num) as usize & 7, read(ivec), moved(input, output.cast_mut(), len, len)) };
    let mut n = used;
    let xor = |iv: &mut Block, n: &mut usize, byte: &mut u8| {
        let other = *byte ^ iv[*n];
        iv[*n] = if enc != 0 { other } else { *byte };
        *byte = other;
        *n = (*n + 1) & 7;
    };
    let (first, rest) = data.split_at_mut(len.min((8 - n) & 7));
    first.iter_mut().for_each(|byte| xor(&mut iv, &mut n, byte));
    let (blocks, last) = rest.as_chunks_mut();
    if !blocks.is_empty() {
        segments(cipher, &mut iv, blocks, enc != 0);
    }
    if !last.is_empty() {
        iv = cipher.encrypt(iv);
        last.iter_mut().for_each(|byte| xor(&mut iv, &mut n, byte));
    }
    // SAFETY: as the caller says.
    unsafe {
        write(ivec, iv);
        write(num, n as c_int);
    }
}

/// Whole segments of 64 bits, of which there is one at least.
fn segments(cipher: Cipher<'_>, iv: &mut Block, blocks: &mut [Block], encrypts: bool) {
    let work = if encrypts { Work::Chain(blocks.len()) } else { Work::Bulk(blocks.len()) };
    let last = blocks[blocks.len() - 1];
    if let Some(key) = cipher.key(work) {
        let (mode, bytes) = (Mode::cfb64(*iv), blocks.as_flattened_mut());
        let done = match encrypts {
            true => mode.encrypt_in_place(&key, bytes, bytes.len()),
            false => mode.decrypt_in_place(&key, bytes),
        };
        if done.is_ok() {
            *iv = if encrypts { blocks[blocks.len() - 1] } else { last };
            return;
        }
    }
    for block in blocks {
        let before = *block;
        *block = super::xor(*block, cipher.encrypt(*iv));
        *iv = if encrypts { *block } else { before };
    }
}

/// Feedback of `bits` bits, 1 to 64, in segments of as many whole bytes as hold them; bytes that
/// make no segment are left alone, and so is everything if there is no such number of bits.
///
/// # Safety
/// As the header says of `cl_DES_cfb_encrypt`.
unsafe fn cfb(
    cipher: Cipher<'_>,
    [input, output]: [*const u8; 2],
    bits: c_int,
    len: c_long,
    ivec: *mut Block,
    enc: c_int,
) {
    if !(1..=64).contains(&bits) {
        return;
    }
    let size = bits as usize;
    let bytes = size.div_ceil(8);
    let whole = length(len) / bytes * bytes;
    // SAFETY: as the caller says.
    let (mut iv, data) = unsafe { (read(ivec), moved(input, output.cast_mut(), whole, whole)) };
    if let (64, [_, ..]) = (size, &mut *data) {
        segments(cipher, &mut iv, data.as_chunks_mut().0, enc != 0);
    } else if size != 8 || !bytes_by_key(cipher, &mut iv, data, enc != 0) {
        for segment in data.chunks_mut(bytes) {
            let keystream = cipher.encrypt(iv);
            let mut ciphertext = [0; 8];
            for ((byte, mask), cipher_byte) in
                segment.iter_mut().zip(keystream).zip(&mut ciphertext)
            {
                let other = *byte ^ mask;
                *cipher_byte = if enc != 0 { other } else { *byte };
                *byte = other;
            }
            iv = shifted(iv, ciphertext, size);
        }
    }
    // SAFETY: as the caller says.
    unsafe { write(ivec, iv) };
}

/// CFB-8 by the library's kernels; says whether that is done.
fn bytes_by_key(cipher: Cipher<'_>, iv: &mut Block, data: &mut [u8], encrypts: bool) -> bool {
    let work = if encrypts { Work::Chain(data.len()) } else { Work::Bulk(data.len()) };
    let (Some(key), Some(&last)) = (cipher.key(work), data.last_chunk()) else { return false };
    let mode = Mode::cfb8(*iv);
    let done = match encrypts {
        true => mode.encrypt_in_place(&key, data, data.len()),
        false => mode.decrypt_in_place(&key, data),
    };
    match (done, encrypts) {
        (Err(_), _) => return false,
        (Ok(_), false) => *iv = last,
        (Ok(ciphertext), true) => *iv = *ciphertext.last_chunk().unwrap_or(iv),
    }
    true
}

/// A register of 64 bits from which the first `bits` go, 1 to 64, and into which as many of `new`
/// come at the end.
fn shifted(register: Block, new: Block, bits: usize) -> Block {
    let pair = u128::from(u64::from_be_bytes(register)) << 64 | u128::from(u64::from_be_bytes(new));
    ((pair << bits >> 64) as u64).to_be_bytes()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_cfb64_encrypt(
    input: *const u8,
    output: *mut u8,
    len: c_long,
    ks: Option<&Schedule>,
    ivec: *mut Block,
    num: *mut c_int,
    enc: c_int,
) {
    // SAFETY: as the header says.
    unsafe { cfb64(Cipher::one(ks), [input, output], len, ivec, num, enc) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_ede3_cfb64_encrypt(
    input: *const u8,
    output: *mut u8,
    len: c_long,
    ks1: Option<&Schedule>,
    ks2: Option<&Schedule>,
    ks3: Option<&Schedule>,
    ivec: *mut Block,
    num: *mut c_int,
    enc: c_int,
) {
    // SAFETY: as the header says.
    unsafe { cfb64(Cipher::three([ks1, ks2, ks3]), [input, output], len, ivec, num, enc) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_cfb_encrypt(
    input: *const u8,
    output: *mut u8,
    numbits: c_int,
    len: c_long,
    ks: Option<&Schedule>,
    ivec: *mut Block,
    enc: c_int,
) {
    // SAFETY: as the header says.
    unsafe { cfb(Cipher::one(ks), [input, output], numbits, len, ivec, enc) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_ede3_cfb_encrypt(
    input: *const u8,
    output: *mut u8,
    numbits: c_int,
    len: c_long,
    ks1: Option<&Schedule>,
    ks2: Option<&Schedule>,
    ks3: Option<&Schedule>,
    ivec: *mut Block,
    enc: c_int,
) {
    // SAFETY: as the header says.
    unsafe { cfb(Cipher::three([ks1, ks2, ks3]), [input, output], numbits, len, ivec, enc) };
}
