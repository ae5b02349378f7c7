//! Keys from passwords, and what the functions say of themselves.

use super::cipher::{Cipher, be_ready};
use super::sums::cbc_cksum;
use super::{Block, need, write};
use core::ffi::{CStr, c_char};
use library::{fix_parity, libdes};
use zeroize::Zeroize;

/// A key from what was folded of a password: its parity is set, the password's CBC checksum under
/// it, with itself as IV, becomes the key, and its parity is set again.
fn key_of(mut folded: Block, password: &[u8]) -> Block {
    fix_parity(&mut folded);
    let mut schedule = [[0; 2]; 16];
    libdes::schedule(u64::from_be_bytes(folded), &mut schedule);
    let mut key = cbc_cksum(Cipher::one(Some(&schedule)), password, folded);
    schedule.as_flattened_mut().zeroize();
    folded.zeroize();
    fix_parity(&mut key);
    key
}

/// XORs a password into `N` bytes: each byte shifted left over the parity bit; the next `N` with
/// bytes and bits of each key in reverse order; and so on.
fn folded<const N: usize>(password: &[u8]) -> [u8; N] {
    let mut folded = [0; N];
    for (n, piece) in password.chunks(N).enumerate() {
        for (i, &byte) in piece.iter().enumerate() {
            if n % 2 == 0 {
                folded[i] ^= byte << 1;
            } else {
                // Of key i / 8 the byte opposite to i % 8.
                folded[i ^ 7] ^= byte.reverse_bits();
            }
        }
    }
    folded
}

/// # Safety
/// `text` is null or a string of C.
unsafe fn string<'a>(text: *const c_char) -> &'a [u8] {
    need((!text.is_null()).then_some(()));
    // SAFETY: as the caller says.
    unsafe { CStr::from_ptr(text) }.to_bytes()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_string_to_key(text: *const c_char, key: *mut Block) {
    be_ready();
    // SAFETY: as the header says.
    unsafe {
        let password = string(text);
        write(key, key_of(folded(password), password));
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_string_to_2keys(
    text: *const c_char,
    key1: *mut Block,
    key2: *mut Block,
) {
    be_ready();
    // SAFETY: as the header says.
    let password = unsafe { string(text) };
    let mut both: [u8; 16] = folded(password);
    let (first, second) = both.split_at_mut(8);
    if password.len() <= 8 {
        second.copy_from_slice(first);
    }
    for (key, folded) in [key1, key2].into_iter().zip(both.as_chunks().0) {
        // SAFETY: as the header says.
        unsafe { write(key, key_of(*folded, password)) };
    }
    both.zeroize();
}

const OPTIONS: [&str; 2] = [
    concat!("des(cipherloom ", env!("CARGO_PKG_VERSION"), ")\0"),
    concat!("rc4(cipherloom ", env!("CARGO_PKG_VERSION"), ")\0"),
];

#[unsafe(no_mangle)]
extern "C" fn cl_DES_options() -> *const c_char {
    OPTIONS[0].as_ptr().cast()
}

#[unsafe(no_mangle)]
extern "C" fn cl_RC4_options() -> *const c_char {
    OPTIONS[1].as_ptr().cast()
}
