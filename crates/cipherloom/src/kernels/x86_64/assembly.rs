//! What stands around assembly for ELF.
//!
//! Each body has a section of its own, so that a linker can leave out what nobody calls. Symbols are
//! hidden and carry the version, so that two versions of this crate fit into one program; copies of
//! one version (two static libraries with it, or the crate beside its own tests) are one group, of
//! which the linker keeps one.

/// The symbol of a body.
macro_rules! symbol {
    ($name:literal) => {
        concat!(
            "cipherloom_",
            env!("CARGO_PKG_VERSION_MAJOR"),
            "_",
            env!("CARGO_PKG_VERSION_MINOR"),
            "_",
            $name
        )
    };
}

/// A body in a section. (`raw`: no brace of the assembly is taken for a placeholder.)
macro_rules! body {
    ($name:literal, $section:literal, $flags:literal, $type:literal) => {
        core::arch::global_asm!(
            concat!(
                ".pushsection ",
                $section,
                symbol!($name),
                ",\"",
                $flags,
                "G\",@progbits,",
                symbol!($name),
                ",comdat"
            ),
            concat!(".hidden ", symbol!($name)),
            concat!(".type ", symbol!($name), ",", $type),
            include_str!(concat!("../../../kernels/x86_64/", $name, ".s")),
            concat!(".size ", symbol!($name), ", . - ", symbol!($name)),
            ".popsection",
            options(att_syntax, raw)
        );
    };
}

/// Constant tables.
macro_rules! tables {
    ($name:literal) => {
        body!($name, ".rodata.", "a", "@object");
    };
}

/// A kernel.
macro_rules! code {
    ($name:literal) => {
        body!($name, ".text.", "ax", "@function");
    };
}
