//! What is x86-64's own about taking assembly in.

/// The file of a kernel or of tables.
macro_rules! source {
    ($name:expr) => {
        include_str!(concat!("../../../../kernels/x86_64/", $name, ".s"))
    };
}

/// Assembly, as loom writes it for every container. (`raw`: no brace of it is taken for a placeholder.)
macro_rules! assembly {
    ($($text:expr),* $(,)?) => {
        core::arch::global_asm!($($text,)* options(att_syntax, raw));
    };
}

/// Calls a function by the convention that kernels have on every system. As assembly: where the compiler does not know
/// that a symbol is near, it calls by the linker's table of addresses, which after other work takes some fifty cycles
/// longer.
macro_rules! enter {
    ($symbol:expr, $signature:tt, ($($argument:expr,)*)) => {
        enter!(@ $symbol, ($($argument,)*) ("rdi" "rsi" "rdx" "rcx" "r8" "r9") {})
    };
    (@ $symbol:expr, ($argument:expr, $($arguments:tt)*) ($register:tt $($registers:tt)*) { $($operands:tt)* }) => {
        enter!(
            @ $symbol, ($($arguments)*) ($($registers)*)
            { $($operands)* in($register) super::operand::Operand::register($argument), }
        )
    };
    (@ $symbol:expr, () $registers:tt { $($operands:tt)* }) => {
        core::arch::asm!(
            concat!("call ", $symbol),
            $($operands)*
            clobber_abi("sysv64"),
            options(att_syntax),
        )
    };
}

/// The address of a symbol.
macro_rules! address {
    ($symbol:expr) => {{
        let address: usize;
        // SAFETY: it computes an address.
        unsafe {
            core::arch::asm!(
                concat!("lea ", $symbol, "(%rip), {}"),
                out(reg) address,
                options(att_syntax, pure, nomem, nostack, preserves_flags)
            );
        }
        address
    }};
}

/// Who makes a processor, by the end of a kernel's name.
macro_rules! vendor {
    (intel) => {
        crate::kernels::cpu::Vendor::Intel
    };
    (amd) => {
        crate::kernels::cpu::Vendor::Amd | crate::kernels::cpu::Vendor::Zen4
    };
    (zen) => {
        crate::kernels::cpu::Vendor::Zen
    };
}

/// A body with its unwind information, which for Windows says what the entry of a function does, and has
/// directives of its own. Bodies are written so that DWARF's can stand for them: around a body, these have the
/// names of macros.
///
/// | directive of a body | what happened | for Windows |
/// |---|---|---|
/// | `.cfi_startproc` | the function begins | `.seh_proc` |
/// | `.cfi_offset` | a register was pushed | `.seh_pushreg` |
/// | `.cfi_adjust_cfa_offset` | the stack pointer was lowered | `.seh_stackalloc` |
/// | `.cfi_remember_state` | the entry is done | `.seh_endprologue` |
/// | `.cfi_endproc` | the function ends | `.seh_endproc` |
/// | `.cfi_def_cfa_offset`, `.cfi_restore`, `.cfi_restore_state` | the exit, which Windows reads in the code | none |
#[cfg(windows)]
macro_rules! unwound {
    ($symbol:expr, $body:expr) => {
        concat!(
            ".macro .cfi_startproc\n.seh_proc ",
            $symbol,
            "\n.endm\n\
             .macro .cfi_offset register, at\n.seh_pushreg \\register\n.endm\n\
             .macro .cfi_adjust_cfa_offset by\n.seh_stackalloc \\by\n.endm\n\
             .macro .cfi_remember_state\n.seh_endprologue\n.endm\n\
             .macro .cfi_endproc\n.seh_endproc\n.endm\n\
             .macro .cfi_def_cfa_offset by\n.endm\n\
             .macro .cfi_restore register\n.endm\n\
             .macro .cfi_restore_state\n.endm\n",
            $body,
            "\n.irp name, startproc, offset, adjust_cfa_offset, remember_state, endproc, \
             def_cfa_offset, restore, restore_state\n.purgem .cfi_\\name\n.endr"
        )
    };
}
