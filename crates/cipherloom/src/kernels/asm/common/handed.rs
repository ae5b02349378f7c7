//! What the library hands to its kernels is what is proved of them: schedules, masks, windows, counters.
//!
//! Schedules and masks are affine functions of keys over GF(2): the code that makes them moves bits by shifts,
//! rotations, shuffles and AND with constants, and adds them by XOR; where it adds numbers or ORs them, they have
//! no bit in common. Two affine functions are equal if they are for zero and for each unit vector. (That they
//! are affine is also tried on random pairs.) The rest has so few cases that all are tried.
extern crate std;

use super::bitslice::Narrow;
use super::of_bits::OfBits;
use super::rc4_layout::repeat;
use super::vectors::Vector128;
use crate::kernels::bitslice::kernel::{Broadcast, Kernel, Vector};
use crate::kernels::bitslice::rotating::{Rotating, windows};
use crate::kernels::cpu::processor::Baseline;
use crate::kernels::{Direction, Key, Passes, Schedule, Shape};
use cipherloom_spec::des::{ks, pc1};
use proof::bits::{Bit, Bits};
use proof::theorems::schedules::{self, Order, Subkey};
use std::vec::Vec;

const SHAPES: [Shape; 3] = [Shape::Single, Shape::Ede, Shape::Eee];
pub(super) const DIRECTIONS: [Direction; 2] = [Direction::Encrypt, Direction::Decrypt];

/// Bits of words, the lowest first, as they lie in memory.
pub(super) fn bits_of<T: Copy + Into<u64>>(words: &[T]) -> Vec<bool> {
    let width = 8 * size_of::<T>();
    words.iter().flat_map(|&word| (0..width).map(move |bit| word.into() >> bit & 1 == 1)).collect()
}

/// The subkeys of all passes by the specification, in the order of application.
fn subkeys(passes: &Passes, direction: Direction) -> Vec<Subkey> {
    let mut all: Vec<Subkey> = Vec::new();
    for pass in 0..passes.shape.passes() {
        let mut own = ks(passes.keys[pass].to_be_bytes()).map(|key| key.map(Bit::constant));
        if passes.shape == Shape::Ede && pass == 1 {
            own.reverse();
        }
        all.extend(own);
    }
    if direction == Direction::Decrypt {
        all.reverse();
    }
    all
}

/// Compares what the library makes of keys with what a statement says of their subkeys: for no key bit set,
/// for each alone, and whether the library's is affine for random keys.
pub(super) fn compare(
    shape: Shape,
    direction: Direction,
    made: impl Fn(&Passes) -> Vec<bool>,
    stated: impl Fn(&mut Bits, &[Subkey]) -> Vec<Bit>,
) {
    let passes = |keys| Passes { keys, shape };
    let units = (0..64 * shape.passes()).map(|bit| {
        let mut keys = [0; 3];
        keys[bit / 64] = 1 << (bit % 64);
        keys
    });
    for keys in core::iter::once([0; 3]).chain(units) {
        let stated = stated(&mut Bits::default(), &subkeys(&passes(keys), direction));
        let stated: Vec<bool> = stated.iter().map(|bit| bit.known().unwrap()).collect();
        assert!(made(&passes(keys)) == stated, "{shape:?}, {direction:?}, {keys:x?}");
    }
    let mut number = 1u64;
    let mut random = || {
        number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e);
        number ^ number >> 32
    };
    let zero = made(&passes([0; 3]));
    for _ in 0..200 {
        let (x, y) = ([(); 3].map(|()| random()), [(); 3].map(|()| random()));
        let sum = made(&passes(core::array::from_fn(|n| x[n] ^ y[n])));
        let (x, y) = (made(&passes(x)), made(&passes(y)));
        let adds = (0..sum.len()).all(|n| sum[n] == (x[n] ^ y[n] ^ zero[n]));
        assert!(adds, "{shape:?}, {direction:?}: not affine");
    }
}

