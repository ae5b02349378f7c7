//! Object files, without any assembler. They have no unwind information: kernels call nobody.

use object::write::{
    Object, Relocation, Result, SectionId, StandardSection, Symbol, SymbolId, SymbolSection,
};
use object::{
    Architecture, BinaryFormat, Endianness, RelocationFlags, SectionKind, SymbolFlags, SymbolKind,
    SymbolScope, elf, macho, pe,
};

use super::{ENTRY, WORD};
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
    let mut file = File { container, prefix, object };
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
}

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
        let name = format!("{}{}", self.prefix, tables.name);
        let name = self.container.symbol(WORD, &name);
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
            let offset = start + at as u64;
            self.object.add_relocation(text, Relocation { offset, symbol, addend, flags })?;
        }
        Ok(())
    }
}
