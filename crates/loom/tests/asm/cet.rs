//! Kernels that go with Intel's CET: their landing pads, what their code must not do, the note that says
//! so, and linkers that insist on it.

use loom::isa::x86::{X86_32, X86_64};
use std::process::Command;

use crate::assembler::{CC, File, LD, READELF, assemblers, compare};
use crate::image::Image;
use crate::kernels::{kernels, strategies, units};
use crate::run::{load, run};
use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction};
use loom::ciphers::Strategy;
use loom::emit::{Unit, file, text};
use loom::isa::frame::Abi;
use loom::isa::x86::conventions::{CDECL, CDECL_PIC, SYSV64};
use loom::isa::x86::{Mode, X86};
use loom::pipeline::Compiled;
use object::{Object, ObjectSection, SectionFlags, elf};

/// The conventions of ELF's files.
const ABIS: [&Abi; 3] = [&SYSV64, &CDECL, &CDECL_PIC];

/// What readers of notes say of an object or a program.
const SAID: &str = "x86 feature: IBT, SHSTK";

/// Every kernel of an ABI, with a landing pad.
fn landing(abi: &'static Abi) -> Vec<Compiled<X86>> {
    let mut made = kernels(abi).to_vec();
    made.iter_mut().for_each(|made| made.program.land());
    made
}

/// Our own object file for ELF.
fn object_of(abi: &Abi, units: &[Unit]) -> Vec<u8> {
    file(abi.target.format("elf").expect("a format"), units, "").expect("an object")
}

fn word(abi: &Abi) -> u32 {
    Mode::of(abi.target).bytes()
}

/// Has ld make a shared library of objects, with these options, and gives it, or what ld says.
fn linked(abi: &Abi, options: &[&str], objects: &[&File]) -> Result<File, String> {
    let library = File::new("cet.so");
    let emulation = if word(abi) == 8 { "elf_x86_64" } else { "elf_i386" };
    let mut ld = Command::new(LD.names[0]);
    ld.args(["-m", emulation, "-shared", "-o", library.path()]).args(options);
    let output = ld.args(objects.iter().map(|object| object.path())).output();
    let output = output.unwrap_or_else(|error| panic!("ld: {error}: install {}", LD.package));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(library) } else { Err(said) }
}

const INSIST: [&str; 2] = ["-z", "cet-report=error"];

/// Whether a file's notes say that all of it goes with CET.
fn says_so(file: &File) -> bool {
    READELF.run(&["-n", file.path()]).contains(SAID)
}

/// The note's flags with its type, its alignment and its bytes; linkers overlook it if one of the first two
/// is another.
fn note(file: &File) -> (SectionFlags, u64, Vec<u8>) {
    let bytes = file.read();
    let file = object::File::parse(&*bytes).expect("an object file");
    let note = file.section_by_name(".note.gnu.property").expect("the note");
    (note.flags(), note.align(), note.data().expect("bytes").to_vec())
}

/// An object file says what it should, and a linker that insists takes it.
fn is_fit(abi: &'static Abi, what: &str, object: &File) {
    assert!(says_so(object), "{what}: no note");
    let (flags, align, bytes) = note(object);
    let expected = SectionFlags::Elf { sh_type: elf::SHT_NOTE, sh_flags: elf::SHF_ALLOC };
    assert_eq!((flags, align), (expected, u64::from(word(abi))), "{what}");
    let mut expected = vec![4, 12, 5, u32::from_le_bytes(*b"GNU\0"), 0xc000_0002, 4, 3];
    if word(abi) == 8 {
        expected[1] = 16;
        expected.push(0);
    }
    let expected: Vec<u8> = expected.into_iter().flat_map(u32::to_le_bytes).collect();
    assert_eq!(bytes, expected, "{what}");
    let library = linked(abi, &INSIST, &[object]).unwrap_or_else(|said| panic!("{what}: {said}"));
    assert!(says_so(&library), "{what}: the linked library has lost it");
}

/// By each assembler of each dialect that has the note, and by ourselves: the encoder's bytes, the note, and
/// the interpreter's results.
#[test]
fn rare_every_dialect_of_elf_says_so() {
    for abi in ABIS {
        let (strategies, made) = (strategies(abi), landing(abi));
        let units = units(&made);
        let pairs: Vec<(&Strategy, &Compiled<X86>)> = strategies.iter().zip(&made).collect();
        let all: Vec<_> = made.iter().collect();
        let mut names = Vec::new();
        for format in abi.target.texts() {
            if format.without_landing.is_some() {
                continue;
            }
            names.push(format.name);
            let source = File::with("cet.s", text(format, &units, ""));
            for (by, assemble) in assemblers(abi.target, format.name) {
                let what = format!("{} by {by}, {}", format.name, abi.name);
                let object = File::new("cet.o");
                assemble(&source, &object);
                let image = Image::read(&object.read());
                // The C preprocessor's file becomes other things, too, which are as they were.
                if format.name == "cpp-att" && !by.contains("-DELF") {
                    let plain: Vec<_> = kernels(abi).iter().collect();
                    compare(&image, &plain, |name| image.symbol(name));
                    assert!(!object.read().windows(4).any(|bytes| bytes == b".not"), "{what}");
                    continue;
                }
                compare(&image, &all, |name| image.symbol(name));
                is_fit(abi, &what, &object);
                run(&load(&object, abi.target).0, &pairs, &what);
            }
        }
        let expected = ["elf-att", "elf-intel", "elf-nasm", "cpp-att"];
        assert_eq!(names, expected[..if word(abi) == 8 { 3 } else { 4 }]);
        let ours = File::with("ours.o", object_of(abi, &units));
        let image = Image::read(&ours.read());
        compare(&image, &all, |name| image.symbol(name));
        is_fit(abi, "loom itself", &ours);
        run(&load(&ours, abi.target).0, &pairs, "loom itself");
    }
}

