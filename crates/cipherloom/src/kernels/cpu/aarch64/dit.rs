//! Data-independent timing: while its bit is set, a processor with FEAT_DIT promises that the time of most
//! instructions does not depend on what they work on.
#![allow(unsafe_code, reason = "a bit of the processor's state")]

use core::arch::asm;

use super::detect::has_dit;

/// The bit in its register, `DIT`, which the compiler's assembler knows by its number.
const DIT: u64 = 1 << 24;

/// Data-independent timing, until it is dropped; what was before comes back then. Nothing where the processor
/// does not have it.
pub(crate) struct Steady {
    /// Whether this set the bit.
    sets: bool,
}

impl Steady {
    #[inline]
    pub(crate) fn begin() -> Self {
        let sets = has_dit() && read() & DIT == 0;
        if sets {
            write(DIT);
            #[cfg(test)]
            tests::count();
        }
        Self { sets }
    }
}

impl Drop for Steady {
    #[inline]
    fn drop(&mut self) {
        if self.sets {
            write(0);
        }
    }
}

fn read() -> u64 {
    let bits;
    // SAFETY: the processor has the register, as both callers saw, and reading it changes nothing.
    unsafe { asm!("mrs {}, S3_3_C4_C2_5", out(reg) bits, options(nostack, preserves_flags)) };
    bits
}

fn write(bits: u64) {
    // SAFETY: as before; the bit changes times alone. (No option says that memory is not touched, so that
    // what the bit is for stays between the two writes.)
    unsafe { asm!("msr S3_3_C4_C2_5, {}", in(reg) bits, options(nostack, preserves_flags)) };
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use core::cell::Cell;

    std::thread_local! {
        /// How often the bit was set in this thread.
        static BEGUN: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn count() {
        BEGUN.set(BEGUN.get() + 1);
    }

    impl Steady {
        /// How often the state began in this thread; none where there is no such, or it is there already.
        pub(crate) fn begun() -> Option<usize> {
            (has_dit() && read() & DIT == 0).then(|| BEGUN.get())
        }
    }

    #[test]
    fn the_bit_is_set_and_comes_back() {
        if !has_dit() {
            return;
        }
        let is_set = || read() & DIT != 0;
        let before = is_set();
        {
            let _steady = Steady::begin();
            assert!(is_set());
            drop(Steady::begin());
            assert!(is_set(), "the inner one gives back what the outer one set");
        }
        assert_eq!(is_set(), before);
    }
}
