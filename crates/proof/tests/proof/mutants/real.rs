//! Kernels of real mode: this process of 64 bits jumps into segments of 16 bits, of its local table.
#![allow(unsafe_code, reason = "runs machine code")]

use super::compare::{Change, Subject};
use super::inputs::Argument;
use super::native::{Loaded, MEMORY, Mapping, Place, on_inputs};
use std::sync::{Mutex, PoisonError};

/// Where the code that jumps lies, a segment by itself; behind it what it finds there.
const PAGE: usize = 0x5d00_0000;
const FOUND: usize = 0x1000;
const SIZE: usize = 0x2000;
/// Where the stack begins in its segment.
const TOP: usize = 0xf000;

/// Numbers of segments in the local table: of that code, the stack, memory, and the first kernel.
const CODE: u16 = 8;
const STACK: u16 = 9;
const DATA: u16 = 10;
const KERNELS: u16 = 11;

/// The selector of a segment by its number.
const fn selector(number: u16) -> u16 {
    number << 3 | 7
}

/// What the code finds.
#[repr(C)]
struct Found {
    /// For a far jump to the rest of it.
    offset: u32,
    selector: u32,
    /// The stack of 64 bits.
    stack: u64,
    /// The kernel, and its stack.
    kernel: [u16; 2],
    pointer: u32,
}

/// What Linux has of a segment.
#[repr(C)]
struct Segment {
    number: u32,
    base: u32,
    limit: u32,
    flags: u32,
}

std::arch::global_asm!(
    ".pushsection .rodata",
    "call_16_start:",
    "push rbx\n push rbp\n push r12\n push r13\n push r14\n push r15",
    // The segment fs is this thread's: its base is kept.
    "rdfsbase rbx\n push rbx\n mov ecx, ss\n push rcx",
    "mov [0x5d001008], rsp",
    "jmp fword ptr [0x5d001000]",
    "call_16_back:",
    "mov ecx, 0x2b\n mov ss, ecx\n mov rsp, [0x5d001008]",
    "pop rcx\n mov ss, ecx\n xor ecx, ecx\n mov ds, ecx\n mov es, ecx\n mov fs, ecx",
    "pop rbx\n wrfsbase rbx",
    "pop r15\n pop r14\n pop r13\n pop r12\n pop rbp\n pop rbx\n ret",
    "call_16_narrow:",
    ".code16",
    "mov cx, 0x4f\n mov ss, cx\n mov esp, cs:[0x1014]",
    "mov cx, 0x57\n mov ds, cx\n mov es, cx\n mov fs, cx",
    "jmp dword ptr cs:[0x1010]",
    ".code64",
    "call_16_end:",
    ".popsection",
);

unsafe extern "C" {
    static call_16_start: u8;
    static call_16_back: u8;
    static call_16_narrow: u8;
    static call_16_end: u8;
}

/// The code that calls, of which there is one, and the segments.
static ONE: Mutex<()> = Mutex::new(());

/// Makes a segment of 64 KiB.
fn segment(number: u16, base: usize, is_code: bool) {
    // Code that may be read, or data that may be written; usable.
    let flags = if is_code { 2 << 1 } else { 0 } | 1 << 6;
    let segment = Segment { number: number.into(), base: base as u32, limit: 0xffff, flags };
    // SAFETY: an entry of a table that nothing else of this process uses.
    let done =
        unsafe { libc::syscall(libc::SYS_modify_ldt, 1, &raw const segment, size_of::<Segment>()) };
    assert_eq!(done, 0, "a segment of 16 bits: {}", std::io::Error::last_os_error());
}

/// Compares kernels of real mode: what differs.
pub(super) fn compare(
    subject: &Subject<'_>,
    changes: &[Change],
    inputs: usize,
) -> Result<(), String> {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let all = std::iter::once(None).chain(changes.iter().map(Some));
    let all: Vec<Loaded> = all.map(|change| Loaded::new(subject, change, Place::Low)).collect();
    let (memory, stack) = (Mapping::new(Place::Low, MEMORY), Mapping::new(Place::Low, 1 << 16));
    let caller = Mapping::new(Place::At(PAGE), SIZE);
    let start = &raw const call_16_start as usize;
    let label = |label: *const u8| (label as usize - start) as u32;
    // SAFETY: the code between its labels.
    let code = unsafe {
        let bytes = label(&raw const call_16_end) as usize;
        std::slice::from_raw_parts(start as *const u8, bytes)
    };
    assert!(code.len() <= FOUND);
    caller.write(0, code);
    segment(CODE, PAGE, true);
    segment(STACK, stack.address(), false);
    segment(DATA, memory.address(), false);
    // Where kernels return to, behind all of them in their segments: a jump back to 64 bits.
    let (base, bytes) = subject.span;
    let behind = *base as usize + bytes.len();
    assert!(behind + 16 < 1 << 16 && changes.len() < 1000);
    let back = PAGE as u32 + label(&raw const call_16_back);
    let [b0, b1, b2, b3] = back.to_le_bytes();
    let jump = [0x66, 0xea, b0, b1, b2, b3, 0x33, 0];
    for (kernel, number) in all.iter().zip(KERNELS..) {
        kernel.mapping.write(behind - *base as usize / 4096 * 4096, &jump);
        segment(number, kernel.place(*base) - *base as usize, true);
    }
    let is_far = subject.image.convention.return_bytes == 4;
    on_inputs(subject, (inputs, all.len()), &memory, |copy, arguments| {
        let kernel = selector(KERNELS + copy as u16);
        let mut words = vec![behind as u16];
        words.extend(is_far.then_some(kernel));
        for argument in arguments {
            match argument {
                Argument::Number(number) => words.push(number as u16),
                Argument::Fresh(offset) | Argument::Kept(offset) => {
                    words.push(offset as u16);
                    words.extend(is_far.then_some(selector(DATA)));
                }
            }
        }
        let words: Vec<u8> = words.into_iter().flat_map(u16::to_le_bytes).collect();
        stack.write(TOP, &words);
        let found = Found {
            offset: label(&raw const call_16_narrow),
            selector: selector(CODE).into(),
            stack: 0,
            kernel: [subject.entry as u16, kernel],
            pointer: TOP as u32,
        };
        // SAFETY: the code finds this where it looks for it. The kernel was proved to keep to its convention and to
        // its regions, or changed by hand to do so, and each argument is a count, a number or a region of the size
        // that it wants.
        unsafe {
            std::ptr::write((PAGE + FOUND) as *mut Found, found);
            let call: extern "C" fn() = std::mem::transmute(PAGE);
            call();
        }
    })
}