#[test]
fn schedules_are_those_of_the_statements() {
    for shape in SHAPES {
        let made = |passes: &Passes| bits_of(Schedule::new(passes, None).words());
        compare(shape, Direction::Encrypt, made, schedules::table_words);
    }
}

/// Slices of one key, C0 C0 D0 D0, in all lanes.
fn slices<const SLICES: usize, const ROUNDS: usize>(shape: Shape)
where
    Rotating<Vector128, SLICES, ROUNDS>: Broadcast<Narrow>,
{
    let baseline = Baseline::detect().expect("a feature of every processor");
    for number in 0..=64 * shape.passes() {
        let mut keys = [0; 3];
        if let Some(bit) = number.checked_sub(1) {
            keys[bit / 64] = 1u64 << (bit % 64);
        }
        let passes = Passes { keys, shape };
        let schedule = Schedule::new(&passes, None);
        let key = Key { passes: &passes, schedule: &schedule, whitening: None };
        let mut made = <Rotating<Vector128, SLICES, ROUNDS> as Broadcast<Narrow>>::none();
        made.set(Narrow(baseline), &key, Direction::Encrypt);
        for (slice, made) in made.slices.iter().enumerate() {
            let cd = pc1(&cipherloom_spec::bits::of_block(keys[slice / 112].to_be_bytes()));
            let slice = slice % 112;
            let wanted = u64::from(cd[slice / 56 * 28 + slice % 28]).wrapping_neg();
            assert_eq!(made.0, [wanted; 2], "{shape:?}, slice {slice} of {keys:x?}");
        }
    }
}

#[test]
fn slices_of_one_key_are_those_of_the_statements() {
    slices::<112, 16>(Shape::Single);
    slices::<336, 48>(Shape::Ede);
    slices::<336, 48>(Shape::Eee);
}

#[test]
fn windows_are_those_of_the_statements() {
    for (direction, slice) in DIRECTIONS.iter().flat_map(|d| [16, 32, 64].map(|slice| (*d, slice)))
    {
        let is_backwards = direction == Direction::Decrypt;
        let stated =
            |passes, is_ede| schedules::windows(passes, slice, Order { is_ede, is_backwards });
        let single: [u64; 16] = windows(Shape::Single, direction, slice);
        assert_eq!(single[..], stated(1, false));
        let ede: [u64; 48] = windows(Shape::Ede, direction, slice);
        assert_eq!(ede[..], stated(3, true));
        let eee: [u64; 48] = windows(Shape::Eee, direction, slice);
        assert_eq!(eee[..], stated(3, false));
    }
}

/// The lanes' numbers are in the slices where the statements have the lanes.
pub(super) fn lanes<K: Kernel>() {
    let low = K::low();
    assert_eq!(low.len(), K::LANES.ilog2() as usize);
    for (bit, slice) in low.iter().enumerate() {
        for block in 0..K::LANES {
            let lane = schedules::lane(K::LANES, block);
            let got = slice.words()[lane / 64] >> (lane % 64) & 1;
            assert_eq!(got, (block >> bit & 1) as u64, "bit {bit} of block {block}");
        }
    }
}

#[test]
fn numbers_of_lanes_and_masks_of_numbers_are_those_of_the_statements() {
    lanes::<Narrow>();
    // What is high of a counter, from its highest bit on.
    for number in core::iter::once(0).chain((0..64).map(|bit| 1u64 << bit)) {
        let wanted = |n: usize| (number >> (63 - n) & 1).wrapping_neg();
        assert_eq!(u32::of_bits(number), core::array::from_fn(|n| wanted(n) as u32));
        assert_eq!(Vector128::of_bits(number), core::array::from_fn(|n| Vector128([wanted(n); 2])));
    }
}

/// RC4's kernels take the key as 256 bytes: it only copies, so that one key with different bytes decides.
#[test]
fn keys_of_every_length_are_repeated() {
    let key: Vec<u8> = (0..=255).collect();
    for len in 1..=256 {
        let mut repeated = [0; 256];
        repeat(&key[..len], &mut repeated);
        assert!(repeated.iter().enumerate().all(|(n, &byte)| byte == key[n % len]), "{len}");
    }
}
