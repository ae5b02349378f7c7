//! Eight blocks in 512 bits: a half has a part of eight bytes in each vector.
//!
//! Each S-box takes its six bits from six S-boxes of the round before. So a half has a byte for each S-box, and in it
//! a bit for each S-box that takes one of its bits: 48 uses in 64 places, each of which has a bit of the subkey of its
//! own. All look-ups are in tables of 64 bytes whose entries are such bytes.
//!
//! A round, in four steps that wait for each other:
//!
//! 1. rows and columns of the 8 x 8 bits of a block are exchanged: a byte for each S-box that takes, in it a bit of
//!    each S-box that gives;
//! 2. two of these eight bits are of no use, which two differs from S-box to S-box. One product for all leaves six
//!    ([`fold`]);
//! 3. eight look-ups for all bytes in the table of one S-box each;
//! 4. of each, the eight bytes that this S-box serves are XORed into the other half.
//!
//! The subkey of its next use is in a half already, as in [`expanded`](super::super::expanded).
//!
//! Where each S-box wants something else of its byte, bytes are exchanged so that a part has those of one S-box, for all
//! blocks, and a product with a matrix a part does it: for IP, its inverse, and subkeys.

use super::super::layout::Halves;
use super::{constants, each, entering, leaving, source};
use crate::ir::{Builder, Bytes, Endian, TableId, Type, Value};
use cipherloom_circuits::fips;

const HALF: Type = Type::Vector(512);

/// The bit of a half's byte `from` that S-box `to` takes, and as what of its input bits.
fn taken(from: usize, to: usize) -> Option<(usize, usize)> {
    (0..6).find_map(|input| {
        let (s, output) = source(to, input);
        (s == from).then_some((input, output))
    })
}

/// After rows and columns are exchanged, the bit of a byte that comes from an S-box.
const fn bit_from(s: usize) -> usize {
    7 - s
}

/// What a product makes of each of eight bits, so that the six that an S-box takes make 64 different sums, whichever
/// S-box it is: six bits are kept, and the two others are added to some of them.
///
/// Two different inputs have the same sum if their difference is a word of a code of dimension two, the kernel of the
/// product. Give each bit one of the three words of length two but 00, its column in that code; no word is among an
/// S-box's inputs if the two bits that it does not take have different ones. That is a colouring of eight points with
/// three colours.
fn fold() -> [u8; 8] {
    let unused = |to: usize| {
        let mut none = (0..8).filter(move |&from| taken(from, to).is_none()).map(bit_from);
        (none.next(), none.next())
    };
    let colour = |colours: usize, bit: usize| colours / 3usize.pow(bit as u32) % 3;
    let differ = |colours: usize| {
        (0..8).all(|to| match unused(to) {
            (Some(a), Some(b)) => colour(colours, a) != colour(colours, b),
            _ => true,
        })
    };
    let colours = (0..3usize.pow(8)).find(|&colours| differ(colours)).expect("three colours do");
    // Colours 0 and 1 are the words 01 and 10, colour 2 is their sum.
    let first = |wanted: usize| (0..8).find(|&bit| colour(colours, bit) == wanted).expect("used");
    let dropped = [first(0), first(1)];
    let kept: Vec<usize> = (0..8).filter(|bit| !dropped.contains(bit)).collect();
    let mut made = [0; 8];
    for (n, &bit) in kept.iter().enumerate() {
        made[bit] = 1 << n;
        for (which, &dropped) in dropped.iter().enumerate() {
            if [which, 2].contains(&colour(colours, bit)) {
                made[dropped] |= 1 << n;
            }
        }
    }
    made
}

/// A table of an S-box: for each sum, what a half has in its byte.
fn table(s: usize, fold: [u8; 8]) -> Vec<u8> {
    let mut entries = vec![0; 64];
    for input in 0..64 {
        let of_input =
            |n: usize| if input >> (5 - n) & 1 == 1 { fold[bit_from(source(s, n).0)] } else { 0 };
        let sum = (0..6).map(of_input).fold(0, |sum, bits| sum ^ bits);
        let out = fips::s_box(s, input);
        let bit = |to: usize| taken(s, to).is_some_and(|(_, n)| out >> (3 - n) & 1 == 1);
        entries[usize::from(sum)] = (0..8).fold(0, |byte, to| byte | u8::from(bit(to)) << to);
    }
    entries
}

