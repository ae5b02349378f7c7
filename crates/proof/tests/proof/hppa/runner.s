; Runs a few instructions of PA-RISC at a time, with all registers given. Of each run it reads r0 to r31, the
; instructions, and whether memory follows (all as words of 8 bytes), and that memory; it writes what becomes of the
; registers, and of memory. Its own code keeps nothing in a register, and no register is needed for the addresses of
; the block, which are short.

        .level  2.0
        .set    BLOCK, 0x1000
        .set    CODE, BLOCK+256
        .set    FOLLOWS, CODE+32
        .set    BYTES, 0x5000

        .section .memory, "aw", @nobits
        .skip   BYTES

        .section .run, "awx", @progbits
        .globl  _start
_start:
        ldi     BLOCK, %r26
        ldi     4096, %r25
        ldi     3, %r24                 ; read and write
        ldi     0x16, %r23              ; private, anonymous, here
        ldi     -1, %r22
        ldi     0, %r21
        ble     0x100(%sr2, %r0)
        ldi     90, %r20                ; mmap
next:
        ldi     3, %r3                  ; read
        ldi     BLOCK, %r19
        b,l     all, %r17
        ldi     296, %r18
        ldw     FOLLOWS+4(%r0), %r1
        cmpib,=,n 0, %r1, 1f
        ldil    L%0x20000000, %r19
        ldil    L%BYTES, %r18
        b,l     all, %r17
        ldo     R%BYTES(%r18), %r18
1:
        ldil    L%slot, %r1
        ldo     R%slot(%r1), %r1
        .irp    n, 0,8,16,24
        ldd     CODE+\n(%r0), %r3
        std     %r3, \n(%r1)
        fdc     %r0(%r1)
        sync
        fic     %r0(%sr4, %r1)
        .endr
        sync
        ; What is changed is seen behind a branch.
        b,n     2f
        nop
2:
        .irp    n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        ldd     BLOCK+8*\n(%r0), %r\n
        .endr
        b,n     slot
        .align  32
slot:
        .skip   32
        std     %r0, BLOCK(%r0)
        .irp    n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        std     %r\n, BLOCK+8*\n(%r0)
        .endr
        ldi     4, %r3                  ; write
        ldi     BLOCK, %r19
        b,l     all, %r17
        ldi     256, %r18
        ldw     FOLLOWS+4(%r0), %r1
        cmpib,=,n 0, %r1, next
        nop
        ldil    L%0x20000000, %r19
        ldil    L%BYTES, %r18
        b,l     all, %r17
        ldo     R%BYTES(%r18), %r18
        b,n     next
        nop

; Reads (r3 = 3) or writes (4) r18 bytes at r19, which is behind them afterwards. Where nothing is left to read, the
; program ends.
all:
        ldo     -3(%r3), %r26
        copy    %r19, %r25
        copy    %r18, %r24
        ble     0x100(%sr2, %r0)
        copy    %r3, %r20
        cmpib,>=,n 0, %r28, 2f
        add     %r19, %r28, %r19
        sub     %r18, %r28, %r18
        cmpib,<> 0, %r18, all
        nop
        bv      %r0(%r17)
        nop
2:
        ldi     0, %r26
        ble     0x100(%sr2, %r0)
        ldi     1, %r20                 ; exit
