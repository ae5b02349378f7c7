//! Every kernel against the literal standards of `cipherloom-spec`.

extern crate std;
use std::boxed::Box;
use std::vec::Vec;

use super::available::available;
use super::lookups::LookUps;
use super::rc4::StreamKernels;
use super::sliced::Sliced;
use crate::backend::Backend;
use crate::kernels::bitslice::{Keys, MOST_LANES, Operation, Width};
use crate::kernels::cpu::Steady;
use crate::kernels::rc4_state::State;
use crate::kernels::{Direction, Key, Passes, Schedule, Shape};
use cipherloom_spec::BlockCipher;
use cipherloom_spec::des::Des;
use cipherloom_spec::desx::Desx;
use cipherloom_spec::modes::cbc;
use cipherloom_spec::rc4::Rc4;
use cipherloom_spec::tdea::{Tdea, TdeaEee};
use cipherloom_testkit::rng::Rng;

const SHAPES: [Shape; 3] = [Shape::Single, Shape::Ede, Shape::Eee];

/// Below, at and above the lanes of every width, and several groups.
const COUNTS: [usize; 20] =
    [0, 1, 2, 3, 4, 5, 7, 8, 15, 63, 64, 65, 127, 128, 256, 257, 511, 512, 513, 1100];

/// Every bit-sliced kernel that runs here.
fn widths() -> impl Iterator<Item = (Sliced, Width)> {
    let all = available().backends().iter().filter_map(|&backend| Sliced::of(backend));
    all.flat_map(|kernels| [Width::Wide, Width::Narrow].map(|width| (kernels, width)))
}

/// Every kernel that looks up and runs here.
fn look_ups() -> impl Iterator<Item = (Backend, LookUps)> {
    available().backends().iter().filter_map(|&backend| Some((backend, LookUps::of(backend)?)))
}

fn specified(shape: Shape, keys: [u64; 3]) -> Box<dyn BlockCipher> {
    let [a, b, c] = keys.map(u64::to_be_bytes);
    match shape {
        Shape::Single => Box::new(Des::new(a)),
        Shape::Ede => Box::new(Tdea::option1(a, b, c)),
        Shape::Eee => Box::new(TdeaEee::eee3(a, b, c)),
    }
}

fn random_keys(rng: &mut Rng) -> [u64; 3] {
    core::array::from_fn(|_| u64::from_be_bytes(rng.array()))
}

fn random_blocks(rng: &mut Rng, n: usize) -> Vec<[u8; 8]> {
    (0..n).map(|_| rng.array()).collect()
}

#[test]
fn one_key() {
    let mut rng = Rng::new(1);
    for shape in SHAPES {
        for n in COUNTS {
            let passes = Passes { keys: random_keys(&mut rng), shape };
            let spec = specified(shape, passes.keys);
            let schedule = Schedule::new(&passes, None);
            let plain = random_blocks(&mut rng, n);
            let cipher: Vec<_> = plain.iter().map(|b| spec.encrypt(*b)).collect();

            let key = Key { passes: &passes, schedule: &schedule, whitening: None };
            let mut blocks = plain.clone();
            for (backend, kernel) in look_ups() {
                kernel.crypt(&key, Direction::Encrypt, &mut blocks);
                assert_eq!(blocks, cipher, "{backend:?}, {shape:?}, {n} blocks");
                kernel.crypt(&key, Direction::Decrypt, &mut blocks);
                assert_eq!(blocks, plain, "{backend:?} backwards, {shape:?}, {n} blocks");
                for (p, c) in plain.iter().zip(&cipher).take(3) {
                    let (p, c) = (u64::from_be_bytes(*p), u64::from_be_bytes(*c));
                    assert_eq!(kernel.one(&key, Direction::Encrypt, p), c, "{backend:?}");
                    assert_eq!(kernel.one(&key, Direction::Decrypt, c), p, "{backend:?}");
                }
            }
            for (kernels, width) in widths() {
                let run = |operation: Operation<'_>| kernels.run(width, &key, operation);
                run(Operation::Each(Direction::Encrypt, &mut blocks));
                assert_eq!(blocks, cipher, "{kernels:?}, {width:?}, {shape:?}, {n} blocks");
                run(Operation::Each(Direction::Decrypt, &mut blocks));
                assert_eq!(blocks, plain, "{kernels:?}, {width:?}, {shape:?}, {n} back");
            }
        }
    }
}

