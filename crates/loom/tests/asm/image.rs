//! Object files of every container, seen alike: code and constants, names, and what a linker fills in.

use std::collections::HashMap;

use crate::modules::{as86, omf};
use object::read::macho::{MachOFile32, Section as _};
use object::{
    Endianness, Object, ObjectSection, ObjectSymbol, RelocationKind, RelocationTarget,
    SectionIndex, macho,
};

/// An object file.
pub(crate) struct Image {
    /// Code and constants.
    pub(crate) sections: Vec<Section>,
    /// Section and offset of names.
    pub(crate) names: HashMap<String, (usize, usize)>,
    /// What stands before all of C's names.
    pub(crate) before: &'static str,
}

pub(crate) struct Section {
    pub(crate) bytes: Vec<u8>,
    pub(crate) fields: Vec<Field>,
}

/// Four bytes that a linker fills in.
pub(crate) struct Field {
    pub(crate) at: usize,
    /// Whether they get the distance from themselves; otherwise an address.
    pub(crate) relative: bool,
    /// Section and offset of what they refer to.
    pub(crate) to: (usize, i64),
}

/// Sections that hold more than code and constants of kernels are no part of it.
const NAMES: [&str; 6] = [".text", ".text$", ".rodata", ".rdata", "__text", "__const"];

impl Image {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        match bytes {
            // The second one is NetBSD's, which names the processor.
            [0x07, 0x01, ..] | [0x00, 0x86, 0x01, 0x07, ..] => out(bytes),
            [0xce, 0xfa, 0xed, 0xfe, ..] => macho_32(bytes),
            [0x80, ..] => omf(bytes),
            [0xa3, 0x86, ..] => as86(bytes),
            _ => any(bytes),
        }
    }

    /// What C calls `name`.
    pub(crate) fn symbol(&self, name: &str) -> String {
        format!("{}{name}", self.before)
    }

    /// Where each section lies if they lie one behind the other, and how many bytes that is.
    pub(crate) fn layout(&self) -> (Vec<usize>, usize) {
        let mut end = 0usize;
        let place = |section: &Section| {
            let at = end.next_multiple_of(64);
            end = at + section.bytes.len();
            at
        };
        (self.sections.iter().map(place).collect(), end)
    }

    /// Puts everything into memory that stays at an address.
    pub(crate) fn link(&self, address: u64, memory: &mut [u8]) {
        let (places, _) = self.layout();
        for (section, &at) in self.sections.iter().zip(&places) {
            memory[at..at + section.bytes.len()].copy_from_slice(&section.bytes);
            for field in &section.fields {
                let (to, offset) = field.to;
                let here = at + field.at;
                let from = if field.relative { here as i64 } else { -(address as i64) };
                let value = places[to] as i64 + offset - from;
                let value = if field.relative {
                    i32::try_from(value).expect("a place in reach").to_le_bytes()
                } else {
                    u32::try_from(value).expect("an address of 32 bits").to_le_bytes()
                };
                memory[here..here + 4].copy_from_slice(&value);
            }
        }
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// Formats that the crate `object` reads.
fn any(bytes: &[u8]) -> Image {
    let file = object::File::parse(bytes).expect("an object file");
    let taken: Vec<_> = file
        .sections()
        .filter(|section| section.name().is_ok_and(|name| NAMES.contains(&name)))
        .collect();
    let number: HashMap<SectionIndex, usize> =
        taken.iter().enumerate().map(|(n, section)| (section.index(), n)).collect();
    let place = |symbol: object::SymbolIndex| {
        let symbol = file.symbol_by_index(symbol).expect("a symbol");
        let section = symbol.section_index().expect("a defined symbol");
        let start = file.section_by_index(section).expect("its section").address();
        (number[&section], (symbol.address() - start) as i64)
    };
    let section = |section: &object::Section<'_, '_>| {
        let bytes = section.data().expect("bytes").to_vec();
        let field = |(offset, relocation): (u64, object::Relocation)| {
            let at = offset as usize;
            let (to, offset) = match relocation.target() {
                RelocationTarget::Symbol(symbol) => place(symbol),
                RelocationTarget::Section(section) => {
                    let start = file.section_by_index(section).expect("a section").address();
                    (number[&section], -(start as i64))
                }
                other => panic!("a relocation to {other:?}"),
            };
            let inside = if relocation.has_implicit_addend() {
                match relocation.size() {
                    16 => i64::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])),
                    _ => i64::from(word(&bytes, at).cast_signed()),
                }
            } else {
                0
            };
            let relative = match relocation.kind() {
                RelocationKind::Relative => true,
                RelocationKind::Absolute => false,
                other => panic!("a relocation of the kind {other:?}"),
            };
            assert!(matches!(relocation.size(), 16 | 32));
            Field { at, relative, to: (to, offset + relocation.addend() + inside) }
        };
        let fields = section.relocations().map(field).collect();
        Section { bytes, fields }
    };
    let underscores = file.format() == object::BinaryFormat::MachO
        || (file.format(), file.architecture())
            == (object::BinaryFormat::Coff, object::Architecture::I386);
    let names = file.symbols().filter_map(|symbol| {
        let inside = number.contains_key(&symbol.section_index()?);
        let name = symbol.name().ok().filter(|name| inside && !name.is_empty())?;
        let (section, offset) = place(symbol.index());
        Some((name.to_owned(), (section, offset as usize)))
    });
    let names = names.collect();
    let before = if underscores { "_" } else { "" };
    Image { sections: taken.iter().map(section).collect(), names, before }
}

