//! What the library asks a system on AArch64: here nothing is known. (On macOS it takes what every processor has
//! for granted, and so the kernels with FEAT_SHA3 are emulated there.)

/// What the processor has.
#[unsafe(no_mangle)]
extern "C" fn getauxval(_: usize) -> usize {
    0
}

/// A fact by its name: there is none.
///
/// # Safety
/// None needed: nothing is read or written.
#[unsafe(no_mangle)]
unsafe extern "C" fn sysctlbyname(
    _: *const u8,
    _: *mut u8,
    _: *mut usize,
    _: *const u8,
    _: usize,
) -> i32 {
    -1
}
