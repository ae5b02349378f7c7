//! What `cargo xtask traces` has emulated: calls of the library with secrets, one entry for all.
//!
//! Nothing here may branch on a secret or look up by it, but for what shall be found out.
#![no_std]

mod memory;
#[cfg(target_arch = "aarch64")]
mod system;
mod work;

use core::hint::black_box;

/// Bytes of secrets that a call gets, and of results that it has room for.
pub(crate) const ROOM: usize = 4096;

/// Does piece `number` of the work with `secrets`; 1 if that went well, 0 if not, 2 if there is no
/// such piece.
///
/// Without secrets it only says what the piece is, in `results`, up to a zero.
///
/// # Safety
/// The pointers lead to [`ROOM`] bytes each, which are nobody else's; `secrets` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn entry(number: usize, secrets: *const u8, results: *mut u8) -> usize {
    // SAFETY: the caller's promise.
    let results = unsafe { &mut *results.cast::<[u8; ROOM]>() };
    let Some((what, run)) = work::WORK.get(number) else { return 2 };
    if secrets.is_null() {
        results.fill(0);
        results[..what.len()].copy_from_slice(what.as_bytes());
        return 1;
    }
    // SAFETY: the caller's promise.
    let secrets = unsafe { &*secrets.cast::<[u8; ROOM]>() };
    usize::from(black_box(run)(secrets, results).is_ok())
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // Nothing is mapped there: the emulator stops.
    // SAFETY: it does not return, whatever the address holds.
    unsafe { core::ptr::without_provenance::<u8>(8).read_volatile() };
    loop {}
}
