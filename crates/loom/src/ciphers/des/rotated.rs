//! Halves of 32 bits, rotated left by three: the groups of S2, S4, S6, S8 then lie on bytes, and
//! those of S1, S3, S5, S7 do after a rotation right by four.
//!
//! E is taken by reading some bits twice; two words of subkey stand in the same places.

use super::form::{Form, Halves, p_of_s};
use crate::ir::{Builder, Endian, Table, Type, Value};

/// How far a half is rotated left, so that the top six bits of byte n are a group of E.
const ROTATION: u32 = 3;

/// The output of P after each S-box, rotated as halves are; S8, S6, S4, S2, then S7, S5, S3, S1:
/// the order of the bytes from the lowest, before and after the second rotation.
const ORDER: [usize; 8] = [7, 5, 3, 1, 6, 4, 2, 0];

/// Eight tables of 64 words.
pub(super) fn tables() -> Vec<Table> {
    ORDER
        .iter()
        .map(|&s| Table {
            name: format!("s{}", s + 1),
            doc: format!("P(S{}), rotated left by {ROTATION}", s + 1),
            entry_bytes: 4,
            entries: (0..64).map(|x| u64::from(p_of_s(s, x).rotate_left(ROTATION))).collect(),
        })
        .collect()
}

/// A subkey's 48 bits in two words: for S8, S6, S4, S2, and for S7, S5, S3, S1, the latter in
/// place before the rotation right by four.
pub(super) fn subkey(bits: &[u8; 48]) -> [u32; 2] {
    let mut words = [0u32; 2];
    for (n, &s) in ORDER.iter().enumerate() {
        let group = bits[6 * s..6 * s + 6].iter().fold(0, |sum, &bit| sum << 1 | u32::from(bit));
        words[n / 4] |= group << (8 * (n % 4) + 2);
    }
    [words[0], words[1].rotate_left(4)]
}

/// f of a half: each word of subkey XORed into it, four groups looked up in each.
pub(super) fn f(form: &Form, b: &mut Builder, half: Value, subkey: &[Value]) -> Vec<Value> {
    let even = b.xor(half, subkey[0]);
    let odd = b.xor(half, subkey[1]);
    let odd = b.rotl(odd, 28);
    (0..8)
        .map(|n| {
            let word = if n < 4 { even } else { odd };
            let index = b.field(word, 8 * (n % 4) + 2, 6);
            b.lookup(form.tables[usize::from(n)], index, Type::W32)
        })
        .collect()
}

/// IP by five exchanges of bits between two words (Outerbridge), then the rotation.
pub(super) fn enter(b: &mut Builder, data: Value, offset: i32) -> Halves {
    let l = b.load(data, offset, Type::W32, Endian::Big);
    let r = b.load(data, offset + 4, Type::W32, Endian::Big);
    let (l, r) = exchange(b, l, r, 4, 0x0f0f_0f0f);
    let (l, r) = exchange(b, l, r, 16, 0x0000_ffff);
    let (r, l) = exchange(b, r, l, 2, 0x3333_3333);
    let (r, l) = exchange(b, r, l, 8, 0x00ff_00ff);
    let (l, r) = exchange(b, l, r, 1, 0x5555_5555);
    Halves { l: b.rotl(l, ROTATION as u8), r: b.rotl(r, ROTATION as u8) }
}

/// The inverse of [`enter`].
pub(super) fn leave(b: &mut Builder, halves: Halves, data: Value, offset: i32) {
    let l = b.rotl(halves.l, 32 - ROTATION as u8);
    let r = b.rotl(halves.r, 32 - ROTATION as u8);
    let (l, r) = exchange(b, l, r, 1, 0x5555_5555);
    let (r, l) = exchange(b, r, l, 8, 0x00ff_00ff);
    let (r, l) = exchange(b, r, l, 2, 0x3333_3333);
    let (l, r) = exchange(b, l, r, 16, 0x0000_ffff);
    let (l, r) = exchange(b, l, r, 4, 0x0f0f_0f0f);
    b.store(l, data, offset, Endian::Big);
    b.store(r, data, offset + 4, Endian::Big);
}

/// Exchanges the bits of `a` under `mask << by` with those of `c` under `mask`.
fn exchange(b: &mut Builder, a: Value, c: Value, by: u8, mask: u64) -> (Value, Value) {
    let moved = b.shr(a, by);
    let differ = b.xor(moved, c);
    let swap = b.mask(differ, mask);
    let back = b.shl(swap, by);
    (b.xor(a, back), b.xor(c, swap))
}

/// Checks the claim of the module: where E's groups lie in a rotated half.
#[cfg(test)]
mod tests {
    use super::super::fips;
    use super::*;

    #[test]
    fn groups_lie_on_bytes() {
        for half in (0..32).map(|bit| 1u32 << bit) {
            let rotated = half.rotate_left(ROTATION);
            for (n, &s) in ORDER.iter().enumerate() {
                let word = if n < 4 { rotated } else { rotated.rotate_right(4) };
                let field = word >> (8 * (n % 4) + 2) & 63;
                let group =
                    (0..6).fold(0, |sum, bit| sum << 1 | half >> (32 - fips::E[6 * s + bit]) & 1);
                assert_eq!(field, group, "S{}, bit {half:#x}", s + 1);
            }
        }
    }
}
