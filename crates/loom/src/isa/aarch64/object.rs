//! Object files, without any assembler. Those of ELF and COFF have unwind information.

use object::write::{
    Object, Relocation, Result, SectionId, StandardSection, Symbol, SymbolId, SymbolSection,
};
use object::{
    Architecture, BinaryFormat, Endianness, RelocationFlags, SectionKind, SymbolFlags, SymbolKind,
    SymbolScope, elf, macho, pe,
};

use super::{ENTRY, VECTOR_0, WORD, reg, unwind};
use crate::isa::eh_frame::{self, Unwinding};
use crate::isa::text::{Container, Listing, Tables, all_land};

/// The note that all functions of a file begin with a landing pad.
pub(super) mod note {
    use object::elf::{self, GnuPropertyType};

    /// Its section.
    pub(in super::super) const SECTION: &str = ".note.gnu.property";
    /// The property: what the code of all files has.
    pub(super) const PROPERTY: GnuPropertyType = elf::GNU_PROPERTY_AARCH64_FEATURE_1_AND;
    /// Branch target identification.
    pub(super) const FEATURES: u32 = 1;
    /// Its words: sizes of name and content, the type, "GNU", the property.
    pub(in super::super) const WORDS: [u32; 8] =
        [4, 16, 5, u32::from_le_bytes(*b"GNU\0"), PROPERTY.0, 4, FEATURES, 0];
}

/// Kernels and one copy of the tables that they look up. `prefix` stands before the name of each.
///
/// # Errors
/// If the container cannot hold them.
///
/// # Panics
/// If the container is one that assemblers write only.
pub(super) fn write(
    container: Container,
    kernels: &[(&str, &Listing)],
    prefix: &str,
) -> std::result::Result<Vec<u8>, String> {
    let format = match container {
        Container::Elf => BinaryFormat::Elf,
        Container::Coff => BinaryFormat::Coff,
        Container::MachO => BinaryFormat::MachO,
        other => panic!("no object file of {other:?} is written"),
    };
    let object = Object::new(format, Architecture::Aarch64, Endianness::Little);
    let mut file =
        File { container, prefix, object, eh_frame: eh_frame::Section::default(), unwind: None };
    if container == Container::Elf {
        // Says that the stack need not be executable.
        file.object.add_section(Vec::new(), b".note.GNU-stack".to_vec(), SectionKind::Other);
    }
    for (name, listing) in kernels {
        file.kernel(name, listing).map_err(|error| error.to_string())?;
    }
    if container == Container::Elf && all_land(kernels.iter().map(|(_, listing)| *listing)) {
        file.object.add_elf_gnu_property_u32(note::PROPERTY, note::FEATURES);
    }
    file.object.write().map_err(|error| error.to_string())
}

struct File<'a> {
    container: Container,
    prefix: &'a str,
    object: Object<'a>,
    /// ELF's unwind information.
    eh_frame: eh_frame::Section,
    /// The sections of COFF's.
    unwind: Option<[SectionId; 2]>,
}

/// What ELF's unwind information must know. ("DWARF for the Arm 64-bit Architecture": vectors are from 64 on.)
const UNWINDING: Unwinding = Unwinding {
    code: 4,
    word: WORD,
    pushed: 0,
    stack: reg::STACK,
    return_address: reg::LINK,
    number: |register| if register < VECTOR_0 { register } else { register - VECTOR_0 + 64 },
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
        self.object.add_symbol_data(symbol, section, bytes, align.into());
        symbol
    }

    /// The symbol of tables, which are put into a section if they are not there yet.
    fn tables(&mut self, tables: &Tables) -> SymbolId {
        // By the name in C.
        let name = format!("{}{}", self.prefix, tables.name);
        self.object.symbol_id(name.as_bytes()).unwrap_or_else(|| {
            let section = self.object.section_id(StandardSection::ReadOnlyData);
            let kind = (SymbolKind::Data, SymbolScope::Compilation);
            self.put(&tables.name, section, &tables.content(), Tables::ALIGN, kind)
        })
    }

    /// What a linker is told of the two instructions that name the tables: the page, and the place in it.
    fn relocations(&self) -> [RelocationFlags; 2] {
        match self.container {
            Container::MachO => [macho::ARM64_RELOC_PAGE21, macho::ARM64_RELOC_PAGEOFF12]
                .map(|r_type| (r_type, r_type == macho::ARM64_RELOC_PAGE21))
                .map(|(r_type, r_pcrel)| RelocationFlags::MachO { r_type, r_pcrel, r_length: 2 }),
            Container::Coff => {
                [pe::IMAGE_REL_ARM64_PAGEBASE_REL21, pe::IMAGE_REL_ARM64_PAGEOFFSET_12A]
                    .map(|typ| RelocationFlags::Coff { typ })
            }
            _ => [elf::R_AARCH64_ADR_PREL_PG_HI21, elf::R_AARCH64_ADD_ABS_LO12_NC]
                .map(|r_type| RelocationFlags::Elf { r_type }),
        }
    }

    fn kernel(&mut self, name: &str, listing: &Listing) -> Result<()> {
        let code = listing.code.as_ref().expect("machine code");
        let text = self.object.section_id(StandardSection::Text);
        let tables = listing.tables.as_ref().map(|tables| self.tables(tables));
        let mut bytes = code.bytes.clone();
        // Registers stay, distances are the linker's.
        for (&(at, _), kept) in code.tables.iter().zip([0x9f00_001f, 0xffc0_03ff].iter().cycle()) {
            let field = &mut bytes[at..at + 4];
            let word = u32::from_le_bytes([field[0], field[1], field[2], field[3]]) & kept;
            field.copy_from_slice(&u32::to_le_bytes(word));
        }
        let kind = (SymbolKind::Text, SymbolScope::Dynamic);
        let kernel = self.put(name, text, &bytes, ENTRY, kind);
        let start = self.object.symbol(kernel).value;
        let flags = self.relocations();
        for (&(at, addend), flags) in code.tables.iter().zip(flags.into_iter().cycle()) {
            let Some(symbol) = tables else { continue };
            self.refer(text, start + at as u64, symbol, addend, flags)?;
        }
        match self.container {
            Container::Elf => {
                let distance = RelocationFlags::Elf { r_type: elf::R_AARCH64_PREL32 };
                self.eh_frame.add(&mut self.object, &UNWINDING, kernel, code, distance)
            }
            Container::Coff => self.coff_unwind(kernel, listing),
            _ => Ok(()),
        }
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

    fn coff_unwind(&mut self, kernel: SymbolId, listing: &Listing) -> Result<()> {
        let [records, functions] = *self.unwind.get_or_insert_with(|| {
            [".xdata", ".pdata"].map(|name| {
                let kind = SectionKind::ReadOnlyData;
                self.object.add_section(Vec::new(), name.as_bytes().to_vec(), kind)
            })
        });
        let at_record = self.object.append_section_data(records, &unwind::record(listing), 4);
        let at = self.object.append_section_data(functions, &[0; 8], 4);
        let records = self.object.section_symbol(records);
        let flags = RelocationFlags::Coff { typ: pe::IMAGE_REL_ARM64_ADDR32NB };
        self.refer(functions, at, kernel, 0, flags)?;
        self.refer(functions, at + 4, records, at_record as i64, flags)
    }
}
