//! A kernel and changed ones on the same inputs, on whatever runs their instructions.

use super::{emulated, narrow, native, real};
use proof::image::Image;
use proof::isa::Isa;

/// A kernel as it is.
pub(crate) struct Subject<'a> {
    /// Where it is from.
    pub(crate) image: &'a Image,
    /// All that a program cannot write to there.
    pub(crate) span: &'a (u64, Vec<u8>),
    /// Its name without that of a vendor.
    pub(crate) name: &'a str,
    /// Where it begins.
    pub(crate) entry: u64,
}

/// What a changed one has at a place.
pub(crate) struct Change {
    pub(crate) at: u64,
    pub(crate) bytes: Vec<u8>,
}

/// Runs a kernel and changed ones on so many inputs, which must give the same: whether they can be run here, or what
/// differs.
pub(crate) fn compare(
    subject: &Subject<'_>,
    changes: &[Change],
    inputs: usize,
) -> Result<bool, String> {
    let run = match subject.image.isa {
        Isa::X86_64 if !native::can_run(subject.name) => return Ok(false),
        Isa::X86_32 if !native::can_run(subject.name) => return Ok(false),
        Isa::X86_64 => native::compare,
        Isa::X86_32 => narrow::compare,
        Isa::AArch64 | Isa::Hppa => emulated::compare,
        Isa::X86_16 => real::compare,
    };
    run(subject, changes, inputs).map(|()| true)
}

/// On how many inputs accepted changes run for the record: a million, of bit-sliced rounds in an emulator, each of
/// which is 128 blocks, a tenth of it.
pub(crate) fn for_the_record(subject: &Subject<'_>) -> usize {
    let is_emulated = matches!(subject.image.isa, Isa::AArch64 | Isa::Hppa);
    if is_emulated && subject.name.contains("des_bitslice") { 100_000 } else { 1_000_000 }
}
