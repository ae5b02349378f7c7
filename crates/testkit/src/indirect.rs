//! Indirect calls that some work makes: the processor takes a step at a time, and each is looked at before it
//! is taken.

use std::ffi::{CStr, c_int, c_void};
use std::ptr::null_mut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bit of the flags that makes a trap of every instruction.
const STEP: usize = 1 << 8;

/// Calls that are kept; all are counted.
const KEPT: usize = 64;

static STEPS: AtomicUsize = AtomicUsize::new(0);
static CALLS: AtomicUsize = AtomicUsize::new(0);
/// Where they are, in the order of the calls.
static PLACES: [AtomicUsize; KEPT] = [const { AtomicUsize::new(0) }; KEPT];

/// What was seen of some work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Instructions.
    pub steps: usize,
    /// Calls by an address in a register or in memory.
    pub calls: usize,
    /// Where the first 64 of them are, as `addr2line` takes it: a file and an address in it.
    pub places: Vec<String>,
}

/// Does some work step by step, and says which indirect calls it made. One at a time: others wait.
///
/// # Panics
/// If the system does not let a program handle its traps.
#[inline(never)]
pub fn indirect_calls(work: impl FnOnce()) -> Seen {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock();
    // SAFETY: all zeros is an action without flags; the handler is one for three arguments.
    #[allow(unsafe_code)]
    let result = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = trap as extern "C" fn(_, _, _) as usize;
        action.sa_flags = libc::SA_SIGINFO;
        libc::sigaction(libc::SIGTRAP, &raw const action, null_mut())
    };
    assert_eq!(result, 0, "traps of the program's own are not handled here");
    STEPS.store(0, Ordering::Relaxed);
    CALLS.store(0, Ordering::Relaxed);
    {
        let _steps = Steps::begin();
        work();
    }
    let calls = CALLS.load(Ordering::Relaxed);
    let places = PLACES[..calls.min(KEPT)].iter();
    Seen {
        steps: STEPS.load(Ordering::Relaxed),
        calls,
        places: places.map(|place| named(place.load(Ordering::Relaxed))).collect(),
    }
}

/// While it lives, a trap follows each instruction; a panic of the work ends it, too.
struct Steps;

impl Steps {
    #[inline(always)]
    fn begin() -> Self {
        // SAFETY: sets a flag; the handler stands.
        #[allow(unsafe_code)]
        unsafe {
            core::arch::asm!("pushfq", "or qword ptr [rsp], {}", "popfq", const STEP);
        }
        Self
    }
}

impl Drop for Steps {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: clears the flag.
        #[allow(unsafe_code)]
        unsafe {
            core::arch::asm!("pushfq", "and qword ptr [rsp], ~{}", "popfq", const STEP);
        }
    }
}

/// The file that some code was loaded from, and where it is in there.
fn named(place: usize) -> String {
    // SAFETY: all zeros is one, and `dladdr` looks an address up without using it; a name that it gives is a text
    // that stays.
    #[allow(unsafe_code)]
    let (found, file, base) = unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        let found = libc::dladdr(place as *const c_void, &raw mut info) != 0;
        let name = found.then(|| CStr::from_ptr(info.dli_fname).to_string_lossy());
        (found, name.unwrap_or_default(), info.dli_fbase as usize)
    };
    let file = file.rsplit('/').next().unwrap_or_default();
    if found { format!("{file} {:#x}", place - base) } else { format!("{place:#x}") }
}

/// Looks at the instruction that comes next.
extern "C" fn trap(_signal: c_int, _info: *mut c_void, context: *mut c_void) {
    // SAFETY: the third argument of a handler is this, and an instruction is to be run from there: opcode FF has a
    // second byte, and a byte before it has one after it.
    #[allow(unsafe_code)]
    let (place, [first, second]) = unsafe {
        let context = &*context.cast::<libc::ucontext_t>();
        let mut place = context.uc_mcontext.gregs[libc::REG_RIP as usize] as *const u8;
        // Registers behind the eighth have a byte in front of the opcode.
        while matches!(*place, 0x40..=0x4f) {
            place = place.add(1);
        }
        (place as usize, if *place == 0xff { [0xff, *place.add(1)] } else { [*place, 0] })
    };
    STEPS.fetch_add(1, Ordering::Relaxed);
    // FF /2 is a near call by a register or by memory.
    if first == 0xff && second >> 3 & 7 == 2 {
        let n = CALLS.fetch_add(1, Ordering::Relaxed);
        if let Some(kept) = PLACES.get(n) {
            kept.store(place, Ordering::Relaxed);
        }
    }
}
