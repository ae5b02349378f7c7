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

/// What unwind information that a body has for other systems is written by.
#[cfg(windows)]
macro_rules! of_others {
    ($what:ident) => {
        $what!(
            ".cfi_startproc",
            ".cfi_def_cfa_offset",
            ".cfi_offset",
            ".cfi_restore",
            ".cfi_endproc"
        )
    };
}
#[cfg(not(windows))]
macro_rules! of_others {
    ($what:ident) => {
        $what!(
            ".seh_proc",
            ".seh_nop",
            ".seh_stackalloc",
            ".seh_save_reg",
            ".seh_save_reg_x",
            ".seh_save_regp",
            ".seh_save_regp_x",
            ".seh_save_freg",
            ".seh_save_freg_x",
            ".seh_save_fregp",
            ".seh_save_fregp_x",
            ".seh_endprologue",
            ".seh_startepilogue",
            ".seh_endepilogue",
            ".seh_endproc"
        )
    };
}

/// Makes nothing of directives: macros stand for them.
macro_rules! passed_over {
    ($($directive:literal),*) => {
        concat!($(".macro ", $directive, " first, second\n.endm\n",)*)
    };
}

/// The end of that.
macro_rules! heeded {
    ($($directive:literal),*) => {
        concat!($(".purgem ", $directive, "\n",)*)
    };
}

/// Assembly, as loom writes it for every container, with what it takes for granted: instructions beyond the
/// baseline, two macros for the place of tables, and unwind information for this system alone. (`raw`: no
/// brace of it is taken for a placeholder.)
macro_rules! assembly {
    ($($text:expr),* $(,)?) => {
        core::arch::global_asm!(
            ".arch_extension sha3",
            named!(),
            of_others!(passed_over),
            $($text,)*
            of_others!(heeded),
            ".purgem tables_page\n.purgem tables_place",
            ".arch_extension nosha3",
            options(raw)
        );
    };
}

/// Vendors whose processors have kernels of their own.
macro_rules! vendor {
    (arm) => {
        crate::kernels::cpu::Vendor::Arm
    };
}

/// Calls a function by the convention of every system.
macro_rules! enter {
    ($symbol:expr, (fn $name:ident($($params:tt)*)), ($($argument:tt)*)) => {{
        unsafe extern "C" {
            // The first character says that the linker knows this very name, whatever it puts
            // before those of C.
            #[link_name = concat!("\u{1}", $symbol)]
            fn $name($($params)*);
        }
        $name($($argument)*)
    }};
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

/// A body with its unwind information.
#[cfg(windows)]
macro_rules! unwound {
    ($symbol:expr, $body:expr) => {
        $body
    };
}
