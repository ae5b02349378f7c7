//! The functions of OpenSSL's `des.h` and `rc4.h`, under names with the prefix `cl_`.
//!
//! What they do is known from OpenSSL's manual page DES_set_key(3) and from what libcrypto 3.0
//! does; `tests/c/differential.c` compares them. `docs/C-API.md` has the table of all functions.
//!
//! They have no way to say that something is wrong: where OpenSSL would read from a null pointer,
//! or no kernel passes its self-test, the program ends with a line on standard error.

mod blocks;
mod cbc;
mod cfb;
mod cipher;
mod crypt;
mod keys;
mod ofb;
mod rc4;
mod sums;
mod text;

use core::ffi::c_long;
use library::{COPIED, libdes};

/// `DES_cblock`.
type Block = [u8; 8];

/// `DES_key_schedule`.
type Schedule = libdes::Schedule;

/// Ends the program: there is no other way to keep it from going on with a wrong result.
#[cold]
fn stop(why: &str) -> ! {
    eprintln!("cipherloom: {why}");
    std::process::abort();
}

/// What a pointer that must not be null leads to.
fn need<T>(argument: Option<T>) -> T {
    argument.unwrap_or_else(|| stop("a null pointer where a DES or RC4 function needs memory"))
}

/// Reads a block, or a number.
///
/// # Safety
/// `place` is null or leads to one.
unsafe fn read<T: Copy>(place: *const T) -> T {
    need((!place.is_null()).then_some(()));
    // SAFETY: as the caller says.
    unsafe { place.read() }
}

/// Writes a block, or a number.
///
/// # Safety
/// `place` is null or leads to one.
unsafe fn write<T>(place: *mut T, value: T) {
    need((!place.is_null()).then_some(()));
    // SAFETY: as the caller says.
    unsafe { place.write(value) }
}

/// A length; a negative one is 0, as OpenSSL's loops have it.
fn length(len: c_long) -> usize {
    usize::try_from(len).unwrap_or(0)
}

/// Copies `len` bytes of input to the output, whatever they have in common, and gives the first
/// `whole` bytes of the output, with zeros behind what was copied.
///
/// # Safety
/// There are `len` bytes at `input` and `whole`, no fewer, at `output`, or both are 0.
unsafe fn moved<'a>(input: *const u8, output: *mut u8, len: usize, whole: usize) -> &'a mut [u8] {
    debug_assert!(len <= whole);
    if whole == 0 {
        return &mut [];
    }
    need((!input.is_null() && !output.is_null()).then_some(()));
    if whole > isize::MAX as usize {
        stop("a length greater than memory in a call of a DES or RC4 function");
    }
    // From the front in pieces, unless these would overwrite what is still to be copied.
    let behind = output.addr().wrapping_sub(input.addr());
    let piece = if behind < len { len } else { COPIED };
    for at in (0..len).step_by(piece) {
        // SAFETY: as the caller says; `copy` allows an overlap.
        unsafe { core::ptr::copy(input.add(at), output.add(at), piece.min(len - at)) };
    }
    // SAFETY: as the caller says; the input is not used any more.
    let output = unsafe { core::slice::from_raw_parts_mut(output, whole) };
    output[len..].fill(0);
    output
}

fn xor(a: Block, b: Block) -> Block {
    (u64::from_ne_bytes(a) ^ u64::from_ne_bytes(b)).to_ne_bytes()
}
