//! A few instructions on an emulated processor, with all registers given.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the emulated program has its memory, and how much.
pub(super) const MEMORY: u64 = 0x2000_0000;
pub(super) const BYTES: usize = 0x5000;
/// How many instructions it does.
pub(super) const SLOT: usize = 8;
/// One that does nothing.
pub(super) const NOTHING: u32 = 0x0800_0240;

/// Instructions, and what they find.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) words: [u32; SLOT],
    /// r0 to r31; the first is not looked at.
    pub(super) registers: [u64; 32],
    /// Memory, if they look at some.
    pub(super) memory: Option<Vec<u8>>,
}

/// What they leave.
pub(super) struct After {
    pub(super) registers: [u64; 32],
    pub(super) memory: Option<Vec<u8>>,
}

/// The emulator: QEMU 8.2 or later, older ones have no 64-bit PA-RISC. `CIPHERLOOM_QEMU_HPPA` if set, else that of
/// `cargo xtask setup`, else the one of the path.
pub(crate) fn emulator() -> PathBuf {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/bin/qemu-hppa");
    match std::env::var_os("CIPHERLOOM_QEMU_HPPA") {
        Some(named) => named.into(),
        None if ours.exists() => ours,
        None => "qemu-hppa".into(),
    }
}

fn word(bytes: &mut &[u8]) -> u64 {
    let (word, rest) = bytes.split_first_chunk().expect("another word");
    *bytes = rest;
    u64::from_be_bytes(*word)
}

/// Runs cases, one by one.
pub(super) fn run(cases: &[Case]) -> Vec<After> {
    let made = tempfile::tempdir().unwrap();
    let named = |name: &str| made.path().join(name);
    let (source, object, program) = (named("runner.s"), named("runner.o"), named("runner"));
    std::fs::write(&source, include_str!("runner.s")).unwrap();
    super::run(Command::new("hppa-linux-gnu-as").arg("-o").arg(&object).arg(&source));
    let mut linker = Command::new("hppa-linux-gnu-ld");
    linker.args([format!("--section-start=.memory={MEMORY:#x}"), "--no-warn-rwx-segments".into()]);
    super::run(linker.arg("-o").arg(&program).arg(&object));
    let mut input = Vec::new();
    for case in cases {
        input.extend(case.registers.iter().flat_map(|word| word.to_be_bytes()));
        input.extend(case.words.iter().flat_map(|word| word.to_be_bytes()));
        input.extend(u64::from(case.memory.is_some()).to_be_bytes());
        input.extend(case.memory.iter().flatten());
    }
    let from = named("input");
    std::fs::write(&from, input).unwrap();
    let mut command = Command::new(emulator());
    command.args(["-cpu", "hppa64"]).arg(&program).stdin(std::fs::File::open(from).unwrap());
    let output = command.output().unwrap_or_else(|error| {
        panic!("{command:?}: {error}: install qemu-user 8.2 or later (cargo xtask setup does)")
    });
    assert!(output.status.success(), "{output:?}");
    let mut rest = output.stdout.as_slice();
    let after = cases.iter().map(|case| {
        let registers = std::array::from_fn(|_| word(&mut rest));
        let memory = case.memory.as_ref().map(|_| {
            let (memory, behind) = rest.split_at(BYTES);
            rest = behind;
            memory.to_vec()
        });
        After { registers, memory }
    });
    let after = after.collect();
    assert!(rest.is_empty(), "more than was asked for");
    after
}