/// Mach-O with 32 bits, whose relocations may name addresses instead of symbols.
fn macho_32(bytes: &[u8]) -> Image {
    let file = MachOFile32::<Endianness>::parse(bytes).expect("an object file");
    let taken: Vec<_> = file
        .sections()
        .filter(|section| section.name().is_ok_and(|name| NAMES.contains(&name)))
        .collect();
    let inside = |address: u64| {
        let holds = |section: &&_| {
            let section: &object::read::macho::MachOSection32<'_, '_, Endianness> = section;
            (section.address()..=section.address() + section.size()).contains(&address)
        };
        // An end is another one's beginning, which comes later.
        let n = taken.iter().rposition(|section| holds(&section)).expect("a section of kernels");
        (n, (address - taken[n].address()) as i64)
    };
    let little = Endianness::Little;
    let section = |section: &object::read::macho::MachOSection32<'_, '_, Endianness>| {
        let content = section.data().expect("bytes").to_vec();
        let relocations = section.macho_section().relocations(little, bytes).expect("relocations");
        let field = |relocation: &macho::Relocation<Endianness>| {
            if relocation.r_scattered(little, macho::CPU_TYPE_X86) {
                let relocation = relocation.scattered_info(little);
                let kind = (relocation.r_type, relocation.r_pcrel, relocation.r_length);
                assert_eq!(kind, (macho::GENERIC_RELOC_VANILLA, false, 2));
                let at = relocation.r_address as usize;
                let (to, offset) = inside(u64::from(relocation.r_value));
                let beyond = word(&content, at).wrapping_sub(relocation.r_value);
                return Field {
                    at,
                    relative: false,
                    to: (to, offset + i64::from(beyond.cast_signed())),
                };
            }
            let relocation = relocation.info(little);
            let kind = (relocation.r_type, relocation.r_pcrel, relocation.r_length);
            assert_eq!(kind, (macho::GENERIC_RELOC_VANILLA, false, 2));
            let at = relocation.r_address as usize;
            let value = u64::from(word(&content, at));
            let number = relocation.r_symbolnum as usize;
            let (to, offset) = if relocation.r_extern {
                let symbol = file.symbol_by_index(object::SymbolIndex(number)).expect("a symbol");
                let (to, offset) = inside(symbol.address());
                (to, offset + i64::from((value as u32).cast_signed()))
            } else {
                let index = SectionIndex(number);
                let to = taken.iter().position(|section| section.index() == index);
                let to = to.expect("a section of kernels");
                (to, value as i64 - taken[to].address() as i64)
            };
            Field { at, relative: false, to: (to, offset) }
        };
        let fields = relocations.iter().map(field).collect();
        Section { bytes: content, fields }
    };
    let named = |symbol: &object::read::macho::MachOSymbol32<'_, '_, Endianness>| {
        let section = symbol.section_index()?;
        let n = taken.iter().position(|taken| taken.index() == section)?;
        let name = symbol.name().ok()?.to_owned();
        Some((name, (n, (symbol.address() - taken[n].address()) as usize)))
    };
    let names = file.symbols().filter_map(|symbol| named(&symbol)).collect();
    Image { sections: taken.iter().map(section).collect(), names, before: "_" }
}

/// a.out: eight words, code, data, relocations of both, symbols, names. Kernels have no data.
fn out(bytes: &[u8]) -> Image {
    let header: Vec<usize> = (0..8).map(|n| word(bytes, 4 * n) as usize).collect();
    let [_, text, data, _, symbols, _, in_text, in_data] = header[..] else { unreachable!() };
    assert_eq!([data, in_data], [0, 0], "kernels have no data");
    let code = bytes[32..32 + text].to_vec();
    let relocations = &bytes[32 + text..][..in_text];
    let table = &bytes[32 + text + in_text..][..symbols];
    let strings = &bytes[32 + text + in_text + symbols..];
    const TEXT: u32 = 4;
    let field = |entry: &[u8]| {
        let at = word(entry, 0) as usize;
        let what = word(entry, 4);
        let (number, flags) = (what & 0xff_ffff, what >> 24);
        // No distance, four bytes; maybe to a symbol.
        assert_eq!(flags & !8, 2 << 1, "a relocation of the kind {flags:#x}");
        let inside = i64::from(word(&code, at));
        let start = if flags & 8 == 0 {
            assert_eq!(number, TEXT, "a relocation to another section");
            0
        } else {
            i64::from(word(table, 12 * number as usize + 8))
        };
        Field { at, relative: false, to: (0, start + inside) }
    };
    let fields = relocations.chunks_exact(8).map(field).collect();
    let named = |entry: &[u8]| {
        let (start, kind, value) = (word(entry, 0) as usize, u32::from(entry[4]), word(entry, 8));
        let name = strings[start..].split(|&byte| byte == 0).next().expect("a name");
        let name = std::str::from_utf8(name).expect("a name");
        // The lowest bit says whether others see it.
        (kind & !1 == TEXT).then(|| (name.to_owned(), (0, value as usize)))
    };
    let names = table.chunks_exact(12).filter_map(named).collect();
    Image { sections: vec![Section { bytes: code, fields }], names, before: "_" }
}
