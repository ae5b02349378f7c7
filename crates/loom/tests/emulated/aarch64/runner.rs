//! Calls kernels that it reads, on whatever has the instructions of AArch64: a program without a library,
//! compiled for the tests beside it.
//!
//! It reads words of 8 bytes, lowest byte first, and bytes: the length of an image of code and tables, and
//! the image; how many calls there are; of each call where in the image it begins, how many arguments it has,
//! and of each argument whether it points to memory, and its value, or the memory's length and the memory.
//! It writes of each call which registers were not given back, as bits, and the memory.
#![no_std]
#![no_main]

use core::arch::{asm, global_asm};

// Fills what a function gives back (x18 to x29, d8 to d15), calls it, and compares.
global_asm!(
    r#"
        .globl  _start
_start:
        bl      start
        .globl  checked_call
checked_call:
        stp     x29, x30, [sp, #-176]!
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        stp     x23, x24, [sp, #48]
        stp     x25, x26, [sp, #64]
        stp     x27, x28, [sp, #80]
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        mov     x16, x0
        mov     x17, x1
        mov     x9, sp
        str     x9, [sp, #160]
        adr     x9, patterns
        ldp     x18, x19, [x9]
        ldp     x20, x21, [x9, #16]
        ldp     x22, x23, [x9, #32]
        ldp     x24, x25, [x9, #48]
        ldp     x26, x27, [x9, #64]
        ldp     x28, x29, [x9, #80]
        ldp     d8, d9, [x9, #96]
        ldp     d10, d11, [x9, #112]
        ldp     d12, d13, [x9, #128]
        ldp     d14, d15, [x9, #144]
        ldp     x0, x1, [x17]
        ldp     x2, x3, [x17, #16]
        ldp     x4, x5, [x17, #32]
        ldp     x6, x7, [x17, #48]
        blr     x16
        adr     x9, patterns
        mov     x0, xzr
        mov     x2, #1
        .macro  same register, at
        ldr     x1, [x9, #\at]
        cmp     x1, \register
        csel    x1, xzr, x2, eq
        orr     x0, x0, x1
        lsl     x2, x2, #1
        .endm
        same    x18, 0
        same    x19, 8
        same    x20, 16
        same    x21, 24
        same    x22, 32
        same    x23, 40
        same    x24, 48
        same    x25, 56
        same    x26, 64
        same    x27, 72
        same    x28, 80
        same    x29, 88
        .macro  same_vector register, at
        fmov    x10, \register
        same    x10, \at
        .endm
        same_vector d8, 96
        same_vector d9, 104
        same_vector d10, 112
        same_vector d11, 120
        same_vector d12, 128
        same_vector d13, 136
        same_vector d14, 144
        same_vector d15, 152
        ldr     x1, [sp, #160]
        mov     x10, sp
        cmp     x1, x10
        csel    x1, xzr, x2, eq
        orr     x0, x0, x1
        ldp     x19, x20, [sp, #16]
        ldp     x21, x22, [sp, #32]
        ldp     x23, x24, [sp, #48]
        ldp     x25, x26, [sp, #64]
        ldp     x27, x28, [sp, #80]
        ldp     d8, d9, [sp, #96]
        ldp     d10, d11, [sp, #112]
        ldp     d12, d13, [sp, #128]
        ldp     d14, d15, [sp, #144]
        ldp     x29, x30, [sp], #176
        ret
        .p2align 3
patterns:
        .quad   0x1818191a1b1c1d1e, 0x1918191a1b1c1d1e, 0x2018191a1b1c1d1e, 0x2118191a1b1c1d1e
        .quad   0x2218191a1b1c1d1e, 0x2318191a1b1c1d1e, 0x2418191a1b1c1d1e, 0x2518191a1b1c1d1e
        .quad   0x2618191a1b1c1d1e, 0x2718191a1b1c1d1e, 0x2818191a1b1c1d1e, 0x2918191a1b1c1d1e
        .quad   0x0858595a5b5c5d5e, 0x0958595a5b5c5d5e, 0x1058595a5b5c5d5e, 0x1158595a5b5c5d5e
        .quad   0x1258595a5b5c5d5e, 0x1358595a5b5c5d5e, 0x1458595a5b5c5d5e, 0x1558595a5b5c5d5e
"#
);

unsafe extern "C" {
    fn checked_call(entry: usize, arguments: *const usize) -> usize;
}

const READ: usize = 63;
const WRITE: usize = 64;
const EXIT: usize = 93;
const PROTECT: usize = 226;
const MAP: usize = 222;

/// Asks the system.
fn system(number: usize, arguments: [usize; 6]) -> isize {
    let [a, b, c, d, e, f] = arguments;
    let result;
    // SAFETY: the calls of this program touch memory that it owns.
    unsafe {
        asm!("svc #0", in("x8") number, inlateout("x0") a => result, in("x1") b, in("x2") c,
            in("x3") d, in("x4") e, in("x5") f);
    }
    result
}

fn leave(status: usize) -> ! {
    loop {
        system(EXIT, [status, 0, 0, 0, 0, 0]);
    }
}

/// Reads or writes all of some memory.
fn all(call: usize, at: usize, bytes: usize) {
    let mut done = 0;
    while done < bytes {
        match system(call, [usize::from(call == WRITE), at + done, bytes - done, 0, 0, 0]) {
            some @ 1.. => done += some as usize,
            _ => leave(2),
        }
    }
}

fn number() -> usize {
    let number = 0usize;
    all(READ, &raw const number as usize, 8);
    // SAFETY: the system wrote it.
    unsafe { (&raw const number).read_volatile() }
}

const PAGE: usize = 4096;

/// So many bytes that end where memory begins that nobody may touch, which there is before them, too.
fn memory(bytes: usize) -> usize {
    let pages = bytes.div_ceil(PAGE) * PAGE;
    let private = 0x22;
    let base = system(MAP, [0, pages + 2 * PAGE, 0, private, usize::MAX, 0]) as usize;
    if pages > 0 && system(PROTECT, [base + PAGE, pages, 3, 0, 0, 0]) != 0 {
        leave(4);
    }
    base + PAGE + pages - bytes
}

/// Has the processor fetch what was written.
fn fetch(at: usize, bytes: usize) {
    for line in (at / 64 * 64..at + bytes).step_by(64) {
        // SAFETY: the line is of this program's memory.
        unsafe { asm!("dc cvau, {0}", "dsb ish", "ic ivau, {0}", "dsb ish", "isb", in(reg) line) };
    }
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    let bytes = number();
    let length = bytes.div_ceil(PAGE) * PAGE;
    // Its addresses count in pages.
    let image = memory(length);
    all(READ, image, bytes);
    fetch(image, bytes);
    if system(PROTECT, [image, length, 5, 0, 0, 0]) != 0 {
        leave(4);
    }
    for _ in 0..number() {
        let entry = image + number();
        let count = number();
        let (mut arguments, mut sizes) = ([0; 8], [0; 8]);
        for n in 0..count {
            let points = number() != 0;
            arguments[n & 7] = number();
            if points {
                sizes[n & 7] = arguments[n & 7];
                arguments[n & 7] = memory(sizes[n & 7]);
                all(READ, arguments[n & 7], sizes[n & 7]);
            }
        }
        // SAFETY: who sends a kernel sends the arguments that it asks for.
        let wrong = unsafe { checked_call(entry, arguments.as_ptr()) };
        all(WRITE, &raw const wrong as usize, 8);
        for n in 0..8 {
            all(WRITE, arguments[n], sizes[n]);
        }
    }
    leave(0)
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    leave(3)
}
