; DES and Triple-DES in real mode: calls each kernel, shows what came of it and whether that is
; right, then how many blocks a second each way of a cipher does.
;
; kernels.asm and cases.asm are written beside it; nasm -f bin -o des.com des.asm

        cpu     386
        bits    16
        org     0x100

        jmp     start

%include "kernels.asm"
%include "cases.asm"

; a case: kernel, its name, schedule, input, expected result; blocks, or 0 for halves of one block,
; whose kernel has no count
CASE    equ     12
BLOCKS  equ     16
; how long speed is measured: about a second
TICKS   equ     18
; the timer: so many pulses a second, 65536 of them a tick
PULSES  equ     1193182

start:
        ; kernels are told apart from the program by segments: data in a copy of the code's, without
        ; the tables, the stack in a third one
        cld
        mov     ax, cs
        add     ax, 0x1000
        mov     es, ax
        xor     si, si
        xor     di, di
        mov     cx, 0x8000
        rep movsw
        mov     ds, ax
        mov     di, des_table32_tables
        xor     ax, ax
        mov     cx, 2048 / 2
        rep stosw
        mov     ax, ds
        add     ax, 0x1000
        mov     ss, ax
        mov     sp, 0xfffe
        mov     si, cases
.next:
        cmp     word [si], 0
        je      .measure
        call    compute
        call    report
        add     si, CASE
        jmp     .next
.measure:
        mov     si, speeds
.speed:
        cmp     word [si], 0
        je      .end
        call    measure
        add     si, CASE
        jmp     .speed
.end:
        mov     ax, 0x4c00
        int     0x21

; bytes of the data of the case at si, to cx
size:
        mov     cx, [si+10]
        cmp     cx, 0
        jne     .blocks
        inc     cx
.blocks:
        shl     cx, 3
        ret

; copies the input of the case at si to the buffer and calls the kernel
compute:
        push    si
        call    size
        mov     si, [si+6]
        mov     di, buffer
        rep movsb
        pop     si
        mov     byte [lost], 0
        mov     ebx, 0x1b2b3b4b
        mov     ebp, 0x1c2c3c4c
        mov     edi, 0x1d2d3d4d
        and     esi, 0xffff
        or      esi, 0x1e2e0000
        ; what a kernel finds there in real mode is nobody's
        and     esp, 0xffff
        or      esp, 0x1f2f0000
        push    word [si+4]
        mov     dx, 4
        mov     cx, [si+10]
        cmp     cx, 0
        je      .halves
        push    cx
        add     dx, 2
.halves:
        push    word buffer
        mov     [after], dx
        mov     [stack], sp
        call    [si]
        cmp     sp, [stack]
        jne     .wrong
        cmp     ebx, 0x1b2b3b4b
        jne     .wrong
        cmp     ebp, 0x1c2c3c4c
        jne     .wrong
        cmp     edi, 0x1d2d3d4d
        jne     .wrong
        mov     edi, esi
        shr     edi, 16
        cmp     di, 0x1e2e
        je      .kept
.wrong:
        mov     byte [lost], 1
.kept:
        mov     sp, [stack]
        add     sp, [after]
        ret

; prints the name, the result, and "right" or "wrong"
report:
        mov     bx, [si+2]
        call    print
        call    size
        mov     di, buffer
.byte:
        mov     al, [di]
        call    hexadecimal
        inc     di
        loop    .byte
        call    size
        push    si
        mov     si, [si+8]
        mov     di, buffer
        repe cmpsb
        pop     si
        mov     bx, wrong
        jne     .verdict
        mov     bx, right
        cmp     byte [lost], 0
        je      .verdict
        mov     bx, registers
.verdict:
        call    print
        ret

; prints the blocks a second of the kernel of the case at si
measure:
        mov     bx, [si+2]
        call    print
        push    es
        mov     ax, 0x40
        mov     es, ax
        mov     eax, [es:0x6c]
.edge:
        cmp     eax, [es:0x6c]
        je      .edge
        mov     eax, [es:0x6c]
        add     eax, TICKS
        mov     [until], eax
        mov     dword [calls], 0
.again:
        push    word [si+4]
        push    word BLOCKS
        push    word buffer
        call    [si]
        add     sp, 6
        inc     dword [calls]
        mov     eax, [es:0x6c]
        cmp     eax, [until]
        jb      .again
        pop     es
        mov     eax, [calls]
        mov     edx, BLOCKS * PULSES
        mul     edx
        mov     ebx, TICKS * 65536
        div     ebx
        call    decimal
        mov     bx, rate
        call    print
        ret

; prints the text at bx, which ends with 0
print:
        mov     dl, [bx]
        cmp     dl, 0
        je      .end
        mov     ah, 2
        int     0x21
        inc     bx
        jmp     print
.end:
        ret

; prints al in sixteens
hexadecimal:
        mov     ah, al
        shr     al, 4
        call    .digit
        mov     al, ah
        and     al, 15
.digit:
        push    ax
        mov     bx, digits
        xlatb
        mov     dl, al
        mov     ah, 2
        int     0x21
        pop     ax
        ret

; prints eax in tens
decimal:
        mov     ebx, 10
        xor     cx, cx
.divide:
        xor     edx, edx
        div     ebx
        push    dx
        inc     cx
        cmp     eax, 0
        jne     .divide
.digit:
        pop     dx
        add     dl, '0'
        mov     ah, 2
        int     0x21
        loop    .digit
        ret

digits: db      "0123456789abcdef"
right:  db      " right", 13, 10, 0
wrong:  db      " WRONG", 13, 10, 0
registers:
        db      " REGISTERS LOST", 13, 10, 0
rate:   db      " blocks per second", 13, 10, 0

        align   4
until:  dd      0
calls:  dd      0
stack:  dw      0
after:  dw      0
lost:   db      0
        align   4
buffer: times 8 * BLOCKS db 0
