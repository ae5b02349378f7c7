//! Apple's systems: what the kernel answers.
#![allow(unsafe_code, reason = "a function of the C library")]

use core::ffi::{CStr, c_char, c_int, c_void};

unsafe extern "C" {
    fn sysctlbyname(
        name: *const c_char,
        old: *mut c_void,
        old_bytes: *mut usize,
        new: *const c_void,
        new_bytes: usize,
    ) -> c_int;
}

pub(super) fn has_sha3() -> bool {
    // The first since macOS 12; the second before.
    is_one(c"hw.optional.arm.FEAT_SHA3") || is_one(c"hw.optional.armv8_2_sha3")
}

pub(super) fn has_dit() -> bool {
    is_one(c"hw.optional.arm.FEAT_DIT")
}

fn is_one(name: &CStr) -> bool {
    let mut value: c_int = 0;
    let mut bytes = size_of::<c_int>();
    // SAFETY: the name ends with a zero, the value has so many bytes, and nothing new is set.
    let failed = unsafe {
        sysctlbyname(name.as_ptr(), (&raw mut value).cast(), &raw mut bytes, core::ptr::null(), 0)
    };
    failed == 0 && value == 1
}
