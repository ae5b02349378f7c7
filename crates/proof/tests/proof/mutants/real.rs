//! Kernels of real mode: this process of 64 bits jumps into code segments of 16 bits, one for each kernel beside the
//! others. Segments are made by `modify_ldt`: in protected mode they begin where a table says, and instructions do in
//! them what they do in real mode.
#![allow(unsafe_code, reason = "runs machine code")]

use super::compare::{Change, Subject};
use super::inputs::Argument;
use super::native::{MEMORY, Mapping, Place, on_inputs};
use crate::processor_16::{make_segment, selector};
use std::sync::{Mutex, PoisonError};

/// Bytes of a segment.
const SEGMENT: usize = 1 << 16;

/// Where the code that calls lies, and behind it what it finds there.
const PAGE: usize = 0x5d00_0000;
const FOUND: usize = PAGE + 0x800;

/// The numbers of segments: of the code that calls, of its stack, of each argument, and of the first kernel. Other
/// tests have those below.
const CALLER: u32 = 16;
const STACK: u32 = 17;
const ARGUMENTS: [u32; 4] = [18, 19, 20, 21];
const KERNELS: u32 = 22;
/// How much further each argument's segment begins.
const APART: usize = 16;

/// What the code finds.
#[repr(C)]
struct Found {
    /// The kernel.
    entry: u32,
    segment: u16,
    /// Selectors of the stack and of memory.
    stack: u16,
    data: u16,
    /// Where the kernel returns to: in this code, or if it was called near, in its own segment.
    returns: u16,
    is_near: u16,
    _unused: u16,
    /// The code of 16 bits, and of 64 bits behind it.
    there: (u32, u32),
    back: (u32, u32),
    /// The stack of this process.
    own: u64,
    arguments: [u16; 8],
}

std::arch::global_asm!(
    ".pushsection .rodata",
    "call_16_start:",
    "push rbx\n push rbp\n push r12\n push r13\n push r14\n push r15",
    // The segment fs is this thread's: its base is kept.
    "rdfsbase rbx\n push rbx\n mov ecx, ss\n push rcx",
    "mov [0x5d000820], rsp",
    "jmp fword ptr [0x5d000810]",
    "call_16_back:",
    "mov ecx, 0x2b\n mov ss, ecx\n mov rsp, [0x5d000820]",
    "pop rcx\n mov ss, ecx\n xor ecx, ecx\n mov ds, ecx\n mov es, ecx\n mov fs, ecx\n mov gs, ecx",
    "pop rbx\n wrfsbase rbx",
    "pop r15\n pop r14\n pop r13\n pop r12\n pop rbp\n pop rbx\n ret",
    "call_16_narrow:",
    ".code16",
    "mov cx, cs:[0x806]\n mov ss, cx\n mov esp, 0xfff0",
    "mov cx, cs:[0x808]\n mov ds, cx\n mov es, cx",
    "push word ptr cs:[0x836]\n push word ptr cs:[0x834]",
    "push word ptr cs:[0x832]\n push word ptr cs:[0x830]",
    "push word ptr cs:[0x82e]\n push word ptr cs:[0x82c]",
    "push word ptr cs:[0x82a]\n push word ptr cs:[0x828]",
    // As a near call would, or a far one.
    "cmp word ptr cs:[0x80c], 0\n jne 2f",
    "push cs",
    "2: push word ptr cs:[0x80a]",
    "jmp fword ptr cs:[0x800]",
    "call_16_returned:",
    "jmp fword ptr cs:[0x818]",
    ".code64",
    "call_16_end:",
    ".popsection",
);

unsafe extern "C" {
    static call_16_start: u8;
    static call_16_back: u8;
    static call_16_narrow: u8;
    static call_16_returned: u8;
    static call_16_end: u8;
}

/// The code that calls, of which there is one: it has its addresses in it.
static ONE: Mutex<()> = Mutex::new(());

