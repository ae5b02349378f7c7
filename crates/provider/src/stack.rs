//! What is left of secrets on the stack below a call, wiped.

use zeroize::optimization_barrier;

/// KiB that key set-up, copies and last blocks use of the stack; RC4's state goes by it more than once.
/// Eight times as much where nothing is optimised.
const KIB: usize = if cfg!(debug_assertions) { 48 } else { 6 };

/// Does work that leaves copies of secrets on the stack, and wipes what it used of it.
pub(crate) fn leaving_nothing<R>(work: impl FnOnce() -> R) -> R {
    // Both begin where this function's own frame ends.
    #[inline(never)]
    fn on_its_own<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    #[inline(never)]
    fn wipe() {
        let stack = [[0_u8; 1024]; KIB];
        optimization_barrier(&stack);
    }
    let result = on_its_own(work);
    wipe();
    result
}
