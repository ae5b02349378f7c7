//! Calls of 32-bit kernels under watch: as those of 64-bit ones, with registers, stack and entry at
//! addresses of 32 bits.
#![allow(unsafe_code, reason = "maps memory, and calls the kernels by an entry of our own")]

use std::sync::{LazyLock, Mutex, PoisonError};

use crate::call::{MXCSR, Seen, Watched};
use loom::exec::Image;
use loom::isa::x86::X86_32;
use loom::isa::x86::gpr::RSP;
use loom::record::Record;

/// All that a call begins or ends with.
#[repr(C)]
#[derive(Clone, Copy)]
struct Registers {
    /// By number; esp is that before the call.
    general: [u32; 8],
    flags: u32,
    control: u32,
    /// So that vectors lie at a multiple of 16.
    gap: [u32; 2],
    vector: [[u64; 2]; 8],
}

/// Words of the stack; its pointer before a call is at `TOP`.
const WORDS: usize = 4096;
const TOP: usize = WORDS - 64;
/// What fills it.
const PATTERN: u32 = 0x5a5a_a5c3;

/// Bytes that no kernel is longer than.
const LONGEST: u64 = 1 << 16;

/// What lies at [`AT`], which the entry names: registers before and after, the stack.
#[repr(C)]
struct Fixed {
    before: Registers,
    after: Registers,
    old_stack: u32,
    target: u32,
    stack: [u32; WORDS],
}

/// Nothing else is mapped so low.
const AT: usize = 0x2000_0000;

const _: () = assert!(size_of::<Registers>() == 176 && std::mem::offset_of!(Fixed, target) == 356);

std::arch::global_asm!(
    ".pushsection .rodata",
    "loom_watch_32:",
    ".code32",
    "push ebx; push ebp; push esi; push edi",
    "mov dword ptr ds:[0x20000000 + 352], esp",
    ".irp n, 0, 1, 2, 3, 4, 5, 6, 7",
    "movups xmm\\n, xmmword ptr ds:[0x20000000 + 48 + 16 * \\n]",
    ".endr",
    "ldmxcsr dword ptr ds:[0x20000000 + 36]",
    "mov eax, dword ptr ds:[0x20000000]",
    "mov ecx, dword ptr ds:[0x20000000 + 4]",
    "mov edx, dword ptr ds:[0x20000000 + 8]",
    "mov ebx, dword ptr ds:[0x20000000 + 12]",
    "mov esp, dword ptr ds:[0x20000000 + 16]",
    "mov ebp, dword ptr ds:[0x20000000 + 20]",
    "mov esi, dword ptr ds:[0x20000000 + 24]",
    "mov edi, dword ptr ds:[0x20000000 + 28]",
    "push dword ptr ds:[0x20000000 + 32]",
    "popfd",
    "call dword ptr ds:[0x20000000 + 356]",
    "loom_watch_32_back:",
    "mov dword ptr ds:[0x20000000 + 176], eax",
    "mov dword ptr ds:[0x20000000 + 180], ecx",
    "mov dword ptr ds:[0x20000000 + 184], edx",
    "mov dword ptr ds:[0x20000000 + 188], ebx",
    "mov dword ptr ds:[0x20000000 + 192], esp",
    "mov dword ptr ds:[0x20000000 + 196], ebp",
    "mov dword ptr ds:[0x20000000 + 200], esi",
    "mov dword ptr ds:[0x20000000 + 204], edi",
    "mov esp, dword ptr ds:[0x20000000 + 352]",
    "pushfd",
    "pop dword ptr ds:[0x20000000 + 208]",
    "push 2",
    "popfd",
    "stmxcsr dword ptr ds:[0x20000000 + 212]",
    "ldmxcsr dword ptr ds:[0x20000000 + 36]",
    ".irp n, 0, 1, 2, 3, 4, 5, 6, 7",
    "movups xmmword ptr ds:[0x20000000 + 224 + 16 * \\n], xmm\\n",
    ".endr",
    "pop edi; pop esi; pop ebp; pop ebx",
    "ret",
    ".code64",
    "loom_watch_32_end:",
    ".popsection",
);

unsafe extern "C" {
    static loom_watch_32: u8;
    static loom_watch_32_back: u8;
    static loom_watch_32_end: u8;
}

/// The entry in memory, and the mapping that it names, one for all threads.
static ENTRY: LazyLock<Mutex<Image>> = LazyLock::new(|| {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED_NOREPLACE;
    // SAFETY: a new mapping that replaces nothing takes nothing from anybody.
    let at = unsafe { libc::mmap(AT as *mut _, size_of::<Fixed>(), access, kind, -1, 0) };
    assert_eq!(at as usize, AT, "memory at {AT:#x}");
    let length = &raw const loom_watch_32_end as usize - &raw const loom_watch_32 as usize;
    // SAFETY: between the labels lies the code above.
    let code = unsafe { std::slice::from_raw_parts(&raw const loom_watch_32, length) };
    let image = Image::new(&X86_32, length, |_, memory| {
        memory.copy_from_slice(code);
        Ok(())
    });
    Mutex::new(image.expect("memory to execute"))
});

fn seen(registers: &Registers) -> Seen {
    Seen {
        general: registers.general.map(u64::from).into(),
        flags: registers.flags.into(),
        control: registers.control.into(),
        vector: registers.vector.into(),
    }
}

/// Calls the 32-bit function at an address with these arguments, and says what it did that its record
/// does not allow.
///
/// # Safety
/// It is a kernel with this record, and the arguments are what the record asks for.
pub(crate) unsafe fn watched(
    target: usize,
    record: &Record,
    arguments: &[u64],
    flags: u32,
) -> Result<(), String> {
    let entry = ENTRY.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the mapping is there, and the lock is held.
    let fixed = unsafe { &mut *(AT as *mut Fixed) };
    fixed.stack = [PATTERN; WORDS];
    for (word, argument) in fixed.stack[TOP..].iter_mut().zip(arguments.iter().copied()) {
        *word = u32::try_from(argument).expect("an address or a count below 4 GiB");
    }
    let mut before = Registers {
        general: std::array::from_fn(|n| 0x0f0f_1234 + 0x1111_0000 * n as u32),
        flags,
        control: MXCSR as u32,
        gap: [0; 2],
        vector: std::array::from_fn(|n| [n as u64 | 0xabcd << 48, !(n as u64)]),
    };
    before.general[usize::from(RSP)] = (&raw const fixed.stack[TOP]) as u32;
    (fixed.before, fixed.after, fixed.target) = (before, before, target as u32);
    let words = |fixed: &Fixed| fixed.stack.iter().map(|&word| word.into()).collect::<Vec<u64>>();
    let was = words(fixed);
    // SAFETY: the entry is the code above; the caller vouches for the kernel and its arguments.
    unsafe { entry.call(0, [0; 4], 1) };
    let back = &raw const loom_watch_32_back as usize - &raw const loom_watch_32 as usize;
    // SAFETY: as above; the call has changed it.
    let fixed = unsafe { std::ptr::read_volatile(AT as *const Fixed) };
    let watched = Watched {
        before: seen(&before),
        after: seen(&fixed.after),
        was,
        stack: words(&fixed),
        top: TOP,
        word: 4,
        code: target as u64..target as u64 + LONGEST,
        back: (entry.bytes().as_ptr() as usize + back) as u64,
    };
    watched.judge(record)
}
