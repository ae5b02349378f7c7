//! Kernels of 32 bits: this process of 64 bits calls into a code segment of 32 bits. Code, stack and memory lie below
//! 4 GiB.
#![allow(unsafe_code, reason = "runs machine code")]

use super::compare::{Change, Subject};
use super::native::{Loaded, MEMORY, Mapping, Place, on_inputs};
use std::sync::{Mutex, PoisonError};

/// Where the code that calls lies; behind it what it finds there, and the stack.
const PAGE: usize = 0x5c00_0000;
const FOUND: usize = 0x1000;
const SIZE: usize = 0x1_2000;

/// Linux's code segment for 32-bit programs.
const SELECTOR: u32 = 0x23;

/// What the code finds.
#[repr(C)]
struct Found {
    /// For a far call.
    offset: u32,
    selector: u32,
    /// The stack of 64 bits.
    stack: u64,
    entry: u32,
    arguments: [u32; 4],
}

std::arch::global_asm!(
    ".pushsection .rodata",
    "call_32_start:",
    "push rbx\n push rbp\n push r12\n push r13\n push r14\n push r15",
    // Segments without a limit: 32-bit code has no use for none at all.
    "mov ecx, 0x2b\n mov ds, ecx\n mov es, ecx",
    "mov [0x5c001008], rsp\n mov esp, 0x5c012000",
    "call fword ptr [0x5c001000]",
    "mov rsp, [0x5c001008]",
    "pop r15\n pop r14\n pop r13\n pop r12\n pop rbp\n pop rbx\n ret",
    "call_32_narrow:",
    ".code32",
    "push dword ptr [0x5c001020]\n push dword ptr [0x5c00101c]",
    "push dword ptr [0x5c001018]\n push dword ptr [0x5c001014]",
    "call dword ptr [0x5c001010]",
    "add esp, 16\n retf",
    ".code64",
    "call_32_end:",
    ".popsection",
);

unsafe extern "C" {
    static call_32_start: u8;
    static call_32_narrow: u8;
    static call_32_end: u8;
}

/// The code that calls, of which there is one: it has its addresses in it.
static ONE: Mutex<()> = Mutex::new(());

/// Compares kernels of 32 bits: what differs. Those that have addresses in them lie where they were linked, and so
/// changed ones look up in the tables of the unchanged.
pub(super) fn compare(
    subject: &Subject<'_>,
    changes: &[Change],
    inputs: usize,
) -> Result<(), String> {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let base = subject.span.0 as usize / 4096 * 4096;
    let mut all = vec![Loaded::new(subject, None, Place::At(base))];
    all.extend(changes.iter().map(|change| Loaded::new(subject, Some(change), Place::Low)));
    let memory = Mapping::new(Place::Low, MEMORY);
    let caller = Mapping::new(Place::At(PAGE), SIZE);
    let start = &raw const call_32_start as usize;
    // SAFETY: the code between its labels.
    let code = unsafe {
        let bytes = &raw const call_32_end as usize - start;
        std::slice::from_raw_parts(start as *const u8, bytes)
    };
    assert!(code.len() <= FOUND);
    caller.write(0, code);
    let offset = (PAGE + (&raw const call_32_narrow as usize - start)) as u32;
    on_inputs(subject, (inputs, all.len()), &memory, |copy, arguments| {
        let entry = all[copy].place(subject.entry) as u32;
        let arguments = arguments.map(|argument| memory.number(argument) as u32);
        let found = Found { offset, selector: SELECTOR, stack: 0, entry, arguments };
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