/// Where a processor has a state in which times do not depend on data, all work in constant time is done in it,
/// and it ends with the work. (Where there is none, work is done as everywhere.)
#[test]
fn work_in_constant_time_is_steady() {
    let steady = |what: &str, work: &mut dyn FnMut()| {
        let before = Steady::begun();
        work();
        let after = Steady::begun();
        assert_eq!(before.is_some(), after.is_some(), "{what}: the state is as it was");
        assert!(before.is_none() || after > before, "{what} does not begin it");
    };
    let passes = Passes { keys: [1, 2, 3], shape: Shape::Ede };
    steady("key set-up", &mut || _ = Schedule::new(&passes, None));
    let schedule = Schedule::new(&passes, None);
    let key = Key { passes: &passes, schedule: &schedule, whitening: None };
    let mut blocks = [[0; 8]; 3];
    for (backend, kernel) in look_ups().filter(|(backend, _)| backend.is_constant_time()) {
        steady(backend.name(), &mut || kernel.crypt(&key, Direction::Encrypt, &mut blocks));
        steady(backend.name(), &mut || kernel.encrypt_chain(&key, &mut 0, &mut blocks));
        steady(backend.name(), &mut || _ = kernel.one(&key, Direction::Decrypt, 0));
    }
    for (kernels, width) in widths() {
        steady("slices", &mut || {
            kernels.run(width, &key, Operation::Each(Direction::Encrypt, &mut blocks));
        });
        let keys = || Keys::Each(Shape::Ede);
        steady("lanes", &mut || kernels.with_lanes(width, keys(), Direction::Encrypt, &mut |_| {}));
    }
    let mut state = State::blank();
    steady("RC4's key set-up", &mut || StreamKernels::Scan.set_up(&mut state, b"key"));
    steady("RC4", &mut || StreamKernels::Scan.apply(&mut state, &mut [0; 3]));
}

#[test]
fn cbc_chain() {
    let mut rng = Rng::new(2);
    for shape in SHAPES {
        for n in [0, 1, 2, 9] {
            let passes = Passes { keys: random_keys(&mut rng), shape };
            let spec = specified(shape, passes.keys);
            let (iv, plain) = (rng.array(), random_blocks(&mut rng, n));
            let mut last = u64::from_be_bytes(iv);
            let expected: Vec<[u8; 8]> = plain
                .iter()
                .map(|b| {
                    let c = spec.encrypt((u64::from_be_bytes(*b) ^ last).to_be_bytes());
                    last = u64::from_be_bytes(c);
                    c
                })
                .collect();
            let schedule = Schedule::new(&passes, None);
            let key = Key { passes: &passes, schedule: &schedule, whitening: None };
            for (backend, kernel) in look_ups() {
                let (mut chain, mut blocks) = (u64::from_be_bytes(iv), plain.clone());
                kernel.encrypt_chain(&key, &mut chain, &mut blocks);
                assert_eq!((chain, &blocks), (last, &expected), "{backend:?}, {shape:?}, {n}");
            }
        }
    }
}

/// DESX: what its whitening is to each kernel, at every place of a call and in a chain.
#[test]
fn whitening() {
    let mut rng = Rng::new(5);
    for n in [1, 2, 3, 5, 8, 9, 65, 600] {
        let [k, before, after] = core::array::from_fn(|_| rng.array::<8>());
        let spec = Desx::new(k, before, after);
        let passes = Passes { keys: [u64::from_be_bytes(k), 0, 0], shape: Shape::Single };
        let whitening = [before, after].map(u64::from_be_bytes);
        let schedule = Schedule::new(&passes, Some(&whitening));
        let key = Key { passes: &passes, schedule: &schedule, whitening: Some(&whitening) };
        let (iv, plain) = (rng.array(), random_blocks(&mut rng, n));
        let cipher: Vec<_> = plain.iter().map(|b| spec.encrypt(*b)).collect();
        let chained = cbc::encrypt(&spec, iv, plain.as_flattened());
        for (backend, kernel) in look_ups() {
            let mut blocks = plain.clone();
            kernel.crypt(&key, Direction::Encrypt, &mut blocks);
            assert_eq!(blocks, cipher, "{backend:?}, {n} blocks");
            kernel.crypt(&key, Direction::Decrypt, &mut blocks);
            assert_eq!(blocks, plain, "{backend:?} backwards, {n} blocks");
            let mut before = u64::from_be_bytes(iv);
            kernel.encrypt_chain(&key, &mut before, &mut blocks);
            assert_eq!(blocks.as_flattened(), chained, "{backend:?}, a chain of {n}");
            assert_eq!(&before.to_be_bytes(), &blocks[n - 1], "{backend:?}: what goes on");
        }
        for (kernels, width) in widths() {
            let mut blocks = plain.clone();
            kernels.run(width, &key, Operation::Each(Direction::Encrypt, &mut blocks));
            assert_eq!(blocks, cipher, "{kernels:?}, {width:?}, {n} blocks");
            kernels.run(width, &key, Operation::Each(Direction::Decrypt, &mut blocks));
            assert_eq!(blocks, plain, "{kernels:?}, {width:?} backwards, {n} blocks");
        }
    }
}

