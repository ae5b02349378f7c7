//! Every way to write kernels of AArch64 down, the usual one first.

use super::armasm::Armasm;
use super::gnu::Gnu;
use crate::isa::aarch64::object::write;
use crate::isa::text::{Container, Format, Writer};

const fn format(
    name: &'static str,
    doc: &'static str,
    container: Container,
    writer: Writer,
) -> Format {
    let without_landing = match container {
        Container::Elf => None,
        _ => Some("the note that says so is ELF's"),
    };
    Format { name, doc, container, writer, lacks: None, without_distances: None, without_landing }
}

const fn text(name: &'static str, doc: &'static str, dialect: &'static Gnu) -> Format {
    format(name, doc, dialect.container, Writer::Text(dialect))
}

/// The one that the library takes in.
pub(in super::super) static BODY: Format =
    text("body", "for the library", &Gnu { container: Container::Neutral });

/// All of them.
pub(in super::super) static FORMATS: [Format; 7] = [
    text("elf-gnu", "GNU as, or LLVM's; Linux, BSD", &Gnu { container: Container::Elf }),
    text("coff-gnu", "LLVM's as; Windows", &Gnu { container: Container::Coff }),
    text("macho-gnu", "LLVM's as; macOS, iOS", &Gnu { container: Container::MachO }),
    format("coff-armasm", "armasm64; Windows", Container::Coff, Writer::Text(&Armasm)),
    format("elf", "object file; Linux, BSD", Container::Elf, Writer::Object(write)),
    format("coff", "object file; Windows", Container::Coff, Writer::Object(write)),
    format("macho", "object file; macOS, iOS", Container::MachO, Writer::Object(write)),
];
