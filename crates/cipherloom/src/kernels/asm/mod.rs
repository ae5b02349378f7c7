//! Kernels in assembly, which loom makes: one interface, a folder for each processor behind it, and
//! what these share in `common/`.
//!
//! | name | what a processor has under it |
//! |---|---|
//! | `Table`, `Registers`, `Bitslice`, `Rc4` | the kernels of a strategy: `of` gives those of a feature |
//! | `rc4`, `rc4_registers` | streams of RC4 by an `Rc4`, or by `rc4_registers::Kernels` |
//! | `libdes_functions`, `subkeys`, `schedule` | single functions, where this processor has them |
//! | `kernels_in_memory`, `tables_in_memory` | the bytes, for who compares them with what was proved |
//!
//! Where there is no assembly, the same names come from `processor.rs`, with types of which no value
//! exists: so the other layers' code is the same everywhere.

pub(crate) mod libdes;
// Assembly needs its processor, a container that `common/container/` knows, and a
// compiler that takes it: Miri does not, and `--cfg cipherloom_portable` asks to do without.
#[cfg_attr(
    all(
        target_pointer_width = "64",
        target_endian = "little",
        any(
            target_os = "android",
            target_os = "dragonfly",
            target_os = "freebsd",
            target_os = "illumos",
            target_os = "linux",
            target_os = "netbsd",
            target_os = "openbsd",
            target_os = "solaris",
            target_os = "windows",
            target_vendor = "apple",
        ),
        not(any(miri, cipherloom_portable)),
    ),
    cfg_attr(target_arch = "x86_64", path = "x86_64/mod.rs"),
    cfg_attr(target_arch = "aarch64", path = "aarch64/mod.rs")
)]
mod processor;

pub(crate) use processor::{
    Bitslice, Rc4, Registers, Table, libdes_functions, rc4, rc4_registers, schedule, subkeys,
};
pub use processor::{kernels_in_memory, tables_in_memory};
