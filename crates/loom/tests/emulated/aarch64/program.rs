//! The program that calls kernels, and the emulator that runs it.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use loom::ir::{Memory, Scalar, Type};
use loom::isa::text::Tables;
use loom::pipeline::CompiledKernel;

use crate::folder::Folder;

/// Runs a command.
pub(super) fn run(command: &mut Command, what: &str) -> Output {
    let output = command.output();
    output.unwrap_or_else(|error| panic!("{command:?}: {error}: {what} (cargo xtask setup does)"))
}

/// What a processor does with an instruction that it does not have.
pub(super) const SIGILL: i32 = 4;

/// What every Rust of the target needs to make a program without a library.
pub(super) fn rustc() -> Command {
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "--target", "aarch64-unknown-linux-gnu", "-D", "warnings"]);
    rustc.args(["-C", "opt-level=1", "-C", "panic=abort", "-C", "relocation-model=static"]);
    rustc
}

/// Compiles the program.
pub(super) fn build(folder: &Folder) -> PathBuf {
    let program = folder.path().join("runner");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/emulated/aarch64/runner.rs");
    let mut rustc = rustc();
    rustc.args(["-C", "linker=rust-lld", "-C", "linker-flavor=ld.lld"]);
    rustc.args(["-C", "link-self-contained=no"]).arg("-o").arg(&program).arg(source);
    let built = run(&mut rustc, "install Rust's target aarch64-unknown-linux-gnu");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    program
}

/// Kernels and the tables of each, at places that count from the beginning of a page.
#[derive(Default)]
pub(super) struct Image {
    bytes: Vec<u8>,
}

impl Image {
    /// Adds a kernel; where it begins.
    pub(super) fn add(&mut self, made: &dyn CompiledKernel) -> u64 {
        let tables = self.align();
        self.bytes.extend(Tables::of(made.kernel()).map_or(Vec::new(), |tables| tables.content()));
        let at = self.align();
        let code = made.bytes(Some((at, tables)));
        self.bytes.extend(code.unwrap_or_else(|why| panic!("{}: {why}", made.record().name)));
        at
    }

    fn align(&mut self) -> u64 {
        let at = self.bytes.len().next_multiple_of(64);
        self.bytes.resize(at, 0);
        at as u64
    }
}

/// A call of a kernel: for the program, and what must come back.
pub(super) struct Case {
    pub(super) what: String,
    input: Vec<u8>,
    expected: Vec<u8>,
}

impl Case {
    /// A call of a kernel that begins at a place of the image, and the memory before and after it.
    pub(super) fn new(
        at: u64,
        made: &dyn CompiledKernel,
        scalars: &[Scalar],
        before: &[Memory],
        after: &[Memory],
    ) -> Self {
        // What stands above a word of 32 bits is nobody's.
        const ABOVE: u64 = 0x5a5a_5a5a << 32;
        let mut words = vec![at, scalars.len() as u64];
        let mut input = Vec::new();
        let mut expected = 0u64.to_le_bytes().to_vec();
        let flush = |words: &mut Vec<u64>, input: &mut Vec<u8>| {
            input.extend(words.drain(..).flat_map(u64::to_le_bytes));
        };
        for (param, scalar) in made.record().params.iter().zip(scalars) {
            match *scalar {
                Scalar::Word(value) if param.ty == Type::W32 => words.extend([0, value | ABOVE]),
                Scalar::Word(value) => words.extend([0, value]),
                Scalar::Region(region) => {
                    words.extend([1, before[region].bytes.len() as u64]);
                    flush(&mut words, &mut input);
                    input.extend(&before[region].bytes);
                    expected.extend(&after[region].bytes);
                }
            }
        }
        flush(&mut words, &mut input);
        Self { what: made.record().name.clone(), input, expected }
    }
}

/// Runs the program on calls of kernels, on a processor of the emulator's.
pub(super) fn emulate(program: &PathBuf, processor: &str, image: &Image, cases: &[Case]) -> Output {
    let mut input = (image.bytes.len() as u64).to_le_bytes().to_vec();
    input.extend(&image.bytes);
    input.extend((cases.len() as u64).to_le_bytes());
    cases.iter().for_each(|case| input.extend(&case.input));
    let mut command = Command::new("qemu-aarch64");
    command.args(["-cpu", processor]).arg(program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| {
        panic!("{command:?}: {error}: install qemu-user (cargo xtask setup does)")
    });
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        // A program that died reads no more.
        scope.spawn(move || stdin.write_all(&input).is_ok());
        child.wait_with_output().expect("the emulator's output")
    })
}

/// Calls kernels, and looks at what came back.
pub(super) fn call(program: &PathBuf, processor: &str, image: &Image, cases: &[Case]) {
    let output = emulate(program, processor, image, cases);
    let mut rest = output.stdout.as_slice();
    for case in cases {
        let (found, after) = rest.split_at(case.expected.len().min(rest.len()));
        assert!(
            found == case.expected,
            "{}: {:?} {:?}",
            case.what,
            output.status,
            found.first_chunk::<8>()
        );
        rest = after;
    }
    assert!(rest.is_empty() && output.status.success(), "{:?}", output.status);
}
