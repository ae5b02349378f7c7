//! Halves of 32 bits, rotated left by three: the groups of every other S-box then lie on bytes, and
//! those of the others do after a rotation right by four.
//!
//! E is taken by reading some bits twice; two words of subkey stand in the same places. Halves and
//! groups have their first bit highest, as FIPS 46-3 writes numbers, or lowest, as libdes has them:
//! then the bytes belong to S1, S3, S5, S7, and the others, from the lowest on.

use super::exchange::{EXCHANGES, EXCHANGES_REVERSED, Words};
use super::layout::{Halves, Layout, p_of_s};
use crate::ir::{Builder, Endian, Table, TableId, Type, Value};

/// How far a half is rotated left, so that the top six bits of byte n are a group of E.
const ROTATION: u32 = 3;

/// The S-boxes of the bytes from the lowest, before and after the second rotation; 0 is S1.
fn order(layout: Layout) -> [usize; 8] {
    if layout.is_reversed() { [0, 2, 4, 6, 1, 3, 5, 7] } else { [7, 5, 3, 1, 6, 4, 2, 0] }
}

/// Six bits with the first one highest, of a field as it lies in a word; and back.
fn group(layout: Layout, field: u32) -> u32 {
    if layout.is_reversed() { field.reverse_bits() >> 26 } else { field }
}

/// A half as it lies in a word.
fn half(layout: Layout, half: u32) -> u32 {
    let half = if layout.is_reversed() { half.reverse_bits() } else { half };
    half.rotate_left(ROTATION)
}

/// How far the index of a table lies from the lowest bit of its byte.
fn shift(layout: Layout) -> u8 {
    if layout == Layout::ReversedWide { 0 } else { 2 }
}

/// Eight tables of 64 or 256 words: the output of P after each S-box, as halves are.
pub(super) fn tables(layout: Layout) -> Vec<Table> {
    let reversed = if layout.is_reversed() { ", its first bit lowest" } else { "" };
    let entry =
        |s: usize, field: u32| u64::from(half(layout, p_of_s(s, group(layout, field) as usize)));
    let spare = 2 - shift(layout);
    let table = |s: usize| Table {
        name: format!("s{}", s + 1),
        doc: format!("P(S{}){reversed}, rotated left by {ROTATION}", s + 1),
        entry_bytes: 4,
        entries: (0..64 << spare).map(|index| entry(s, index >> spare)).collect(),
    };
    order(layout).into_iter().map(table).collect()
}

/// A subkey's 48 bits in two words: for the S-boxes before the rotation right by four, and for those
/// after it, the latter in place before it.
pub(super) fn subkey(layout: Layout, bits: &[u8; 48]) -> [u32; 2] {
    let mut words = [0u32; 2];
    for (n, s) in order(layout).into_iter().enumerate() {
        let bits = bits[6 * s..6 * s + 6].iter().fold(0, |sum, &bit| sum << 1 | u32::from(bit));
        words[n / 4] |= group(layout, bits) << (8 * (n % 4) + 2);
    }
    [words[0], words[1].rotate_left(4)]
}

/// f of a half: each word of subkey XORed into it, four groups looked up in each.
pub(super) fn f(
    layout: Layout,
    tables: &[TableId],
    b: &mut Builder,
    half: Value,
    subkey: &[Value],
) -> Vec<Value> {
    let even = b.xor(half, subkey[0]);
    let odd = b.xor(half, subkey[1]);
    let odd = b.rotl(odd, 28);
    let shift = shift(layout);
    (0..8)
        .map(|n| {
            let word = if n < 4 { even } else { odd };
            let index = b.field(word, 8 * (n % 4) + shift, 8 - shift);
            b.lookup(tables[usize::from(n)], index, Type::W32)
        })
        .collect()
}

/// IP by five exchanges of bits between two words (Outerbridge), then the rotation.
pub(super) fn enter(layout: Layout, b: &mut Builder, data: Value, offset: i32) -> Halves {
    let endian = endian(layout);
    let [first, second] = [0, 4].map(|more| b.load(data, offset + more, Type::W32, endian));
    if layout.is_reversed() {
        // The same exchanges where bytes, and then bits, come in the other order.
        let (l, r) =
            EXCHANGES_REVERSED.iter().fold((second, first), |(l, r), step| step.by_shifts(b, l, r));
        return rotated(b, Halves { l, r });
    }
    let words = Words { l: first, r: second, turned: [0; 2] };
    words.exchange(b, &EXCHANGES, 32 - ROTATION)
}

/// The inverse of [`enter`].
pub(super) fn leave(layout: Layout, b: &mut Builder, halves: Halves, data: Value, offset: i32) {
    let [first, second] = if layout.is_reversed() {
        let Halves { l, r } = straight(b, halves);
        let (l, r) =
            EXCHANGES_REVERSED.iter().rev().fold((l, r), |(l, r), step| step.by_shifts(b, l, r));
        [r, l]
    } else {
        let words = Words { l: halves.l, r: halves.r, turned: [32 - ROTATION; 2] };
        let steps: Vec<_> = EXCHANGES.iter().rev().copied().collect();
        let Halves { l, r } = words.exchange(b, &steps, 0);
        [l, r]
    };
    let endian = endian(layout);
    b.store(first, data, offset, endian);
    b.store(second, data, offset + 4, endian);
}
/// Halves as rounds take them.
pub(super) fn rotated(b: &mut Builder, halves: Halves) -> Halves {
    Halves { l: b.rotl(halves.l, ROTATION as u8), r: b.rotl(halves.r, ROTATION as u8) }
}

/// The inverse of [`rotated`].
pub(super) fn straight(b: &mut Builder, halves: Halves) -> Halves {
    let back = 32 - ROTATION as u8;
    Halves { l: b.rotl(halves.l, back), r: b.rotl(halves.r, back) }
}

/// Of the two words of a block. libdes' are made of bytes already.
fn endian(layout: Layout) -> Endian {
    if layout.is_reversed() { Endian::Native } else { Endian::Big }
}

/// Checks the claim of the module: where E's groups lie in a rotated half.
#[cfg(test)]
mod tests {
    use cipherloom_circuits::fips;

    use super::*;

    #[test]
    fn groups_lie_on_bytes() {
        for layout in [Layout::Rotated, Layout::Reversed] {
            for bits in (0..32).map(|bit| 1u32 << bit) {
                let rotated = half(layout, bits);
                for (n, s) in order(layout).into_iter().enumerate() {
                    let word = if n < 4 { rotated } else { rotated.rotate_right(4) };
                    let field = group(layout, word >> (8 * (n % 4) + 2) & 63);
                    let expected = (0..6)
                        .fold(0, |sum, bit| sum << 1 | bits >> (32 - fips::E[6 * s + bit]) & 1);
                    assert_eq!(field, expected, "{layout:?}, S{}, bit {bits:#x}", s + 1);
                }
            }
        }
    }
}
