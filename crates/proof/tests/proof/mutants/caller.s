; call(kernel, arguments): a kernel of PA-RISC with four arguments of 64 bits.

        .level  2.0
        .text
        .export call,entry
        .type   call,@function
call:
        .proc
        .callinfo frame=64,calls,save_rp
        .entry
        stw     %r2, -20(%r30)
        ldo     64(%r30), %r30
        copy    %r26, %r1
        copy    %r25, %r31
        ldd     0(%r31), %r26
        ldd     8(%r31), %r25
        ldd     16(%r31), %r24
        ldd     24(%r31), %r23
        blr     %r0, %r2
        bv,n    %r0(%r1)
        ldw     -84(%r30), %r2
        bv      %r0(%r2)
        ldo     -64(%r30), %r30
        .exit
        .procend
        .section .note.GNU-stack,"",@progbits
