//! What stands around assembly for ELF.
//!
//! Each body has a section of its own, so that a linker can leave out what nobody calls. Symbols are
//! hidden and carry a hash of the body, so that any two builds of this crate fit into one program, each
//! with its own kernels and tables; bodies that are equal (in two static libraries, or in the crate
//! beside its own tests) are one group, of which the linker keeps one.

/// The symbol of a body: `cipherloom_HASH_NAME`. The hash is the beginning of SHA-256 of the file with
/// the bare name in place of the symbol.
macro_rules! symbol {
    ($name:ident, $hash:literal) => {
        concat!("cipherloom_", $hash, "_", stringify!($name))
    };
}

/// A body in a section. (`raw`: no brace of the assembly is taken for a placeholder.)
macro_rules! body {
    ($name:ident, $hash:literal, $section:literal, $flags:literal, $type:literal) => {
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
            include_str!(concat!("../../../../kernels/x86_64/", stringify!($name), ".s")),
            concat!(".size ", symbol!($name, $hash), ", . - ", symbol!($name, $hash)),
            ".popsection",
            options(att_syntax, raw)
        );
    };
}

/// Constant tables: `name "hash";`.
macro_rules! tables {
    ($($name:ident $hash:literal;)*) => {$(
        body!($name, $hash, ".rodata.", "a", "@object");
    )*};
}

/// Kernels: `name "hash" Witness (parameters);`, each with a safe function of that name. Where a
/// parameter is a mutable slice of groups, the kernel has the number of groups behind its pointer.
macro_rules! kernels {
    ($($name:ident $hash:literal $($witness:ident)? ($($params:tt)*);)*) => {$(
        body!($name, $hash, ".text.", "ax", "@function");
        function! { $name $hash $($witness)? {} {} {} $($params)* }
    )*};
}

/// A kernel's function, parameter by parameter: those of the function, those of the kernel, and what
/// is handed on.
macro_rules! function {
    (
        $name:ident $hash:literal $($witness:ident)?
        { $($safe:tt)* } { $($raw:tt)* } { $($argument:tt)* }
        $param:ident: &mut [[u8; $bytes:literal]] $(, $($rest:tt)*)?
    ) => {
        function! {
            $name $hash $($witness)?
            { $($safe)* $param: &mut [[u8; $bytes]], }
            { $($raw)* $param: *mut [u8; $bytes], count: usize, }
            { $($argument)* $param.as_mut_ptr(), $param.len(), }
            $($($rest)*)?
        }
    };
    (
        $name:ident $hash:literal $($witness:ident)?
        { $($safe:tt)* } { $($raw:tt)* } { $($argument:tt)* }
        $param:ident: $type:ty $(, $($rest:tt)*)?
    ) => {
        function! {
            $name $hash $($witness)?
            { $($safe)* $param: $type, } { $($raw)* $param: $type, } { $($argument)* $param, }
            $($($rest)*)?
        }
    };
    (
        $name:ident $hash:literal $($witness:ident)?
        { $($safe:tt)* } { $($raw:tt)* } { $($argument:tt)* }
    ) => {
        pub(super) fn $name($(_: $witness,)? $($safe)*) {
            unsafe extern "sysv64" {
                // The first character says that the linker knows this very name, whatever it puts
                // before those of C.
                #[link_name = concat!("\u{1}", symbol!($name, $hash))]
                fn $name($($raw)*);
            }
            // SAFETY: the kernel touches what these references lead to, and no more; that the
            // processor has what it needs is what the witness says.
            unsafe { $name($($argument)*) }
        }
    };
}
