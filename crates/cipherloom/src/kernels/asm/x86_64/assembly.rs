//! What stands around assembly for ELF.
//!
//! Each body has a section of its own, so that a linker can leave out what nobody calls. Symbols are
//! hidden and carry a hash of the body, so that any two builds of this crate fit into one program, each
//! with its own kernels and tables; bodies that are equal (in two static libraries, or in the crate
//! beside its own tests) are one group, of which the linker keeps one.

/// The name of a kernel, or of the one for a vendor's processors.
macro_rules! name {
    ($name:ident) => {
        stringify!($name)
    };
    ($name:ident $vendor:ident) => {
        concat!(stringify!($name), "_", stringify!($vendor))
    };
}

/// The symbol of a body: `cipherloom_HASH_NAME`. The hash is the beginning of SHA-256 of the file with
/// the bare name in place of the symbol.
macro_rules! symbol {
    ($hash:literal $($name:ident)+) => {
        concat!("cipherloom_", $hash, "_", name!($($name)+))
    };
}

/// A body in a section. (`raw`: no brace of the assembly is taken for a placeholder.)
macro_rules! body {
    ($hash:literal $($name:ident)+, $section:literal, $flags:literal, $type:literal) => {
        core::arch::global_asm!(
            concat!(
                ".pushsection ",
                $section,
                symbol!($hash $($name)+),
                ",\"",
                $flags,
                "G\",@progbits,",
                symbol!($hash $($name)+),
                ",comdat"
            ),
            concat!(".hidden ", symbol!($hash $($name)+)),
            concat!(".type ", symbol!($hash $($name)+), ",", $type),
            include_str!(concat!("../../../../kernels/x86_64/", name!($($name)+), ".s")),
            concat!(".size ", symbol!($hash $($name)+), ", . - ", symbol!($hash $($name)+)),
            ".popsection",
            options(att_syntax, raw)
        );
    };
}

/// Constant tables: `name "hash";`.
macro_rules! tables {
    ($($name:ident $hash:literal;)*) => {$(
        body!($hash $name, ".rodata.", "a", "@object");
    )*};
}

/// Kernels: `name "hash" Witness [vendor "hash"] (parameters);`, each with a safe function of that name,
/// which calls the kernel for the processor's vendor where there is one. Where a parameter is a mutable
/// slice of groups, the kernel has the number of groups behind its pointer.
macro_rules! kernels {
    ($($name:ident $hash:literal $($witness:ident)? $([$vendor:ident $own:literal])* ($($params:tt)*);)*) => {$(
        body!($hash $name, ".text.", "ax", "@function");
        $(body!($own $name $vendor, ".text.", "ax", "@function");)*
        function! { ($name $hash $($witness)? $([$vendor $own])*) {} {} {} $($params)* }
    )*};
}

/// A kernel's function, parameter by parameter: those of the function, those of the kernel, and what
/// is handed on.
macro_rules! function {
    (
        $kernel:tt { $($safe:tt)* } { $($raw:tt)* } { $($argument:tt)* }
        $param:ident: &mut [[u8; $bytes:literal]] $(, $($rest:tt)*)?
    ) => {
        function! {
            $kernel
            { $($safe)* $param: &mut [[u8; $bytes]], }
            { $($raw)* $param: *mut [u8; $bytes], count: usize, }
            { $($argument)* $param.as_mut_ptr(), $param.len(), }
            $($($rest)*)?
        }
    };
    (
        $kernel:tt { $($safe:tt)* } { $($raw:tt)* } { $($argument:tt)* }
        $param:ident: $type:ty $(, $($rest:tt)*)?
    ) => {
        function! {
            $kernel
            { $($safe)* $param: $type, } { $($raw)* $param: $type, } { $($argument)* $param, }
            $($($rest)*)?
        }
    };
    (
        ($name:ident $hash:literal $($witness:ident)? $([$vendor:ident $own:literal])*)
        { $($safe:tt)* } $raw:tt $argument:tt
    ) => {
        pub(super) fn $name($(_: $witness,)? $($safe)*) {
            $(if crate::kernels::cpu::this().1 == vendor!($vendor) {
                return call!($own, $name $vendor, $raw $argument);
            })*
            call!($hash, $name, $raw $argument)
        }
    };
}

macro_rules! vendor {
    (intel) => {
        crate::kernels::cpu::Vendor::Intel
    };
    (amd) => {
        crate::kernels::cpu::Vendor::Amd
    };
}

macro_rules! call {
    ($hash:literal, $name:ident $($vendor:ident)?, { $($raw:tt)* } { $($argument:tt)* }) => {{
        unsafe extern "sysv64" {
            // The first character says that the linker knows this very name, whatever it puts
            // before those of C.
            #[link_name = concat!("\u{1}", symbol!($hash $name $($vendor)?))]
            fn $name($($raw)*);
        }
        // SAFETY: the kernel touches what these references lead to, and no more; that the
        // processor has what it needs is what the witness says.
        unsafe { $name($($argument)*) }
    }};
}
