//! What kernels with one key merged into the halves are handed is what is proved of them.
extern crate std;
use std::vec::Vec;

use super::handed::{DIRECTIONS, bits_of, compare};
use super::key_bits;
use super::merged::{self, Merged, MergedKeys};
use crate::kernels::bitslice::kernel::Broadcast;
use crate::kernels::{Direction, Key, Passes, Schedule, Shape};
use proof::theorems::schedules::{self, Inverted};

/// What masks of zeros or ones are masks of.
fn of_masks<'m, M: Words + 'm>(masks: impl Iterator<Item = &'m M>) -> Vec<bool> {
    let bit = |mask: &M| {
        let bits = bits_of(mask.words());
        assert!(bits.iter().all(|bit| *bit == bits[0]), "neither zeros nor ones");
        bits[0]
    };
    masks.map(bit).collect()
}

/// A mask in memory.
pub(super) trait Words {
    type Word: Copy + Into<u64>;

    fn words(&self) -> &[Self::Word];
}

impl Words for u32 {
    type Word = Self;

    fn words(&self) -> &[Self] {
        core::slice::from_ref(self)
    }
}

impl Words for super::vectors::Vector128 {
    type Word = u64;

    fn words(&self) -> &[u64] {
        &self.0
    }
}

/// One key for all lanes, merged into the halves, as circuits for a feature want it.
fn masks<K: MergedKeys<Mask: Words>, const N: usize>(
    kernel: K,
    feature: &str,
    shape: Shape,
    direction: Direction,
) where
    Merged<K::Mask, N>: Broadcast<K>,
{
    let made = |passes: &Passes| {
        let schedule = Schedule::new(passes, None);
        let mut merged = <Merged<K::Mask, N> as Broadcast<K>>::none();
        let key = Key { passes, schedule: &schedule, whitening: None };
        merged.set(kernel, &key, direction);
        of_masks(merged.masks.get().iter())
    };
    compare(shape, direction, made, |bits, keys| {
        let inverted = Inverted::by(&[feature]);
        let keys = inverted.keys(keys);
        let (first, last) = (schedules::merged(&keys[0]), schedules::merged(&keys[keys.len() - 1]));
        [first, schedules::slice_masks(bits, &keys, inverted.outputs), last].concat()
    });
}

pub(super) fn all_masks<K: MergedKeys<Mask: Words>>(kernel: K, feature: &str)
where
    merged::One<K::Mask>: Broadcast<K>,
    merged::Three<K::Mask>: Broadcast<K>,
{
    for direction in DIRECTIONS {
        masks::<_, { key_bits::masks(1) }>(kernel, feature, Shape::Single, direction);
        masks::<_, { key_bits::masks(3) }>(kernel, feature, Shape::Ede, direction);
        masks::<_, { key_bits::masks(3) }>(kernel, feature, Shape::Eee, direction);
    }
}
