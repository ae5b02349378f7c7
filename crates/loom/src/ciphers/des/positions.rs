//! Where the groups of E lie in an expanded half.

use cipherloom_circuits::fips;

use super::layout::Layout;

/// Where bit `bit` (from 0) of E's 48 lies.
pub(super) fn position(layout: Layout, bit: usize) -> usize {
    let (group, within) = (bit / 6, 5 - bit % 6);
    match layout {
        Layout::Bytes | Layout::Spaced => 8 * (7 - group) + within,
        Layout::Dense => field(group) + within,
        _ => 16 * (3 - group / 2) + 6 * (1 - group % 2) + within,
    }
}

/// E.
pub(super) fn expand(layout: Layout, half: u32) -> u64 {
    let spare = if layout == Layout::Dense { spare(half) } else { 0 };
    (0..48).fold(spare, |expanded, bit| {
        expanded | u64::from(half >> (32 - fips::E[bit]) & 1) << position(layout, bit)
    })
}

// The layout `Dense`.

/// Where the fields begin.
pub(super) const FIELDS: [u8; 4] = [0, 12, 32, 44];

/// The two groups of each field, counted from 0, the one in the higher bits first.
pub(super) const PAIRS: [(usize, usize); 4] = [(4, 6), (0, 2), (5, 7), (1, 3)];

/// The bits of a half that no group of the low word has, counted from 0, the first one highest; they
/// lie above the fields.
const SPARE: [usize; 8] = [5, 6, 13, 14, 21, 22, 29, 30];

/// The lowest bit of the spare ones.
const SPARE_AT: usize = 24;

/// Where the six bits of a group begin.
///
/// # Panics
/// If there is no such group.
fn field(group: usize) -> usize {
    let place = |n: usize| match PAIRS[n] {
        (high, _) if high == group => Some(6),
        (_, low) if low == group => Some(0),
        _ => None,
    };
    let found = (0..4).find_map(|n| Some(usize::from(FIELDS[n]) + place(n)?));
    found.expect("a group from 0 to 7")
}

/// Where the spare bit number `n` lies.
fn spare_at(n: usize) -> usize {
    SPARE_AT + 7 - n
}

/// The spare bits of a half in their places.
fn spare(half: u32) -> u64 {
    let bit = |(n, bit): (usize, usize)| u64::from(half >> (31 - bit) & 1) << spare_at(n);
    SPARE.into_iter().enumerate().map(bit).sum()
}
