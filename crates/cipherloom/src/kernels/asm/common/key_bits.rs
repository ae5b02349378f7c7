//! Where the bits of a key are, for all lanes at once: in words of a schedule, and in masks.

use super::of_bits::HALF;
use crate::kernels::fips;

/// Masks of the bits that are used twice.
pub(super) const INNER: usize = 16;
/// Words of a pass: what goes in before it; for each round, what makes the first use of bits their
/// second, and what is added to the half that the round writes. Another word takes out what is left
/// behind the last pass.
pub(super) const WORDS: usize = 1 + 2 * 16;
/// Masks of a pass: of a half before it, and of each round.
pub(super) const MASKS: usize = HALF + 16 * (INNER + HALF);

/// Masks that the rounds of one pass read, and those of three.
pub(super) const ONE_PASS: usize = MASKS - HALF;
pub(super) const THREE_PASSES: usize = 3 * MASKS - HALF;

/// Masks of so many passes and of the half behind the last one.
pub(super) const fn masks(passes: usize) -> usize {
    MASKS * passes + HALF
}

/// The bits of a half, each in its first group, as those of a block's R.
pub(super) fn in_block(word: u64) -> u64 {
    let bits = FIRST_USES.iter().zip(&fips::IP[32..]);
    bits.fold(0, |block, (place, number)| block | (word >> place & 1) << (64 - number))
}

/// Where the bits of a half are in a word: each in the first of the groups that take it.
pub(super) const FIRST_USES: [usize; HALF] = {
    let mut uses = [0; HALF];
    let mut place = 48;
    while place > 0 {
        place -= 1;
        uses[fips::E[place] as usize - 1] = at(place);
    }
    uses
};

/// Where the bits are that are used twice, in the order of their second use: in the group of the
/// first one.
pub(super) const SECOND_USES: [usize; INNER] = {
    let (mut uses, mut count) = ([0; INNER], 0);
    let mut place = 0;
    while place < 48 {
        let first = FIRST_USES[fips::E[place] as usize - 1];
        // The first two of a group, but for S1's, which come again behind all others.
        if first != at(place) {
            uses[count] = at(if place % 6 < 2 { place - 2 } else { place });
            count += 1;
        }
        place += 1;
    }
    uses
};

/// Where a bit of 48 is, each group of six in a byte of its own.
const fn at(place: usize) -> usize {
    8 * (7 - place / 6) + 5 - place % 6
}

/// A half with each bit in its first group.
pub(super) const fn in_groups(half: u32) -> u64 {
    let (mut word, mut k) = (0, 0);
    while k < HALF {
        word |= (half as u64 >> (31 - k) & 1) << FIRST_USES[k];
        k += 1;
    }
    word
}

/// 48 bits, the highest is bit 1, with each group of six in a byte of its own.
pub(super) const fn in_word(bits: u64) -> u64 {
    let (mut word, mut place) = (0, 0);
    while place < 48 {
        word |= (bits >> (47 - place) & 1) << at(place);
        place += 1;
    }
    word
}
