//! What the processor has that not all of its family have, and loops of ours compiled for that. It
//! stands below all kernels, in assembly or not.
//!
//! Where there is no assembly, the same names come from `processor.rs`: a processor that has nothing.

mod feature;
// As in `asm/mod.rs`: what no kernel asks for is not looked for.
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
pub(crate) mod processor;
mod work;

pub(crate) use feature::{Feature, Vendor};
pub(crate) use processor::{FEATURES, MODELS, Steady, model, of_model, widely, zero};
pub(crate) use work::{Four, Plain, Vectors, Work};
