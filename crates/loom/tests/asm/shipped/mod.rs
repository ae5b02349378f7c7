//! The kernels as they stand in a program that links the library, put there by rustc's assembler
//! and the linker, against the encoder's bytes: two hands that know nothing of each other.

mod builds;

use std::collections::BTreeMap;
use std::path::Path;

use cipherloom::{Backend, libdes};
use loom::isa::program::Line;
use loom::isa::x86::X86;
use loom::isa::x86::conventions::SYSV64;
use loom::library;
use loom::pipeline::Options;
use loom::tune::{GENERIC, Store};
use loom::variant::KernelVariant;
use object::{Object, ObjectSection, ObjectSymbol};

/// The Rust around the library's kernels.
const GENERATED: &str = include_str!("../../../../cipherloom/src/kernels/asm/x86_64/generated.rs");

/// The symbols of kernels and tables by name, as generated Rust gives them.
fn symbols(generated: &str) -> BTreeMap<&str, String> {
    let named = generated.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("    ")?.split_once(" \"")?;
        let (hash, _) = rest.split_once('"')?;
        Some((name, format!("cipherloom_{hash}_{name}")))
    });
    named.collect()
}

/// The plan of a variant in the library.
fn plan(variant: &KernelVariant) -> Options {
    let store = Store::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tuned"));
    let tuned = store.load(variant, GENERIC).unwrap().map(|tuned| tuned.plan);
    tuned.unwrap_or_else(|| variant.untuned())
}

/// Compares the kernels of a program with what the encoder makes by the same plans; gives the number
/// of bytes of code.
fn compare(
    program: &Path,
    symbols: &BTreeMap<&str, String>,
    plan: impl Fn(&KernelVariant) -> Options,
) -> usize {
    let program = std::fs::read(program).unwrap();
    let file = object::File::parse(&*program).unwrap();
    let address = |name: &str| {
        let name = &symbols[name];
        file.symbol_by_name(name).unwrap_or_else(|| panic!("no symbol {name}")).address()
    };
    let mut compared = 0;
    for variant in library::variants() {
        let made = variant.compile::<X86>(&SYSV64, &plan(&variant)).unwrap();
        let at = address(&variant.name());
        assert_eq!(at % 64, 0, "{variant}: begins with a line of the cache");
        let tables = match made.kernel.table_set.as_str() {
            "" => at,
            set => address(set),
        };
        let ours = made.program.assemble(at, tables).unwrap();
        let theirs = bytes_at(&file, at, ours.bytes.len());
        for (n, line) in made.program.lines.iter().enumerate() {
            let span = ours.offsets[n]..ours.offsets[n + 1];
            if matches!(line, Line::Align(_)) {
                // Assemblers are free in what does nothing there.
                let gap = iced_x86::Decoder::new(64, &theirs[span], 0);
                gap.into_iter()
                    .for_each(|inst| assert_eq!(inst.mnemonic(), iced_x86::Mnemonic::Nop));
            } else {
                assert_eq!(theirs[span.clone()], ours.bytes[span], "{variant}: {line:?}");
            }
        }
        let entries = made.kernel.tables.iter().flat_map(|table| {
            let bytes = usize::from(table.entry_bytes);
            table.entries.iter().flat_map(move |entry| entry.to_le_bytes()[..bytes].to_vec())
        });
        let entries: Vec<u8> = entries.collect();
        assert_eq!(bytes_at(&file, tables, entries.len()), entries, "{variant}: tables");
        compared += ours.bytes.len();
    }
    compared
}

/// The bytes of a program from an address on.
fn bytes_at<'data>(file: &object::File<'data>, address: u64, count: usize) -> &'data [u8] {
    file.sections()
        .find_map(|section| section.data_range(address, count as u64).ok().flatten())
        .unwrap_or_else(|| panic!("nothing at {address:#x}"))
}

#[test]
fn every_kernel_that_ships_is_the_encoder_s() {
    // The linker keeps what is called.
    for backend in Backend::all() {
        backend.self_test().unwrap();
    }
    let (mut block, schedule) = ([1, 2], [[3, 4]; 16]);
    libdes::encrypt1(&mut block, &schedule, true);
    libdes::encrypt2(&mut block, &schedule, true);
    libdes::encrypt3(&mut block, [&schedule; 3]);
    libdes::decrypt3(&mut block, [&schedule; 3]);
    libdes::encrypt2(&mut block, &schedule, false);
    libdes::encrypt1(&mut block, &schedule, false);
    assert_eq!(block, [1, 2]);
    let compared = compare(&std::env::current_exe().unwrap(), &symbols(GENERATED), plan);
    println!("{compared} bytes of code compared");
    assert!(compared > 10_000);
}
