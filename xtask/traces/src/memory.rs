//! What compilers expect of a C library. Copies and fills are byte by byte; a comparison tells, as
//! those of C libraries do, what it compared: a secret that gets there is found out.

use core::sync::atomic::{Ordering, compiler_fence};

/// So that a loop does not become a call of itself.
fn keep() {
    compiler_fence(Ordering::SeqCst);
}

/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    for n in 0..len {
        // SAFETY: the caller's promise.
        unsafe { to.add(n).write_volatile(from.add(n).read_volatile()) };
        keep();
    }
    to
}

/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    if to.cast_const() <= from {
        // SAFETY: the caller's promise; forwards, each byte is read before it is overwritten.
        return unsafe { memcpy(to, from, len) };
    }
    for n in (0..len).rev() {
        // SAFETY: the caller's promise.
        unsafe { to.add(n).write_volatile(from.add(n).read_volatile()) };
        keep();
    }
    to
}

/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, len: usize) -> *mut u8 {
    for n in 0..len {
        // SAFETY: the caller's promise.
        unsafe { to.add(n).write_volatile(byte as u8) };
        keep();
    }
    to
}

static TELLING: [u8; 256] = [0; 256];

/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    let mut result = 0;
    for n in 0..len {
        // SAFETY: the caller's promise; the table has an entry for every byte.
        let (a, b) = unsafe { (a.add(n).read_volatile(), b.add(n).read_volatile()) };
        // SAFETY: a reference is valid.
        unsafe { (&raw const TELLING[usize::from(a ^ b)]).read_volatile() };
        if result == 0 {
            result = i32::from(a) - i32::from(b);
        }
    }
    result
}

/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { memcmp(a, b, len) }
}

/// macOS has it, and compilers know.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn bzero(to: *mut u8, len: usize) {
    for n in 0..len {
        // SAFETY: the caller's promise. (Of a call of `memset` the compiler would make one of `bzero`.)
        unsafe { to.add(n).write_volatile(0) };
        keep();
    }
}

/// What it is called on x86-64.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn __bzero(to: *mut u8, len: usize) {
    // SAFETY: the caller's promise.
    unsafe { bzero(to, len) };
}

/// As [`bzero`]: repeats 16 bytes.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memset_pattern16(to: *mut u8, pattern: *const u8, len: usize) {
    for n in 0..len {
        // SAFETY: the caller's promise.
        unsafe { to.add(n).write_volatile(pattern.add(n % 16).read_volatile()) };
        keep();
    }
}
