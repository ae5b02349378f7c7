//! Every kernel against the literal standards of `cipherloom-spec`.

use super::{Direction, Passes, Shape, bitslice, rc4, rc4_scan, table};
use cipherloom_spec::BlockCipher;
use cipherloom_spec::des::Des;
use cipherloom_spec::rc4::Rc4;
use cipherloom_spec::tdea::{Tdea, TdeaEee};
use cipherloom_testkit::rng::Rng;
use std::boxed::Box;
use std::vec::Vec;

const SHAPES: [Shape; 3] = [Shape::Single, Shape::Ede, Shape::Eee];

/// Below, at and above the lanes of both forms, and several pieces.
const COUNTS: [usize; 12] = [0, 1, 2, 3, 63, 64, 65, 127, 128, 256, 257, 600];

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
            let schedule = table::Schedule::new(&passes, [0; 2]);
            let plain = random_blocks(&mut rng, n);
            let cipher: Vec<_> = plain.iter().map(|b| spec.encrypt(*b)).collect();

            let mut blocks = plain.clone();
            schedule.encrypt_blocks(&mut blocks);
            assert_eq!(blocks, cipher, "table, {shape:?}, {n} blocks");
            schedule.decrypt_blocks(&mut blocks);
            assert_eq!(blocks, plain, "table backwards, {shape:?}, {n} blocks");

            bitslice::crypt_blocks(&passes, Direction::Encrypt, &mut blocks);
            assert_eq!(blocks, cipher, "bitslice, {shape:?}, {n} blocks");
            bitslice::crypt_blocks(&passes, Direction::Decrypt, &mut blocks);
            assert_eq!(blocks, plain, "bitslice backwards, {shape:?}, {n} blocks");

            for (p, c) in plain.iter().zip(&cipher).take(3) {
                let (p, c) = (u64::from_be_bytes(*p), u64::from_be_bytes(*c));
                assert_eq!(schedule.encrypt(p), c);
                assert_eq!(schedule.decrypt(c), p);
            }
        }
    }
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
            let (mut chain, mut blocks) = (u64::from_be_bytes(iv), plain.clone());
            table::Schedule::new(&passes, [0; 2]).cbc_encrypt(&mut chain, &mut blocks);
            assert_eq!((chain, blocks), (last, expected), "{shape:?}, {n} blocks");
        }
    }
}

#[test]
fn a_key_for_each_lane() {
    let mut rng = Rng::new(3);
    for shape in SHAPES {
        for n in COUNTS.into_iter().filter(|n| *n <= bitslice::LANES) {
            let keys: Vec<_> = (0..n).map(|_| random_keys(&mut rng)).collect();
            let plain = random_blocks(&mut rng, n);
            let cipher: Vec<_> = plain
                .iter()
                .zip(&keys)
                .map(|(b, k)| u64::from_be_bytes(specified(shape, *k).encrypt(*b)))
                .collect();
            let plain: Vec<_> = plain.into_iter().map(u64::from_be_bytes).collect();
            let lanes = bitslice::LaneKeys::new(shape, &keys);
            let mut blocks = plain.clone();
            lanes.crypt(Direction::Encrypt, &mut blocks);
            assert_eq!(blocks, cipher, "{shape:?}, {n} lanes");
            lanes.crypt(Direction::Decrypt, &mut blocks);
            assert_eq!(blocks, plain, "backwards, {shape:?}, {n} lanes");
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
        let (mut fast, mut scan) = (rc4::State::new(&key), rc4_scan::State::new(&key));
        let (mut by_fast, mut by_scan) = (data.clone(), data);
        let cut = len / 3;
        for part in [0..cut, cut..len] {
            fast.apply(&mut by_fast[part.clone()]);
            scan.apply(&mut by_scan[part]);
        }
        assert_eq!(by_fast, expected, "rc4, key of {} bytes", key.len());
        assert_eq!(by_scan, expected, "rc4_scan, key of {} bytes", key.len());
    }
}
