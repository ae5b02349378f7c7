// Runs single instructions of AArch64, with all registers given. Of each it reads x0 to x30, sp, the flags, the
// instruction, v0 to v31, and whether memory follows (all as words of 8 bytes), and that memory; it writes what
// becomes of them. Its own code has no stack, and keeps nothing in a register.

        .equ    MEMORY, 0x20000000
        .equ    BYTES, 0x5000
        .equ    BLOCK, 792

        .section .run, "awx", %progbits
        .globl  _start
_start:
        ldr     x0, =MEMORY
        ldr     x1, =BYTES
        mov     x2, #3                  // read and write
        mov     x3, #0x32               // private, anonymous, here
        mov     x4, #-1
        mov     x5, #0
        mov     x8, #222                // mmap
        svc     #0
next:
        adr     x20, block
        mov     x21, #BLOCK
        mov     x19, #0
        bl      all
        ldr     x0, [x20, #784 - BLOCK]
        cbz     x0, 1f
        ldr     x20, =MEMORY
        ldr     x21, =BYTES
        bl      all
1:
        adr     x0, block
        adr     x1, slot
        ldr     w2, [x0, #264]
        str     w2, [x1]
        dc      cvau, x1
        dsb     ish
        ic      ivau, x1
        dsb     ish
        isb
        ldr     x1, [x0, #256]
        msr     nzcv, x1
        ldr     x1, [x0, #248]
        mov     sp, x1
        ldp     q0, q1, [x0, #272]
        ldp     q2, q3, [x0, #304]
        ldp     q4, q5, [x0, #336]
        ldp     q6, q7, [x0, #368]
        ldp     q8, q9, [x0, #400]
        ldp     q10, q11, [x0, #432]
        ldp     q12, q13, [x0, #464]
        ldp     q14, q15, [x0, #496]
        ldp     q16, q17, [x0, #528]
        ldp     q18, q19, [x0, #560]
        ldp     q20, q21, [x0, #592]
        ldp     q22, q23, [x0, #624]
        ldp     q24, q25, [x0, #656]
        ldp     q26, q27, [x0, #688]
        ldp     q28, q29, [x0, #720]
        ldp     q30, q31, [x0, #752]
        ldp     x2, x3, [x0, #16]
        ldp     x4, x5, [x0, #32]
        ldp     x6, x7, [x0, #48]
        ldp     x8, x9, [x0, #64]
        ldp     x10, x11, [x0, #80]
        ldp     x12, x13, [x0, #96]
        ldp     x14, x15, [x0, #112]
        ldp     x16, x17, [x0, #128]
        ldp     x18, x19, [x0, #144]
        ldp     x20, x21, [x0, #160]
        ldp     x22, x23, [x0, #176]
        ldp     x24, x25, [x0, #192]
        ldp     x26, x27, [x0, #208]
        ldp     x28, x29, [x0, #224]
        ldr     x30, [x0, #240]
        ldr     x1, [x0, #8]
        ldr     x0, [x0]
slot:
        .word   0
        // A register that no instruction here has.
        msr     tpidr_el0, x0
        adr     x0, block
        str     x1, [x0, #8]
        stp     x2, x3, [x0, #16]
        stp     x4, x5, [x0, #32]
        stp     x6, x7, [x0, #48]
        stp     x8, x9, [x0, #64]
        stp     x10, x11, [x0, #80]
        stp     x12, x13, [x0, #96]
        stp     x14, x15, [x0, #112]
        stp     x16, x17, [x0, #128]
        stp     x18, x19, [x0, #144]
        stp     x20, x21, [x0, #160]
        stp     x22, x23, [x0, #176]
        stp     x24, x25, [x0, #192]
        stp     x26, x27, [x0, #208]
        stp     x28, x29, [x0, #224]
        str     x30, [x0, #240]
        mov     x1, sp
        str     x1, [x0, #248]
        mrs     x1, nzcv
        str     x1, [x0, #256]
        mrs     x1, tpidr_el0
        str     x1, [x0]
        stp     q0, q1, [x0, #272]
        stp     q2, q3, [x0, #304]
        stp     q4, q5, [x0, #336]
        stp     q6, q7, [x0, #368]
        stp     q8, q9, [x0, #400]
        stp     q10, q11, [x0, #432]
        stp     q12, q13, [x0, #464]
        stp     q14, q15, [x0, #496]
        stp     q16, q17, [x0, #528]
        stp     q18, q19, [x0, #560]
        stp     q20, q21, [x0, #592]
        stp     q22, q23, [x0, #624]
        stp     q24, q25, [x0, #656]
        stp     q26, q27, [x0, #688]
        stp     q28, q29, [x0, #720]
        stp     q30, q31, [x0, #752]
        adr     x20, block
        mov     x21, #784
        mov     x19, #1
        bl      all
        ldr     x0, [x20]
        cbz     x0, next
        ldr     x20, =MEMORY
        ldr     x21, =BYTES
        bl      all
        b       next

// Reads (x19 = 0) or writes (1) x21 bytes at x20, which is behind them afterwards. Where nothing is left to
// read, the program ends.
all:
        mov     x0, x19
        mov     x1, x20
        mov     x2, x21
        add     x8, x19, #63
        svc     #0
        cmp     x0, #0
        b.le    2f
        add     x20, x20, x0
        subs    x21, x21, x0
        b.ne    all
        ret
2:
        mov     x8, #93                 // exit
        svc     #0

        .p2align 4
block:
        .skip   BLOCK
        .p2align 3
        .ltorg
