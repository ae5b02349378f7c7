//! RC4's kernels: keys set up, streams applied and made.

use cipherloom_testkit::rfc6229::{self, Vector};
use loom::ciphers::Strategy;
use loom::ciphers::rc4::{Config, Task};

use super::machine::{Argument, Machine, here};

/// Groups of eight bytes: to behind the last place of which the RFC says something.
const GROUPS: usize = 4112 / 8;

/// A key over and over, as set-up wants it.
fn repeated(key: &[u8]) -> Vec<u8> {
    key.iter().copied().cycle().take(256).collect()
}

/// States of some keys, by a kernel that sets up so many at once.
fn states(setup: &Machine, variant: Config, keys: &[&Vector]) -> Vec<u8> {
    let mut states = vec![0xee; variant.entry.state_bytes() as usize * keys.len()];
    let mut keys: Vec<u8> = keys.iter().flat_map(|vector| repeated(&vector.key)).collect();
    setup.call([Argument::Memory(&mut states), Argument::Memory(&mut keys)], 1);
    states
}

/// The stream of each key of a group, by a kernel that makes so many at once.
fn streams(machine: &Machine, task: Task, mut states: Vec<u8>, n: usize) -> Vec<Vec<u8>> {
    let mut data = match task {
        // XORed into zeros.
        Task::Apply => vec![0; 8 * GROUPS],
        _ => vec![0xa5; 8 * GROUPS * n],
    };
    // In two calls: the state goes on where it was.
    let (first, rest) = data.split_at_mut(8 * 100 * n);
    for part in [first, rest] {
        let mut bytes = part.to_vec();
        let count = bytes.len() / (8 * n);
        let arguments =
            [Argument::Memory(&mut states), Argument::Memory(&mut bytes), Argument::Word(count)];
        machine.call(arguments, 1);
        part.copy_from_slice(&bytes);
    }
    let stream = |n_th: usize| {
        data.chunks_exact(8 * n).flat_map(|group| group[8 * n_th..][..8].to_vec()).collect()
    };
    (0..n).map(stream).collect()
}

#[test]
fn streams_are_the_published_ones() {
    let vectors = rfc6229::read();
    let machines = here(|variant| matches!(variant.strategy, Strategy::Rc4(_)));
    let of = |machine: &Machine| match machine.variant.strategy {
        Strategy::Rc4(variant) => variant,
        other => panic!("{other:?} is wanted by nobody"),
    };
    let mut compared = 0;
    let mut setups = std::collections::BTreeSet::new();
    for machine in &machines {
        let variant = of(machine);
        let n = match variant.task {
            Task::Apply => 1,
            Task::Keystreams(n) => usize::from(n),
            Task::Setup(_) => continue,
        };
        let setup = machines
            .iter()
            .find(|other| of(other) == Config { task: Task::Setup(n as u8), ..variant })
            .expect("a set-up for as many");
        setups.insert(setup.variant.to_string());
        for first in 0..vectors.len() {
            let keys: Vec<_> = (0..n).map(|m| &vectors[(first + m) % vectors.len()]).collect();
            let states = states(setup, variant, &keys);
            for (stream, vector) in streams(machine, variant.task, states, n).iter().zip(keys) {
                for &(at, bytes) in &vector.keystream {
                    let place = format!("{}, {:02x?} at {at}", machine.variant, vector.key);
                    assert_eq!(stream[at..at + 16], bytes, "{place}");
                    compared += 1;
                }
            }
        }
    }
    println!("{} kernels, {compared} places", machines.len());
    assert_eq!((machines.len(), setups.len()), (18, 8));
}
