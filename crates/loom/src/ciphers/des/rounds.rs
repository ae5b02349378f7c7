//! Sixteen rounds, once or three times, over blocks woven into one stream of instructions.

use super::Direction;
use super::form::{Form, Halves, Layout};
use super::schedule::{Passes, words};
use crate::ir::{Builder, Endian, Value};

/// A walk along a schedule.
struct Subkeys {
    schedule: Value,
    layout: Layout,
    direction: Direction,
    words: usize,
    next: usize,
}

impl Subkeys {
    /// The next word of the walk, as one word or two halves.
    fn take(&mut self, b: &mut Builder) -> Vec<Value> {
        let at = match self.direction {
            Direction::Encrypt => self.next,
            Direction::Decrypt => self.words - 1 - self.next,
        };
        self.next += 1;
        let (count, ty) = self.layout.subkey();
        let bytes = self.layout.subkey_bytes() / count as i32;
        (0..count as i32)
            .map(|n| b.load(self.schedule, 8 * at as i32 + n * bytes, ty, Endian::Native))
            .collect()
    }

    /// A joint's two words: always the half used next to it first.
    fn joint(&mut self, b: &mut Builder) -> [Value; 2] {
        let (first, second) = (self.take(b)[0], self.take(b)[0]);
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
    let mut subkeys = Subkeys {
        schedule,
        layout: form.layout,
        direction,
        words: words(form.layout, passes),
        next: 0,
    };
    match form.layout {
        Layout::Rotated => plain(b, form, blocks, &mut subkeys, passes),
        Layout::Bytes | Layout::Pairs => folded(b, form, blocks, &mut subkeys, passes),
    }
}

/// The subkey is XORed into a copy of the half.
fn plain(
    b: &mut Builder,
    form: &Form,
    blocks: &[Halves],
    subkeys: &mut Subkeys,
    passes: Passes,
) -> Vec<Halves> {
    let mut blocks = blocks.to_vec();
    for pass in 0..passes.count() {
        for round in 0..16 {
            remark(b, pass, round, passes);
            let subkey = subkeys.take(b);
            for halves in &mut blocks {
                let mut sum = form.f(b, halves.r, &subkey);
                sum.push(halves.l);
                *halves = Halves { l: halves.r, r: b.xor_all(&sum) };
            }
        }
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
    subkeys: &mut Subkeys,
    passes: Passes,
) -> Vec<Halves> {
    let mut blocks = blocks.to_vec();
    join(b, &mut blocks, subkeys);
    for pass in 0..passes.count() {
        for round in 0..16 {
            remark(b, pass, round, passes);
            let difference = (round < 14).then(|| subkeys.take(b)[0]);
            for halves in &mut blocks {
                let mut sum = form.f(b, halves.r, &[]);
                sum.push(halves.l);
                let used = difference.map_or(halves.r, |word| b.xor(halves.r, word));
                *halves = Halves { l: used, r: b.xor_all(&sum) };
            }
        }
        exchange(&mut blocks);
        join(b, &mut blocks, subkeys);
    }
    blocks
}

/// Between passes each half takes the difference from the subkey in it to the one it needs.
fn join(b: &mut Builder, blocks: &mut [Halves], subkeys: &mut Subkeys) {
    let [inner, outer] = subkeys.joint(b);
    for halves in blocks {
        *halves = Halves { l: b.xor(halves.l, outer), r: b.xor(halves.r, inner) };
    }
}

fn exchange(blocks: &mut [Halves]) {
    for halves in blocks {
        *halves = Halves { l: halves.r, r: halves.l };
    }
}

fn remark(b: &mut Builder, pass: usize, round: usize, passes: Passes) {
    b.remark(match passes {
        Passes::One => format!("round {}", round + 1),
        Passes::Three => format!("pass {}, round {}", pass + 1, round + 1),
    });
}
