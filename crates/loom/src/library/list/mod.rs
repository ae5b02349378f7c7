//! Which kernels ship, a file for each processor.

mod aarch64;
mod group;
mod x86_64;

pub(super) use group::Group;

use crate::isa::aarch64::AARCH64;
use crate::isa::x86::X86_64;
use crate::isa::{Target, registry};
use crate::variant::KernelVariant;

/// A processor that kernels ship for.
pub(super) struct Processor {
    pub(super) target: &'static Target,
    /// What the library's folders for it are called.
    pub(super) folder: &'static str,
    /// How people call it.
    pub(super) name: &'static str,
    /// Whether kernels begin with landing pads.
    pub(super) lands: bool,
    /// All of them, in the order of the generated Rust.
    pub(super) groups: fn() -> Vec<Group>,
}

/// All of them. (On AArch64 a linker's veneers may branch by a register; nothing else does.)
pub(super) static PROCESSORS: [Processor; 2] = [
    Processor {
        target: &X86_64,
        folder: "x86_64",
        name: "x86-64",
        lands: false,
        groups: x86_64::groups,
    },
    Processor {
        target: &AARCH64,
        folder: "aarch64",
        name: "AArch64",
        lands: true,
        groups: aarch64::groups,
    },
];

/// The kernels that ship for the target of plain names, in the order of the generated Rust.
///
/// # Panics
/// If a list names a kernel that does not exist.
#[must_use]
pub fn variants() -> Vec<KernelVariant> {
    variants_for(registry::plain())
}

/// The kernels that ship for a target; none if the library has none for it.
///
/// # Panics
/// As [`variants`].
#[must_use]
pub fn variants_for(target: &'static Target) -> Vec<KernelVariant> {
    let own = PROCESSORS.iter().filter(|processor| processor.target == target);
    own.flat_map(|processor| (processor.groups)()).flat_map(|group| group.variants).collect()
}

/// The kernels that ship for the processors of one vendor, which take more for granted than others: what each is called
/// in the library, and how it is made.
///
/// # Panics
/// As [`variants`].
#[must_use]
pub fn variants_of_vendors(target: &'static Target) -> Vec<(String, KernelVariant)> {
    let own = PROCESSORS.iter().filter(|processor| processor.target == target);
    own.flat_map(|processor| (processor.groups)()).flat_map(|group| group.of_vendors()).collect()
}