/// The matrix for a part by what becomes of each bit, as a product wants it: row i makes bit 7 - i.
fn matrix(of_bit: [u8; 8]) -> [u8; 8] {
    std::array::from_fn(|row| {
        (0..8).fold(0, |byte, bit| byte | (of_bit[bit] >> (7 - row) & 1) << bit)
    })
}

/// A bit on its way: which byte of a block it is in (from 8 on, of the second vector), where there, and where it goes in
/// the byte of its part.
#[derive(Clone, Copy)]
struct Move {
    byte: usize,
    from: usize,
    to: usize,
}

/// Bytes that are exchanged so that a part has one of each block, and a matrix for each part.
#[derive(Clone, Copy, Debug)]
struct Product {
    bytes: TableId,
    matrices: TableId,
}

/// The products whose sum brings bits into each part.
fn products(
    b: &mut Builder,
    name: &str,
    doc: &str,
    of: impl Fn(usize) -> Vec<Move>,
) -> Vec<Product> {
    let parts: Vec<Vec<(usize, [u8; 8])>> = (0..8)
        .map(|part| {
            let mut terms: Vec<(usize, [u8; 8])> = Vec::new();
            for Move { byte, from, to } in of(part) {
                let n = terms.iter().position(|term| term.0 == byte).unwrap_or_else(|| {
                    terms.push((byte, [0; 8]));
                    terms.len() - 1
                });
                terms[n].1[from] |= 1 << to;
            }
            terms
        })
        .collect();
    let count = parts.iter().map(Vec::len).max().unwrap_or(0);
    (0..count)
        .map(|n| {
            let term = |part: usize| parts[part].get(n).copied().unwrap_or((0, [0; 8]));
            let of_block = |part: usize, block: usize| {
                let byte = term(part).0;
                64 * (byte / 8) + 8 * block + byte % 8
            };
            let bytes = each(|part, block| of_block(part, block) as u8);
            let matrices = each(|part, row| matrix(term(part).1)[row]);
            let place = ["", "_more"][n];
            Product {
                bytes: constants(
                    b,
                    &format!("{name}_bytes{place}"),
                    &format!("{doc}: which bytes"),
                    bytes,
                ),
                matrices: constants(
                    b,
                    &format!("{name}_bits{place}"),
                    "and what becomes of their bits",
                    matrices,
                ),
            }
        })
        .collect()
}

/// The constants of a kernel; those of every round in registers.
#[derive(Clone, Debug)]
pub(in super::super) struct Packed {
    tables: [Value; 8],
    own: [Value; 8],
    columns: Value,
    fold: Value,
    rows: TableId,
    back: TableId,
    key: Vec<Product>,
    ip: [Vec<Product>; 2],
    out: Vec<Product>,
}

impl Packed {
    pub(in super::super) fn new(b: &mut Builder) -> Self {
        let fold = fold();
        let tables = [0, 1, 2, 3, 4, 5, 6, 7].map(|s| {
            let table =
                constants(b, &format!("s{}", s + 1), &format!("S{}", s + 1), table(s, fold));
            b.constants(table, 0, HALF)
        });
        let own = [0, 1, 2, 3, 4, 5, 6, 7].map(|s| {
            let (name, doc) = (format!("of_s{}", s + 1), format!("the bytes of S{}", s + 1));
            let table = constants(b, &name, &doc, each(|_, n| if n == s { 0xff } else { 0 }));
            b.constants(table, 0, HALF)
        });
        let columns = constants(b, "columns", "rows and columns exchanged", each(|_, n| 1 << n));
        let doc = "six bits of eight, whichever six";
        let fold = constants(b, "fold", doc, each(|_, row| matrix(fold)[row]));
        let doc = "rows and columns exchanged, of what `back` brings";
        let rows = constants(b, "rows", doc, each(|_, n| 0x80 >> n));
        let doc = "from parts back to blocks, the last part first";
        let back = constants(b, "back", doc, each(|block, n| (8 * (7 - n) + block) as u8));
        let key = products(b, "key", "a subkey", |to| {
            (0..6)
                .map(|n| Move { byte: 7 - to, from: 5 - n, to: bit_from(source(to, n).0) })
                .collect()
        });
        let ip = [("ip_l", 0), ("ip_r", 1)].map(|(name, half)| {
            products(b, name, "IP", |to| {
                let bit = |n| {
                    let (s, output) = source(to, n);
                    let (byte, value) = entering(half, s, output);
                    Move { byte: value.trailing_zeros() as usize, from: 7 - byte, to: bit_from(s) }
                };
                (0..6).map(bit).collect()
            })
        });
        let out = products(b, "out", "inverse of IP", |column| {
            let bit = |byte| {
                let (half, s, output) = leaving(byte, 7 - column);
                // One S-box takes it as one of its inner bits: two of them have all that goes into a byte.
                let mut middle = (0..8).filter(|&to| (1..5).any(|n| source(to, n) == (s, output)));
                let to = middle.next().expect("every bit is one of the middle ones of a group");
                Move { byte: 8 * half + to, from: bit_from(s), to: 7 - byte }
            };
            (0..8).map(bit).collect()
        });
        Self {
            tables,
            own,
            columns: b.constants(columns, 0, HALF),
            fold: b.constants(fold, 0, HALF),
            rows,
            back,
            key,
            ip,
            out,
        }
    }

