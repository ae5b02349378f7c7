//! One instruction of 32-bit code on the processor at hand, with all registers given: this process of 64 bits jumps
//! into a code segment of 32 bits, and back.
#![allow(unsafe_code, reason = "runs machine code")]

use crate::processor::Registers;

/// Where the code lies: 32-bit code has addresses in it.
const PAGE: usize = 0x5a00_0000;
/// Where the registers lie, as the code has it; behind them where it goes, and the stack of this process.
const REGISTERS: usize = PAGE + 0x2000;
const FAR: usize = REGISTERS + 0x900;
const SIZE: usize = 0x1_2000;

/// What the processor reads from memory for a far call.
#[repr(C, packed)]
struct Far {
    offset: u32,
    selector: u16,
}

/// Linux's code segment for 32-bit programs.
const SELECTOR: u16 = 0x23;

std::arch::global_asm!(
    ".pushsection .rodata",
    "cosimulate_32_start:",
    "push rbx\n push rbp\n push r12\n push r13\n push r14\n push r15",
    // Segments without a limit: 32-bit code has no use for none at all.
    "mov ecx, 0x2b\n mov ds, ecx\n mov es, ecx",
    ".irp k, 0,1,2,3,4,5,6,7\n vmovdqu ymm\\k, [0x5a002000 + 64*\\k]\n .endr",
    "mov [0x5a002910], rsp\n mov esp, 0x5a012000",
    "call fword ptr [0x5a002900]",
    ".irp k, 0,1,2,3,4,5,6,7\n vmovdqu [0x5a002000 + 64*\\k], ymm\\k\n .endr",
    "vzeroupper\n mov rsp, [0x5a002910]",
    "pop r15\n pop r14\n pop r13\n pop r12\n pop rbp\n pop rbx\n ret",
    "cosimulate_32_narrow:",
    ".code32",
    "mov [0x5a002918], esp\n push dword ptr [0x5a002880]\n popfd",
    "mov ecx, [0x5a002808]\n mov edx, [0x5a002810]\n mov ebx, [0x5a002818]",
    "mov ebp, [0x5a002828]\n mov esi, [0x5a002830]\n mov edi, [0x5a002838]",
    "mov esp, [0x5a002820]\n mov eax, [0x5a002800]",
    "cosimulate_32_slot: .fill 16, 1, 0x90",
    "mov [0x5a002800], eax\n mov [0x5a002808], ecx\n mov [0x5a002810], edx",
    "mov [0x5a002818], ebx\n mov [0x5a002820], esp\n mov [0x5a002828], ebp",
    "mov [0x5a002830], esi\n mov [0x5a002838], edi",
    "mov esp, [0x5a002918]\n pushfd\n pop dword ptr [0x5a002880]",
    "retf",
    ".code64",
    "cosimulate_32_end:",
    ".popsection",
);

unsafe extern "C" {
    static cosimulate_32_start: u8;
    static cosimulate_32_narrow: u8;
    static cosimulate_32_slot: u8;
    static cosimulate_32_end: u8;
}

/// The code, and the memory that it has. There is one at a time.
pub(crate) struct NarrowSlot {
    slot: usize,
}

impl NarrowSlot {
    /// For this processor; `None` if it has no AVX.
    pub(crate) fn new() -> Option<Self> {
        if !std::arch::is_x86_feature_detected!("avx") {
            return None;
        }
        let start = &raw const cosimulate_32_start as usize;
        let size = &raw const cosimulate_32_end as usize - start;
        let narrow = &raw const cosimulate_32_narrow as usize - start;
        assert!(size <= REGISTERS - PAGE && size_of::<Registers>() <= FAR - REGISTERS);
        // SAFETY: a new mapping, in place of no other, which the code fits into, and where it goes.
        unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
            let page = libc::mmap(PAGE as *mut _, SIZE, protection, flags, -1, 0);
            assert_eq!(page as usize, PAGE, "there is other memory at the place of the code");
            std::ptr::copy_nonoverlapping(start as *const u8, page.cast(), size);
            let far = Far { offset: (PAGE + narrow) as u32, selector: SELECTOR };
            std::ptr::write(FAR as *mut Far, far);
        }
        Some(Self { slot: PAGE + (&raw const cosimulate_32_slot as usize - start) })
    }

    /// Runs an instruction that goes on with the next one, with the lower halves of general registers.
    ///
    /// # Safety
    /// It touches no memory but what the caller may have written to, and esp points into such memory.
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
            let run: extern "C" fn() = std::mem::transmute(PAGE);
            run();
            *registers = std::ptr::read(place);
        }
    }
}

impl Drop for NarrowSlot {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's own, and nothing of it runs any more.
        unsafe {
            libc::munmap(PAGE as *mut _, SIZE);
        }
    }
}
