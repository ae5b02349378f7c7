//! One instruction on the processor at hand, with all registers given.
#![allow(unsafe_code, reason = "runs machine code")]

/// All registers, and what they become.
#[repr(C, align(64))]
#[derive(Clone)]
pub(crate) struct Registers {
    pub(crate) vectors: [[u64; 8]; 32],
    pub(crate) general: [u64; 16],
    pub(crate) flags: u64,
    host_stack: u64,
    /// The register k1, if vectors have 512 bits.
    pub(crate) mask: u64,
}

impl Registers {
    pub(crate) fn new(vectors: [[u64; 8]; 32], general: [u64; 16], mask: u64) -> Self {
        // Only the bit that is always set.
        Self { vectors, general, flags: 2, host_stack: 0, mask }
    }
}

/// A page of machine code that loads all registers, runs one instruction, and stores them again. It finds
/// them relative to itself: they lie behind the code.
pub(crate) struct Slot {
    page: *mut u8,
    harness: Harness,
}

/// Where things are in a harness.
#[derive(Clone, Copy)]
struct Harness {
    start: usize,
    slot: usize,
    registers: usize,
    end: usize,
}

const PAGE: usize = 8192;

/// A harness with vectors of one width, by the names of its labels.
macro_rules! harness {
    ($name:ident, $vectors:literal, $move:literal, $kind:literal, $load:literal, $store:literal) => {
        std::arch::global_asm!(
            concat!(".pushsection .text\n .balign 64\n", stringify!($name), "_start:"),
            "push rbx\n push rbp\n push r12\n push r13\n push r14\n push r15",
            concat!("lea rax, [rip + ", stringify!($name), "_registers]"),
            concat!(".irp k, ", $vectors, "\n", $move, " ", $kind, "\\k, [rax + 64*\\k]\n .endr"),
            $load,
            "mov [rax + 2184], rsp\n push [rax + 2176]\n popfq",
            "mov rcx, [rax + 2056]\n mov rdx, [rax + 2064]\n mov rbx, [rax + 2072]",
            "mov rsp, [rax + 2080]\n mov rbp, [rax + 2088]\n mov rsi, [rax + 2096]",
            "mov rdi, [rax + 2104]\n mov r8, [rax + 2112]\n mov r9, [rax + 2120]",
            "mov r10, [rax + 2128]\n mov r11, [rax + 2136]\n mov r12, [rax + 2144]",
            "mov r13, [rax + 2152]\n mov r14, [rax + 2160]\n mov r15, [rax + 2168]",
            "mov rax, [rax + 2048]",
            concat!(stringify!($name), "_slot: .fill 16, 1, 0x90"),
            concat!("mov [rip + ", stringify!($name), "_registers + 2048], rax"),
            concat!("lea rax, [rip + ", stringify!($name), "_registers]"),
            "mov [rax + 2056], rcx\n mov [rax + 2064], rdx\n mov [rax + 2072], rbx",
            "mov [rax + 2080], rsp\n mov [rax + 2088], rbp\n mov [rax + 2096], rsi",
            "mov [rax + 2104], rdi\n mov [rax + 2112], r8\n mov [rax + 2120], r9",
            "mov [rax + 2128], r10\n mov [rax + 2136], r11\n mov [rax + 2144], r12",
            "mov [rax + 2152], r13\n mov [rax + 2160], r14\n mov [rax + 2168], r15",
            "mov rsp, [rax + 2184]\n pushfq\n pop [rax + 2176]",
            $store,
            concat!(".irp k, ", $vectors, "\n", $move, " [rax + 64*\\k], ", $kind, "\\k\n .endr"),
            "vzeroupper\n pop r15\n pop r14\n pop r13\n pop r12\n pop rbp\n pop rbx\n ret",
            concat!(".balign 64\n", stringify!($name), "_registers: .fill 2240, 1, 0"),
            concat!(stringify!($name), "_end:\n .popsection"),
        );
    };
}

harness!(
    cosimulate_512,
    "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
    "vmovdqu64",
    "zmm",
    "kmovq k1, [rax + 2192]",
    "kmovq [rax + 2192], k1"
);
harness!(cosimulate_256, "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", "vmovdqu", "ymm", "", "");

unsafe extern "C" {
    static cosimulate_512_start: u8;
    static cosimulate_512_slot: u8;
    static cosimulate_512_registers: u8;
    static cosimulate_512_end: u8;
    static cosimulate_256_start: u8;
    static cosimulate_256_slot: u8;
    static cosimulate_256_registers: u8;
    static cosimulate_256_end: u8;
}

macro_rules! places {
    ($start:ident $slot:ident $registers:ident $end:ident) => {
        Harness {
            start: &raw const $start as usize,
            slot: &raw const $slot as usize,
            registers: &raw const $registers as usize,
            end: &raw const $end as usize,
        }
    };
}

impl Slot {
    /// For this processor; `None` if it has no AVX.
    pub(crate) fn new() -> Option<Self> {
        let harness = if has_wide() {
            places!(cosimulate_512_start cosimulate_512_slot cosimulate_512_registers cosimulate_512_end)
        } else if std::arch::is_x86_feature_detected!("avx") {
            places!(cosimulate_256_start cosimulate_256_slot cosimulate_256_registers cosimulate_256_end)
        } else {
            return None;
        };
        let size = harness.end - harness.start;
        assert!(size <= PAGE);
        // SAFETY: a new mapping, which the code of the harness fits into; the harness finds its data
        // relative to itself.
        let page = unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let page = libc::mmap(std::ptr::null_mut(), PAGE, protection, flags, -1, 0);
            assert_ne!(page, libc::MAP_FAILED);
            std::ptr::copy_nonoverlapping(harness.start as *const u8, page.cast(), size);
            page.cast::<u8>()
        };
        Some(Self { page, harness })
    }

    /// Runs an instruction that goes on with the next one.
    ///
    /// # Safety
    /// It touches no memory but what the caller may have written to, and rsp points into such memory.
    pub(crate) unsafe fn run(&mut self, instruction: &[u8], registers: &mut Registers) {
        assert!(instruction.len() < 16);
        // SAFETY: the slot has 16 bytes, and the registers lie where the harness has them. What the
        // instruction does is as the caller promises.
        unsafe {
            let slot = self.page.add(self.harness.slot - self.harness.start);
            std::ptr::write_bytes(slot, 0x90, 16);
            std::ptr::copy_nonoverlapping(instruction.as_ptr(), slot, instruction.len());
            let place = self.page.add(self.harness.registers - self.harness.start);
            let place = place.cast::<Registers>();
            std::ptr::write(place, registers.clone());
            let run: extern "C" fn() = std::mem::transmute(self.page);
            run();
            *registers = std::ptr::read(place);
        }
    }
}

/// Whether vectors have 512 bits.
pub(crate) fn has_wide() -> bool {
    std::arch::is_x86_feature_detected!("avx512bw")
}
