//! Object files, without any assembler.
//!
//! | file | subject |
//! |---|---|
//! | `unwind.rs` | Windows' unwind information |
//! | `cet.rs` | the note that code goes with Intel's CET |

pub(super) mod cet;
pub(super) mod unwind;

use object::write::{
    Object, Relocation, Result, SectionId, StandardSection, Symbol, SymbolId, SymbolSection,
};
use object::{
    Architecture, BinaryFormat, Endianness, RelocationEncoding, RelocationFlags, RelocationKind,
    SectionKind, SymbolFlags, SymbolKind, SymbolScope,
};

use crate::isa::eh_frame::{self, Unwinding};
use crate::isa::text::{Code, Container, Frame, Listing, Tables, all_land};
use crate::isa::x86::Mode;
use crate::isa::x86::gpr::RSP;
use crate::isa::x86::mode::ENTRY;

/// An object file with 64-bit code; see [`write()`].
pub(super) fn bits_64(
    container: Container,
    kernels: &[(&str, &Listing)],
    prefix: &str,
) -> std::result::Result<Vec<u8>, String> {
    write(Mode::Bits64, container, kernels, prefix).map_err(|error| error.to_string())
}

/// An object file with 32-bit code; see [`write()`].
pub(super) fn bits_32(
    container: Container,
    kernels: &[(&str, &Listing)],
    prefix: &str,
) -> std::result::Result<Vec<u8>, String> {
    write(Mode::Bits32, container, kernels, prefix).map_err(|error| error.to_string())
}

/// Kernels of one mode and one copy of the tables that they look up. `prefix` stands before the name of
/// each. ELF, and COFF for 64 bits, get unwind information.
///
/// # Errors
/// If the container cannot hold them.
///
/// # Panics
/// If the container is one that assemblers write only.
fn write(
    mode: Mode,
    container: Container,
    kernels: &[(&str, &Listing)],
    prefix: &str,
) -> Result<Vec<u8>> {
    let format = match container {
        Container::Elf => BinaryFormat::Elf,
        Container::Coff => BinaryFormat::Coff,
        Container::MachO => BinaryFormat::MachO,
        Container::AOut
        | Container::Go32
        | Container::Omf
        | Container::As86
        | Container::Neutral => {
            panic!("no object file of {container:?} is written")
        }
    };
    let architecture = match mode {
        Mode::Real | Mode::Bits32 => Architecture::I386,
        Mode::Bits64 => Architecture::X86_64,
    };
    let mut file = File {
        container,
        mode,
        prefix,
        object: Object::new(format, architecture, Endianness::Little),
        eh_frame: eh_frame::Section::default(),
        unwind: None,
    };
    if container == Container::Elf {
        // Says that the stack need not be executable.
        file.object.add_section(Vec::new(), b".note.GNU-stack".to_vec(), SectionKind::Other);
    }
    for (name, listing) in kernels {
        file.kernel(name, listing)?;
    }
    if container == Container::Elf && all_land(kernels.iter().map(|(_, listing)| *listing)) {
        file.object.add_elf_gnu_property_u32(cet::PROPERTY, cet::FEATURES);
    }
    file.object.write()
}

/// What ELF's unwind information must know of a mode.
fn unwinding(mode: Mode) -> Unwinding {
    let word = mode.bytes();
    let plain: Unwinding = Unwinding {
        code: 1,
        word,
        pushed: word,
        stack: RSP,
        return_address: 8,
        number: |register| register,
    };
    // DWARF has an order of its own for the first 8 of 64 bits.
    const WIDE: [u8; 8] = [0, 2, 1, 3, 7, 6, 4, 5];
    match mode {
        Mode::Real | Mode::Bits32 => plain,
        Mode::Bits64 => Unwinding {
            stack: WIDE[usize::from(RSP)],
            return_address: 16,
            number: |register| WIDE.get(usize::from(register)).copied().unwrap_or(register),
            ..plain
        },
    }
}

struct File<'a> {
    container: Container,
    mode: Mode,
    prefix: &'a str,
    object: Object<'a>,
    /// ELF's unwind information.
    eh_frame: eh_frame::Section,
    /// The sections of COFF's.
    unwind: Option<[SectionId; 2]>,
}

const DISTANCE: RelocationFlags = RelocationFlags::Generic {
    kind: RelocationKind::Relative,
    encoding: RelocationEncoding::X86RipRelative,
    size: 32,
};
const ADDRESS: RelocationFlags = RelocationFlags::Generic {
    kind: RelocationKind::Absolute,
    encoding: RelocationEncoding::Generic,
    size: 32,
};
const PLAIN_DISTANCE: RelocationFlags = RelocationFlags::Generic {
    kind: RelocationKind::Relative,
    encoding: RelocationEncoding::Generic,
    size: 32,
};
const FROM_IMAGE: RelocationFlags = RelocationFlags::Generic {
    kind: RelocationKind::ImageOffset,
    encoding: RelocationEncoding::Generic,
    size: 32,
};

