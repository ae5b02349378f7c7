//! A kernel and changed ones in an emulator, in one program that reads inputs and compares what they do. Nothing comes
//! back but what differs, so that a million inputs cost no more than they must.

use super::compare::{Change, Subject};
use super::inputs::{Argument, Inputs, Words};
use crate::hppa;
use proof::isa::Isa;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

const RUNNER: &str = include_str!("runner.c");
const CALLER: &str = include_str!("caller.s");
/// What stands above a number of 32 bits in a register of 64 is nobody's.
const ABOVE: u64 = 0x5a5a_5a5a << 32;

/// The emulator of an instruction set.
fn emulator(isa: Isa) -> Command {
    let (name, processor) = match isa {
        Isa::Hppa => (hppa::emulator(), "hppa64"),
        _ => ("qemu-aarch64".into(), "max"),
    };
    let mut command = Command::new(name);
    command.args(["-cpu", processor]);
    command
}

/// Compiles the program.
fn build(isa: Isa) -> PathBuf {
    let made = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = |name: &str, text: &str| {
        std::fs::write(made.path().join(name), text).unwrap();
        made.path().join(name)
    };
    let mut sources = vec![file("runner.c", RUNNER)];
    let (compiler, options): (_, &[&str]) = match isa {
        // GNU's linker puts images to where it puts programs.
        Isa::Hppa => ("hppa-linux-gnu-gcc", &["-Wl,-Ttext-segment=0x40000000"]),
        _ => ("aarch64-linux-gnu-gcc", &[]),
    };
    if isa == Isa::Hppa {
        sources.push(file("caller.s", CALLER));
    }
    let program = made.path().join("runner");
    let mut gcc = Command::new(compiler);
    gcc.args(["-O2", "-Wall", "-Wextra", "-Werror", "-static", "-o"]).arg(&program);
    gcc.args(options).args(sources);
    let done = gcc.output().unwrap_or_else(|error| {
        panic!("{gcc:?}: {error}: install gcc for this processor (cargo xtask setup does)")
    });
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    // It stays when this process has gone; as a whole, as others may run it.
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mutants-{isa:?}"));
    std::fs::rename(&program, &to).unwrap();
    to
}

fn runner(isa: Isa) -> &'static Path {
    static AARCH64: OnceLock<PathBuf> = OnceLock::new();
    static HPPA: OnceLock<PathBuf> = OnceLock::new();
    let program = if isa == Isa::Hppa { &HPPA } else { &AARCH64 };
    program.get_or_init(|| build(isa))
}

/// All that the program reads.
fn write(
    subject: &Subject<'_>,
    changes: &[Change],
    count: usize,
    to: impl Write,
) -> std::io::Result<()> {
    let mut to = BufWriter::with_capacity(1 << 16, to);
    let words = Words::of(subject.image.isa);
    let mut put = |numbers: &[u64], bytes: &[u8]| {
        let numbers = numbers.iter().flat_map(|&number| words.bytes(number, 8));
        to.write_all(&numbers.collect::<Vec<u8>>())?;
        to.write_all(bytes)
    };
    let (base, bytes) = subject.span;
    // Images of libraries and of 64 bits may lie anywhere; others may have addresses in them.
    let is_there = (4096..1 << 32).contains(base);
    put(&[*base, u64::from(is_there), bytes.len() as u64], bytes)?;
    put(&[subject.entry - base, changes.len() as u64], &[])?;
    for change in changes {
        put(&[change.at - base, change.bytes.len() as u64], &change.bytes)?;
    }
    let convention = subject.image.convention;
    let above = if convention.offset < convention.word { ABOVE } else { 0 };
    let mut inputs = Inputs::new(subject.image, subject.name);
    for n in 0..count {
        let (arguments, is_new) = inputs.next();
        if n == 0 {
            put(&[inputs.fresh.len() as u64, inputs.kept.len() as u64, count as u64], &[])?;
        }
        let mut words = [u64::from(is_new), 0, 0, 0, 0, 0, 0, 0, 0];
        for (words, argument) in words[1..].chunks_mut(2).zip(arguments) {
            let (leads, number) = match argument {
                Argument::Number(number) => (0, number),
                Argument::Fresh(offset) => (1, offset as u64),
                Argument::Kept(offset) => (2, offset as u64),
            };
            words.copy_from_slice(&[leads, number | above]);
        }
        put(&words, if is_new { &inputs.kept } else { &[] })?;
        put(&[], &inputs.fresh)?;
    }
    to.flush()
}

/// Compares kernels in an emulator: what differs.
pub(super) fn compare(
    subject: &Subject<'_>,
    changes: &[Change],
    inputs: usize,
) -> Result<(), String> {
    let isa = subject.image.isa;
    let mut command = emulator(isa);
    command.arg(runner(isa)).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| {
        panic!("{command:?}: {error}: install qemu-user 8.2 or later (cargo xtask setup does)")
    });
    // Who found a difference reads no more.
    let all_read = write(subject, changes, inputs, child.stdin.take().expect("a pipe")).is_ok();
    let mut said = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut said).unwrap();
    let status = child.wait().unwrap();
    match said.trim_end().strip_prefix("same ") {
        Some("0") => panic!("{}: it did nothing", subject.name),
        Some(_) if status.success() && all_read => Ok(()),
        _ => Err(format!("{status}: {said}")),
    }
}
