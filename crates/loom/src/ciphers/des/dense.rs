//! Halves E-expanded to 64 bits in four fields of 12 bits, for processors that cut out any field with
//! one instruction and have room for tables; IP with E, and IP⁻¹, by look-ups as well.
//!
//! Neighbouring groups of E share two bits, every other group none: with S1, S3, S5 and S7 in the low
//! word, 24 different bits of the half lie there, and the other eight find room beside them. So the
//! low word is the half, in another order, and IP⁻¹ needs three look-ups for each half.

use super::expanded::tables as rounds;
use super::layout::{Halves, Layout};
use super::positions::expand;
use crate::ir::{Builder, Endian, Table, TableId, Type, Value};

/// Where a block's bit for bit `n` (from 0) of L lies, counted from the lowest bit of the block read
/// with its first byte highest: IP's table begins 58, 50, 42. That for R lies one higher.
const fn place(n: usize) -> usize {
    8 * (n % 8) + 6 - 2 * (n / 8)
}

/// 32 bits in three indices: where each begins, and how many bits it has.
const THIRDS: [(u8, u8); 3] = [(0, 11), (11, 11), (22, 10)];

/// Which bit of a block is bit `m` of what [`enter`] sorts out for L.
const fn sorted(m: usize) -> usize {
    if m.is_multiple_of(2) { m } else { m + 31 }
}

/// The tables of the rounds, those of IP and those of its inverse.
pub(super) fn tables() -> Vec<Table> {
    let thirds = |name: &str, doc: &str, of: &dyn Fn(usize) -> u64| -> Vec<Table> {
        let third = |(n, (shift, bits)): (usize, (u8, u8))| {
            let bits_of: Vec<u64> = (shift..shift + bits).map(|at| of(usize::from(at))).collect();
            // An entry is that without its lowest bit, and what this bit becomes.
            let mut entries = vec![0; 1 << bits];
            for x in 1..entries.len() {
                entries[x] = entries[x & (x - 1)] ^ bits_of[x.trailing_zeros() as usize];
            }
            Table {
                name: format!("{name}{n}"),
                doc: format!("{doc}, {bits} bits from bit {shift} on"),
                entry_bytes: 8,
                entries,
            }
        };
        THIRDS.into_iter().enumerate().map(third).collect()
    };
    // What each bit becomes: under IP and E, and under the inverse of IP.
    let enter = |m: usize| {
        let n = (0..32).find(|&n| place(n) == sorted(m)).expect("half of a block's bits go to L");
        expand(Layout::Dense, 1 << (31 - n))
    };
    let leave = |m: usize| {
        let has = |n: usize| expand(Layout::Dense, 1 << (31 - n)) >> m & 1 == 1;
        1 << place((0..32).find(|&n| has(n)).expect("the low word has all bits"))
    };
    let mut tables = rounds(Layout::Dense);
    tables.extend(thirds("ip", "IP and E of the bits of a half", &enter));
    tables.extend(thirds("inv", "inverse of IP of a half's low word", &leave));
    tables
}

/// The XOR of three look-ups by 32 bits of a word, from bit `at` on.
fn look_up(tables: &[TableId], b: &mut Builder, first: usize, of: Value, at: u8) -> Value {
    let third = |(n, (shift, bits)): (usize, (u8, u8))| {
        let index = b.field(of, at + shift, bits);
        b.lookup(tables[first + n], index, Type::W64)
    };
    let thirds: Vec<_> = THIRDS.into_iter().enumerate().map(third).collect();
    b.xor_all(&thirds)
}

/// IP and E. Even bits of a block go to L, odd ones to R: the block and the block with its halves
/// exchanged, a bit further on, trade every other bit, until one has all bits of L, in its bits 31 to
/// 62, and the other all of R, in its bits 32 to 63.
pub(super) fn enter(tables: &[TableId], b: &mut Builder, data: Value, offset: i32) -> Halves {
    let block = b.load(data, offset, Type::W64, Endian::Big);
    let crossed = b.rotl(block, 31);
    let differ = b.xor(block, crossed);
    let trade = b.mask(differ, 0xaaaa_aaaa_aaaa_aaaa);
    let (l, r) = (b.xor(block, trade), b.xor(crossed, trade));
    Halves { l: look_up(tables, b, IP, l, 31), r: look_up(tables, b, IP, r, 32) }
}

/// IP⁻¹: R's bits lie one higher than L's.
pub(super) fn leave(tables: &[TableId], b: &mut Builder, halves: Halves, data: Value, offset: i32) {
    let (l, r) =
        (look_up(tables, b, INVERSE, halves.l, 0), look_up(tables, b, INVERSE, halves.r, 0));
    let r = b.shl(r, 1);
    let block = b.add(l, r);
    b.store(block, data, offset, Endian::Big);
}

/// The first table of IP, and of its inverse.
const IP: usize = 4;
const INVERSE: usize = 7;

/// Checks the claim of the module: the low word is the half.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_low_word_has_every_bit_once() {
        for bit in (0..32).map(|n| 1u32 << n) {
            assert_eq!((expand(Layout::Dense, bit) as u32).count_ones(), 1, "{bit:#x}");
        }
    }
}
