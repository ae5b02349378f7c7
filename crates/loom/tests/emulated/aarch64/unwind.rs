//! Unwind information: at each instruction it says where the stack was and where the caller's registers
//! are, as the listing has it; and as assemblers make it of our texts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use loom::emit::{Unit, file, text};
use loom::isa::aarch64::{AARCH64, VECTOR_0};
use loom::isa::text::Frame;
use loom::pipeline::CompiledKernel;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget};

use super::assemblers::{assemblers, unit};
use super::program::run;
use super::{Made, kernels};
use crate::folder::Folder;

/// How far the stack pointer is below the caller's, and how far below that its registers lie.
#[derive(Debug, Default, PartialEq, Eq)]
struct Caller {
    depth: u32,
    saved: BTreeMap<u8, u32>,
}

/// What a kernel's listing has at an instruction.
fn listed(unit: &Unit, at: usize) -> Caller {
    let mut caller = Caller::default();
    let code = unit.listing.code.as_ref().expect("machine code");
    for (_, frame) in code.frames.iter().filter(|(from, _)| *from <= at) {
        match frame {
            Frame::Lowered { depth, .. } | Frame::Raised { depth } => caller.depth = *depth,
            Frame::Pushed { register, depth } => {
                caller.saved.insert(*register, *depth);
            }
            Frame::Popped { register, depth } => {
                caller.depth = *depth;
                caller.saved.remove(register);
            }
            Frame::Again { depth, pushed } => {
                caller = Caller { depth: *depth, saved: pushed.iter().copied().collect() };
            }
            Frame::Entered | Frame::Leaves => {}
        }
    }
    caller
}

/// What a code undoes: registers that lie so far above the stack pointer, and how far that goes up then.
#[derive(Clone, Default)]
struct Undo {
    saved: Vec<(u8, u32)>,
    up: u32,
}

/// What the codes of Windows' unwind information undo, the first first, to the end of the list.
fn undo(codes: &[u8]) -> Vec<Undo> {
    let mut all: Vec<Option<Undo>> = Vec::new();
    let mut at = 0;
    while codes[at] != 0xe4 {
        let (first, second) = (codes[at], codes.get(at + 1).copied().unwrap_or(0));
        let both = u32::from(first) << 8 | u32::from(second);
        let field = |shift: u32, bits: u32| both >> shift & ((1 << bits) - 1);
        let general = |number: u32| 19 + number as u8;
        let vector = |number: u32| VECTOR_0 + 8 + number as u8;
        let moves = |up: u32| Undo { saved: Vec::new(), up };
        let one = |register: u8, place: u32, up: u32| Undo { saved: vec![(register, place)], up };
        let two = |register: u8, place: u32, up: u32| Undo {
            saved: vec![(register, place), (register + 1, place + 8)],
            up,
        };
        let (bytes, undo) = match first {
            0xe3 => (1, Some(Undo::default())),
            // The next pair, above the one whose code follows.
            0xe6 => (1, None),
            0..0x20 => (1, Some(moves(16 * u32::from(first)))),
            0x20..0x40 => (1, Some(two(19, 0, 8 * u32::from(first & 0x1f)))),
            0xc0..0xc8 => (2, Some(moves(16 * field(0, 11)))),
            0xc8..0xcc => (2, Some(two(general(field(6, 4)), 8 * field(0, 6), 0))),
            0xcc..0xd0 => (2, Some(two(general(field(6, 4)), 0, 8 * field(0, 6) + 8))),
            0xd0..0xd4 => (2, Some(one(general(field(6, 4)), 8 * field(0, 6), 0))),
            0xd4..0xd6 => (2, Some(one(general(field(5, 4)), 0, 8 * field(0, 5) + 8))),
            0xd8 | 0xd9 => (2, Some(two(vector(field(6, 3)), 8 * field(0, 6), 0))),
            0xda | 0xdb => (2, Some(two(vector(field(6, 3)), 0, 8 * field(0, 6) + 8))),
            0xdc | 0xdd => (2, Some(one(vector(field(6, 3)), 8 * field(0, 6), 0))),
            0xde => (2, Some(one(vector(field(5, 3)), 0, 8 * field(0, 5) + 8))),
            _ => panic!("no code that kernels have: {first:#x}"),
        };
        all.push(undo);
        at += bytes;
    }
    let mut below = Undo::default();
    let next = |undo: Option<Undo>| {
        let above = |(register, place): &(u8, u32)| (register + 2, place + 16);
        let next = || Undo { saved: below.saved.iter().map(above).collect(), up: 0 };
        below = undo.unwrap_or_else(next);
        below.clone()
    };
    let mut all: Vec<Undo> = all.into_iter().rev().map(next).collect();
    all.reverse();
    all
}

/// What a record says of the instruction of a number, as Windows' unwinder reads it.
fn recorded(record: &[u8], instruction: u32) -> Caller {
    let word = |n: usize| u32::from_le_bytes(record[4 * n..][..4].try_into().expect("a word"));
    let head = word(0);
    let (function, is_packed) = (head & 0x3_ffff, head >> 21 & 1 == 1);
    assert_eq!(head >> 18 & 7, 0, "no handler of exceptions");
    // One exit: at the function's end, or anywhere.
    let (from, start) = match is_packed {
        true => (4, head >> 22 & 0x1f),
        false => (8, word(1) >> 22),
    };
    assert!(is_packed || head >> 22 & 0x1f == 1, "more than one exit");
    let codes = &record[from..from + 4 * (head >> 27) as usize];
    let (entry, exit) = (undo(codes), undo(&codes[start as usize..]));
    let leaves = if is_packed { function - exit.len() as u32 - 1 } else { word(1) & 0x3_ffff };
    let length = entry.len() as u32;
    let steps = match instruction {
        // What was not done yet is not undone.
        n if n < length => &entry[(length - n) as usize..],
        n if (leaves..=leaves + exit.len() as u32).contains(&n) => &exit[(n - leaves) as usize..],
        _ => &entry[..],
    };
    let (mut up, mut places) = (0, BTreeMap::new());
    for step in steps {
        places.extend(step.saved.iter().map(|(register, place)| (*register, up + place)));
        up += step.up;
    }
    Caller { depth: up, saved: places.into_iter().map(|(n, place)| (n, up - place)).collect() }
}

