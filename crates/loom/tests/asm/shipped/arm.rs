//! The library as it is built for AArch64: rustc's assembler gives its kernels the encoder's bytes, in the object
//! files of every system.

use std::collections::BTreeMap;
use std::path::Path;

use loom::emit::Unit;
use loom::isa::aarch64::AARCH64;
use loom::isa::frame::Abi;
use loom::library;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex};

use super::containers::{built, objects};
use super::symbols;

/// The Rust around the kernels.
const GENERATED: &str = include_str!("../../../../cipherloom/src/kernels/asm/aarch64/generated.rs");

/// Systems, one for each container.
const TARGETS: [&str; 3] =
    ["aarch64-unknown-linux-gnu", "aarch64-apple-darwin", "aarch64-pc-windows-msvc"];

/// `hint #34`.
const BTI_C: u32 = 0xd503_245f;
/// The fields that a linker fills in: pages by which `adrp` moves, a place in a page that `add` adds.
const PAGES: u32 = 0x60ff_ffe0;
const PLACE: u32 = 0x003f_fc00;

/// What ships, by the encoder.
fn shipped() -> Vec<Unit> {
    let variants = library::variants_for(&AARCH64).into_iter();
    let variants = variants.map(|variant| (variant.name(), variant));
    let make = variants.chain(library::variants_of_vendors(&AARCH64)).map(|(name, variant)| {
        let mut made = variant.make(Abi::usual(variant.target), &variant.untuned()).unwrap();
        made.land();
        made.rename(name);
        Unit::new(&*made, ["untuned"])
    });
    make.collect()
}

/// The word of code without what a linker fills in.
fn bare(word: u32) -> u32 {
    if word & 0x9f00_0000 == 0x9000_0000 { word & !PAGES } else { word & !PLACE }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word))
}

#[test]
fn rare_kernels_for_aarch64_are_the_encoder_s_on_every_system() {
    let symbols = symbols(GENERATED);
    let units = shipped();
    assert!(units.len() > 25);
    for (target, archive) in built(&TARGETS) {
        let archive = std::fs::read(archive).unwrap();
        let mut compared = BTreeMap::new();
        let mut unwound = 0;
        for (_, object) in objects(&archive) {
            // Other objects may name what this one has.
            let own = object.symbols().filter(ObjectSymbol::is_definition);
            let own = own.filter_map(|symbol| Some((symbol.name().ok()?, symbol)));
            let own: BTreeMap<_, _> = own.map(|(name, symbol)| (name.to_owned(), symbol)).collect();
            for unit in &units {
                let name = &unit.record.name;
                let Some(symbol) = own.get(&symbols[name]) else { continue };
                let section = object.section_by_index(symbol.section_index().unwrap()).unwrap();
                let from = symbol.address() - section.address();
                unwound += usize::from(unwound_on_windows(&object).contains(&section.index()));
                let code = unit.listing.code.as_ref().expect("the encoder's bytes");
                let theirs = &section.data().unwrap()[from as usize..][..code.bytes.len()];
                assert_eq!(words(theirs).next(), Some(BTI_C), "{target}: {name}");
                let named: Vec<_> = code.tables.iter().map(|(at, _)| *at).collect();
                for (n, (ours, theirs)) in words(&code.bytes).zip(words(theirs)).enumerate() {
                    let of_tables = named.contains(&(4 * n));
                    let [ours, theirs] =
                        [ours, theirs].map(|word| if of_tables { bare(word) } else { word });
                    assert_eq!(ours, theirs, "{target}: {name}, word {n}");
                }
                let mut places: Vec<_> = section
                    .relocations()
                    .filter_map(|(at, to)| Some((at.checked_sub(from)? as usize, to)))
                    .filter(|(at, _)| *at < code.bytes.len())
                    .map(|(at, to)| {
                        let RelocationTarget::Symbol(to) = to.target() else {
                            panic!("{target}: {name} names {to:?}")
                        };
                        let to = object.symbol_by_index(to).unwrap().name().unwrap().to_owned();
                        let tables = unit.listing.tables.as_ref().expect("tables to name");
                        assert_eq!(to, symbols[&tables.name], "{target}: {name}");
                        at
                    })
                    .collect();
                places.sort_unstable();
                assert_eq!(places, named, "{target}: {name}");
                assert!(compared.insert(name, code.bytes.len()).is_none(), "{name} is there twice");
            }
        }
        assert_eq!(compared.len(), units.len(), "{target}");
        assert_eq!(unwound, if target.contains("windows") { units.len() } else { 0 }, "{target}");
        let bytes: usize = compared.values().sum();
        println!("{target}: {} kernels of {bytes} bytes compared", units.len());
    }
}

/// The sections of functions of which Windows' unwind information has a record. (What it says,
/// `tests/emulated/aarch64/unwind.rs` looks at.)
fn unwound_on_windows(object: &object::File<'_>) -> Vec<SectionIndex> {
    let records = object.sections().filter(|section| section.name() == Ok(".pdata"));
    let functions = records.flat_map(|section| {
        section.relocations().filter(|(at, _)| at % 8 == 0).collect::<Vec<_>>()
    });
    let section = |(_, to): (u64, object::Relocation)| match to.target() {
        RelocationTarget::Symbol(symbol) => object.symbol_by_index(symbol).ok()?.section_index(),
        RelocationTarget::Section(section) => Some(section),
        _ => None,
    };
    functions.filter_map(section).collect()
}

/// x18 is the system's on Windows and Apple's systems, x29 points to a frame on the latter.
#[test]
fn no_kernel_for_aarch64_names_a_register_of_the_system() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cipherloom/kernels/aarch64");
    let mut lines = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let code = line.split("//").next().unwrap();
            let mut names = code.split(|c: char| !c.is_ascii_alphanumeric());
            assert!(
                names.all(|name| !["x18", "w18", "x29", "w29"].contains(&name)),
                "{}: {line}",
                path.display()
            );
            lines += usize::from(!code.trim().is_empty());
        }
    }
    assert!(lines > 10_000);
}
