//! Output feedback: of 64 bits from byte to byte, and of any number of bits.

use super::cipher::{Cipher, Work};
use super::{Block, Schedule, length, moved, read, write, xor};
use core::ffi::{c_int, c_long};
use library::Mode;

/// OFB of any number of bytes. The IV is the last block of keystream, of which `num` bytes are
/// used; none are left at 0.
///
/// # Safety
/// As the header says of `cl_DES_ofb64_encrypt`.
unsafe fn ofb64(
    cipher: Cipher<'_>,
    [input, output]: [*const u8; 2],
    len: c_long,
    ivec: *mut Block,
    num: *mut c_int,
) {
    let len = length(len);
    // SAFETY: as the caller says. All is read before anything is written.
    let (used, mut iv, data) =
        unsafe { (read(num) as usize & 7, read(ivec), moved(input, output.cast_mut(), len, len)) };
    let (first, rest) = data.split_at_mut(len.min((8 - used) & 7));
    first.iter_mut().zip(&iv[used..]).for_each(|(byte, mask)| *byte ^= mask);
    let (blocks, last) = rest.as_chunks_mut();
    whole(cipher, &mut iv, blocks);
    if !last.is_empty() {
        iv = cipher.encrypt(iv);
        last.iter_mut().zip(&iv).for_each(|(byte, mask)| *byte ^= mask);
    }
    // SAFETY: as the caller says.
    unsafe {
        write(ivec, iv);
        write(num, ((used + len) & 7) as c_int);
    }
}

/// Whole blocks.
fn whole(cipher: Cipher<'_>, iv: &mut Block, blocks: &mut [Block]) {
    if let (Some(key), Some(&last)) = (cipher.key(Work::Chain(blocks.len())), blocks.last()) {
        let bytes = blocks.as_flattened_mut();
        if Mode::ofb(*iv).encrypt_in_place(&key, bytes, bytes.len()).is_ok() {
            *iv = xor(last, blocks[blocks.len() - 1]);
            return;
        }
    }
    for block in blocks {
        *iv = cipher.encrypt(*iv);
        *block = xor(*block, *iv);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_ofb64_encrypt(
    input: *const u8,
    output: *mut u8,
    len: c_long,
    ks: Option<&Schedule>,
    ivec: *mut Block,
    num: *mut c_int,
) {
    // SAFETY: as the header says.
    unsafe { ofb64(Cipher::one(ks), [input, output], len, ivec, num) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_ede3_ofb64_encrypt(
    input: *const u8,
    output: *mut u8,
    len: c_long,
    ks1: Option<&Schedule>,
    ks2: Option<&Schedule>,
    ks3: Option<&Schedule>,
    ivec: *mut Block,
    num: *mut c_int,
) {
    // SAFETY: as the header says.
    unsafe { ofb64(Cipher::three([ks1, ks2, ks3]), [input, output], len, ivec, num) };
}

/// `count` segments, each in as many whole bytes as hold its bits. The register takes only as many
/// bits of keystream as a segment has, 1 to 64: for fewer than 64 this is not the OFB of SP
/// 800-38A. Nothing is done if there is no such number of bits.
#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_ofb_encrypt(
    input: *const u8,
    output: *mut u8,
    numbits: c_int,
    count: c_long,
    ks: Option<&Schedule>,
    ivec: *mut Block,
) {
    if !(1..=64).contains(&numbits) {
        return;
    }
    let (cipher, size) = (Cipher::one(ks), numbits as usize);
    let bytes = size.div_ceil(8);
    let len = length(count).saturating_mul(bytes);
    // SAFETY: as the header says.
    let (mut iv, data) = unsafe { (read(ivec), moved(input, output, len, len)) };
    if size == 64 {
        whole(cipher, &mut iv, data.as_chunks_mut().0);
    } else {
        // Unlike CFB, OpenSSL's OFB counts bits from the lowest one of a byte on; of a byte that is
        // not filled it writes zeros for the rest.
        let last = if size % 8 == 0 { 0xff } else { (1 << (size % 8)) - 1 };
        for segment in data.chunks_mut(bytes) {
            let keystream = cipher.encrypt(iv);
            segment.iter_mut().zip(keystream).for_each(|(byte, mask)| *byte ^= mask);
            segment[bytes - 1] &= last;
            let pair =
                u128::from_le_bytes([iv, keystream].as_flattened().try_into().expect("16 bytes"));
            iv = ((pair >> size) as u64).to_le_bytes();
        }
    }
    // SAFETY: as the header says.
    unsafe { write(ivec, iv) };
}
