//! The stack below a call, wiped when the call is over.
//!
//! What a program can name it can wipe; what the compiler keeps beside it (spilled registers, copies
//! of what is handed on by value) has no name. So what works with secrets is called from here, and
//! all that its frames covered is wiped behind it, which takes about as long as wiping each variable.
//! (libgcrypt does so, as `_gcry_burn_stack`.) How deep the frames go is the compiler's choice, and no
//! language says where they lie: `tests/stack` looks at what is left.

use core::mem::MaybeUninit;
use zeroize::optimization_barrier;

use super::cpu;
use super::wipe::AT_A_TIME;

/// Bytes that frames have beside the variables that are counted.
const BESIDE: usize = 384;

/// From so many words on wider vectors are worth asking for.
const WIDE: usize = 64;

/// Does `work` whose frames have variables of about so many bytes, and wipes them.
///
/// # Panics
/// If these are more than any kernel has.
#[inline(always)]
pub(crate) fn scrubbed<R>(bytes: usize, work: impl FnOnce() -> R) -> R {
    // Not a statement behind the call: a result in a variable would be copied from there.
    let _behind = Behind(wiper(bytes));
    below(work)
}

/// Not inlined: its frame, and all that is below, is what is wiped.
#[inline(never)]
fn below<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// Wipes on drop, by a function: where the bytes are known, which one is, too.
struct Behind(fn());

impl Drop for Behind {
    #[inline(always)]
    fn drop(&mut self) {
        self.0();
    }
}

/// Takes the least number that is not less, of 128 bytes each.
macro_rules! up_to {
    ($bytes:expr; $($number:literal)*) => {
        match $bytes.div_ceil(128) {
            $(..=$number => scrub::<{ $number * 128 / 8 }>,)*
            _ => unreachable!("there are no such frames"),
        }
    };
}

/// What wipes frames with variables of about so many bytes.
#[inline(always)]
fn wiper(bytes: usize) -> fn() {
    up_to!(bytes + BESIDE;
        4 5 6 7 9 12 14 16 20 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 160 192 256 320
        384 512)
}

/// Its frame lies where that of [`below`] lay.
#[inline(never)]
fn scrub<const WORDS: usize>() {
    let mut room = [const { MaybeUninit::<u64>::uninit() }; WORDS];
    if WORDS >= WIDE && cpu::zero(&mut room) {
        return;
    }
    for some in room.chunks_mut(AT_A_TIME / 8) {
        some.fill(MaybeUninit::new(0));
        optimization_barrier(some);
    }
}

/// For the faces: does work that leaves copies of secrets on the stack (of what is moved, and of what registers
/// had no room for), and wipes what it used of it, at most `KIB`; eight times as much where nothing is optimised.
pub fn leaving_nothing<const KIB: usize, R>(work: impl FnOnce() -> R) -> R {
    #[inline(never)]
    fn wipe<const KIB: usize>() {
        let stack = [[0_u8; if cfg!(debug_assertions) { 8192 } else { 1024 }]; KIB];
        optimization_barrier(&stack);
    }
    /// Not the one above: of that nobody outside this crate knows, so that calls of it go straight.
    #[inline(never)]
    fn below<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    // Both begin where this function's own frame ends.
    let result = below(work);
    wipe::<KIB>();
    result
}
