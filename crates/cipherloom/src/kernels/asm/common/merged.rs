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
    // The last two bits of a group of six are the first two of the next one.
    let inner = |subkey: u64| subkey ^ subkey.rotate_left(8) >> 4;
    // The subkeys of the last two rounds.
    let [mut even, mut odd] = [0; 2];
    for (i, words) in words.as_chunks_mut::<WORDS>().0.iter_mut().enumerate() {
        let pass = if back { passes - 1 - i } else { i };
        let ((near, far), (_, behind)) = (boundary(i), boundary(i + 1));
        // What each round adds to the half that it writes.
        let mut adds = [0; 16];
        let differences = &mut adds[1..15];
        differences.copy_from_slice(&schedule[PASS * pass + BOUNDARY..][..PASS - BOUNDARY]);
        if back {
            differences.reverse();
        }
        (adds[0], adds[15]) = (if i == 0 { far } else { 0 }, behind);
        (even, odd) = (near ^ odd, far ^ even);
        words[0] = near;
        for (n, words) in words[1..].as_chunks_mut::<4>().0.iter_mut().enumerate() {
            if n > 0 {
                even ^= adds[2 * n - 1];
                odd ^= adds[2 * n];
            }
            *words = [inner(even), outputs ^ adds[2 * n], inner(odd), outputs ^ adds[2 * n + 1]];
        }
    }
    if let Some(last) = words.last_mut() {
        *last = boundary(passes).0;
    }
}
