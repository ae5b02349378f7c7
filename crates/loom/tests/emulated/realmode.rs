//! Kernels for real mode: assembled by NASM into a program for DOS, which an emulator runs; its results
//! compared with the specification.

#[path = "../../examples/realmode/files.rs"]
mod files;

use loom::isa::x86::X86_REAL;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::folder::Folder;
use files::{Case, PROGRAMS, cases, machine};
use loom::emit::{Unit, text};
use loom::isa::x86::X86;
use loom::pipeline::Compiled;

impl Folder {
    /// Assembles one of its files, for a short measurement if it is a program.
    fn nasm(&self, format: &str, from: &str, to: &str) -> Vec<u8> {
        let mut nasm = Command::new("nasm");
        nasm.current_dir(self.path()).args(["-Werror", "-dTICKS=5", "-f", format, "-o", to, from]);
        let Output { status, stderr, .. } =
            nasm.output().unwrap_or_else(|error| panic!("nasm: {error}: install nasm"));
        assert!(status.success(), "{from}: {}", String::from_utf8_lossy(&stderr));
        std::fs::read(self.path().join(to)).expect("what NASM wrote")
    }
}

/// Far more than the programs take.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Runs programs in a folder; what each printed.
fn run<const N: usize>(folder: &Path, names: [&str; N]) -> [String; N] {
    std::fs::write(folder.join("machine.conf"), machine(&names)).expect("a temporary file");
    let mut dosbox = Command::new("dosbox");
    dosbox.current_dir(folder).args(["-conf", "machine.conf", "-noconsole"]);
    dosbox.env("SDL_VIDEODRIVER", "dummy").env("SDL_AUDIODRIVER", "dummy");
    dosbox.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut dosbox =
        dosbox.spawn().unwrap_or_else(|error| panic!("dosbox: {error}: install dosbox"));
    let start = Instant::now();
    while dosbox.try_wait().expect("a process").is_none() {
        if start.elapsed() > TIME_LIMIT {
            dosbox.kill().expect("a process");
            dosbox.wait().expect("a process");
            panic!("the programs in real mode do not end");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    // DOS has no small letters.
    names.map(|name| {
        let printed = folder.join(format!("{}.TXT", name.to_uppercase()));
        std::fs::read_to_string(printed).expect("what the program printed")
    })
}

/// Each kernel gives the results of the specification, keeps what its convention says, and the programs
/// know right from wrong and measure; called near, and called far with pointers into other segments.
#[test]
fn slow_the_programs_for_dos_are_right() {
    let folder = Folder::new();
    let all = PROGRAMS.map(|program| {
        let kernels = program.kernels();
        let mut cases = cases(&kernels);
        // Of each kind of kernel one case that cannot come out.
        for (variant, made) in &kernels {
            let mut impossible = Case::new(variant, made, [[0x10; 8]; 3], &[[0; 8]]);
            impossible.spoil();
            cases.push(impossible);
        }
        let name = program.name;
        folder.file(&format!("{name}.asm"), &program.source(&kernels, &cases));
        folder.nasm("bin", &format!("{name}.asm"), &format!("{name}.com"));
        cases
    });
    let names = PROGRAMS.map(|program| program.name);
    for ((name, cases), printed) in names.into_iter().zip(all).zip(run(folder.path(), names)) {
        let lines: Vec<_> = printed.lines().collect();
        let verdict = |case: &Case| if case.spoilt { "WRONG" } else { "right" };
        let expected = cases
            .iter()
            .map(|case| format!("{}: {} {}", case.name, hex(&case.result), verdict(case)));
        let expected: Vec<_> = expected.collect();
        assert!(lines.len() > expected.len(), "{name}: {printed}");
        let (results, speeds) = lines.split_at(expected.len());
        assert_eq!(results, expected, "{name}");
        assert_eq!(speeds.len(), 4, "{name}: {printed}");
        for line in speeds {
            let speed = line.split_once(": ").and_then(|(_, text)| text.split_once(' '));
            let (number, unit) = speed.unwrap_or_else(|| panic!("{line}"));
            assert!(number.parse::<u32>().unwrap() > 0 && unit == "blocks per second", "{line}");
            println!("{name}: {line}");
        }
    }
}

/// The example in C, by a compiler for 16 bits and its linker, gives what FIPS 81 prints.
#[test]
fn functions_are_called_from_c() {
    let folder = Folder::new();
    folder.file("cbc.c", include_str!("../../examples/realmode/cbc.c"));
    let wanted = ["des_encrypt_table32_chain", "des_decrypt_table32"];
    let all: Vec<_> = PROGRAMS.iter().flat_map(|program| program.kernels()).collect();
    let near = |(_, made): &&(_, Compiled<X86>)| {
        made.record.abi.name == "near16" && wanted.contains(&made.record.name.as_str())
    };
    let units: Vec<_> =
        all.iter().filter(near).map(|(_, made)| Unit::new(made, ["in a test"])).collect();
    let format = X86_REAL.format("as86-nasm").expect("a format");
    folder.file("des.asm", &text(format, &units, ""));
    folder.nasm("as86", "des.asm", "des.o");
    let mut bcc = Command::new("bcc");
    bcc.current_dir(folder.path()).args(["-ansi", "-Md", "-o", "cbc.com", "cbc.c", "des.o"]);
    let Output { status, stderr, .. } =
        bcc.output().unwrap_or_else(|error| panic!("bcc: {error}: install bcc"));
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    let [printed] = run(folder.path(), ["cbc"]);
    let encrypted = "e5c7cdde872bf27c43e934008c389c0f683788499a7c05f6";
    let decrypted = hex(b"Now is the time for all ");
    let lines: Vec<_> = printed.lines().collect();
    assert_eq!(lines, [format!("encrypted {encrypted}"), format!("decrypted {decrypted}")]);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text means what was made, and nothing is called; jumps go from block to block only.
#[test]
fn texts_are_the_same_bytes_without_calls_and_jumps_inside() {
    let folder = Folder::new();
    for (variant, made) in PROGRAMS.iter().flat_map(|program| program.kernels()) {
        let name = &made.record.name;
        assert_eq!(made.record.table_bytes, 2048, "{name}");
        let text_of = |format: &str| {
            let format = X86_REAL.format(format).expect("a format");
            text(format, &[Unit::new(&made, ["in a test"])], "")
        };
        let source = text_of("com-nasm");
        folder.file("kernel.asm", &source);
        let file = folder.nasm("bin", "kernel.asm", "kernel.bin");
        let (_, code) = file.split_at(2048);
        let bytes = made.program.bytes(2048, 0).unwrap();
        let differ = bytes.iter().zip(code).position(|(a, b)| a != b);
        assert_eq!((code.len(), differ), (bytes.len(), None), "{name}");
        folder.file("object.asm", &text_of("omf-nasm"));
        assert_eq!(folder.nasm("obj", "object.asm", "kernel.obj")[0], 0x80, "an OMF header");
        let mnemonics = source.lines().filter_map(|line| line.split_whitespace().next());
        let count =
            |wanted: &[&str]| mnemonics.clone().filter(|word| wanted.contains(word)).count();
        assert_eq!(count(&["call", "jmp"]), 0, "{name}");
        let around = if variant.task == loom::ciphers::des::Task::Bare { 0 } else { 1 };
        assert_eq!((count(&["je"]), count(&["jne"])), (around, around), "{name}");
    }
}
