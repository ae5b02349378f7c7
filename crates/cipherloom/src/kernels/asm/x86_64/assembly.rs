//! What stands around assembly for ELF.
//!
//! Each body has a section of its own, so that a linker can leave out what nobody calls. Symbols are
//! hidden and carry a hash of the body, so that any two builds of this crate fit into one program, each
//! with its own kernels and tables; bodies that are equal (in two static libraries, or in the crate
//! beside its own tests) are one group, of which the linker keeps one.

/// The symbol of a body: `cipherloom_HASH_NAME`. The hash is the beginning of SHA-256 of the file with
/// the bare name in place of the symbol.
macro_rules! symbol {
    ($name:literal, $hash:literal) => {
        concat!("cipherloom_", $hash, "_", $name)
    };
}

/// A body in a section. (`raw`: no brace of the assembly is taken for a placeholder.)
macro_rules! body {
    ($name:literal, $hash:literal, $section:literal, $flags:literal, $type:literal) => {
        core::arch::global_asm!(
            concat!(
                ".pushsection ",
                $section,
                symbol!($name, $hash),
                ",\"",
                $flags,
                "G\",@progbits,",
                symbol!($name, $hash),
                ",comdat"
            ),
            concat!(".hidden ", symbol!($name, $hash)),
            concat!(".type ", symbol!($name, $hash), ",", $type),
            include_str!(concat!("../../../kernels/x86_64/", $name, ".s")),
            concat!(".size ", symbol!($name, $hash), ", . - ", symbol!($name, $hash)),
            ".popsection",
            options(att_syntax, raw)
        );
    };
}

/// Constant tables.
macro_rules! tables {
    ($name:literal, $hash:literal) => {
        body!($name, $hash, ".rodata.", "a", "@object");
    };
}

/// A kernel.
macro_rules! code {
    ($name:literal, $hash:literal) => {
        body!($name, $hash, ".text.", "ax", "@function");
    };
}