impl File<'_> {
    /// Puts bytes under a name into a section.
    fn put(
        &mut self,
        name: &str,
        section: SectionId,
        bytes: &[u8],
        align: u32,
        (kind, scope): (SymbolKind, SymbolScope),
    ) -> SymbolId {
        let symbol = self.object.add_symbol(Symbol {
            name: format!("{}{name}", self.prefix).into_bytes(),
            value: 0,
            size: 0,
            kind,
            scope,
            weak: false,
            section: SymbolSection::Undefined,
            flags: SymbolFlags::None,
        });
        self.object.add_symbol_data(symbol, section, bytes, u64::from(align));
        symbol
    }

    fn refer(
        &mut self,
        section: SectionId,
        offset: u64,
        symbol: SymbolId,
        addend: i64,
        flags: RelocationFlags,
    ) -> Result<()> {
        self.object.add_relocation(section, Relocation { offset, symbol, addend, flags })
    }

    /// The symbol of tables, which are put into a section if they are not there yet.
    fn tables(&mut self, tables: &Tables, section: StandardSection) -> SymbolId {
        // By the name in C.
        let name = format!("{}{}", self.prefix, tables.name);
        self.object.symbol_id(name.as_bytes()).unwrap_or_else(|| {
            let section = self.object.section_id(section);
            let kind = (SymbolKind::Data, SymbolScope::Compilation);
            self.put(&tables.name, section, &tables.content(), Tables::ALIGN, kind)
        })
    }

    fn kernel(&mut self, name: &str, listing: &Listing) -> Result<()> {
        let code = listing.code.as_ref().expect("machine code");
        let text = self.object.section_id(StandardSection::Text);
        let section =
            if listing.together { StandardSection::Text } else { StandardSection::ReadOnlyData };
        let tables = listing.tables.as_ref().map(|tables| self.tables(tables, section));
        let mut bytes = code.bytes.clone();
        for &(at, _) in &code.tables {
            bytes[at..at + 4].fill(0);
        }
        let kind = (SymbolKind::Text, SymbolScope::Dynamic);
        let kernel = self.put(name, text, &bytes, ENTRY, kind);
        let start = self.object.symbol(kernel).value;
        for (&(at, addend), symbol) in
            code.tables.iter().flat_map(|place| tables.map(|t| (place, t)))
        {
            if listing.together {
                // In one section the distance is known.
                let distance = self.object.symbol(symbol).value as i64 - start as i64 + addend;
                let field = start as usize + at..start as usize + at + 4;
                let distance = (distance as i32).to_le_bytes();
                self.object.section_mut(text).data_mut()[field].copy_from_slice(&distance);
            } else {
                let flags = if !self.mode.is_64() { ADDRESS } else { DISTANCE };
                self.refer(text, start + at as u64, symbol, addend, flags)?;
            }
        }
        match self.container {
            Container::Elf => {
                let distance = PLAIN_DISTANCE;
                self.eh_frame.add(&mut self.object, &unwinding(self.mode), kernel, code, distance)
            }
            Container::Coff if self.mode == Mode::Bits64 => {
                self.coff_unwind(kernel, &listing.entry(), code)
            }
            Container::Coff
            | Container::MachO
            | Container::AOut
            | Container::Go32
            | Container::Omf
            | Container::As86
            | Container::Neutral => Ok(()),
        }
    }

    fn coff_unwind(&mut self, kernel: SymbolId, entry: &[Frame], code: &Code) -> Result<()> {
        let frames = &code.frames;
        let offset = |frame: &Frame| {
            let at = frames.iter().find(|(_, other)| other == frame).map_or(0, |(at, _)| *at);
            u8::try_from(at).expect("an entry of less than 256 bytes")
        };
        let codes = unwind::windows(entry);
        let slots: usize = codes.iter().map(|code| 1 + usize::from(code.size.is_some())).sum();
        let mut info = vec![1, offset(&Frame::Entered), slots as u8, 0];
        for code in codes {
            info.extend([offset(code.undoes), code.code]);
            info.extend(code.size.map(u16::to_le_bytes).into_iter().flatten());
        }
        info.resize(info.len().next_multiple_of(4), 0);
        let [infos, functions] = *self.unwind.get_or_insert_with(|| {
            [".xdata", ".pdata"].map(|name| {
                let kind = SectionKind::ReadOnlyData;
                self.object.add_section(Vec::new(), name.as_bytes().to_vec(), kind)
            })
        });
        let at_info = self.object.append_section_data(infos, &info, 4);
        let at = self.object.append_section_data(functions, &[0; 12], 4);
        let infos = self.object.section_symbol(infos);
        let end = code.bytes.len() as i64;
        self.refer(functions, at, kernel, 0, FROM_IMAGE)?;
        self.refer(functions, at + 4, kernel, end, FROM_IMAGE)?;
        self.refer(functions, at + 8, infos, at_info as i64, FROM_IMAGE)
    }
}
