//! Kernels for real mode: assembled by NASM into a program for DOS, which an emulator runs; its results
//! compared with the specification.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

#[path = "../examples/realmode/files.rs"]
mod files;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use files::{Case, FRAME, cases, data, kernels, source};
use loom::emit::{Format, X86Unit, text};
use loom::target::Architecture;
use loom::target::abi::NEAR16;

/// A folder that is there as long as this lives.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("loom-realmode-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        Self(folder)
    }

    fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, content).expect("a temporary file");
        path
    }

    /// Assembles one of its files.
    fn nasm(&self, format: &str, from: &str, to: &str) -> Vec<u8> {
        let mut nasm = Command::new("nasm");
        nasm.current_dir(&self.0).args(["-Werror", "-f", format, "-o", to, from]);
        let Output { status, stderr, .. } =
            nasm.output().unwrap_or_else(|error| panic!("nasm: {error}: install nasm"));
        assert!(status.success(), "{from}: {}", String::from_utf8_lossy(&stderr));
        std::fs::read(self.0.join(to)).expect("what NASM wrote")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A 386 without a screen, which runs the program in the folder that is its disk.
const MACHINE: &str = "[sdl]\noutput=surface\n[mixer]\nnosound=true\n[cpu]\ncore=normal\n\
    cputype=386\ncycles=max\n[autoexec]\nmount c .\nc:\ndes.com > out.txt\nexit\n";

/// Far more than the program takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs the program in a folder; what it printed.
fn run(folder: &Path) -> String {
    let mut dosbox = Command::new("dosbox");
    dosbox.current_dir(folder).args(["-conf", "machine.conf", "-noconsole"]);
    dosbox.env("SDL_VIDEODRIVER", "dummy").env("SDL_AUDIODRIVER", "dummy");
    dosbox.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut dosbox =
        dosbox.spawn().unwrap_or_else(|error| panic!("dosbox: {error}: install dosbox"));
    let start = Instant::now();
    while dosbox.try_wait().expect("a process").is_none() {
        if start.elapsed() > PATIENCE {
            dosbox.kill().expect("a process");
            dosbox.wait().expect("a process");
            panic!("the program in real mode does not end");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    // DOS has no small letters.
    std::fs::read_to_string(folder.join("OUT.TXT")).expect("what the program printed")
}

/// Each kernel gives the results of the specification, keeps what its convention says, and the program
/// knows right from wrong and measures.
#[test]
fn the_program_for_dos_is_right() {
    let folder = Folder::new("program");
    let kernels = kernels(&NEAR16);
    let mut cases = cases(&kernels);
    // One that cannot come out.
    let (variant, made) = &kernels[0];
    let mut impossible = Case::new(variant, made, [[0x10; 8]; 3], &[[0; 8]]);
    let is = hex(&impossible.expected);
    impossible.expected[7] ^= 1;
    let mut results: Vec<_> = cases.iter().map(|case| (hex(&case.expected), "right")).collect();
    results.push((is, "WRONG"));
    cases.push(impossible);
    folder.file("des.asm", FRAME);
    folder.file("kernels.asm", &source(&kernels));
    folder.file("cases.asm", &data(&cases));
    folder.file("machine.conf", MACHINE);
    folder.nasm("bin", "des.asm", "des.com");
    let printed = run(&folder.0);
    let lines: Vec<_> = printed.lines().collect();
    let expected: Vec<_> = cases
        .iter()
        .zip(results)
        .map(|(case, (result, verdict))| format!("{}: {result} {verdict}", case.name))
        .collect();
    assert!(lines.len() > expected.len(), "{printed}");
    let (results, speeds) = lines.split_at(expected.len());
    assert_eq!(results, expected);
    assert_eq!(speeds.len(), 4, "{printed}");
    for line in speeds {
        let speed = line.split_once(": ").and_then(|(_, text)| text.split_once(' '));
        let (number, unit) = speed.unwrap_or_else(|| panic!("{line}"));
        assert!(number.parse::<u32>().unwrap() > 0 && unit == "blocks per second", "{line}");
        println!("{line}");
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text means what was made, and nothing is called; jumps go from block to block only.
#[test]
fn texts_are_the_same_bytes_without_calls_and_jumps_inside() {
    let folder = Folder::new("bytes");
    for (variant, made) in kernels(&NEAR16) {
        let name = &made.record.name;
        assert_eq!(made.record.table_bytes, 2048, "{name}");
        let text_of = |format: &str| {
            let format = Format::by_name(Architecture::X86Real, format).expect("a format");
            text(format.dialect, &[X86Unit::new(&made, ["in a test"])], "")
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
        let around = if variant.frame == loom::ciphers::des::Frame::Bare { 0 } else { 1 };
        assert_eq!((count(&["je"]), count(&["jne"])), (around, around), "{name}");
    }
}
