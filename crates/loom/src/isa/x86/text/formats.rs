//! Every way to write kernels of x86 down, the usual one of each target first.

use Container::{AOut, As86, Coff, Elf, Go32, MachO, Neutral, Omf};
use Mode::{Bits32, Bits64, Real};
use Syntax::{Att, Intel};

use super::flavours::{
    self, BSDI, COFF, CPP, DJGPP, ELF, Flavour, MACHO, OUT, REAL, SOLARIS, YASM, YASM_WITHOUT_NOTE,
};
use super::gnu::{Gnu, Syntax};
use super::masm::Masm;
use super::nasm::{Nasm, Reader};
use crate::isa::text::{Container, Format, Missing, WriteObject, Writer};
use crate::isa::x86::Mode;
use crate::isa::x86::object::{self as objects, cet};

const fn format(
    name: &'static str,
    doc: &'static str,
    container: Container,
    writer: Writer,
) -> Format {
    Format {
        name,
        doc,
        container,
        writer,
        lacks: None,
        without_distances: None,
        without_landing: cet::without(container),
    }
}

const fn gas(name: &'static str, doc: &'static str, dialect: &'static Gnu) -> Format {
    let container = dialect.system.container;
    let without_landing = match cet::without(container) {
        None => dialect.system.without_note,
        why => why,
    };
    Format { without_landing, ..format(name, doc, container, Writer::Text(dialect)) }
}

const fn nasm(name: &'static str, doc: &'static str, dialect: &'static Nasm) -> Format {
    format(name, doc, dialect.container, Writer::Text(dialect))
}

const fn yasm(name: &'static str, doc: &'static str, dialect: &'static Nasm) -> Format {
    let format = nasm(name, doc, dialect);
    let without_landing = match format.without_landing {
        None => Some(YASM_WITHOUT_NOTE),
        why => why,
    };
    older(Format { without_landing, ..format })
}

/// A format of an assembler that knows nothing of AVX-512 and what came with it.
const fn older(format: Format) -> Format {
    Format { lacks: Some((&["gfni", "avx512", "vbmi"], "YASM does not know")), ..format }
}

const fn masm(name: &'static str, doc: &'static str, dialect: &'static Masm) -> Format {
    const WHY: &str =
        "llvm-ml, by which MASM's texts are tried, has no distances between two labels";
    let format = format(name, doc, Coff, Writer::Text(dialect));
    Format { without_distances: Some(WHY), ..format }
}

const fn object(
    name: &'static str,
    doc: &'static str,
    container: Container,
    write: WriteObject,
) -> Format {
    format(name, doc, container, Writer::Object(write))
}

const fn gnu(mode: Mode, syntax: Syntax, system: Flavour) -> Gnu {
    Gnu { syntax, mode, system }
}

const fn read_by_nasm(mode: Mode, container: Container) -> Nasm {
    Nasm { reader: Reader::Nasm, mode, container }
}

const fn read_by_yasm(mode: Mode, container: Container) -> Nasm {
    Nasm { reader: Reader::Yasm, mode, container }
}

/// The body that fits into every container.
pub(in super::super) static BODY: Format =
    gas("body", "for the library", &gnu(Bits64, Att, flavours::BODY));

/// Those of 64-bit code.
pub(in super::super) static BITS_64: &[Format] = &[
    gas("elf-att", "GNU as, AT&T syntax; Linux, BSD", &gnu(Bits64, Att, ELF)),
    gas("elf-intel", "GNU as, Intel syntax; Linux, BSD", &gnu(Bits64, Intel, ELF)),
    nasm("elf-nasm", "NASM -f elf64; Linux, BSD", &read_by_nasm(Bits64, Elf)),
    yasm("elf-yasm", "YASM -f elf64; Linux, BSD", &read_by_yasm(Bits64, Elf)),
    older(gas("elf-att-yasm", "YASM -p gas -f elf64; Linux, BSD", &gnu(Bits64, Att, YASM))),
    gas("sol-att", "as, AT&T syntax; Solaris", &gnu(Bits64, Att, SOLARIS)),
    gas("coff-att", "GNU as, AT&T syntax; Windows", &gnu(Bits64, Att, COFF)),
    gas("coff-intel", "GNU as, Intel syntax; Windows", &gnu(Bits64, Intel, COFF)),
    nasm("coff-nasm", "NASM -f win64; Windows", &read_by_nasm(Bits64, Coff)),
    yasm("coff-yasm", "YASM -f win64; Windows", &read_by_yasm(Bits64, Coff)),
    masm("coff-masm", "MASM: ml64, llvm-ml -m64; Windows", &Masm { mode: Bits64 }),
    gas("macho-att", "LLVM's as, AT&T syntax; macOS", &gnu(Bits64, Att, MACHO)),
    gas("macho-intel", "LLVM's as, Intel syntax; macOS", &gnu(Bits64, Intel, MACHO)),
    nasm("macho-nasm", "NASM -f macho64; macOS", &read_by_nasm(Bits64, MachO)),
    yasm("macho-yasm", "YASM -f macho64; macOS", &read_by_yasm(Bits64, MachO)),
    object("elf", "object file; Linux, BSD", Elf, objects::bits_64),
    object("coff", "object file; Windows", Coff, objects::bits_64),
    object("macho", "object file; macOS", MachO, objects::bits_64),
];

