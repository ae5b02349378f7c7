//! Unwinding works at every instruction: a kernel is single-stepped, and at each step the system's
//! unwinder must find whom it returns to.
#![allow(unsafe_code, reason = "a signal handler, and calls of the kernels")]

use loom::isa::x86::X86_64;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::assembler::{File, assemblers};
use crate::call::{FLAGS, loom_test_back, runs_here};
use crate::cases::{Side, cases};
use crate::kernels::{kernels, strategies, units};
use crate::run::{Loaded, elf};
use loom::ciphers::Strategy;
use loom::emit::{body, file, tables_body, text};
use loom::isa::x86::X86;
use loom::isa::x86::conventions::SYSV64;
use loom::pipeline::Compiled;

/// A trap after every instruction.
const STEP: u64 = 1 << 8;

/// The kernel that is stepped.
static FROM: AtomicUsize = AtomicUsize::new(0);
static TO: AtomicUsize = AtomicUsize::new(0);
/// Steps in it, those where the unwinder found the caller, and one where it did not.
static STEPS: AtomicUsize = AtomicUsize::new(0);
static FOUND: AtomicUsize = AtomicUsize::new(0);
static LOST: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" {
    fn _Unwind_Backtrace(
        frame: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        seen: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
}

/// What tells the unwinder that nobody wants to know more: `_URC_END_OF_STACK`.
const END_OF_STACK: c_int = 5;

/// Where the unwinder comes by.
struct Seen {
    /// The instruction that the kernel is at.
    kernel: usize,
    /// The last place before the caller.
    last: usize,
    /// The place after the kernel.
    caller: usize,
}

extern "C" fn frame(context: *mut c_void, seen: *mut c_void) -> c_int {
    // SAFETY: the unwinder hands on its context, and the `Seen` that it was called with.
    let (at, seen) = unsafe { (_Unwind_GetIP(context), &mut *seen.cast::<Seen>()) };
    if seen.last == seen.kernel {
        seen.caller = at;
        return END_OF_STACK;
    }
    seen.last = at;
    0
}

extern "C" fn trap(_signal: c_int, _info: *mut c_void, context: *mut c_void) {
    // SAFETY: the third argument of a handler is this, and nothing else uses it.
    let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
    let at = context.uc_mcontext.gregs[libc::REG_RIP as usize] as usize;
    let (from, to) = (FROM.load(Ordering::Relaxed), TO.load(Ordering::Relaxed));
    if !(from..to).contains(&at) {
        // Back from the kernel: no more steps.
        context.uc_mcontext.gregs[libc::REG_EFL as usize] &= !(STEP as i64);
        return;
    }
    let mut seen = Seen { kernel: at, last: 0, caller: 0 };
    // SAFETY: the unwinder calls `frame` with this `seen`, and only before it returns.
    unsafe { _Unwind_Backtrace(frame, (&raw mut seen).cast()) };
    STEPS.fetch_add(1, Ordering::Relaxed);
    if seen.caller == &raw const loom_test_back as usize {
        FOUND.fetch_add(1, Ordering::Relaxed);
    } else {
        LOST.store(at - from, Ordering::Relaxed);
    }
}

/// Has traps handled during some work, on a stack of their own: what lies below a kernel's is watched. One test at a
/// time, as they count in the same places.
fn with_traps(work: impl FnOnce()) {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock();
    let mut stack = vec![0_u8; 256 << 10];
    let stack =
        libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: stack.len() };
    // SAFETY: all zeros is an action without flags; the handler is one for three arguments.
    let results = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = trap as extern "C" fn(_, _, _) as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        [
            libc::sigaltstack(&raw const stack, std::ptr::null_mut()),
            libc::sigaction(libc::SIGTRAP, &raw const action, std::ptr::null_mut()),
        ]
    };
    assert_eq!(results, [0, 0]);
    work();
}

/// Steps through one unit of work of a kernel: how many steps, and at how many the unwinder found
/// the caller.
fn stepped(loaded: &Loaded, strategy: &Strategy, made: &Compiled<X86>) -> (usize, usize) {
    let record = &made.record;
    let function = loaded.function(&record.name);
    let bytes = made.program.bytes(0, 0).expect("code").len();
    FROM.store(function as usize, Ordering::Relaxed);
    TO.store(function as usize + bytes, Ordering::Relaxed);
    let case = &cases(strategy)[1];
    // SAFETY: the function is this kernel; each step is handled.
    let result = unsafe { case.call(function, record, Side::Before(0), FLAGS | STEP) };
    result.unwrap_or_else(|wrong| panic!("{}: {wrong}", record.name));
    (STEPS.swap(0, Ordering::Relaxed), FOUND.swap(0, Ordering::Relaxed))
}

/// The same kernels as the library takes them in.
fn bodies(made: &[Compiled<X86>]) -> Loaded {
    let (units, symbol) = (units(made), |name: &str| name.to_owned());
    let mut text: BTreeMap<&str, String> = units
        .iter()
        .filter_map(|unit| unit.listing.tables.as_ref())
        .map(|set| (&*set.name, set))
        .map(|(name, set)| {
            (name, format!(".hidden {name}\n{}", tables_body(&X86_64, set, &symbol)))
        })
        .collect();
    text.extend(units.iter().map(|unit| (&*unit.record.name, body(unit, &symbol))));
    let source = File::with("bodies.s", text.into_values().collect::<String>());
    let object = File::new("bodies.o");
    assemblers(&X86_64, "elf-att")[0].1(&source, &object);
    elf(&object)
}

/// Steps through every kernel that this processor runs, in each of the files; to the first that is lost.
fn step_through(files: &[(&str, Loaded)]) {
    for (strategy, made) in strategies(&SYSV64).iter().zip(kernels(&SYSV64)) {
        let name = &made.record.name;
        if !runs_here(&made.record) {
            println!("not run here: {name}");
            continue;
        }
        for (what, loaded) in files {
            let (steps, found) = stepped(loaded, strategy, made);
            assert!(steps > 50, "{name}: only {steps} steps");
            let lost = LOST.load(Ordering::Relaxed);
            assert_eq!(found, steps, "object file by {what}, {name}: lost at byte {lost}");
        }
    }
}

/// All kernels as a dialect's text, assembled.
fn assembled(format: &str) -> Loaded {
    let units = units(kernels(&SYSV64));
    let text = text(X86_64.format(format).expect("a format"), &units, "");
    let source = File::with("kernels.s", text);
    let object = File::new("kernels.o");
    assemblers(&X86_64, format)[0].1(&source, &object);
    elf(&object)
}

#[test]
fn slow_the_unwinder_finds_the_caller_at_every_instruction() {
    with_traps(|| {
        step_through(&[("GNU as of a body", bodies(kernels(&SYSV64)))]);
        // NASM gives no unwind information for ELF, as its texts say: this is how that shows.
        let (strategy, without) = (&strategies(&SYSV64)[1], &kernels(&SYSV64)[1]);
        assert!(runs_here(&without.record), "a kernel without features");
        let (steps, found) = stepped(&assembled("elf-nasm"), strategy, without);
        assert!(steps > 100 && found == 0, "{found} of {steps} steps unwound by nothing");
    });
}

/// `objects` shows in each run that these two have the same unwind information.
#[test]
fn rare_the_unwinder_finds_the_caller_in_whole_files() {
    let units = units(kernels(&SYSV64));
    let ours = file(X86_64.format("elf").expect("a format"), &units, "").expect("an object file");
    let ours = elf(&File::with("ours.o", ours));
    let files = [("GNU as", assembled("elf-att")), ("loom", ours)];
    with_traps(|| step_through(&files));
}
