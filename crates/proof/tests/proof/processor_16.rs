//! One instruction of 16-bit code on the processor at hand, with all registers given: this process of 64 bits jumps
//! into a code segment of 16 bits, and back. Segments are made by `modify_ldt`: in protected mode they begin where a
//! table says, and instructions do in them what they do in real mode.
#![allow(unsafe_code, reason = "runs machine code")]

use crate::processor::Registers;

/// Where the segment of the code and the stack begins.
pub(crate) const PAGE: usize = 0x5b00_0000;
/// Where that of other memory begins, and one that nothing should be found in.
pub(crate) const DATA: usize = PAGE + 0x8000;
const ELSEWHERE: usize = PAGE + 0x8800;
/// Where the registers lie; behind them where the code goes, and the stack of this process.
const REGISTERS: usize = PAGE + 0x2000;
const SIZE: usize = 0x2_0000;

/// Selectors in the local table: of the code, the stack, other memory, and elsewhere.
pub(crate) const CODE: u16 = 0x07;
pub(crate) const STACK: u16 = 0x0f;
pub(crate) const MEMORY: u16 = 0x17;
pub(crate) const OTHER: u16 = 0x1f;

/// Where es, ds and fs stand among the registers: behind the general ones, in the order of their numbers.
const SEGMENTS: [usize; 3] = [8, 11, 12];

/// What Linux has of a segment: number, base, limit, and flags. Of those: 16 bits, kind, whether it cannot be written.
#[repr(C)]
struct Segment {
    number: u32,
    base: u32,
    limit: u32,
    flags: u32,
}

/// Makes a segment of 64 KiB, of code that may be read or of data that may be written, by its number.
pub(crate) fn make_segment(number: u32, base: usize, is_code: bool) {
    let flags = if is_code { 2 << 1 } else { 0 } | 1 << 6;
    let base = u32::try_from(base).expect("segments begin below 4 GiB");
    let segment = Segment { number, base, limit: 0xffff, flags };
    // SAFETY: an entry of a table that nothing but tests uses, each its own ones.
    let done =
        unsafe { libc::syscall(libc::SYS_modify_ldt, 1, &raw const segment, size_of::<Segment>()) };
    assert_eq!(done, 0, "a segment of 16 bits: {}", std::io::Error::last_os_error());
}

/// What segment registers hold for a segment.
pub(crate) fn selector(number: u32) -> u16 {
    (number << 3 | 7) as u16
}

std::arch::global_asm!(
    ".pushsection .rodata",
    "cosimulate_16_start:",
    "push rbx\n push rbp\n push r12\n push r13\n push r14\n push r15",
    // The segment fs is this thread's: its base is kept.
    "rdfsbase rbx\n push rbx\n mov ecx, ss\n push rcx",
    "mov [0x5b002f10], rsp",
    "jmp fword ptr [0x5b002f00]",
    "cosimulate_16_back:",
    "mov ecx, 0x2b\n mov ss, ecx\n mov rsp, [0x5b002f10]",
    "pop rcx\n mov ss, ecx\n xor ecx, ecx\n mov ds, ecx\n mov es, ecx\n mov fs, ecx",
    "pop rbx\n wrfsbase rbx",
    "pop r15\n pop r14\n pop r13\n pop r12\n pop rbp\n pop rbx\n ret",
    "cosimulate_16_narrow:",
    ".code16",
    "mov cx, 0x0f\n mov ss, cx\n mov esp, 0x7000",
    "push dword ptr cs:[0x2880]\n popfd",
    "mov cx, cs:[0x2f20]\n mov es, cx\n mov cx, cs:[0x2f22]\n mov ds, cx",
    "mov cx, cs:[0x2f24]\n mov fs, cx",
    "mov ecx, cs:[0x2808]\n mov edx, cs:[0x2810]\n mov ebx, cs:[0x2818]",
    "mov ebp, cs:[0x2828]\n mov esi, cs:[0x2830]\n mov edi, cs:[0x2838]",
    "mov esp, cs:[0x2820]\n mov eax, cs:[0x2800]",
    "cosimulate_16_slot: .fill 16, 1, 0x90",
    "mov ss:[0x2800], eax\n mov ss:[0x2808], ecx\n mov ss:[0x2810], edx",
    "mov ss:[0x2818], ebx\n mov ss:[0x2820], esp\n mov ss:[0x2828], ebp",
    "mov ss:[0x2830], esi\n mov ss:[0x2838], edi",
    "mov ss:[0x2f20], es\n mov ss:[0x2f22], ds\n mov ss:[0x2f24], fs",
    "mov esp, 0x7000\n pushfd\n pop dword ptr ss:[0x2880]",
    "jmp fword ptr cs:[0x2f08]",
    ".code64",
    "cosimulate_16_end:",
    ".popsection",
);

