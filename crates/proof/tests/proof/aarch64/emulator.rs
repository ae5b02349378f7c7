//! One instruction on an emulated processor, with all registers given.

use std::process::Command;

/// Where the emulated program has its memory, and how much.
pub(super) const MEMORY: u64 = 0x2000_0000;
pub(super) const BYTES: usize = 0x5000;

/// All registers.
#[derive(Clone)]
pub(super) struct Registers {
    /// x0 to x30, then sp.
    pub(super) general: [u64; 32],
    pub(super) flags: u64,
    pub(super) vectors: [[u64; 2]; 32],
}

/// An instruction, and what it finds.
pub(super) struct Case {
    pub(super) word: u32,
    pub(super) registers: Registers,
    /// Memory, if it looks at some.
    pub(super) memory: Option<Vec<u8>>,
}

/// What an instruction leaves.
pub(super) struct After {
    pub(super) registers: Registers,
    pub(super) memory: Option<Vec<u8>>,
}

fn word(bytes: &mut &[u8]) -> u64 {
    let (word, rest) = bytes.split_first_chunk().expect("another word");
    *bytes = rest;
    u64::from_le_bytes(*word)
}

/// Runs instructions, one by one.
pub(super) fn run(cases: &[Case]) -> Vec<After> {
    let made = tempfile::tempdir().unwrap();
    let program = made.path().join("runner");
    super::link(include_str!("runner.s"), &["--no-warn-rwx-segments"], &program);
    let mut input = Vec::new();
    for case in cases {
        let Registers { general, flags, vectors } = &case.registers;
        let words = general.iter().copied().chain([*flags, case.word.into()]);
        let words = words.chain(vectors.as_flattened().iter().copied());
        let words = words.chain([case.memory.is_some().into()]);
        input.extend(words.flat_map(u64::to_le_bytes));
        input.extend(case.memory.iter().flatten());
    }
    let from = made.path().join("input");
    std::fs::write(&from, input).unwrap();
    let mut command = Command::new("qemu-aarch64");
    command.args(["-cpu", "max"]).arg(&program).stdin(std::fs::File::open(from).unwrap());
    let output = command.output().unwrap_or_else(|error| {
        panic!("{command:?}: {error}: install qemu-user (cargo xtask setup does)")
    });
    assert!(output.status.success(), "{output:?}");
    let mut rest = output.stdout.as_slice();
    let after = cases.iter().map(|case| {
        let general = std::array::from_fn(|_| word(&mut rest));
        let (flags, _) = (word(&mut rest), word(&mut rest));
        let vectors = std::array::from_fn(|_| [word(&mut rest), word(&mut rest)]);
        let memory = case.memory.as_ref().map(|_| {
            let (memory, behind) = rest.split_at(BYTES);
            rest = behind;
            memory.to_vec()
        });
        After { registers: Registers { general, flags, vectors }, memory }
    });
    let after = after.collect();
    assert!(rest.is_empty(), "more than was asked for");
    after
}
