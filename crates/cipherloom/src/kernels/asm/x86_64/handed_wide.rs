//! What wider kernels than 128 lanes are handed is what is proved of them, too: the masks of one key, and the lanes'
//! numbers.
extern crate std;

use super::bitslice::{Avx2x256, Avx512x256, Avx512x512};
use super::handed::{DIRECTIONS, compare, lanes};
use super::key_bits::{ONE_PASS, THREE_PASSES};
use super::merged::{self, Merged, MergedKeys};
use crate::kernels::bitslice::kernel::Broadcast;
use crate::kernels::cpu::processor::{Avx2, Avx512};
use crate::kernels::{Direction, Key, Passes, Schedule, Shape};
use proof::theorems::schedules;

/// What a mask of zeros or ones is a mask of.
fn bit_of(mask: u32) -> bool {
    assert!(mask == 0 || mask == u32::MAX, "{mask:#x}");
    mask != 0
}

/// One key for all lanes, merged into the halves.
fn masks<K: MergedKeys, const N: usize>(kernel: K, shape: Shape, direction: Direction)
where
    Merged<N>: Broadcast<K>,
{
    let made = |passes: &Passes| {
        let schedule = Schedule::new(passes, None);
        let mut merged = <Merged<N> as Broadcast<K>>::none();
        let key = Key { passes, schedule: &schedule, whitening: None };
        merged.set(kernel, &key, direction);
        let masks = merged.enter.get().iter().chain(merged.rounds.get()).chain(merged.leave.get());
        masks.map(|&mask| bit_of(mask)).collect()
    };
    compare(shape, direction, made, |bits, keys| {
        let (first, last) = (schedules::merged(&keys[0]), schedules::merged(&keys[keys.len() - 1]));
        [first, schedules::slice_masks(bits, keys, K::INVERTED), last].concat()
    });
}

fn all_masks<K: MergedKeys>(kernel: K)
where
    merged::One: Broadcast<K>,
    merged::Three: Broadcast<K>,
{
    for direction in DIRECTIONS {
        masks::<_, ONE_PASS>(kernel, Shape::Single, direction);
        masks::<_, THREE_PASSES>(kernel, Shape::Ede, direction);
        masks::<_, THREE_PASSES>(kernel, Shape::Eee, direction);
    }
}

#[test]
fn masks_of_one_key_are_those_of_the_statements() {
    if let Some(avx2) = Avx2::detect() {
        all_masks(Avx2x256(avx2));
    }
    if let Some(avx512) = Avx512::detect() {
        all_masks(Avx512x256(avx512));
        all_masks(Avx512x512(avx512));
    }
}

#[test]
fn numbers_of_lanes_are_those_of_the_statements() {
    lanes::<Avx2x256>();
    lanes::<Avx512x256>();
    lanes::<Avx512x512>();
}