unsafe extern "C" {
    static cosimulate_16_start: u8;
    static cosimulate_16_back: u8;
    static cosimulate_16_narrow: u8;
    static cosimulate_16_slot: u8;
    static cosimulate_16_end: u8;
}

/// What the processor reads from memory for a far jump.
#[repr(C, packed)]
struct Far {
    offset: u32,
    selector: u16,
}

/// The code, and the memory that it has. There is one at a time.
pub(crate) struct RealSlot {
    slot: usize,
}

impl RealSlot {
    /// For this processor and this system.
    pub(crate) fn new() -> Self {
        let start = &raw const cosimulate_16_start as usize;
        let size = &raw const cosimulate_16_end as usize - start;
        let at = |label: *const u8| PAGE + (label as usize - start);
        assert!(size <= REGISTERS - PAGE && size_of::<Registers>() < 0xf00);
        for (number, base, is_code) in
            [(0, PAGE, true), (1, PAGE, false), (2, DATA, false), (3, ELSEWHERE, false)]
        {
            make_segment(number, base, is_code);
        }
        // SAFETY: a new mapping, in place of no other, which the code fits into, and where it goes.
        unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
            let page = libc::mmap(PAGE as *mut _, SIZE, protection, flags, -1, 0);
            assert_eq!(page as usize, PAGE, "there is other memory at the place of the code");
            std::ptr::copy_nonoverlapping(start as *const u8, page.cast(), size);
            let narrow = at(&raw const cosimulate_16_narrow) - PAGE;
            let there = Far { offset: narrow as u32, selector: CODE };
            std::ptr::write((PAGE + 0x2f00) as *mut Far, there);
            let back = Far { offset: at(&raw const cosimulate_16_back) as u32, selector: 0x33 };
            std::ptr::write((PAGE + 0x2f08) as *mut Far, back);
        }
        Self { slot: at(&raw const cosimulate_16_slot) }
    }

    /// Runs an instruction that goes on with the next one, with the lower halves of general registers, and behind
    /// these selectors.
    ///
    /// # Safety
    /// It touches no memory but what the caller may have written to, and sp points into such memory.
    pub(crate) unsafe fn run(&mut self, instruction: &[u8], registers: &mut Registers) {
        assert!(instruction.len() < 16);
        // SAFETY: the slot has 16 bytes, and the registers lie where the code has them. What the instruction does
        // is as the caller promises.
        unsafe {
            let slot = self.slot as *mut u8;
            std::ptr::write_bytes(slot, 0x90, 16);
            std::ptr::copy_nonoverlapping(instruction.as_ptr(), slot, instruction.len());
            let place = REGISTERS as *mut Registers;
            std::ptr::write(place, registers.clone());
            let segments = SEGMENTS.map(|n| registers.general[n] as u16);
            std::ptr::write((PAGE + 0x2f20) as *mut [u16; 3], segments);
            let run: extern "C" fn() = std::mem::transmute(PAGE);
            run();
            *registers = std::ptr::read(place);
            let segments = std::ptr::read((PAGE + 0x2f20) as *const [u16; 3]);
            for (n, segment) in SEGMENTS.into_iter().zip(segments) {
                registers.general[n] = segment.into();
            }
        }
    }
}

impl Drop for RealSlot {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's own, and nothing of it runs any more.
        unsafe {
            libc::munmap(PAGE as *mut _, SIZE);
        }
    }
}