    /// Bits of one vector, or two, brought into parts, and from there back to the blocks, rows and columns exchanged.
    fn gather(&self, b: &mut Builder, products: &[Product], from: &[Value]) -> Value {
        let products: Vec<_> = products
            .iter()
            .map(|product| {
                let index = b.constants(product.bytes, 0, HALF);
                let bytes = match *from {
                    [one, other] => b.pick_two(index, [one, other]),
                    _ => b.bytes(Bytes::Pick, index, from[0]),
                };
                let matrices = b.constants(product.matrices, 0, HALF);
                b.bytes(Bytes::Matrix, bytes, matrices)
            })
            .collect();
        let parts = b.xor_all(&products);
        let back = b.constants(self.back, 0, HALF);
        let blocks = b.bytes(Bytes::Pick, back, parts);
        let rows = b.constants(self.rows, 0, HALF);
        b.bytes(Bytes::Matrix, rows, blocks)
    }

    /// Eight blocks by IP.
    pub(in super::super) fn enter(&self, b: &mut Builder, data: Value, offset: i32) -> Halves {
        let blocks = b.load(data, offset, HALF, Endian::Native);
        let columns = b.bytes(Bytes::Matrix, self.columns, blocks);
        let [l, r] = [0, 1].map(|half| self.gather(b, &self.ip[half], &[columns]));
        Halves { l, r }
    }

    /// Stores eight blocks, by the inverse of IP.
    pub(in super::super) fn leave(
        &self,
        b: &mut Builder,
        halves: Halves,
        data: Value,
        offset: i32,
    ) {
        let [l, r] = [halves.l, halves.r].map(|half| b.bytes(Bytes::Matrix, self.columns, half));
        let blocks = self.gather(b, &self.out, &[l, r]);
        b.store(blocks, data, offset, Endian::Native);
    }

    /// A word of the schedule, as a half has it.
    pub(in super::super) fn subkey(&self, b: &mut Builder, schedule: Value, offset: i32) -> Value {
        let word = b.broadcast(schedule, offset, 8, HALF);
        self.gather(b, &self.key, &[word])
    }

    /// f of a half that has its subkey in it, as a vector for each S-box, whose own bytes count.
    pub(in super::super) fn f(&self, b: &mut Builder, half: Value) -> Vec<Value> {
        let taken = b.bytes(Bytes::Matrix, self.columns, half);
        let index = b.bytes(Bytes::Matrix, taken, self.fold);
        self.tables.iter().map(|&table| b.bytes(Bytes::Pick, index, table)).collect()
    }

    /// A half with f.
    pub(in super::super) fn add(&self, b: &mut Builder, f: &[Value], half: Value) -> Value {
        /// `a & b ^ c`.
        const AND_XOR: u8 = 0x6a;
        f.iter()
            .zip(self.own)
            .fold(half, |sum, (&bytes, own)| b.ternary(AND_XOR, [bytes, own, sum]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_s_box_takes_its_bits_from_six_others() {
        for to in 0..8 {
            let mut from: Vec<usize> = (0..6).map(|n| source(to, n).0).collect();
            from.sort_unstable();
            from.dedup();
            assert_eq!(from.len(), 6, "S{}", to + 1);
        }
    }

    #[test]
    fn the_sums_of_what_an_s_box_takes_are_all_different() {
        let fold = fold();
        for to in 0..8 {
            let sum = |input: usize| {
                (0..6)
                    .filter(|n| input >> n & 1 == 1)
                    .fold(0, |sum, n| sum ^ fold[bit_from(source(to, n).0)])
            };
            let sums: std::collections::BTreeSet<u8> = (0..64).map(sum).collect();
            assert_eq!(sums, (0..64).collect(), "S{}", to + 1);
        }
    }
}
