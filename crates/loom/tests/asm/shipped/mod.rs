//! The kernels as they stand in a program that links the library, put there by rustc's assembler
//! and the linker, against the encoder's bytes: two hands that know nothing of each other.

mod arm;
mod builds;
mod containers;

use std::collections::BTreeMap;
use std::path::Path;

use cipherloom::{Backend, libdes};
use loom::ciphers::Strategy;
use loom::isa::frame::Abi;
use loom::isa::program::Line;
use loom::isa::text::Tables;
use loom::isa::x86::X86;
use loom::isa::x86::conventions::SYSV64;
use loom::library;
use loom::pipeline::{Compiled, Options};
use loom::tune::{GENERIC, Store, VENDORS, WORTH};
use loom::variant::KernelVariant;
use object::{Object, ObjectSection, ObjectSymbol};

/// The Rust around the library's kernels.
const GENERATED: &str = include_str!("../../../../cipherloom/src/kernels/asm/x86_64/generated.rs");

/// The symbols of kernels and tables by name, as generated Rust gives them.
fn symbols(generated: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for line in generated.lines().filter_map(|line| line.strip_prefix("    ")) {
        let Some((name, mut rest)) = line.split_once(" \"") else { continue };
        let mut special = String::new();
        while let Some((hash, more)) = rest.split_once('"') {
            let name = format!("{name}{special}");
            let symbol = format!("cipherloom_{hash}_{name}");
            found.insert(name, symbol);
            let Some((vendor, own)) = more.split_once(" \"") else { break };
            special = format!("_{}", vendor.rsplit('[').next().unwrap());
            rest = own;
        }
    }
    found
}

/// The plan of a variant in the library by those of a directory, if it ships with one.
fn plan(variant: &KernelVariant, plans: &str) -> Option<Options> {
    let store = Store::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tuned"));
    let tuned = store.load(variant, Abi::usual(variant.target), plans).unwrap();
    if let (Some(tuned), true) = (&tuned, plans != GENERIC) {
        let gain = tuned.measured.over_generic.expect("what it gains");
        assert!(gain >= WORTH, "{variant}: the one for {plans} is not worth it");
    }
    tuned.map(|tuned| tuned.plan).or_else(|| (plans == GENERIC).then(|| variant.untuned()))
}

/// What ships: each kernel and those for a vendor's processors, with their strategies, by the encoder.
fn made(
    plan: impl Fn(&KernelVariant, &str) -> Option<Options>,
) -> impl Iterator<Item = (Strategy, Compiled<X86>)> {
    library::variants().into_iter().flat_map(move |variant| {
        let generic = plan(&variant, GENERIC).expect("for every processor");
        let special = VENDORS
            .map(|vendor| Some((format!("{}_{vendor}", variant.name()), plan(&variant, vendor)?)));
        let all = [Some((variant.name(), generic))].into_iter().chain(special).flatten();
        let all = all.map(|(name, plan)| {
            let mut made = variant.compile::<X86>(&SYSV64, &plan).unwrap();
            made.record.name = name;
            (variant.strategy, made)
        });
        all.collect::<Vec<_>>()
    })
}

/// Compares a kernel, as it lies at an address, with the encoder's bytes; `theirs` gives so many of its
/// bytes. The number of bytes.
fn same<'a>(
    made: &Compiled<X86>,
    at: u64,
    tables: u64,
    theirs: impl Fn(usize) -> &'a [u8],
) -> usize {
    let name = &made.record.name;
    assert_eq!(at % 64, 0, "{name}: begins with a line of the cache");
    let ours = made.program.assemble(at, tables).unwrap();
    let theirs = theirs(ours.bytes.len());
    for (n, line) in made.program.lines.iter().enumerate() {
        let span = ours.offsets[n]..ours.offsets[n + 1];
        if matches!(line, Line::Align(_)) {
            // Assemblers are free in what does nothing there.
            let gap = iced_x86::Decoder::new(64, &theirs[span], 0);
            gap.into_iter().for_each(|inst| assert_eq!(inst.mnemonic(), iced_x86::Mnemonic::Nop));
        } else {
            assert_eq!(theirs[span.clone()], ours.bytes[span], "{name}: {line:?}");
        }
    }
    for inst in &mut iced_x86::Decoder::new(64, theirs, 0) {
        let below = inst.memory_displacement64().cast_signed() < 0;
        let on_stack = inst.memory_base() == iced_x86::Register::RSP;
        assert!(!(on_stack && below), "{name} touches what lies below the stack pointer: {inst}");
    }
    ours.bytes.len()
}

/// Compares the kernels of a program with what the encoder makes by the same plans; gives the number
/// of bytes of code.
fn compare(
    program: &Path,
    symbols: &BTreeMap<String, String>,
    plan: impl Fn(&KernelVariant, &str) -> Option<Options>,
) -> usize {
    let program = std::fs::read(program).unwrap();
    let file = object::File::parse(&*program).unwrap();
    let address = |name: &str| {
        let name = &symbols[name];
        file.symbol_by_name(name).unwrap_or_else(|| panic!("no symbol {name}")).address()
    };
    let mut compared = 0;
    for (_, made) in made(plan) {
        let at = address(&made.record.name);
        let tables = Tables::of(&made.kernel);
        let tables_at = tables.as_ref().map_or(at, |tables| address(&tables.name));
        compared += same(&made, at, tables_at, |count| bytes_at(&file, at, count));
        if let Some(tables) = tables {
            let content = tables.content();
            assert_eq!(bytes_at(&file, tables_at, content.len()), content, "{}", tables.name);
        }
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
