//! COFF: Windows.
//!
//! Its unwind information says what the entry of a function does, and has directives of its own. Bodies
//! are written so that DWARF's can stand for them: around a body, these have the names of macros.
//!
//! | directive of a body | what happened | for Windows |
//! |---|---|---|
//! | `.cfi_startproc` | the function begins | `.seh_proc` |
//! | `.cfi_offset` | a register was pushed | `.seh_pushreg` |
//! | `.cfi_adjust_cfa_offset` | the stack pointer was lowered | `.seh_stackalloc` |
//! | `.cfi_remember_state` | the entry is done | `.seh_endprologue` |
//! | `.cfi_endproc` | the function ends | `.seh_endproc` |
//! | `.cfi_def_cfa_offset`, `.cfi_restore`, `.cfi_restore_state` | the exit, which Windows reads in the code | none |

/// A body in a section of its own, whose name behind `$` a linker leaves out. Of sections with one symbol
/// the linker keeps one (`discard`).
macro_rules! body {
    ($symbol:expr, code, $body:expr) => {
        core::arch::global_asm!(
            concat!(".section .text$", $symbol, ",\"xr\",discard,", $symbol),
            concat!(".def ", $symbol, "; .scl 2; .type 32; .endef"),
            concat!(".macro .cfi_startproc\n.seh_proc ", $symbol, "\n.endm"),
            ".macro .cfi_offset register, at\n.seh_pushreg \\register\n.endm",
            ".macro .cfi_adjust_cfa_offset by\n.seh_stackalloc \\by\n.endm",
            ".macro .cfi_remember_state\n.seh_endprologue\n.endm",
            ".macro .cfi_endproc\n.seh_endproc\n.endm",
            ".macro .cfi_def_cfa_offset by\n.endm",
            ".macro .cfi_restore register\n.endm",
            ".macro .cfi_restore_state\n.endm",
            $body,
            ".irp name, startproc, offset, adjust_cfa_offset, remember_state, endproc, \
             def_cfa_offset, restore, restore_state\n.purgem .cfi_\\name\n.endr",
            ".text",
            options(att_syntax, raw)
        );
    };
    ($symbol:expr, constants, $body:expr) => {
        core::arch::global_asm!(
            concat!(".section .rdata$", $symbol, ",\"dr\",discard,", $symbol),
            $body,
            ".text",
            options(att_syntax, raw)
        );
    };
}