/// Those of 32-bit code.
pub(in super::super) static BITS_32: &[Format] = &[
    gas("elf-att", "GNU as --32, AT&T syntax; Linux, BSD", &gnu(Bits32, Att, ELF)),
    gas("elf-intel", "GNU as --32, Intel syntax; Linux, BSD", &gnu(Bits32, Intel, ELF)),
    nasm("elf-nasm", "NASM -f elf32; Linux, BSD", &read_by_nasm(Bits32, Elf)),
    yasm("elf-yasm", "YASM -f elf32; Linux, BSD", &read_by_yasm(Bits32, Elf)),
    older(gas("elf-att-yasm", "YASM -p gas -f elf32; Linux, BSD", &gnu(Bits32, Att, YASM))),
    gas("sol-att", "as, AT&T syntax; Solaris", &gnu(Bits32, Att, SOLARIS)),
    gas("aout-att", "GNU as for a.out; Linux and BSD before ELF", &gnu(Bits32, Att, OUT)),
    gas("bsdi-att", "as, AT&T syntax; BSD/OS", &gnu(Bits32, Att, BSDI)),
    gas(
        "cpp-att",
        "cc -E with -DELF, -DSOL, -DOUT or -DBSDI, then one of these four",
        &gnu(Bits32, Att, CPP),
    ),
    nasm("aout-nasm", "NASM -f aout, aoutb; Linux and BSD before ELF", &read_by_nasm(Bits32, AOut)),
    gas("go32-att", "GNU as for DJGPP; 32-bit programs of DOS", &gnu(Bits32, Att, DJGPP)),
    nasm("go32-nasm", "NASM -f coff; 32-bit programs of DOS", &read_by_nasm(Bits32, Go32)),
    gas("coff-att", "GNU as --32, AT&T syntax; Windows", &gnu(Bits32, Att, COFF)),
    gas("coff-intel", "GNU as --32, Intel syntax; Windows", &gnu(Bits32, Intel, COFF)),
    nasm("coff-nasm", "NASM -f win32; Windows", &read_by_nasm(Bits32, Coff)),
    yasm("coff-yasm", "YASM -f win32; Windows", &read_by_yasm(Bits32, Coff)),
    masm("coff-masm", "MASM: ml, llvm-ml -m32; Windows", &Masm { mode: Bits32 }),
    gas("macho-att", "LLVM's as, AT&T syntax; macOS to 10.14", &gnu(Bits32, Att, MACHO)),
    gas("macho-intel", "LLVM's as, Intel syntax; macOS to 10.14", &gnu(Bits32, Intel, MACHO)),
    nasm("macho-nasm", "NASM -f macho32; macOS to 10.14", &read_by_nasm(Bits32, MachO)),
    yasm("macho-yasm", "YASM -f macho32; macOS to 10.14", &read_by_yasm(Bits32, MachO)),
    object("elf", "object file; Linux, BSD", Elf, objects::bits_32),
    object("coff", "object file; Windows", Coff, objects::bits_32),
    object("macho", "object file; macOS", MachO, objects::bits_32),
];

/// Those of real mode.
pub(in super::super) static REAL_MODE: &[Format] = &[
    nasm("com-nasm", "NASM -f bin, to be included in a program; DOS", &read_by_nasm(Real, Neutral)),
    nasm("omf-nasm", "NASM -f obj; 16-bit C of DOS", &read_by_nasm(Real, Omf)),
    nasm("as86-nasm", "NASM -f as86; 16-bit C by bcc and ld86", &read_by_nasm(Real, As86)),
    gas("elf-att", "GNU as --32, .code16, AT&T syntax; gcc-ia16", &gnu(Real, Att, REAL)),
    gas("elf-intel", "GNU as --32, .code16, Intel syntax; gcc-ia16", &gnu(Real, Intel, REAL)),
];

/// Why 64-bit code has not some formats of others.
pub(in super::super) const MISSING_64: &[Missing] = &[
    (&["aout-yasm"], NO_AOUT),
    (&["elf-masm", "macho-masm", "aout-masm"], COFF_ONLY),
    (&["cpp-att"], "of the four that it becomes, two are a.out"),
    (&["go32-att", "go32-nasm"], "DJGPP makes programs of 32 bits only"),
    (&["bsdi-att"], "BSD/OS had programs of 32 bits only"),
    (&["aout", "aout-att", "aout-nasm"], "a.out holds code of 32 bits only"),
];

/// Why 32-bit code has not some formats.
pub(in super::super) const MISSING_32: &[Missing] = &[
    (&["aout-yasm"], NO_AOUT),
    (&["elf-masm", "macho-masm", "aout-masm"], COFF_ONLY),
    (&["aout"], "a.out is left to assemblers: `aout-att`, `aout-nasm`"),
];

/// Why real mode has not some formats.
pub(in super::super) const MISSING_REAL: &[Missing] =
    &[(&["elf"], "objects are left to assemblers: `omf-nasm`, `elf-att`")];

const NO_AOUT: &str = "YASM writes no a.out";
const COFF_ONLY: &str = "MASM writes COFF only";
