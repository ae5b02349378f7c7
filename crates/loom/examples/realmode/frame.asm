; A program for DOS that calls kernels in real mode: shows what came of each and whether that is right,
; then how many blocks a second they do.
;
; Kernels and cases follow in the same file. FAR is defined where kernels are called far; TICKS may be,
; for a shorter or longer measurement.

        cpu     386
        bits    16
        org     0x100

        jmp     start

; a case: kernel, its name, schedule and the bytes of it, input, expected result; blocks, or 0 for
; halves of one block, whose kernel has no count; for a chain the block before the first and the last
; one, else 0
struc   case
.kernel:        resw 1
.name:          resw 1
.schedule:      resw 1
.words:         resw 1
.input:         resw 1
.expected:      resw 1
.count:         resw 1
.before:        resw 1
.last:          resw 1
endstruc

BLOCKS  equ     16
; how long speed is measured: about a second
%ifndef TICKS
%define TICKS   18
%endif
; the timer: so many pulses a second, 65536 of them a tick
PULSES  equ     1193182

; the segments behind the code's: data, stack, and what far pointers lead to
DATA    equ     0x1000
STACK   equ     0x2000
%ifdef FAR
DATA_FAR        equ     0x3000
KEYS_FAR        equ     0x4000
CHAIN_FAR       equ     0x5000
%else
DATA_FAR        equ     DATA
KEYS_FAR        equ     DATA
CHAIN_FAR       equ     DATA
%endif

; pushes a pointer: the offset in the program's data, the segment's place
%macro  pointer 2
%ifdef FAR
        push    word [%2]
%endif
        push    word %1
%endmacro

start:
        ; kernels are told apart from the program by segments: data in a copy of the code's, without
        ; the tables, the stack in another one
        cld
        mov     ax, cs
        add     ax, DATA
        mov     es, ax
        xor     si, si
        xor     di, di
        mov     cx, 0x8000
        rep movsw
        mov     [cs:data_at], ax
        mov     ds, ax
        mov     di, des_table32_tables
        xor     ax, ax
        mov     cx, 2048 / 2
        rep stosw
        mov     ax, cs
        add     ax, STACK
        mov     ss, ax
        mov     sp, 0xfffe
        mov     ax, cs
        mov     [entry+2], ax
        add     ax, DATA_FAR
        mov     [blocks_at], ax
        mov     ax, cs
        add     ax, KEYS_FAR
        mov     [keys_at], ax
        mov     ax, cs
        add     ax, CHAIN_FAR
        mov     [chain_at], ax
        mov     si, cases
.next:
        cmp     word [si], 0
        je      .measure
        call    compute
        add     si, case_size
        jmp     .next
.measure:
        mov     si, speeds
.speed:
        cmp     word [si], 0
        je      .end
        call    measure
        add     si, case_size
        jmp     .speed
.end:
        mov     ax, 0x4c00
        int     0x21

; bytes of the data of the case at si, to cx
size:
        mov     cx, [si+case.count]
        cmp     cx, 0
        jne     .blocks
        inc     cx
.blocks:
        shl     cx, 3
        ret

; copies input, schedule and the block before to where pointers lead
fill:
        push    si
        call    size
        mov     es, [blocks_at]
        mov     di, buffer
        mov     ax, [si+case.schedule]
        mov     dx, [si+case.words]
        mov     bx, [si+case.before]
        mov     si, [si+case.input]
        rep movsb
        mov     es, [keys_at]
        mov     di, keys
        mov     si, ax
        mov     cx, dx
        rep movsb
        cmp     bx, 0
        je      .end
        mov     es, [chain_at]
        mov     di, chain
        mov     si, bx
        mov     cx, 8
        rep movsb
.end:
        pop     si
        ret

; calls the kernel of the case at si; what it must keep and did not is noted as lost
run:
        mov     ax, [si+case.kernel]
        mov     [entry], ax
        mov     [stack], sp
        cmp     word [si+case.before], 0
        je      .keys
        pointer chain, chain_at
.keys:
        pointer keys, keys_at
        mov     cx, [si+case.count]
        cmp     cx, 0
        je      .data
        push    cx
.data:
        pointer buffer, blocks_at
        mov     [passed], sp
        mov     ax, 0x1a2a
        mov     es, ax
        mov     fs, ax
        mov     gs, ax
        mov     ebx, 0x1b2b3b4b
        mov     ebp, 0x1c2c3c4c
        mov     edi, 0x1d2d3d4d
        and     esi, 0xffff
        or      esi, 0x1e2e0000
        ; what a kernel finds there in real mode is nobody's
        and     esp, 0xffff
        or      esp, 0x1f2f0000
%ifdef FAR
        call    far [entry]
%else
        call    [entry]
%endif
        mov     ax, ds
        cmp     ax, [cs:data_at]
        mov     ds, [cs:data_at]
        jne     .wrong
        cmp     sp, [passed]
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
        jne     .wrong
        mov     bx, 0x1a2a
        mov     ax, es
        cmp     ax, bx
        jne     .wrong
        mov     ax, fs
        cmp     ax, bx
        jne     .wrong
        mov     ax, gs
        cmp     ax, bx
        je      .kept
.wrong:
        mov     byte [lost], 1
.kept:
        mov     sp, [stack]
        ret

; does the case at si, prints its name, the result, and "right" or "wrong"
compute:
        mov     bx, [si+case.name]
        call    print
        mov     byte [lost], 0
        call    fill
        call    run
        mov     es, [blocks_at]
        call    size
        mov     di, buffer
.byte:
        mov     al, [es:di]
        call    hexadecimal
        inc     di
        loop    .byte
        push    si
        call    size
        mov     bx, [si+case.last]
        mov     si, [si+case.expected]
        mov     di, buffer
        repe cmpsb
        jne     .wrong
        cmp     bx, 0
        je      .right
        mov     es, [chain_at]
        mov     si, bx
        mov     di, chain
        mov     cx, 8
        repe cmpsb
        jne     .wrong
.right:
        mov     bx, right
        cmp     byte [lost], 0
        je      .verdict
        mov     bx, registers
        jmp     .verdict
.wrong:
        mov     bx, wrong
.verdict:
        pop     si
        call    print
        ret

; prints the blocks a second of the kernel of the case at si
measure:
        mov     bx, [si+case.name]
        call    print
        mov     word [si+case.count], BLOCKS
        call    fill
        call    ticks
        mov     edx, eax
.edge:
        call    ticks
        cmp     eax, edx
        je      .edge
        add     eax, TICKS
        mov     [until], eax
        mov     dword [calls], 0
.again:
        call    run
        inc     dword [calls]
        call    ticks
        cmp     eax, [until]
        jb      .again
        mov     eax, [calls]
        mov     edx, BLOCKS * PULSES
        mul     edx
        mov     ebx, TICKS * 65536
        div     ebx
        call    decimal
        mov     bx, rate
        call    print
        ret

; the time in ticks, to eax
ticks:
        mov     ax, 0x40
        mov     es, ax
        mov     eax, [es:0x6c]
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
entry:  dw      0, 0
; segments: of the data, where `cs` finds it, too; of what pointers lead to
data_at:
        dw      0
blocks_at:
        dw      0
keys_at:
        dw      0
chain_at:
        dw      0
; the stack pointer before a call and its arguments, and behind them
stack:  dw      0
passed: dw      0
lost:   db      0
        align   4
buffer: times 8 * BLOCKS db 0
chain:  times 8 db 0
keys:   times 3 * 128 db 0
