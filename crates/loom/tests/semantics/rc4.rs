//! Every RC4 strategy, as the interpreter runs it, against the specification.

use cipherloom_spec::rc4::Rc4;
use loom::ciphers::Strategy;
use loom::ciphers::rc4::{Config, Task, registers};
use loom::ir::{Memory, Scalar, interpret, verify};

/// Ways to make keystream, and how many steps ahead entries are loaded.
fn ways() -> impl Iterator<Item = (Config, usize)> {
    let ways = Config::all().into_iter().filter(|config| config.task == Task::Apply);
    ways.flat_map(|way| (1..=3).map(move |ahead| (way, ahead)))
}

/// Keys of several lengths, repeated to 256 bytes each, and the keys themselves.
fn keys(count: u8) -> (Vec<u8>, Vec<Vec<u8>>) {
    let keys: Vec<Vec<u8>> = (0..count)
        .map(|n| (0..5 + 7 * n).map(|byte| byte.wrapping_mul(29) ^ n.wrapping_mul(83)).collect())
        .collect();
    let repeated = keys.iter().flat_map(|key| key.iter().copied().cycle().take(256)).collect();
    (repeated, keys)
}

/// States made by the set-up kernel.
fn states(way: Config, ahead: usize, count: u8) -> (Memory, Vec<Vec<u8>>) {
    let kernel = Config { task: Task::Setup(count), inserts: false, ..way }.kernel(ahead);
    assert_eq!(verify(&kernel), Ok(()), "{}", kernel.name);
    let (repeated, keys) = keys(count);
    let size = way.entry.state_bytes() as usize * usize::from(count);
    let mut memory = vec![Memory { bytes: vec![0xee; size] }, Memory { bytes: repeated }];
    interpret(&kernel, &[Scalar::Region(0), Scalar::Region(1)], &mut memory).unwrap();
    (memory.swap_remove(0), keys)
}

#[test]
fn every_kernel_is_found_by_its_name() {
    for variant in Config::all() {
        let found = Strategy::by_name(&variant.name());
        assert_eq!(found, Some(Strategy::Rc4(variant)), "{}", variant.name());
    }
    for variant in registers::Config::all() {
        let found = Strategy::by_name(&variant.name());
        assert_eq!(found, Some(Strategy::Rc4Registers(variant)), "{}", variant.name());
    }
}

#[test]
fn setup_is_the_specification_s() {
    for (way, ahead) in ways() {
        for count in 1..=4 {
            let (memory, keys) = states(way, ahead, count);
            let size = way.entry.state_bytes() as usize;
            for (state, key) in memory.bytes.chunks(size).zip(keys) {
                let s: Vec<u8> =
                    state[..size - 8].iter().copied().step_by(way.entry.bytes().into()).collect();
                assert_eq!(s, cipherloom_spec::rc4::ksa(&key), "{way:?}, {count} states");
                assert_eq!(state[size - 8..], [0; 8], "i and j");
            }
        }
    }
}

#[test]
fn one_stream_is_the_specification_s() {
    for (way, ahead) in ways() {
        let kernel = way.kernel(ahead);
        assert_eq!(verify(&kernel), Ok(()), "{}", kernel.name);
        let (state, keys) = states(way, ahead, 1);
        let mut spec = Rc4::new(&keys[0]);
        let mut memory = vec![state, Memory { bytes: Vec::new() }];
        // Several calls go on with one stream; 2,000 bytes meet the stale load several times.
        for groups in [0usize, 1, 3, 250] {
            let data: Vec<u8> = (0..8 * groups).map(|n| n as u8).collect();
            memory[1].bytes = data.clone();
            let arguments = [Scalar::Region(0), Scalar::Region(1), Scalar::Word(groups as u64)];
            interpret(&kernel, &arguments, &mut memory).unwrap();
            assert_eq!(memory[1].bytes, spec.crypt(&data), "{way:?}, {groups} groups");
        }
    }
}

#[test]
fn interleaved_streams_are_the_specification_s() {
    for (way, ahead) in ways() {
        for count in 1..=4u8 {
            let kernel = Config { task: Task::Keystreams(count), ..way }.kernel(ahead);
            assert_eq!(verify(&kernel), Ok(()), "{}", kernel.name);
            let (state, keys) = states(way, ahead, count);
            let groups = 100;
            let out = vec![0; 8 * groups * usize::from(count)];
            let mut memory = vec![state, Memory { bytes: out }];
            let arguments = [Scalar::Region(0), Scalar::Region(1), Scalar::Word(groups as u64)];
            interpret(&kernel, &arguments, &mut memory).unwrap();
            for (n, key) in keys.iter().enumerate() {
                let stream: Vec<u8> = memory[1]
                    .bytes
                    .chunks(8 * usize::from(count))
                    .flat_map(|group| group[8 * n..8 * n + 8].to_vec())
                    .collect();
                assert_eq!(stream, Rc4::new(key).keystream(8 * groups), "{way:?} x{count}, {n}");
            }
        }
    }
}

/// A state in registers of so many bits, made by the set-up kernel, and its key.
fn state_of_registers(bits: u16, n: u8) -> (Memory, Vec<u8>) {
    let kernel = registers::Config { bits, task: registers::Task::Setup }.kernel();
    assert_eq!(verify(&kernel), Ok(()), "{}", kernel.name);
    let (repeated, keys) = keys(n + 1);
    let state = vec![0xee; registers::STATE as usize];
    let key = repeated[256 * usize::from(n)..].to_vec();
    let mut memory = vec![Memory { bytes: state }, Memory { bytes: key }];
    interpret(&kernel, &[Scalar::Region(0), Scalar::Region(1)], &mut memory).unwrap();
    (memory.swap_remove(0), keys[usize::from(n)].clone())
}

#[test]
fn setup_in_registers_is_the_specification_s() {
    for bits in [512, 256] {
        for n in 0..8 {
            let (state, key) = state_of_registers(bits, n);
            let (s, places) = state.bytes.split_at(256);
            assert_eq!(s, cipherloom_spec::rc4::ksa(&key), "{bits} bits, {key:02x?}");
            assert_eq!(places, [0; 16], "j and i");
        }
    }
}

#[test]
fn a_stream_in_registers_is_the_specification_s() {
    for bits in [512, 256] {
        let kernel = registers::Config { bits, task: registers::Task::Apply }.kernel();
        assert_eq!(verify(&kernel), Ok(()), "{}", kernel.name);
        for n in 0..4 {
            let (state, key) = state_of_registers(bits, n);
            let mut spec = Rc4::new(&key);
            let mut memory = vec![state, Memory { bytes: Vec::new() }];
            // In 2,000 bytes j is i, and i + 1, several times.
            for groups in [0usize, 1, 3, 250] {
                let data: Vec<u8> = (0..8 * groups).map(|n| n as u8).collect();
                memory[1].bytes = data.clone();
                let arguments = [Scalar::Region(0), Scalar::Region(1), Scalar::Word(groups as u64)];
                interpret(&kernel, &arguments, &mut memory).unwrap();
                assert_eq!(memory[1].bytes, spec.crypt(&data), "{bits} bits, {groups} groups");
            }
        }
    }
}
