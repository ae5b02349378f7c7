//! What is left of secrets on the stack below a call, wiped.

use zeroize::optimization_barrier;

/// KiB that keys of block ciphers and last blocks use of the stack.
pub(crate) const SHALLOW: usize = 2;
/// KiB that key set-up and copies of RC4 use of it: its state is moved more than once.
pub(crate) const DEEP: usize = 6;

/// Does work that leaves copies of secrets on the stack, and wipes what it used of it, at most `KIB`; eight
/// times as much where nothing is optimised.
pub(crate) fn leaving_nothing<const KIB: usize, R>(work: impl FnOnce() -> R) -> R {
    // Both begin where this function's own frame ends.
    #[inline(never)]
    fn on_its_own<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    #[inline(never)]
    fn wipe<const KIB: usize>() {
        let stack = [[0_u8; if cfg!(debug_assertions) { 8192 } else { 1024 }]; KIB];
        optimization_barrier(&stack);
    }
    let result = on_its_own(work);
    wipe::<KIB>();
    result
}
