//! Calls of kernels under watch: every register filled before and read after, a stack of their
//! own with a known content, buffers beside guard pages.
#![allow(unsafe_code, reason = "calls the kernels, by an entry of our own")]

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use loom::exec::Processor;
use loom::isa::Features;
use loom::isa::frame::Abi;
use loom::isa::x86::VECTOR_0;
use loom::isa::x86::gpr::RSP;
use loom::record::Record;

/// All that a call begins or ends with.
#[repr(C)]
#[derive(Clone)]
struct Registers {
    /// The general registers by number; rsp is that before the call.
    general: [u64; 16],
    flags: u64,
    /// The control register of the vector unit.
    control: u64,
    vector: [[u64; 2]; 16],
}

// What comes in lies in `loom_test_in`, what goes out in `loom_test_out`: nothing else is left
// when a kernel has returned.
std::arch::global_asm!(
    ".pushsection .bss",
    ".p2align 4",
    "loom_test_in: .skip 400",
    "loom_test_out: .skip 400",
    "loom_test_target: .skip 8",
    "loom_test_stack: .skip 8",
    ".popsection",
    ".pushsection .text",
    ".globl loom_test_call, loom_test_back",
    // (registers before, registers after, target)
    "loom_test_call:",
    "push rbx; push rbp; push r12; push r13; push r14; push r15",
    "push rsi",
    "mov [rip + loom_test_target], rdx",
    "mov [rip + loom_test_stack], rsp",
    "mov rsi, rdi",
    "lea rdi, [rip + loom_test_in]",
    "mov ecx, 50",
    "cld",
    "rep movsq",
    ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    "movups xmm\\n, [rip + loom_test_in + 144 + 16 * \\n]",
    ".endr",
    "ldmxcsr [rip + loom_test_in + 136]",
    "mov rax, [rip + loom_test_in]",
    "mov rcx, [rip + loom_test_in + 8]",
    "mov rdx, [rip + loom_test_in + 16]",
    "mov rbx, [rip + loom_test_in + 24]",
    "mov rsp, [rip + loom_test_in + 32]",
    "mov rbp, [rip + loom_test_in + 40]",
    "mov rsi, [rip + loom_test_in + 48]",
    "mov rdi, [rip + loom_test_in + 56]",
    ".irp n, 8, 9, 10, 11, 12, 13, 14, 15",
    "mov r\\n, [rip + loom_test_in + 8 * \\n]",
    ".endr",
    "push qword ptr [rip + loom_test_in + 128]",
    "popfq",
    "call [rip + loom_test_target]",
    "loom_test_back:",
    "mov [rip + loom_test_out], rax",
    "mov [rip + loom_test_out + 8], rcx",
    "mov [rip + loom_test_out + 16], rdx",
    "mov [rip + loom_test_out + 24], rbx",
    "mov [rip + loom_test_out + 32], rsp",
    "mov [rip + loom_test_out + 40], rbp",
    "mov [rip + loom_test_out + 48], rsi",
    "mov [rip + loom_test_out + 56], rdi",
    ".irp n, 8, 9, 10, 11, 12, 13, 14, 15",
    "mov [rip + loom_test_out + 8 * \\n], r\\n",
    ".endr",
    "mov rsp, [rip + loom_test_stack]",
    "pushfq",
    "pop qword ptr [rip + loom_test_out + 128]",
    "push 2",
    "popfq",
    "stmxcsr [rip + loom_test_out + 136]",
    "ldmxcsr [rip + loom_test_in + 136]",
    ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    "movups [rip + loom_test_out + 144 + 16 * \\n], xmm\\n",
    ".endr",
    "pop rdi",
    "lea rsi, [rip + loom_test_out]",
    "mov ecx, 50",
    "rep movsq",
    "pop r15; pop r14; pop r13; pop r12; pop rbp; pop rbx",
    "ret",
    ".popsection",
);

unsafe extern "sysv64" {
    fn loom_test_call(before: *const Registers, after: *mut Registers, target: *const u8);
    /// Where a kernel returns to.
    pub(crate) static loom_test_back: u8;
}

/// The processor's flags when a kernel is entered: none is set.
pub(crate) const FLAGS: u64 = 2;

/// The vector unit's control register as every thread begins with it.
pub(crate) const MXCSR: u64 = 0x1f80;
/// What fills the stack.
const PATTERN: u64 = 0x5a5a_0123_4567_a5a5;
/// Words of stack below and above the stack pointer before a call.
const BELOW: usize = 8192;
const ABOVE: usize = 64;

/// A function of Windows' ABI may write the four words above its return address.
fn shadow(abi: &Abi) -> usize {
    if abi.name == "win64" { 4 } else { 0 }
}

/// Whether this processor has what a kernel needs.
pub(crate) fn runs_here(record: &Record) -> bool {
    let none = Some(Features::NONE);
    let features = record.features.iter().fold(none, |all, name| all?.with(name));
    Processor::detect().has(features.expect("features that loom knows"))
}

/// The vector registers that a function must give back.
fn saved_vectors(abi: &Abi) -> std::ops::Range<usize> {
    if abi.name == "win64" { 6..16 } else { 0..0 }
}

