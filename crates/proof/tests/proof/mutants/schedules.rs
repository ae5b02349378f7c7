//! Schedules, masks and windows of random keys, as the statements have them.

use super::inputs::Words;
use cipherloom_spec::tables::E;
use fastrand::Rng;
use proof::bits::{Bit, Bits};
use proof::theorems::schedules::{
    Inverted, Layout, Order, Subkey, libdes_words, slice_masks, windows,
};

/// The bits of a half that no field of [`Layout::Dense`] has, in the order of their places there.
const SPARE: [u32; 8] = [5, 6, 13, 14, 21, 22, 29, 30];

fn keys(passes: usize, random: &mut Rng) -> Vec<Subkey> {
    let key = |_| std::array::from_fn(|_| Bit::constant(random.bool()));
    (0..16 * passes).map(key).collect()
}

fn known(bits: &[Bit]) -> impl Iterator<Item = bool> {
    bits.iter().map(|bit| bit.known().expect("a constant"))
}

/// Bits as numbers of so many bytes.
fn numbers(bits: &[Bit], bytes: usize) -> impl Iterator<Item = u64> {
    let number = |bits: &[Bit]| known(bits).zip(0..).map(|(bit, at)| u64::from(bit) << at).sum();
    bits.chunks(8 * bytes).map(number)
}

/// A layout by the word of kernels' names.
pub(super) fn layout(word: &str) -> Layout {
    match word {
        "table32" => Layout::Rotated,
        "paired" => Layout::Pairs,
        "paired12" => Layout::Dense,
        _ => Layout::Bytes,
    }
}

/// The schedule of kernels that look up.
pub(super) fn schedule(words: Words, layout: Layout, passes: usize, random: &mut Rng) -> Vec<u8> {
    let schedule = layout.schedule(&mut Bits::default(), &keys(passes, random));
    let bytes = if layout == Layout::Rotated { 4 } else { 8 };
    numbers(&schedule, bytes).flat_map(|number| words.bytes(number, bytes)).collect()
}

/// The schedule of libdes.
pub(super) fn libdes(words: Words, random: &mut Rng) -> Vec<u8> {
    let schedule = libdes_words(&keys(1, random));
    numbers(&schedule, 4).flat_map(|number| words.bytes(number, 4)).collect()
}

/// Halves as they lie between IP and its inverse.
pub(super) struct Halves {
    layout: Layout,
    /// Where each bit of E lies.
    places: [usize; 48],
}

impl Halves {
    pub(super) fn new(layout: Layout) -> Self {
        // The first subkey stands in a schedule as it lies in a half.
        let place = |n: usize| {
            let mut keys = vec![[Bit::ZERO; 48]; 16];
            keys[0][n] = Bit::ONE;
            let schedule = layout.schedule(&mut Bits::default(), &keys);
            known(&schedule).position(|bit| bit).expect("the bit that was set")
        };
        Self { layout, places: std::array::from_fn(place) }
    }

    pub(super) fn random(&self, words: Words, random: &mut Rng) -> Vec<u8> {
        if self.layout == Layout::Rotated {
            return words.bytes(random.u64(..), 8).collect();
        }
        let spare: &[u32] = if self.layout == Layout::Dense { &SPARE } else { &[] };
        let mut halves = Vec::new();
        for half in [random.u32(..), random.u32(..)] {
            let bit = |n: usize| u64::from(half >> (31 - n) & 1);
            let of_e = E.iter().zip(self.places).map(|(&n, place)| bit(n - 1) << place);
            let others = spare.iter().zip((24..32).rev());
            let others = others.map(|(&n, place)| bit(n as usize) << place);
            halves.extend(words.bytes(of_e.chain(others).sum(), 8));
        }
        halves
    }
}

/// The masks of a key for kernels with such words in their names, each of so many bytes.
pub(super) fn masks(name: &[&str], width: usize, passes: usize, random: &mut Rng) -> Vec<u8> {
    let inverted = Inverted::by(name);
    let keys = inverted.keys(&keys(passes, random));
    let masks = slice_masks(&mut Bits::default(), &keys, inverted.outputs);
    known(&masks).flat_map(|mask| std::iter::repeat_n(if mask { 0xff } else { 0 }, width)).collect()
}

/// The windows of each round into slices of keys.
pub(super) fn windows_of(
    words: Words,
    word: usize,
    slice: usize,
    passes: usize,
    random: &mut Rng,
) -> Vec<u8> {
    let is_ede = passes == 3 && random.bool();
    let windows = windows(passes, slice, Order { is_ede, is_backwards: random.bool() });
    windows.into_iter().flat_map(|window| words.bytes(window, word)).collect()
}