/// Every width with a key for each lane, and with one for all.
#[test]
fn lanes_have_keys() {
    let mut rng = Rng::new(3);
    for shape in SHAPES {
        let all: Vec<_> = (0..MOST_LANES).map(|_| random_keys(&mut rng)).collect();
        let plain = random_blocks(&mut rng, MOST_LANES);
        let one = Passes { keys: all[0], shape };
        let schedule = Schedule::new(&one, None);
        let one = Key { passes: &one, schedule: &schedule, whitening: None };
        let expected = |keys: &[[u64; 3]]| -> Vec<[u8; 8]> {
            let pairs = plain.iter().zip(keys);
            pairs.map(|(block, keys)| specified(shape, *keys).encrypt(*block)).collect()
        };
        let by_own = expected(&all);
        let by_one = expected(&[all[0]; MOST_LANES]);
        let other = random_blocks(&mut rng, MOST_LANES);
        for (kernels, width) in widths() {
            for direction in [Direction::Encrypt, Direction::Decrypt] {
                for (keys, cipher) in [(Keys::Each(shape), &by_own), (Keys::One(one), &by_one)] {
                    kernels.with_lanes(width, keys, direction, &mut |lanes| {
                        let count = lanes.count();
                        assert_eq!(count, kernels.lanes(width));
                        // Twice: keys are replaced.
                        for from in [0, MOST_LANES - count] {
                            let range = from..from + count;
                            let own: [Vec<[u8; 8]>; 3] = core::array::from_fn(|pass| {
                                all[range.clone()].iter().map(|k| k[pass].to_be_bytes()).collect()
                            });
                            lanes.set_keys(own.each_ref().map(|keys| &keys[..]));
                            let (plain, cipher) = (&plain[range.clone()], &cipher[range.clone()]);
                            let (input, output) = match direction {
                                Direction::Encrypt => (plain, cipher),
                                Direction::Decrypt => (cipher, plain),
                            };
                            let mut blocks = input.to_vec();
                            lanes.crypt(&mut blocks);
                            assert_eq!(blocks, output, "{kernels:?}, {width:?}, {direction:?}");
                            let mut mixed = other[range].to_vec();
                            lanes.crypt_xor(input, &mut mixed);
                            for ((mixed, other), output) in
                                mixed.iter().zip(&other[from..]).zip(output)
                            {
                                let sum = u64::from_be_bytes(*other) ^ u64::from_be_bytes(*output);
                                assert_eq!(u64::from_be_bytes(*mixed), sum);
                            }
                        }
                    });
                }
            }
        }
    }
}

#[test]
fn rc4_streams() {
    let mut rng = Rng::new(4);
    // Long enough for i + 1 = j, the repaired stale load, to happen many times.
    for (key, len) in [(1, 70_000), (5, 0), (7, 1), (16, 4097), (255, 300), (256, 300)] {
        let key = rng.bytes(key);
        let data = rng.bytes(len);
        let expected = Rc4::new(&key).crypt(&data);
        let (mut fast, mut scan) = (State::blank(), State::blank());
        StreamKernels::Loop.set_up(&mut fast, &key);
        StreamKernels::Scan.set_up(&mut scan, &key);
        let (mut by_fast, mut by_scan) = (data.clone(), data);
        let cut = len / 3;
        for part in [0..cut, cut..len] {
            StreamKernels::Loop.apply(&mut fast, &mut by_fast[part.clone()]);
            StreamKernels::Scan.apply(&mut scan, &mut by_scan[part]);
        }
        assert_eq!(by_fast, expected, "rc4, key of {} bytes", key.len());
        assert_eq!(by_scan, expected, "rc4_scan, key of {} bytes", key.len());
    }
}
