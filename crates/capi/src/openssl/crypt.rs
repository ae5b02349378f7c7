//! crypt(3) of the first Unix systems: 25 encryptions of zeros by DES, with a password as the key
//! and twelve bits of salt that change E.

use super::cipher::{be_ready, block_of};
use super::need;
use core::cell::UnsafeCell;
use core::ffi::c_char;
use library::libdes;
use zeroize::Zeroize;

/// The digits of base 64, as crypt(3) has them.
const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Two digits of salt, eleven of the result, and the end of the string.
type Text = [u8; 14];

/// `None` if the salt is not made of two digits.
fn crypt(password: [u8; 8], salt: [u8; 2]) -> Option<Text> {
    be_ready();
    let mut bits = 0;
    for digit in salt.iter().rev() {
        bits = bits << 6 | DIGITS.iter().position(|other| other == digit)? as u16;
    }
    let mut schedule = [[0; 2]; 16];
    libdes::schedule(u64::from_be_bytes(password.map(|byte| byte << 1)), &mut schedule);
    let result = u64::from_be_bytes(block_of(libdes::encrypt_salted(&schedule, bits)));
    schedule.as_flattened_mut().zeroize();
    let mut text = [0; 14];
    text[..2].copy_from_slice(&salt);
    for (n, digit) in text[2..13].iter_mut().enumerate() {
        // The last digit has four bits of the result.
        *digit = DIGITS[((u128::from(result) << 2) >> (60 - 6 * n)) as usize & 63];
    }
    Some(text)
}

/// What is there of a string's first `N` bytes; zeros behind its end.
///
/// # Safety
/// `text` is null or a string of C.
unsafe fn start<const N: usize>(text: *const c_char) -> [u8; N] {
    need((!text.is_null()).then_some(()));
    let mut bytes = [0; N];
    for (n, byte) in bytes.iter_mut().enumerate() {
        // SAFETY: as the caller says; no byte before this one was the end.
        *byte = unsafe { text.wrapping_add(n).cast::<u8>().read() };
        if *byte == 0 {
            break;
        }
    }
    bytes
}

/// `ret`, with 13 digits and a zero; null if the salt is not made of two digits.
#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_fcrypt(
    password: *const c_char,
    salt: *const c_char,
    ret: *mut c_char,
) -> *mut c_char {
    // SAFETY: as the header says.
    let text = unsafe { crypt(start(password), start(salt)) };
    match text {
        Some(text) => {
            need((!ret.is_null()).then_some(()));
            // SAFETY: the header asks for 14 bytes.
            unsafe { ret.cast::<Text>().write(text) };
            ret
        }
        None => core::ptr::null_mut(),
    }
}

/// The same in memory of the thread, which the next call uses again.
#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_crypt(password: *const c_char, salt: *const c_char) -> *mut c_char {
    thread_local! {
        static TEXT: UnsafeCell<Text> = const { UnsafeCell::new([0; 14]) };
    }
    // SAFETY: as the header says; the place is this thread's alone.
    TEXT.with(|text| unsafe { cl_DES_fcrypt(password, salt, text.get().cast()) })
}
