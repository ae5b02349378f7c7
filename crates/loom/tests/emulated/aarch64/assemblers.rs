//! The encoder's bytes beside those of assemblers: GNU as, LLVM's and Rust's, of every form of instruction
//! and of every kernel; and linkers' of our own object files.

use std::collections::HashSet;
use std::mem::discriminant;
use std::path::{Path, PathBuf};
use std::process::Command;

use loom::ciphers::Strategy;
use loom::emit::{Unit, file, text};
use loom::isa::aarch64::conventions::AAPCS64;
use loom::isa::aarch64::{
    AARCH64, AArch64, At, Bytes, Inst, Logic, Mem, Over, Shift, Step, Three, Width,
};
use loom::isa::program::Line;
use loom::isa::text::{Container, Format, Tables};
use loom::isa::{Features, Reg};
use loom::pipeline::{Compiled, CompiledKernel};
use loom::tune::Random;
use loom::variant::KernelVariant;
use object::{Object, ObjectSection, ObjectSymbol};

use super::armasm::to_gnu;
use super::program::{run, rustc};
use super::{Made, kernels};
use crate::folder::Folder;

/// Who assembles texts of a format: a name, and what makes an object file of a source.
type Assembler = (&'static str, fn(&Path, &Path) -> Command);

fn llvm(triple: &str, source: &Path, object: &Path) -> Command {
    let mut mc = Command::new("llvm-mc-19");
    mc.args(["-filetype=obj", "-mattr=+sha3", "--fatal-warnings"]);
    mc.arg(format!("-triple={triple}")).arg("-o").arg(object).arg(source);
    mc
}

pub(super) fn assemblers(format: &Format) -> Vec<Assembler> {
    match format.container {
        Container::Coff if format.name == "coff-armasm" => vec![("a reader", |source, object| {
            let text = std::fs::read_to_string(source).expect("a text");
            let gnu = source.with_extension("gnu.s");
            std::fs::write(&gnu, to_gnu(&text)).expect("a temporary file");
            llvm("aarch64-pc-windows-msvc", &gnu, object)
        })],
        Container::Elf => vec![
            ("GNU as", |source, object| {
                let mut gas = Command::new("aarch64-linux-gnu-as");
                gas.arg("--fatal-warnings").arg("-o").arg(object).arg(source);
                gas
            }),
            ("llvm-mc", |source, object| llvm("aarch64-linux-gnu", source, object)),
            ("rustc", |source, object| {
                let name = source.with_extension("rs");
                let text = format!(
                    "#![no_std]\ncore::arch::global_asm!(include_str!({source:?}), options(raw));\n"
                );
                std::fs::write(&name, text).expect("a temporary file");
                let mut rustc = rustc();
                rustc.args(["--crate-type", "lib", "--emit", "obj", "-o"]).arg(object).arg(name);
                rustc
            }),
        ],
        Container::Coff => {
            vec![("llvm-mc", |source, object| llvm("aarch64-pc-windows-msvc", source, object))]
        }
        _ => vec![("llvm-mc", |source, object| llvm("arm64-apple-macos", source, object))],
    }
}

/// Bits of the two instructions that name the tables that a linker leaves alone.
const KEPT: [u32; 2] = [0x9f00_001f, 0xffc0_03ff];

/// Code without what a linker fills in.
fn open(unit: &Unit, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let code = unit.listing.code.as_ref().expect("machine code");
    for (&(at, _), kept) in code.tables.iter().zip(KEPT.into_iter().cycle()) {
        let field = bytes[at..].first_chunk_mut::<4>().expect("an instruction");
        *field = (u32::from_le_bytes(*field) & kept).to_le_bytes();
    }
    bytes
}

/// Code of a unit in an object file or a program, and where it lies.
fn code(format: &Format, unit: &Unit, file: &object::File<'_>) -> (u64, Vec<u8>) {
    let name = format.container.symbol(AARCH64.word, &unit.record.name);
    let symbol = file.symbols().find(|symbol| symbol.name() == Ok(&name));
    let symbol = symbol.unwrap_or_else(|| panic!("no symbol {name}"));
    let section = symbol.section_index().expect("a section");
    let section = file.section_by_index(section).expect("a section");
    let from = (symbol.address() - section.address()) as usize;
    let length = unit.listing.code.as_ref().expect("machine code").bytes.len();
    (symbol.address(), section.data().expect("bytes")[from..from + length].to_vec())
}

/// Every assembler makes the encoder's bytes of the text; in how many formats and by how many.
fn compare(folder: &Folder, units: &[Unit]) -> usize {
    let mut count = 0;
    for format in AARCH64.texts() {
        let source = folder.file(&format!("{}.s", format.name), &text(format, units, ""));
        for (name, command) in assemblers(format) {
            let object = folder.path().join("object.o");
            let built = run(&mut command(&source, &object), "an assembler");
            let said = String::from_utf8_lossy(&built.stderr);
            assert!(built.status.success(), "{} by {name}: {said}", format.name);
            let bytes = std::fs::read(&object).expect("an object file");
            let file = object::File::parse(&*bytes).expect("an object file");
            for unit in units {
                let expected = &unit.listing.code.as_ref().expect("machine code").bytes;
                let (_, found) = code(format, unit, &file);
                let (expected, found) = (open(unit, expected), open(unit, &found));
                if let Some(n) = (0..expected.len()).find(|&n| expected[n] != found[n]) {
                    let [found, expected] =
                        [found, expected].map(|bytes| bytes[n & !3..][..4].to_vec());
                    let (kernel, format, n) = (&unit.record.name, format.name, n / 4);
                    panic!("{kernel}, {format} by {name}, word {n}: {found:x?} for {expected:x?}");
                }
            }
            count += 1;
        }
    }
    count
}

pub(super) fn unit(made: &dyn CompiledKernel) -> Unit {
    Unit::new(made, ["in a test"])
}

/// A kernel to be filled with anything.
fn some() -> Compiled<AArch64> {
    let strategy = Strategy::by_name("des_encrypt_table64").expect("a strategy");
    let variant = KernelVariant::on(&AARCH64, strategy, Features::NONE);
    variant.compile(&AAPCS64, &variant.untuned()).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// Instructions of every form, on random operands.
fn forms(random: &mut Random) -> Vec<Inst> {
    let word = |random: &mut Random| Reg::Physical(random.below(31) as u8);
    let vector = |random: &mut Random| Reg::Physical(32 + random.below(32) as u8);
    let width = [Width::Word, Width::Double][random.below(2)];
    let bits = if width == Width::Word { 32 } else { 64 };
    let logic = [Logic::And, Logic::AndNot, Logic::Or, Logic::OrNot, Logic::Xor];
    let with_constants = [Logic::And, Logic::Or, Logic::Xor];
    let [dst, a, b, then] = [0; 4].map(|_| word(random));
    let [v, va, vb, vc] = [0; 4].map(|_| vector(random));
    let by = 1 + random.below(bits - 1) as u8;
    let shifts = [Shift::NONE, Shift::Left(by), Shift::Right(by), Shift::Rotate(by)];
    let run = u64::MAX >> (64 - by);
    let run = run.rotate_left(if bits == 64 { random.below(64) as u32 } else { 0 });
    let sign = [1, -1][random.below(2)];
    let addends = [random.below(4096) as i32 * sign, (1 + random.below(4095) as i32) * 4096 * sign];
    let at = 16 * random.below(bits / 16) as u8;
    let from = random.below(bits) as u8;
    let field = 1 + random.below(bits - usize::from(from)) as u8;
    let base = Reg::Physical([random.below(31) as u8, 31][random.below(2)]);
    let mut mem = |bytes: u8| {
        let places = [
            At::Disp(0),
            At::Disp(i32::from(bytes) * random.below(4096) as i32),
            At::Disp(random.below(512) as i32 - 256),
            At::Index(Reg::Physical(random.below(31) as u8), false),
            At::Index(Reg::Physical(random.below(31) as u8), true),
        ];
        Mem { base, at: places[random.below(places.len())], ordered: None }
    };
    let mut all = Vec::new();
    for bytes in [1, 2, 4, 8] {
        all.push(Inst::Load { bytes, dst, mem: mem(bytes) });
        all.push(Inst::Store { bytes, mem: mem(bytes), src: a });
    }
    for bytes in [4, 8, 16] {
        all.push(Inst::LoadVector { bytes, dst: v, mem: mem(bytes) });
        all.push(Inst::StoreVector { bytes, mem: mem(bytes), src: va });
    }
    for op in logic {
        let shift = shifts[random.below(shifts.len())];
        all.push(Inst::Logic { op, width, dst, a, b, shift });
        all.push(Inst::Bitwise { op, dst: v, a: va, b: vb });
    }
    for op in with_constants {
        all.push(Inst::LogicImm { op, width, dst, a, imm: run });
    }
    for imm in addends {
        all.push(Inst::SumImm { width, dst, a, imm });
    }
    let stack = Reg::Physical(31);
    let imm = -16 * (1 + random.below(255) as i32);
    all.push(Inst::SumImm { width: Width::Double, dst: stack, a: stack, imm });
    for not in [false, true] {
        all.push(Inst::Move { not, width, dst, imm: random.bits() as u16, at });
    }
    for op in [
        Bytes::Interleave,
        Bytes::InterleaveWords,
        Bytes::LowHalves,
        Bytes::Evens,
        Bytes::Middle,
        Bytes::Sum,
        Bytes::Equal,
        Bytes::Move,
        Bytes::Pairs,
    ] {
        all.push(Inst::Bytes { op, dst: v, a: va, b: vb });
    }
    let first = 32 + random.below(29) as u8;
    for count in 1..=4 {
        let tables = (first..first + count).map(Reg::Physical).collect();
        all.push(Inst::LookUp { dst: v, index: va, tables, first });
    }
    for op in [Three::Xor, Three::XorAndNot] {
        all.push(Inst::Three { op, dst: v, a: va, b: vb, c: vc });
    }
    all.push(Inst::RotateXor { dst: v, a: va, b: vb, by: 1 + random.below(63) as u8 });
    for left in [true, false] {
        all.push(Inst::ShiftParts { left, dst: v, a: va, by: 1 + random.below(63) as u8 });
    }
    for (second, bytes) in [(false, 1), (true, 2), (false, 4), (true, 4)] {
        all.push(Inst::Transpose { second, bytes, dst: v, a: va, b: vb });
    }
    for left in [true, false] {
        all.push(Inst::ShiftInto { left, dst: v, a: v, b: vb, by: 1 + random.below(7) as u8 });
    }
    for bytes in [4, 8] {
        all.push(Inst::Repeat { bytes, dst: v, base });
        all.push(Inst::Splat { bytes, dst: v, src: a });
    }
    let byte = random.below(256) as u64;
    let spread = (0..8).filter(|n| byte >> n & 1 == 1).fold(0, |sum, n| sum | 0xff << (8 * n));
    all.extend([
        Inst::Sum { width, dst, a, b, shift: shifts[random.below(3)] },
        Inst::Keep { width, dst, a: dst, imm: random.bits() as u16, at },
        Inst::Mask { width, dst, imm: run },
        Inst::Field { width, dst, a, shift: from, bits: field },
        Inst::Place { width, dst, a, shift: from, bits: field },
        Inst::Rotate { width, dst, a, by },
        Inst::Reverse { width, dst, a },
        Inst::Not { width, dst, a },
        Inst::Copy { width, dst, src: then },
        Inst::Copy { width: Width::Double, dst: v, src: va },
        Inst::TablePage { dst },
        Inst::TableOffset { dst, a },
        Inst::NotVector { dst: v, a: va },
        Inst::Select { over: Over::Mask, dst: v, mask: v, then: va, otherwise: vb },
        Inst::Select { over: Over::Then, dst: v, mask: vb, then: v, otherwise: va },
        Inst::Select { over: Over::Otherwise, dst: v, mask: vb, then: va, otherwise: v },
        Inst::Fill { dst: v, imm: byte * 0x0101_0101_0101_0101 },
        Inst::Fill { dst: v, imm: spread },
        Inst::ToVector { width, dst: v, src: a },
        Inst::FromVector { width, dst, src: va },
    ]);
    all
}

/// How many forms there are; those beside them are made of others before they are encoded: three choices, a
/// spill, a reload.
const FORMS: usize = 34;

#[test]
fn every_form_is_what_assemblers_make_of_it() {
    let folder = Folder::new();
    let mut random = Random::new(7);
    let mut made = some();
    made.record.features = vec!["sha3"];
    let forms: Vec<Inst> = (0..50).flat_map(|_| forms(&mut random)).collect();
    let kinds: HashSet<_> = forms.iter().map(discriminant).collect();
    assert_eq!(kinds.len(), FORMS);
    // What moves the stack pointer stands by itself: it belongs into an entry.
    let moves = |inst: &Inst| matches!(inst, Inst::SumImm { dst: Reg::Physical(31), .. });
    let (entry, others): (Vec<Inst>, _) = forms.into_iter().partition(moves);
    let units = [("entry", entry), ("others", others)].map(|(name, forms)| {
        let mut made = made.clone();
        made.record.name = name.to_owned();
        made.program.lines = forms.into_iter().map(|inst| Line::Inst(Step::Inst(inst))).collect();
        made.program.lines.push(Line::Inst(Step::Return));
        unit(&made)
    });
    assert_eq!(compare(&folder, &units), 6);
}

/// One of each strategy's kernels that have circuits or tables of their own; all in the rare test.
#[test]
fn some_kernels_are_what_assemblers_make_of_them() {
    let folder = Folder::new();
    let all = Strategy::all();
    let names = ["des_encrypt_table64_chain", "des_bitslice128", "rc4_apply_s8", "rc4_setup_s8_x2"];
    let units = names.map(|name| {
        let strategy = *all.iter().find(|strategy| strategy.name() == name).expect("a strategy");
        let variant = KernelVariant { target: &AARCH64, strategy, features: Features::NONE };
        let made = variant.compile::<AArch64>(&AAPCS64, &variant.untuned());
        unit(&made.unwrap_or_else(|wrong| panic!("{wrong}")))
    });
    assert_eq!(compare(&folder, &units), 6);
}

#[test]
fn rare_every_kernel_is_what_assemblers_make_of_it() {
    let folder = Folder::new();
    let units: Vec<_> = kernels().iter().map(|Made { kernel, .. }| unit(kernel)).collect();
    assert_eq!(compare(&folder, &units), 6);
    println!("{} kernels in 4 formats by 6 assemblers", units.len());
}

/// The linker that comes with Rust.
fn rust_lld() -> Command {
    let libraries = run(Command::new("rustc").args(["--print", "target-libdir"]), "install Rust");
    let libraries = String::from_utf8(libraries.stdout).expect("a path");
    Command::new(Path::new(libraries.trim()).with_file_name("bin").join("rust-lld"))
}

/// Links an object file; what a linker made of it.
fn linked(folder: &Folder, container: Container, object: &Path) -> PathBuf {
    let program = folder.path().join("linked");
    let mut linker = match container {
        Container::Elf => {
            let mut ld = Command::new("aarch64-linux-gnu-ld");
            ld.args(["--fatal-warnings", "--entry=0", "-z", "noexecstack", "-o"]).arg(&program);
            ld
        }
        Container::Coff => {
            let mut link = rust_lld();
            link.args(["-flavor", "link", "/wx", "/machine:arm64", "/dll", "/noentry"]);
            link.arg("/debug:symtab").arg(format!("/out:{}", program.display()));
            link
        }
        _ => {
            let mut ld64 = rust_lld();
            ld64.args(["-flavor", "darwin", "-fatal_warnings", "-arch", "arm64", "-dylib"]);
            ld64.args(["-platform_version", "macos", "11.0", "11.0", "-o"]).arg(&program);
            ld64
        }
    };
    let linked = run(linker.arg(object), "install binutils-aarch64-linux-gnu, or Rust by rustup");
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    program
}

/// Our own object files, and the texts: a linker puts in the distances that the encoder does.
#[test]
fn slow_linkers_find_the_tables() {
    for container in [Container::Elf, Container::Coff, Container::MachO] {
        find_the_tables(container);
    }
}

fn find_the_tables(container: Container) {
    let folder = Folder::new();
    let kernels: Vec<_> =
        kernels().iter().filter(|made| !made.kernel.kernel.tables.is_empty()).collect();
    let units: Vec<_> = kernels.iter().map(|made| unit(&made.kernel)).collect();
    let of_container = || AARCH64.formats.iter().filter(|format| format.container == container);
    let elf = of_container().find(|format| format.dialect().is_none()).expect("an object file");
    let ours = folder.path().join("ours.o");
    std::fs::write(&ours, file(elf, &units, "").expect("an object")).expect("a temporary file");
    let mut objects = vec![ours];
    for (n, format) in of_container().filter(|format| format.dialect().is_some()).enumerate() {
        let source = folder.file("kernels.s", &text(format, &units, ""));
        let theirs = folder.path().join(format!("theirs{n}.o"));
        let (name, assembler) = assemblers(format)[0];
        assert!(run(&mut assembler(&source, &theirs), name).status.success());
        objects.push(theirs);
    }
    for object in objects {
        let bytes = std::fs::read(linked(&folder, container, &object)).expect("a program");
        let program = object::File::parse(&*bytes).expect("a program");
        let address = |name: &str| {
            let name = container.symbol(AARCH64.word, name);
            let named: Vec<_> =
                program.symbols().filter(|symbol| symbol.name() == Ok(&name)).collect();
            assert!(named.len() < 2, "{name} is there {} times", named.len());
            named.first().map(|symbol| symbol.address())
        };
        for (unit, made) in units.iter().zip(&kernels) {
            let (at, found) = code(elf, unit, &program);
            let tables = Tables::of(&made.kernel.kernel).expect("tables");
            let tables = address(&tables.name).expect("the tables' symbol");
            let expected = CompiledKernel::bytes(&made.kernel, Some((at, tables)));
            let name = &unit.record.name;
            assert!(expected == Ok(found), "{container:?}, {name} of {}", object.display());
        }
    }
}

/// Kernels that begin with a landing pad say so, in our object files as in assemblers'.
#[test]
fn files_of_landing_pads_say_so() {
    const BTI: [u8; 4] = [0x5f, 0x24, 0x03, 0xd5];
    let folder = Folder::new();
    let mut made = some();
    CompiledKernel::land(&mut made);
    let units = [unit(&made)];
    let (elf, gnu) = (AARCH64.format("elf").unwrap(), AARCH64.format("elf-gnu").unwrap());
    let ours = file(elf, &units, "").expect("an object");
    let source = folder.file("kernels.s", &text(gnu, &units, ""));
    let object = folder.path().join("theirs.o");
    let (_, gas) = assemblers(gnu)[0];
    assert!(run(&mut gas(&source, &object), "GNU as").status.success());
    let notes = [ours, std::fs::read(object).expect("an object")].map(|bytes| {
        let file = object::File::parse(&*bytes).expect("an object");
        assert_eq!(code(elf, &units[0], &file).1[..4], BTI);
        let note = file.section_by_name(".note.gnu.property").expect("the note");
        (note.data().expect("bytes").to_vec(), note.align(), note.flags())
    });
    assert_eq!(notes[0], notes[1]);
}