/// Kernels, with landing pads or not.
fn units(lands: impl Fn(&str) -> bool) -> Vec<Unit> {
    let made = kernels().iter().map(|Made { kernel, .. }| {
        let mut kernel = kernel.clone();
        if lands(&kernel.record.name) {
            CompiledKernel::land(&mut kernel);
        }
        unit(&kernel)
    });
    made.collect()
}

/// An object file has a record of each kernel that is right at every instruction.
fn check(bytes: &[u8], units: &[Unit]) {
    let object = object::File::parse(bytes).expect("an object file");
    let all = |name: &str| {
        let sections = object.sections().filter(|section| section.name() == Ok(name));
        sections.collect::<Vec<_>>()
    };
    let (functions, records) = (all(".pdata"), all(".xdata"));
    let [functions, records] = [&functions, &records].map(|sections| {
        assert_eq!(sections.len(), 1);
        sections[0].data().expect("bytes")
    });
    let function = |(at, relocation): (u64, object::Relocation)| {
        let RelocationTarget::Symbol(symbol) = relocation.target() else { panic!("no symbol") };
        let symbol = object.symbol_by_index(symbol).expect("a symbol");
        let word = &functions[at as usize..][..4];
        symbol.address() + u64::from(u32::from_le_bytes(word.try_into().expect("a word")))
    };
    let places = all(".pdata")[0].relocations().filter(|(at, _)| at % 8 == 0).map(function);
    let places: Vec<u64> = places.collect();
    assert_eq!(places.len(), units.len());
    let (mut instructions, mut framed) = (0, 0);
    for (n, unit) in units.iter().enumerate() {
        let symbol = object.symbol_by_name(&unit.record.name).expect("the kernel");
        assert_eq!(places[n], symbol.address(), "{}", unit.record.name);
        let at = u32::from_le_bytes(functions[8 * n + 4..][..4].try_into().expect("a word"));
        assert_eq!(at % 4, 0, "a record, and not a short form of one");
        let record = &records[at as usize..];
        let code = unit.listing.code.as_ref().expect("machine code");
        let length = u32::from_le_bytes(record[..4].try_into().expect("a word")) & 0x3_ffff;
        assert_eq!(length as usize, code.bytes.len() / 4, "{}", unit.record.name);
        for instruction in 0..length {
            let expected = listed(unit, 4 * instruction as usize);
            let found = recorded(record, instruction);
            assert_eq!(found, expected, "{}, instruction {instruction}", unit.record.name);
            framed += usize::from(!found.saved.is_empty());
            instructions += 1;
        }
    }
    println!("{instructions} instructions, {framed} of them with registers on the stack");
    assert!(framed > 1000);
}

/// In our object files, of kernels with a landing pad and without.
#[test]
fn windows_finds_the_caller_at_every_instruction() {
    let units = units(|name| name.len() % 2 == 0);
    let bytes = file(AARCH64.format("coff").unwrap(), &units, "").expect("an object file");
    check(&bytes, &units);
}

/// LLVM, which has ways of its own to make records small, makes right ones of our texts. (Of kernels with a
/// landing pad: those of others it may put into the short form.)
#[test]
fn windows_finds_the_caller_by_an_assembler_s_records() {
    let units = units(|_| true);
    let folder = Folder::new();
    let bytes = std::fs::read(assembled(&folder, "coff-gnu", &units)).expect("an object file");
    check(&bytes, &units);
}

fn assembled(folder: &Folder, dialect: &str, units: &[Unit]) -> PathBuf {
    let format = AARCH64.format(dialect).expect("a format");
    let source = folder.file("kernels.s", &text(format, units, ""));
    let object = folder.path().join("theirs.o");
    let (name, assembler) = assemblers(format)[0];
    let built = run(&mut assembler(&source, &object), name);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    object
}

/// What a tool says of unwind information, without lines in which files that mean the same differ.
fn said(file: &Path, without: &[&str]) -> String {
    let mut tool = Command::new("llvm-readobj-19");
    let output = run(tool.arg("--unwind").arg(file), "install llvm-19");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).expect("text");
    let lines = said.lines().skip_while(|line| !line.contains("Format"));
    let lines = lines.filter(|line| !without.iter().any(|word| line.contains(word)));
    lines.map(|line| format!("{line}\n")).collect()
}

/// An assembler makes the same of our text.
#[test]
fn elf_has_what_an_assembler_makes_of_it() {
    // Each part may be filled up, and so lies elsewhere.
    let without = ["DW_CFA_nop", "FDE length", "section at offset"];
    let folder = Folder::new();
    let units = units(|_| false);
    let ours = folder.path().join("ours.o");
    let bytes = file(AARCH64.format("elf").unwrap(), &units, "").expect("an object file");
    std::fs::write(&ours, bytes).expect("a temporary file");
    let theirs = assembled(&folder, "elf-gnu", &units);
    let [ours, theirs] = [ours, theirs].map(|file| said(&file, &without));
    assert!(ours.contains("DW_CFA_offset"));
    let differ = ours.lines().zip(theirs.lines()).find(|(ours, theirs)| ours != theirs);
    assert_eq!(differ, None);
    assert_eq!(ours.lines().count(), theirs.lines().count());
}
