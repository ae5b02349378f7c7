//! Look-ups inside registers: one block, or a few, without a secret in any address.
//!
//! | file | subject |
//! |---|---|
//! | `wide.rs` | 512 bits: a bit a byte; bytes picked from tables of 128 bytes, products with matrices of bits (AVX-512 VBMI, GFNI) |
//! | `summed.rs` | 512 bits: a bit a byte; bytes picked from tables of 16 bytes, inputs that are sums (AVX-512 VBMI, GFNI) |
//! | `parity.rs` | the way out of either |
//! | `packed.rs` | 512 bits: eight blocks, a byte an S-box; bytes picked from tables of 64 bytes (AVX-512 VBMI, GFNI) |
//! | `short.rs` | 128 bits: six bits of an S-box in two bytes; tables of 64 bytes (AArch64) |
//! | `narrow.rs` | 256 bits: a byte an S-box; bytes picked from tables of 16 bytes, inputs that are sums (AVX2) |
//! | `columns.rs` | what both with sums share: which bit of a byte an S-box's output is, and what it adds |
//!
//! All read the schedule of [`Layout::Bytes`](super::Layout::Bytes), and make of it what they need.

mod columns;
pub(super) mod narrow;
pub(super) mod packed;
mod parity;
pub(super) mod short;
pub(super) mod summed;
pub(super) mod wide;

use cipherloom_circuits::fips;

use crate::ir::{Builder, Table, TableId};

/// Where an input bit of an S-box comes from, by E and P: number `bit` (0 is the leftmost) of
/// S-box `s` (0 is S1) is output bit `.1` of S-box `.0` in the round before.
fn source(s: usize, bit: usize) -> (usize, usize) {
    let of_p = usize::from(fips::P[usize::from(fips::E[6 * s + bit]) - 1]) - 1;
    (of_p / 4, of_p % 4)
}

/// The value of an output bit in the byte of a table that holds two S-boxes, the even one (S1, S3,
/// ...) low.
const fn output(s: usize, bit: usize) -> u8 {
    8 >> bit << (4 * (s % 2))
}

/// Two S-boxes in a byte: `s` low, the next one high.
fn pair(s: usize, input: usize) -> u8 {
    fips::s_box(s, input) | fips::s_box(s + 1, input) << 4
}

/// Which bit of a block IP brings into half `half` (0 is L) as output bit `bit` of S-box `s` after
/// P: a byte, and its value there.
fn entering(half: usize, s: usize, bit: usize) -> (usize, u8) {
    let of_half = fips::P.iter().position(|&n| usize::from(n) == 4 * s + bit + 1);
    let n = usize::from(fips::IP[32 * half + of_half.expect("P has every bit")]) - 1;
    (n / 8, 0x80 >> (n % 8))
}

/// Which bit of the halves IP⁻¹ brings into byte `byte` of a block as bit `bit` (0 is the
/// leftmost): a half (0 is the first), an S-box and its output bit.
fn leaving(byte: usize, bit: usize) -> (usize, usize, usize) {
    let n = 8 * byte + bit + 1;
    let of_ip = fips::IP.iter().position(|&from| usize::from(from) == n).expect("IP has every bit");
    let of_p = usize::from(fips::P[of_ip % 32]) - 1;
    (of_ip / 32, of_p / 4, of_p % 4)
}

/// Bytes of eight parts, by part and place in it.
fn each(f: impl Fn(usize, usize) -> u8) -> Vec<u8> {
    (0..64).map(|n| f(n / 8, n % 8)).collect()
}

/// Adds constants: bytes, of which `doc` says what they are.
fn constants(
    b: &mut Builder,
    name: &str,
    doc: &str,
    bytes: impl IntoIterator<Item = u8>,
) -> TableId {
    let entries = bytes.into_iter().map(u64::from).collect();
    b.table(Table { name: name.to_owned(), doc: doc.to_owned(), entry_bytes: 1, entries })
}