/// A segment with what a program cannot write to, perhaps with a change, and behind it a far jump to where a kernel
/// goes on that was called near.
fn loaded(subject: &Subject<'_>, change: Option<&Change>, returned: u16) -> Mapping {
    const FAR_JUMP: u8 = 0xea;
    let (base, bytes) = subject.span;
    let mapping = Mapping::new(Place::Low, SEGMENT);
    mapping.write(*base as usize, bytes);
    let jump = [&[FAR_JUMP][..], &returned.to_le_bytes(), &selector(CALLER).to_le_bytes()];
    mapping.write(behind(subject), &jump.concat());
    if let Some(change) = change {
        mapping.write(change.at as usize, &change.bytes);
    }
    mapping
}

/// Where that jump is.
fn behind(subject: &Subject<'_>) -> usize {
    subject.span.0 as usize + subject.span.1.len()
}

/// Compares kernels of real mode: what differs.
pub(super) fn compare(
    subject: &Subject<'_>,
    changes: &[Change],
    inputs: usize,
) -> Result<(), String> {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let start = &raw const call_16_start as usize;
    // SAFETY: the code between its labels.
    let code = unsafe {
        let bytes = &raw const call_16_end as usize - start;
        std::slice::from_raw_parts(start as *const u8, bytes)
    };
    assert!(PAGE + code.len() <= FOUND);
    // Labels are local to this file's code, which the closure need not be a part of.
    let [narrow, back, returned] =
        [&raw const call_16_narrow, &raw const call_16_back, &raw const call_16_returned]
            .map(|label| (label as usize - start) as u32);
    let all = std::iter::once(None).chain(changes.iter().map(Some));
    let all: Vec<Mapping> = all.map(|change| loaded(subject, change, returned as u16)).collect();
    let memory = Mapping::new(Place::Low, MEMORY);
    let stack = Mapping::new(Place::Low, SEGMENT);
    let caller = Mapping::new(Place::At(PAGE), SEGMENT);
    caller.write(0, code);
    make_segment(CALLER, PAGE, true);
    make_segment(STACK, stack.address(), false);
    for (n, number) in ARGUMENTS.into_iter().enumerate() {
        make_segment(number, memory.address() + APART * n, false);
    }
    for (number, kernel) in (KERNELS..).zip(&all) {
        make_segment(number, kernel.address(), true);
    }
    let convention = subject.image.convention;
    let is_far = convention.pointer > convention.offset;
    on_inputs(subject, (inputs, all.len()), &memory, |copy, arguments| {
        let mut words = Vec::new();
        for (n, argument) in arguments.into_iter().enumerate() {
            match argument {
                Argument::Number(number) => words.push(number as u16),
                Argument::Fresh(at) | Argument::Kept(at) if is_far => {
                    words.push(u16::try_from(at - APART * n).expect("a segment has room"));
                    words.push(selector(ARGUMENTS[n]));
                }
                Argument::Fresh(at) | Argument::Kept(at) => {
                    words.push(u16::try_from(at).expect("a segment has room"));
                }
            }
        }
        words.resize(8, 0);
        let found = Found {
            entry: subject.entry as u32,
            segment: selector(KERNELS + copy as u32),
            stack: selector(STACK),
            // Far pointers have segments of their own: that of the stack serves as any other.
            data: selector(if is_far { STACK } else { ARGUMENTS[0] }),
            returns: if is_far { returned as u16 } else { behind(subject) as u16 },
            is_near: (!is_far).into(),
            _unused: 0,
            there: (narrow, selector(CALLER).into()),
            back: (PAGE as u32 + back, 0x33),
            own: 0,
            arguments: words.try_into().expect("at most four arguments of two words"),
        };
        // SAFETY: the code finds this where it looks for it. The kernel was proved to keep to its convention and to
        // its regions, or changed by hand to do so, and each argument is a count, a number or a region of the size
        // that it wants.
        unsafe {
            std::ptr::write(FOUND as *mut Found, found);
            let call: extern "C" fn() = std::mem::transmute(PAGE);
            call();
        }
    })
}
