//! Linux and Android: what the kernel hands to every program.
#![allow(unsafe_code, reason = "a function of the C library")]

use core::ffi::c_ulong;

unsafe extern "C" {
    /// Zero where there is no such word.
    safe fn getauxval(kind: c_ulong) -> c_ulong;
}

/// The word that says what the processor has.
const AT_HWCAP: c_ulong = 16;
const HWCAP_SHA3: c_ulong = 1 << 17;
const HWCAP_DIT: c_ulong = 1 << 24;

pub(super) fn has_sha3() -> bool {
    getauxval(AT_HWCAP) & HWCAP_SHA3 != 0
}

pub(super) fn has_dit() -> bool {
    getauxval(AT_HWCAP) & HWCAP_DIT != 0
}
