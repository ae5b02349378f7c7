//! What is AArch64's own about taking assembly in.

/// The file of a kernel or of tables.
macro_rules! source {
    ($name:expr) => {
        include_str!(concat!("../../../../kernels/aarch64/", $name, ".s"))
    };
}

/// How containers name the page of a symbol, and its place there.
#[cfg(target_vendor = "apple")]
macro_rules! named {
    () => {
        concat!(
            ".macro tables_page register, symbol\nadrp \\register, \\symbol@PAGE\n.endm\n",
            ".macro tables_place register, page, symbol\n\
             add \\register, \\page, \\symbol@PAGEOFF\n.endm"
        )
    };
}
#[cfg(not(target_vendor = "apple"))]
macro_rules! named {
    () => {
        concat!(
            ".macro tables_page register, symbol\nadrp \\register, \\symbol\n.endm\n",
            ".macro tables_place register, page, symbol\n\
             add \\register, \\page, :lo12:\\symbol\n.endm"
        )
    };
}

/// Assembly, as loom writes it for every container, with what it takes for granted: instructions beyond the
/// baseline, and two macros for the place of tables. (`raw`: no brace of it is taken for a placeholder.)
macro_rules! assembly {
    ($($text:expr),* $(,)?) => {
        core::arch::global_asm!(
            ".arch_extension sha3",
            named!(),
            $($text,)*
            ".purgem tables_page\n.purgem tables_place",
            ".arch_extension nosha3",
            options(raw)
        );
    };
}

/// A function by the convention of every system.
macro_rules! foreign {
    ($($function:tt)*) => {
        unsafe extern "C" {
            $($function)*
        }
    };
}

/// The address of a symbol.
macro_rules! address {
    ($symbol:expr) => {{
        let address: usize;
        // SAFETY: it computes an address.
        unsafe {
            core::arch::asm!(
                named!(),
                concat!("tables_page {0}, ", $symbol),
                concat!("tables_place {0}, {0}, ", $symbol),
                ".purgem tables_page\n.purgem tables_place",
                out(reg) address,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        address
    }};
}

/// A body for Windows, without unwind information: nothing unwinds through a kernel, as none calls anything.
#[cfg(windows)]
macro_rules! unwound {
    ($symbol:expr, $body:expr) => {
        concat!(
            ".macro .cfi_startproc\n.endm\n\
             .macro .cfi_def_cfa register, offset\n.endm\n\
             .macro .cfi_offset register, at\n.endm\n\
             .macro .cfi_restore register\n.endm\n\
             .macro .cfi_endproc\n.endm\n",
            $body,
            "\n.irp name, startproc, def_cfa, offset, restore, endproc\n.purgem .cfi_\\name\n.endr"
        )
    };
}
