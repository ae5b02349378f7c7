//! How an ELF file says that its code goes with Intel's CET (Control-flow Enforcement Technology): a
//! note with the property `GNU_PROPERTY_X86_FEATURE_1_AND` ("Linux Extensions to gABI", and the x86
//! psABIs). A linker keeps a feature only if all of its input has it.

use object::elf::{
    GNU_PROPERTY_X86_FEATURE_1_AND, GNU_PROPERTY_X86_FEATURE_1_IBT,
    GNU_PROPERTY_X86_FEATURE_1_SHSTK, GnuPropertyType, NT_GNU_PROPERTY_TYPE_0,
};

use crate::isa::text::Container;
use crate::isa::x86::Mode;

/// The note's section.
pub(in super::super) const SECTION: &str = ".note.gnu.property";

/// What the note is about: features that count only if all code has them.
pub(in super::super) const PROPERTY: GnuPropertyType = GNU_PROPERTY_X86_FEATURE_1_AND;

/// The features of kernels with a landing pad: indirect calls lead to landing pads (IBT), returns to
/// where the call was (shadow stack).
pub(in super::super) const FEATURES: u32 =
    GNU_PROPERTY_X86_FEATURE_1_IBT | GNU_PROPERTY_X86_FEATURE_1_SHSTK;

/// Alignment of the note and of its parts, in bytes.
pub(in super::super) fn align(mode: Mode) -> u32 {
    mode.bytes()
}

/// The note in words of 32 bits, each row with a comment.
pub(in super::super) fn rows(mode: Mode) -> [(Vec<u32>, &'static str); 3] {
    let mut property = vec![PROPERTY.0, 4, FEATURES];
    // Up to a multiple of the alignment.
    property.resize(property.len().next_multiple_of(align(mode) as usize / 4), 0);
    [
        (
            vec![4, 4 * property.len() as u32, NT_GNU_PROPERTY_TYPE_0.0],
            "lengths, and the kind: properties",
        ),
        (vec![u32::from_le_bytes(*b"GNU\0")], "GNU's"),
        (property, "all code has IBT, SHSTK"),
    ]
}

/// Why files of a container cannot say that their code goes with CET, if they cannot.
pub(in super::super) const fn without(container: Container) -> Option<&'static str> {
    match container {
        Container::Elf => None,
        Container::Coff => {
            Some("Windows' linkers say so (/CETCOMPAT), and kernels fit without a change")
        }
        Container::MachO => Some("macOS does not use CET"),
        Container::AOut
        | Container::Go32
        | Container::Omf
        | Container::As86
        | Container::Neutral => Some("only ELF has a note for it"),
    }
}