/// What the note says is true of the code: indirect calls find a landing pad, of which there is no other;
/// nothing branches indirectly; and a return is a return of a call.
///
/// A call of what follows it is none to a shadow stack: Intel's manual has the address pushed there only if
/// the distance is not 0 (volume 2, the operation of CALL), as 32-bit code asks where it is in this way.
#[test]
fn the_code_is_what_the_note_says() {
    for abi in ABIS {
        let mode = Mode::of(abi.target);
        let mut asked = 0;
        for made in landing(abi) {
            let name = &made.record.name;
            let bytes = made.program.bytes(0, mode.tables()).expect("code");
            let decoder = Decoder::new(mode.bits(), &bytes, DecoderOptions::NONE);
            let instructions: Vec<Instruction> = decoder.into_iter().collect();
            let pad = if mode.is_64() { Code::Endbr64 } else { Code::Endbr32 };
            assert_eq!(instructions[0].code(), pad, "{name}");
            let pads = bytes.windows(3).filter(|bytes| *bytes == [0xf3, 0x0f, 0x1e]).count();
            assert_eq!(pads, 1, "{name}: another landing pad");
            let mut returns = 0;
            for (n, inst) in instructions.iter().enumerate() {
                match inst.flow_control() {
                    FlowControl::Next
                    | FlowControl::ConditionalBranch
                    | FlowControl::UnconditionalBranch => {}
                    FlowControl::Call => {
                        assert_eq!(inst.near_branch64(), inst.next_ip(), "{name}: {inst}");
                        assert_eq!(instructions[n + 1].code(), Code::Pop_r32, "{name}: {inst}");
                        asked += 1;
                    }
                    FlowControl::Return => {
                        assert!(matches!(inst.code(), Code::Retnq | Code::Retnd), "{name}: {inst}");
                        returns += 1;
                    }
                    _ => panic!("{name}: {inst}"),
                }
            }
            assert_eq!(returns, 1, "{name}");
        }
        assert_eq!(asked > 0, abi.position_independent, "{}", abi.name);
    }
}

/// One kernel without a landing pad is enough to switch CET off, for a file and for all that it is linked
/// with: the test above would see it.
#[test]
fn without_landing_pads_nothing_says_so() {
    let caller = File::with("caller.c", "int caller(int n) { return n + 1; }\n");
    for (abi, width) in [(&SYSV64, "-m64"), (&CDECL, "-m32")] {
        let compiled = File::new("caller.o");
        let options = [width, "-fcf-protection=full", "-fPIC", "-c", "-o", compiled.path()];
        CC.run(&[&options[..], &[caller.path()]].concat());
        let with = units(&landing(abi)[..2]);
        let without = units(&kernels(abi)[..2]);
        let one = [with[0].clone(), without[1].clone()];
        let format = abi.target.format("elf-att").expect("a format");
        for (units, fit) in [(&with[..], true), (&without, false), (&one, false)] {
            let said = text(format, units, "");
            assert_eq!(said.contains(".note.gnu.property"), fit);
            assert_eq!(said.contains("endbr"), units[0].listing.landing);
            let (source, theirs) = (File::with("k.s", said), File::new("k.o"));
            assemblers(abi.target, "elf-att")[0].1(&source, &theirs);
            let ours = File::with("k.o", object_of(abi, units));
            for kernel in [&theirs, &ours] {
                assert_eq!(says_so(kernel), fit);
                let library = linked(abi, &[], &[&compiled, kernel]).expect("a library");
                assert_eq!(says_so(&library), fit, "beside C");
                match linked(abi, &INSIST, &[&compiled, kernel]) {
                    Ok(_) => assert!(fit, "ld does not insist"),
                    Err(said) => assert!(!fit && said.contains("missing IBT and SHSTK"), "{said}"),
                }
            }
        }
    }
}

/// Where nothing reads the note, nothing is written: texts for other systems stay what their assemblers take.
#[test]
fn other_containers_have_no_note() {
    for target in [&X86_64, &X86_32] {
        let units = units(&landing(Abi::usual(target))[..1]);
        for format in target.texts() {
            let has = text(format, &units, "").contains(".note.gnu.property");
            assert_eq!(has, format.without_landing.is_none(), "{}", format.name);
        }
    }
}