/// Calls `target` with these arguments and flags, and says what it did that its record does not allow.
///
/// # Safety
/// `target` is a kernel with this record, and the arguments are what the record asks for.
pub(crate) unsafe fn watched(
    target: *const u8,
    record: &Record,
    arguments: &[u64],
    flags: u64,
) -> Result<(), String> {
    // The places for registers are one for all threads.
    static ONE: Mutex<()> = Mutex::new(());
    let abi = record.abi;
    let mut stack = vec![PATTERN; BELOW + ABOVE + 2];
    // A multiple of 16.
    let top = BELOW + (stack.as_ptr() as usize / 8) % 2;
    let mut before = Registers {
        general: std::array::from_fn(|n| 0x0f0f_1234_5678_0000 + 0x1111 * n as u64),
        flags,
        control: MXCSR,
        vector: std::array::from_fn(|n| [n as u64 | 0xabcd << 48, !(n as u64)]),
    };
    before.general[usize::from(RSP)] = stack[top..].as_mut_ptr() as u64;
    for (&register, &argument) in abi.arguments.iter().zip(arguments) {
        before.general[usize::from(register)] = argument;
    }
    let mut after = before.clone();
    {
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the caller vouches for the kernel and its arguments; there are 64 KiB of stack
        // below, more than any kernel says that it takes.
        unsafe { loom_test_call(&raw const before, &raw mut after, target) };
    }
    let seen = |registers: &Registers| Seen {
        general: registers.general.into(),
        flags: registers.flags,
        control: registers.control,
        vector: registers.vector.into(),
    };
    let watched = Watched {
        before: seen(&before),
        after: seen(&after),
        was: vec![PATTERN; stack.len()],
        stack,
        top,
        word: 8,
        back: &raw const loom_test_back as u64,
        code: 0..0,
    };
    watched.judge(record)
}

/// What registers hold.
pub(crate) struct Seen {
    /// The general ones by number.
    pub(crate) general: Vec<u64>,
    pub(crate) flags: u64,
    /// The control register of the vector unit.
    pub(crate) control: u64,
    pub(crate) vector: Vec<[u64; 2]>,
}

/// A call, as it was seen from outside.
pub(crate) struct Watched {
    pub(crate) before: Seen,
    pub(crate) after: Seen,
    /// The stack before it, in words.
    pub(crate) was: Vec<u64>,
    pub(crate) stack: Vec<u64>,
    /// Where in it the stack pointer was before the call.
    pub(crate) top: usize,
    /// Bytes of a word.
    pub(crate) word: usize,
    /// The address to return to.
    pub(crate) back: u64,
    /// Addresses in the kernel, which are no secret: position-independent code asks for one.
    pub(crate) code: Range<u64>,
}

impl Watched {
    /// Says what the record does not allow.
    pub(crate) fn judge(&self, record: &Record) -> Result<(), String> {
        let Self { before, after, was, stack, top, word, back, code } = self;
        let (abi, top) = (record.abi, *top);
        let changed = |n: usize| stack[n] != was[n];
        let saved = abi.saved.or(loom::isa::RegSet::one(RSP));
        for register in saved.iter().map(usize::from).filter(|&register| register < 16) {
            if after.general[register] != before.general[register] {
                return Err(format!(
                    "register {register} came back as {:x}",
                    after.general[register]
                ));
            }
        }
        for register in saved_vectors(abi) {
            if after.vector[register] != before.vector[register] {
                return Err(format!("xmm{register} did not come back"));
            }
        }
        for register in abi.clobbered.without(record.written).iter().map(usize::from) {
            let kept = match register.checked_sub(usize::from(VECTOR_0)) {
                None => after.general[register] == before.general[register],
                Some(vector) => after.vector.get(vector) == before.vector.get(vector),
            };
            if !kept {
                return Err(format!("register {register} was written, which the record denies"));
            }
        }
        if after.flags & 1 << 10 != 0 {
            return Err("the direction flag is set".to_owned());
        }
        // What the flags of the vector unit say is not part of the ABI; how it works is.
        if after.control & !0x3f != MXCSR {
            return Err(format!("mxcsr is {:x}", after.control));
        }
        if stack[top - 1] != *back {
            return Err("the return address was overwritten".to_owned());
        }
        let first = top + shadow(abi);
        if let Some(n) = (first..stack.len()).position(changed) {
            return Err(format!("word {n} of the caller's stack was written"));
        }
        let used = record.stack_bytes as usize / word;
        if (0..top - 1 - used).any(changed) {
            return Err(format!("it wrote more than {} bytes down the stack", record.stack_bytes));
        }
        let ours = |&n: &usize| {
            let is = stack[n];
            !changed(n) || is == 0 || before.general.contains(&is) || code.contains(&is)
        };
        match (top - 1 - used..top - 1).position(|n| !ours(&n)) {
            Some(n) => {
                Err(format!("it left something on the stack, {} bytes down", word * (used - n)))
            }
            None => Ok(()),
        }
    }
}
