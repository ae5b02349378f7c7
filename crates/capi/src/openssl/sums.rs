//! Checksums.

use super::cipher::{Cipher, Work};
use super::{Block, Schedule, length, need, read, write, xor};
use core::ffi::{c_int, c_long};
use library::{Mac, Padding};

/// The CBC checksum of FIPS 81: the last block of a CBC encryption, the message filled up with
/// zeros.
pub(super) fn cbc_cksum(cipher: Cipher<'_>, message: &[u8], iv: Block) -> Block {
    let (blocks, last) = message.as_chunks::<8>();
    let mut sum = iv;
    let mut rest = blocks;
    if let (Some(key), [first, others @ ..]) = (cipher.key(Work::Chain(blocks.len())), blocks) {
        // A MAC has no IV: the first block goes into the message with it.
        let mut mac = Mac::cbc_mac(&key, Padding::None);
        let fed = mac.update(&xor(*first, iv)).and_then(|()| mac.update(others.as_flattened()));
        if let Ok(tag) = fed.and_then(|()| mac.finish()) {
            (sum, rest) = (tag, &[]);
        }
    }
    for block in rest {
        sum = cipher.encrypt(xor(sum, *block));
    }
    if !last.is_empty() {
        let mut block = [0; 8];
        block[..last.len()].copy_from_slice(last);
        sum = cipher.encrypt(xor(sum, block));
    }
    sum
}

/// What C calls an array to read, of which a null pointer is an empty one.
///
/// # Safety
/// There are `len` bytes at `input`.
unsafe fn message<'a>(input: *const u8, len: c_long) -> &'a [u8] {
    let len = length(len);
    if len == 0 {
        return &[];
    }
    need((!input.is_null()).then_some(()));
    // SAFETY: as the caller says.
    unsafe { core::slice::from_raw_parts(input, len) }
}

/// The last four bytes of the checksum, as a big-endian number.
#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_cbc_cksum(
    input: *const u8,
    output: *mut Block,
    len: c_long,
    ks: Option<&Schedule>,
    ivec: *const Block,
) -> u32 {
    // SAFETY: as the header says; nothing is written before the message was read.
    let sum = unsafe { cbc_cksum(Cipher::one(ks), message(input, len), read(ivec)) };
    if !output.is_null() {
        // SAFETY: as the header says.
        unsafe { write(output, sum) };
    }
    u64::from_be_bytes(sum) as u32
}

/// The quadratic congruential checksum of R. R. Jueneman (IEEE Symposium on Security and Privacy,
/// 1983) as Kerberos 4 has it: arithmetic of 32 bits, then modulo 2^31 - 1.
struct Quadratic([u32; 2]);

impl Quadratic {
    const MODULUS: u32 = 0x7fff_ffff;
    /// What Kerberos 4 adds.
    const NOISE: u32 = 83_653_421;

    fn add(&mut self, piece: u32) {
        let Self([a, b]) = *self;
        let sum = a.wrapping_add(piece);
        let squares = sum.wrapping_mul(sum).wrapping_add(b.wrapping_mul(b));
        let product = sum.wrapping_mul(b.wrapping_add(Self::NOISE));
        self.0 = [squares % Self::MODULUS, product % Self::MODULUS];
    }
}

/// Passes over the message, 1 to 4 of them, each of which goes on with the sums of the one before
/// and writes them to the output, eight bytes; the result is the first sum.
#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_quad_cksum(
    input: *const u8,
    output: *mut Block,
    len: c_long,
    out_count: c_int,
    seed: *const Block,
) -> u32 {
    // SAFETY: as the header says.
    let (message, seed) = unsafe { (message(input, len), read(seed)) };
    let mut sums = Quadratic(super::cipher::words_of(seed));
    let mut results = [[0; 8]; 4];
    let count = out_count.clamp(1, 4) as usize;
    for result in &mut results[..count] {
        for piece in message.chunks(2) {
            let high = piece.get(1).copied().unwrap_or(0);
            sums.add(u32::from(piece[0]) | u32::from(high) << 8);
        }
        // As numbers of this processor.
        let [a, b] = sums.0.map(u32::to_ne_bytes);
        result[..4].copy_from_slice(&a);
        result[4..].copy_from_slice(&b);
    }
    if !output.is_null() {
        for (n, result) in results[..count].iter().enumerate() {
            // SAFETY: as the header says.
            unsafe { write(output.wrapping_add(n), *result) };
        }
    }
    sums.0[0]
}
