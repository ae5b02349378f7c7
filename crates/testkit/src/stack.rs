//! Stacks that a test owns: how deep a call goes, and what it leaves there.

use std::cell::Cell;
use std::ffi::c_void;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::guard::GuardedBuf;

/// Bytes of the stack above a call, which the thread may use when the call is over: what the call
/// left stays as it is.
const ABOVE: usize = 16 << 10;

/// A stack, below which an inaccessible page lies, and the same bytes before every call.
#[derive(Debug)]
pub struct Stack(GuardedBuf);

/// From here on what lies below the frame of the caller is looked at, and not that frame: for a caller
/// that has a secret in a variable of its own, as who gets a key by value.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
pub fn look_below() {
    let here: usize;
    // SAFETY: reads a register.
    #[allow(unsafe_code)]
    unsafe {
        #[cfg(target_arch = "x86_64")]
        core::arch::asm!("mov {}, rsp", out(reg) here, options(nomem, nostack, preserves_flags));
        #[cfg(target_arch = "aarch64")]
        core::arch::asm!("mov {}, sp", out(reg) here, options(nomem, nostack, preserves_flags));
    }
    TOP.set(here);
}

thread_local! {
    /// Where the part of the stack begins that is looked at; it lies below.
    static TOP: Cell<usize> = const { Cell::new(0) };
}

/// What a call left on its stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residue {
    /// The stack below the call, the lowest address first.
    pub below: Vec<u8>,
    /// How many bytes of it, from the highest down to the lowest that has changed, the call needed.
    pub depth: usize,
}

/// A call, for the thread that does it.
struct Job<'a> {
    work: &'a mut (dyn FnMut() + Send),
    /// Where the call's part of the stack begins: it is what lies below.
    top: usize,
    outcome: std::thread::Result<()>,
}

impl Stack {
    /// A stack with room for calls that need up to `len` bytes.
    ///
    /// # Panics
    /// If the system gives no memory.
    pub fn new(len: usize) -> Self {
        // Thread-local storage and what starts a thread come on top.
        Self(GuardedBuf::beginning_after_guard(len + 2 * ABOVE))
    }

    /// Does `work` on this stack, on a thread of its own.
    ///
    /// # Panics
    /// If `work` does, or there is no thread to be had.
    pub fn run(&mut self, mut work: impl FnMut() + Send) -> Residue {
        fill(self.0.as_mut_slice());
        let mut job = Job { work: &mut work, top: 0, outcome: Ok(()) };
        on_thread(self.0.as_mut_slice(), &mut job);
        if let Err(panic) = job.outcome {
            resume_unwind(panic);
        }
        let stack = self.0.as_slice();
        let below = stack[..job.top - stack.as_ptr().addr()].to_vec();
        let words = below.as_chunks::<8>().0.iter().enumerate();
        let untouched = 8 * words.take_while(|(n, word)| **word == before(*n)).count();
        Residue { depth: below.len() - untouched, below }
    }
}

/// Writes what no call is likely to write.
fn fill(stack: &mut [u8]) {
    for (n, word) in stack.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        *word = before(n);
    }
}

/// The word that stands in place `n` before a call.
fn before(n: usize) -> [u8; 8] {
    (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).to_le_bytes()
}

/// Runs a job on a thread with this stack, until it is done.
fn on_thread(stack: &mut [u8], job: &mut Job<'_>) {
    // SAFETY: the attributes are initialised before they are used and destroyed once. The stack is
    // nobody else's and lives, like the job, until the thread is joined; `enter` gets the job that
    // it expects.
    #[allow(unsafe_code)]
    unsafe {
        let mut attributes = std::mem::zeroed();
        let check = |what, result| assert_eq!(result, 0, "{what}");
        check("pthread_attr_init", libc::pthread_attr_init(&mut attributes));
        check(
            "pthread_attr_setstack",
            libc::pthread_attr_setstack(&mut attributes, stack.as_mut_ptr().cast(), stack.len()),
        );
        let mut thread = std::mem::zeroed();
        let argument = (&raw mut *job).cast();
        check("pthread_create", libc::pthread_create(&mut thread, &attributes, enter, argument));
        check("pthread_join", libc::pthread_join(thread, std::ptr::null_mut()));
        check("pthread_attr_destroy", libc::pthread_attr_destroy(&mut attributes));
    }
}

extern "C" fn enter(job: *mut c_void) -> *mut c_void {
    // SAFETY: `on_thread` hands over a job, which nobody else uses as long as this thread runs.
    #[allow(unsafe_code)]
    let job: &mut Job<'_> = unsafe { &mut *job.cast() };
    below_the_rest(job);
    std::ptr::null_mut()
}

/// Keeps away from the call's part of the stack what runs on this thread behind it.
#[inline(never)]
fn below_the_rest(job: &mut Job<'_>) {
    let mut above = [0u8; ABOVE];
    TOP.set(black_box(&mut above).as_ptr().addr());
    job.outcome = catch_unwind(AssertUnwindSafe(|| (job.work)()));
    job.top = TOP.get() / 8 * 8;
    black_box(&mut above);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[inline(never)]
    fn leave(words: [u64; 4], depth: usize) {
        let mut frame = [0u8; 3000];
        black_box(&mut frame);
        match depth {
            0 => drop(black_box(words.map(|word| word ^ 0x1111))),
            depth => leave(black_box(words), depth - 1),
        }
        black_box(&mut frame);
    }

    fn left(word: u64, depth: usize) -> Residue {
        Stack::new(256 << 10).run(|| leave(black_box([word; 4]), depth))
    }

    #[test]
    fn what_a_call_leaves_is_found_and_nothing_else_changes() {
        let secret = 0x0123_4567_89ab_cdef_u64;
        let residue = left(secret, 3);
        let has = |word: u64| residue.below.windows(8).any(|bytes| bytes == word.to_le_bytes());
        assert!(has(secret) && has(secret ^ 0x1111));
        let mut stack = Stack::new(256 << 10);
        let mut again = || stack.run(|| leave(black_box([secret; 4]), 3));
        assert_eq!(again(), again());
    }

    #[test]
    fn depth_is_what_the_frames_need() {
        let [shallow, deep] = [1, 11].map(|depth| left(7, depth).depth);
        assert!((30_000..35_000).contains(&(deep - shallow)), "{shallow}, {deep}");
    }

    #[test]
    #[should_panic(expected = "a word")]
    fn a_panic_is_passed_on() {
        Stack::new(64 << 10).run(|| panic!("a word"));
    }
}
