//! One key for all lanes, as differences that are merged into the halves: merged keys.
//!
//! A half that waits has the key bits of its next use in it already; a bit that is used twice, those
//! of its first use. The rounds then XOR differences of subkeys, most of them on the way of an
//! operation that they need anyway. The table kernels' schedule is a list of such differences: here
//! its bits become masks.

use super::key_bits::{ONE_PASS, THREE_PASSES, WORDS, in_block, in_groups, in_word, masks};
use super::masks::Masks;
use super::of_bits::HALF;
use crate::kernels::bitslice::kernel::{Broadcast, Kernel, State};
use crate::kernels::schedule::{BOUNDARY, PASS};
use crate::kernels::{Direction, Key};

/// A kernel whose rounds read masks.
pub(super) trait MergedKeys: Kernel {
    /// A bit of a key for every lane: zeros or ones.
    type Mask;

    /// The bits of f's result that the circuits give inverted, the highest is bit 1; and the bits of
    /// E's that they want inverted, the highest of 48 is bit 1.
    const INVERTED: (u32, u64);

    /// Makes the masks of passes of their words, and those of the half behind them.
    fn expand<const N: usize>(self, words: &[u64], masks: &mut Masks<Self::Mask, N>);

    /// Takes blocks apart, with masks for Y.
    fn enter_with(self, blocks: &[[u8; 8]], y: &[Self::Mask; HALF], state: &mut State<Self>);

    fn des_merged(self, state: &mut State<Self>, masks: &[Self::Mask; ONE_PASS]);

    fn tdes_merged(self, state: &mut State<Self>, masks: &[Self::Mask; THREE_PASSES]);

    /// Puts blocks together, with masks for X.
    fn leave_with(self, state: &mut State<Self>, x: &[Self::Mask; HALF], blocks: &mut [[u8; 8]]);

    /// The same, XORed into blocks.
    fn leave_xor_with(
        self,
        state: &mut State<Self>,
        x: &[Self::Mask; HALF],
        blocks: &mut [[u8; 8]],
    );
}

/// The masks of a key, each all zeros or all ones: of Y on the way in, of the rounds, and of X on the way out.
pub(crate) struct Merged<M, const N: usize> {
    pub(super) masks: Masks<M, N>,
    enters_with: u64,
}

impl<M, const N: usize> Merged<M, N> {
    #[inline(always)]
    fn enter(&self) -> &[M; HALF] {
        self.masks.get().first_chunk().expect("masks of a half")
    }

    #[inline(always)]
    fn rounds<const ROUNDS: usize>(&self) -> &[M; ROUNDS] {
        self.masks.get()[HALF..].first_chunk().expect("masks of all rounds")
    }

    #[inline(always)]
    fn leave(&self) -> &[M; HALF] {
        self.masks.get().last_chunk().expect("masks of a half")
    }
}

/// A DES key.
pub(super) type One<M> = Merged<M, { masks(1) }>;
/// A Triple-DES key.
pub(super) type Three<M> = Merged<M, { masks(3) }>;

macro_rules! kinds {
    ($($name:ident, $passes:literal, $rounds:ident;)*) => {$(
        impl<K: MergedKeys> Broadcast<K> for $name<K::Mask> {
            #[inline(always)]
            fn none() -> Self {
                Self { masks: Masks::none(), enters_with: 0 }
            }

            fn set(&mut self, kernel: K, key: &Key<'_>, direction: Direction) {
                let mut words = [0; $passes * WORDS + 1];
                let inverted = const { (in_groups(K::INVERTED.0), in_word(K::INVERTED.1)) };
                merge(key.schedule.words(), direction, inverted, &mut words);
                kernel.expand(&words, &mut self.masks);
                self.enters_with = words[0];
            }

            #[inline]
            fn enter(&self, kernel: K, blocks: &[[u8; 8]], state: &mut State<K>) {
                kernel.enter_with(blocks, self.enter(), state);
            }

            fn enters_with(&self) -> u64 {
                in_block(self.enters_with)
            }

            #[inline]
            fn rounds(&self, kernel: K, state: &mut State<K>) {
                kernel.$rounds(state, self.rounds());
            }

            #[inline]
            fn leave(&self, kernel: K, state: &mut State<K>, blocks: &mut [[u8; 8]]) {
                kernel.leave_with(state, self.leave(), blocks);
            }

            #[inline]
            fn leave_xor(&self, kernel: K, state: &mut State<K>, blocks: &mut [[u8; 8]]) {
                kernel.leave_xor_with(state, self.leave(), blocks);
            }
        }
    )*};
}

kinds! {
    One, 1, des_merged;
    Three, 3, tdes_merged;
}

/// The words of a schedule, in order of application. DESX's whitening, the same in both uses of a
/// bit, is only in what goes in first and out last. So is what inverts inputs, and in second uses: to the rounds
/// it is a part of every subkey, and differences have none of it.
fn merge(schedule: &[u64], direction: Direction, (outputs, inputs): (u64, u64), words: &mut [u64]) {
    let passes = schedule.len() / PASS;
    let back = direction == Direction::Decrypt;
    let boundary = |i: usize| {
        let at = PASS * if back { passes - i } else { i };
        let inputs = if i == 0 || i == passes { inputs } else { 0 };
        (schedule[at] ^ inputs, schedule[at + 1] ^ inputs)
    };
    // The last two subkeys before.
    let mut subkeys = [0; 2];
    for (i, words) in words.as_chunks_mut::<WORDS>().0.iter_mut().enumerate() {
        let pass = if back { passes - 1 - i } else { i };
        let own = &schedule[PASS * pass + BOUNDARY..][..PASS - BOUNDARY];
        let difference = |n: usize| own[if back { own.len() - 1 - n } else { n }];
        let ((near, far), (_, behind)) = (boundary(i), boundary(i + 1));
        subkeys = [near ^ subkeys[1], far ^ subkeys[0]];
        words[0] = near;
        for (round, words) in words[1..].as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let subkey = &mut subkeys[round % 2];
            // The last two bits of a group of six are the first two of the next one.
            words[0] = *subkey ^ subkey.rotate_left(8) >> 4;
            words[1] = outputs
                ^ match round {
                    0 if i == 0 => far,
                    0 => 0,
                    15 => behind,
                    _ => difference(round - 1),
                };
            if round < own.len() {
                *subkey ^= difference(round);
            }
        }
    }
    if let Some(last) = words.last_mut() {
        *last = boundary(passes).0;
    }
}
