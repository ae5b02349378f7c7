//! Bodies of assembly with what their container wants around them (`container/`), and their functions.
//!
//! Each body can be left out by a linker if nobody calls it. No symbol is seen outside the linked file, and
//! each carries a hash of the body, so that any two builds of this crate fit into one program, each
//! with its own kernels and tables; of bodies that are equal (in two static libraries, or in the crate
//! beside its own tests) the linker keeps one. A second symbol, `end_of_` the first, stands at its end.

#[cfg_attr(windows, path = "container/coff.rs")]
#[cfg_attr(target_vendor = "apple", path = "container/macho.rs")]
#[cfg_attr(not(any(windows, target_vendor = "apple")), path = "container/elf.rs")]
#[macro_use]
mod container;

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

/// The body of a kernel or of tables. (`source!`, `assembly!`, `enter!` and `address!` are the
/// processor's, in its `dialect.rs`.)
macro_rules! generated {
    ($hash:literal $($name:ident)+, $kind:ident) => {
        body!(
            symbol!($hash $($name)+),
            $kind,
            source!(name!($($name)+))
        );
    };
}

/// A body as it lies in memory: `HASH_NAME`, and its bytes.
macro_rules! in_memory {
    ($hash:literal $($name:ident)+) => {{
        let start = address!(symbol!($hash $($name)+));
        let end = address!(concat!("end_of_", symbol!($hash $($name)+)));
        let start: *const u8 = core::ptr::with_exposed_provenance(start);
        // SAFETY: between these symbols lies the body, which nobody changes.
        let bytes = unsafe { core::slice::from_raw_parts(start, end - start.addr()) };
        (concat!($hash, "_", name!($($name)+)), bytes)
    }};
}

/// Constant tables: `name "hash";`.
macro_rules! tables {
    ($($name:ident $hash:literal;)*) => {
        $(generated!($hash $name, constants);)*

        $(
            /// These tables.
            #[allow(dead_code, reason = "of most of them only their kernels know")]
            pub(super) fn $name() -> &'static [u8] {
                in_memory!($hash $name).1
            }
        )*

        /// The tables as they lie in memory: `HASH_NAME`, and the bytes.
        pub fn tables_in_memory() -> impl Iterator<Item = (&'static str, &'static [u8])> + Clone {
            [$(in_memory!($hash $name)),*].into_iter()
        }
    };
}

/// Kernels: `name "hash" Witness [vendor "hash"] (parameters);`, each with a safe function of that name,
/// which calls the kernel for the processor's vendor where there is one. Where a parameter is a mutable
/// slice of groups, the kernel has the number of groups behind its pointer.
macro_rules! kernels {
    ($($name:ident $hash:literal $($witness:ident)? $([$vendor:ident $own:literal])* ($($params:tt)*);)*) => {
        $(
            generated!($hash $name, code);
            $(generated!($own $name $vendor, code);)*
            function! { ($name $hash $($witness)? $([$vendor $own])*) {} {} {} $($params)* }
        )*

        /// The kernels as they lie in memory: `HASH_NAME`, and the bytes. None where the system lets no
        /// program read its code.
        pub fn kernels_in_memory() -> impl Iterator<Item = (&'static str, &'static [u8])> + Clone {
            let kernels = [$(in_memory!($hash $name), $(in_memory!($own $name $vendor),)*)*];
            kernels.into_iter().filter(|_| cfg!(not(target_os = "openbsd")))
        }
    };
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
        #[inline(always)]
        pub(super) fn $name($(_: $witness,)? $($safe)*) {
            $(if matches!(crate::kernels::cpu::processor::vendor(), vendor!($vendor)) {
                return call!($own, $name $vendor, $raw $argument);
            })*
            call!($hash, $name, $raw $argument)
        }
    };
}

macro_rules! call {
    ($hash:literal, $name:ident $($vendor:ident)?, { $($raw:tt)* } { $($argument:tt)* }) => {{
        // SAFETY: the kernel touches what these references lead to, and no more; that the
        // processor has what it needs is what the witness says.
        unsafe { enter!(symbol!($hash $name $($vendor)?), (fn $name($($raw)*)), ($($argument)*)) }
    }};
}
