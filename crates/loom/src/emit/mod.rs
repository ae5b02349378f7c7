//! Kernels as text for assemblers, and as object files.
//!
//! | file | subject |
//! |---|---|
//! | `unit.rs` | what emitters work from: lines, tables, the stack's changes |
//! | `x86.rs` | kernels for x86, 64-bit and 32-bit, as such units |
//! | `trace.rs` | what an x86 program's registers point to, and its stack, line by line |
//! | `writer.rs` | what is printed, in which order |
//! | `header.rs` | what stands above a kernel |
//! | `layout.rs` | columns |
//! | `gnu.rs` | GNU's syntax, AT&T's and Intel's operands, and the body that fits every container |
//! | `flavours.rs` | what assemblers of this syntax differ in: ELF, COFF, Mach-O, a.out, Solaris, the C preprocessor |
//! | `nasm.rs` | NASM and YASM, for ELF, COFF, Mach-O, a.out |
//! | `masm.rs` | MASM, for COFF |
//! | `hppa.rs` | PA-RISC kernels as units, and GNU as for them |
//! | `object.rs` | object files: ELF, COFF, Mach-O |
//! | `unwind.rs` | unwind information as bytes |
//! | `cet.rs` | the note that code goes with Intel's CET |
//!
//! A dialect prints, and decides nothing: it gets items in their order and has a form for each.

mod cet;
mod flavours;
mod gnu;
mod header;
mod hppa;
mod layout;
mod masm;
mod nasm;
mod object;
mod trace;
mod unit;
mod unwind;
mod writer;
mod x86;

pub use hppa::{GNU_HPPA, HppaUnit};
pub use layout::Layout;
pub use object::object;
pub use unit::{Code, Frame, Inst, Label, Line, Refers, Tables, Unit};
pub use writer::{Item, Section, body, tables_body, text};
pub use x86::{FORMATS, X86Unit};

use iced_x86::Instruction;

use crate::isa::Target;
use crate::record::Record;

/// An assembler's way of writing things down, for the instructions `I` of a processor.
pub trait Dialect<I>: Sync {
    /// What begins a comment, and what ends it where that is not the line's end.
    fn comment(&self) -> [&'static str; 2];

    /// The instruction set that it writes down.
    fn target(&self) -> &'static Target;

    /// The container that its assembler makes.
    fn container(&self) -> Container;

    /// What C calls `name`.
    fn symbol(&self, name: &str) -> String {
        self.container().symbol(self.target(), name)
    }

    /// Why it cannot say how far a place is from another, if it cannot.
    fn without_distances(&self) -> Option<&'static str> {
        None
    }

    /// Why its files cannot say that their code goes with Intel's CET, if they cannot.
    fn without_cet(&self) -> Option<&'static str> {
        self.container().without_cet(self.target())
    }

    /// Prints an item.
    fn item(&self, item: &Item<'_, I>, layout: &mut Layout);
}

/// A format of object files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// Linux, BSD.
    Elf,
    /// Windows.
    Coff,
    /// macOS.
    MachO,
    /// Unix before ELF, with code of 32 bits.
    AOut,
    /// 32-bit C of DOS: DJGPP's COFF.
    Go32,
    /// 16-bit C of DOS: Intel's and Microsoft's object modules.
    Omf,
    /// 16-bit C of ELKS, and of DOS by the same tools: Bruce Evans' C compiler and its `ld86`.
    As86,
    /// None: a body that fits into all of them.
    Neutral,
}

impl Container {
    /// What C calls `name`.
    #[must_use]
    pub fn symbol(self, target: &'static Target, name: &str) -> String {
        match (self, target.word) {
            (Self::MachO | Self::AOut | Self::Go32 | Self::Omf | Self::As86, _)
            | (Self::Coff, 4) => {
                format!("_{name}")
            }
            (Self::Elf | Self::Coff | Self::Neutral, _) => name.to_owned(),
        }
    }
}

/// A dialect with a container: one way to emit kernels of a processor with the instructions `I`.
#[derive(Clone, Copy)]
pub struct Format<I: 'static = Instruction> {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// How it prints.
    pub dialect: &'static dyn Dialect<I>,
    /// The newest instructions that its assembler knows, where they are not all: the names of
    /// features that it lacks, and whose lack that is.
    pub lacks: Option<(&'static [&'static str], &'static str)>,
}

impl<I> std::fmt::Debug for Format<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Format {
    /// The formats of x86, 64-bit or 32-bit.
    pub fn of(target: &'static Target) -> impl Iterator<Item = &'static Self> {
        FORMATS.iter().filter(move |format| format.dialect.target() == target)
    }

    /// Why a kernel cannot be written in this format, if so.
    #[must_use]
    pub fn refuses(&self, record: &Record) -> Option<String> {
        let apart = record.abi.position_independent && record.table_bytes > 0;
        if let (true, Some(why)) = (apart, self.dialect.without_distances()) {
            return Some(format!("`{}` cannot be position-independent there: {why}", record.name));
        }
        let (lacks, whose) = self.lacks?;
        let lack = record.features.iter().find(|feature| lacks.contains(feature))?;
        Some(format!("`{}` needs {lack}, which {whose}", record.name))
    }

    /// One of them by its name.
    #[must_use]
    pub fn by_name(target: &'static Target, name: &str) -> Option<&'static Self> {
        Self::of(target).find(|format| format.name == name)
    }
}
