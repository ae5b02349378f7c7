//! Sixteen rounds, once or three times, over blocks woven into one stream of instructions.

use super::Direction;
use super::form::{Form, Halves, Layout};
use super::schedule::{Passes, words};
use crate::ir::{Builder, Endian, Type, Value};

/// A walk along a schedule: forwards to encrypt, backwards to decrypt.
#[derive(Clone, Copy)]
struct Walk {
    layout: Layout,
    direction: Direction,
    /// Where the walk stands; backwards, behind the word to be taken next.
    at: Value,
}

impl Walk {
    fn new(b: &mut Builder, form: &Form, schedule: Value, passes: Passes, to: Direction) -> Self {
        let at = match to {
            Direction::Encrypt => schedule,
            Direction::Decrypt => b.advance(schedule, 8 * words(form.layout, passes) as i32),
        };
        Self { layout: form.layout, direction: to, at }
    }

    /// The word `n` steps ahead, as one word or two halves.
    fn ahead(&self, b: &mut Builder, n: usize) -> Vec<Value> {
        let n = n as i32;
        let offset = match self.direction {
            Direction::Encrypt => 8 * n,
            Direction::Decrypt => -8 * (n + 1),
        };
        let (count, ty) = self.layout.subkey();
        let bytes = self.layout.subkey_bytes() / count as i32;
        (0..count as i32).map(|n| b.load(self.at, offset + n * bytes, ty, Endian::Native)).collect()
    }

    /// So many steps on.
    fn step(self, b: &mut Builder, n: usize) -> Self {
        let bytes = 8 * n as i32;
        let at = match self.direction {
            Direction::Encrypt => b.advance(self.at, bytes),
            Direction::Decrypt => b.advance(self.at, -bytes),
        };
        Self { at, ..self }
    }

    /// A joint's two words, ahead: always the half used next to it first.
    fn joint(&self, b: &mut Builder) -> [Value; 2] {
        let (first, second) = (self.ahead(b, 0)[0], self.ahead(b, 1)[0]);
        match self.direction {
            Direction::Encrypt => [first, second],
            Direction::Decrypt => [second, first],
        }
    }
}

/// All passes over all blocks; takes and returns halves between IP and IP⁻¹, the last exchange of
/// halves left out, as FIPS 46-3's preoutput wants it.
pub(super) fn crypt(
    b: &mut Builder,
    form: &Form,
    blocks: &[Halves],
    schedule: Value,
    passes: Passes,
    direction: Direction,
) -> Vec<Halves> {
    let walk = Walk::new(b, form, schedule, passes, direction);
    match form.layout {
        Layout::Rotated => plain(b, form, blocks, walk, passes),
        Layout::Bytes | Layout::Pairs => folded(b, form, blocks, walk, passes),
    }
}

/// The subkey is XORed into a copy of the half.
fn plain(
    b: &mut Builder,
    form: &Form,
    blocks: &[Halves],
    walk: Walk,
    passes: Passes,
) -> Vec<Halves> {
    let (mut blocks, mut walk) = (blocks.to_vec(), walk);
    for pass in 0..passes.count() {
        remark(b, pass, passes);
        (blocks, walk) = twice(b, &blocks, walk, 8, |b, n, blocks, walk| {
            let subkey = walk.ahead(b, n);
            for halves in blocks {
                let mut sum = form.f(b, halves.r, &subkey);
                sum.push(halves.l);
                *halves = Halves { l: halves.r, r: b.xor_all(&sum) };
            }
        });
        exchange(&mut blocks);
    }
    blocks
}

/// The halves have their subkeys in them; a round adds a difference to the half it has read, which
/// is used again two rounds later.
fn folded(
    b: &mut Builder,
    form: &Form,
    blocks: &[Halves],
    walk: Walk,
    passes: Passes,
) -> Vec<Halves> {
    let mut blocks = blocks.to_vec();
    join(b, &mut blocks, &walk);
    let mut walk = walk.step(b, 2);
    for pass in 0..passes.count() {
        remark(b, pass, passes);
        (blocks, walk) = twice(b, &blocks, walk, 7, |b, n, blocks, walk| {
            let difference = walk.ahead(b, n)[0];
            for halves in blocks {
                let mut sum = form.f(b, halves.r, &[]);
                sum.push(halves.l);
                *halves = Halves { l: b.xor(halves.r, difference), r: b.xor_all(&sum) };
            }
        });
        for round in ["round 15", "round 16"] {
            b.remark(round);
            for halves in &mut blocks {
                let mut sum = form.f(b, halves.r, &[]);
                sum.push(halves.l);
                *halves = Halves { l: halves.r, r: b.xor_all(&sum) };
            }
        }
        exchange(&mut blocks);
        join(b, &mut blocks, &walk);
        walk = walk.step(b, 2);
    }
    blocks
}

/// Two rounds, so many times: after two of them the halves are back in their places. A repetition
/// rather than a straight line keeps the whole kernel in the smallest caches of decoded
/// instructions.
fn twice(
    b: &mut Builder,
    blocks: &[Halves],
    walk: Walk,
    times: u64,
    round: impl Fn(&mut Builder, usize, &mut [Halves], &Walk),
) -> (Vec<Halves>, Walk) {
    let count = b.constant(Type::W64, times);
    let first: Vec<_> =
        blocks.iter().flat_map(|block| [block.l, block.r]).chain([walk.at]).collect();
    let pairs = |values: &[Value]| -> Vec<Halves> {
        values.chunks_exact(2).map(|pair| Halves { l: pair[0], r: pair[1] }).collect()
    };
    let after = b.repeat(count, &first, |b, carried| {
        let mut blocks = pairs(carried);
        let walk = Walk { at: carried[carried.len() - 1], ..walk };
        for (n, which) in ["odd round", "even round"].into_iter().enumerate() {
            b.remark(which);
            round(b, n, &mut blocks, &walk);
        }
        let walk = walk.step(b, 2);
        blocks.iter().flat_map(|block| [block.l, block.r]).chain([walk.at]).collect()
    });
    (pairs(&after), Walk { at: after[after.len() - 1], ..walk })
}

/// Between passes each half takes the difference from the subkey in it to the one it needs.
fn join(b: &mut Builder, blocks: &mut [Halves], walk: &Walk) {
    let [inner, outer] = walk.joint(b);
    for halves in blocks {
        *halves = Halves { l: b.xor(halves.l, outer), r: b.xor(halves.r, inner) };
    }
}

fn exchange(blocks: &mut [Halves]) {
    for halves in blocks {
        *halves = Halves { l: halves.r, r: halves.l };
    }
}

fn remark(b: &mut Builder, pass: usize, passes: Passes) {
    b.remark(match passes {
        Passes::One => "rounds 1 to 16".to_owned(),
        Passes::Three => format!("pass {}", pass + 1),
    });
}
