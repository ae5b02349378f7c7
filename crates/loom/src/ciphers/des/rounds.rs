//! Sixteen rounds, once or three times, over blocks interleaved into one stream of instructions.

use super::Direction;
use super::layout::{Halves, Layout};
use super::layout_ops::LayoutOps;
use super::schedule::{Passes, words};
use crate::ir::{Builder, Op, Type, Value};

/// What the two rounds of a loop are called.
pub(in crate::ciphers) const ODD_ROUND: &str = "odd round";
pub(in crate::ciphers) const EVEN_ROUND: &str = "even round";

/// A cursor along a schedule: forwards to encrypt, backwards to decrypt.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    ops: &'a LayoutOps,
    direction: Direction,
    /// Where the cursor stands; backwards, behind the word to be taken next.
    at: Value,
}

impl<'a> Cursor<'a> {
    fn new(
        b: &mut Builder,
        ops: &'a LayoutOps,
        schedule: Value,
        passes: Passes,
        to: Direction,
    ) -> Self {
        let at = match to {
            Direction::Encrypt => schedule,
            Direction::Decrypt => b.advance(schedule, 8 * words(ops.layout, passes) as i32),
        };
        Self { ops, direction: to, at }
    }

    /// The word `n` steps ahead, as one word or two halves.
    fn ahead(&self, b: &mut Builder, n: usize) -> Vec<Value> {
        let n = n as i32;
        let offset = match self.direction {
            Direction::Encrypt => 8 * n,
            Direction::Decrypt => -8 * (n + 1),
        };
        self.ops.subkey(b, self.at, offset)
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

    /// A pass boundary's two words, ahead: always the half used next to it first.
    fn boundary(&self, b: &mut Builder) -> [Value; 2] {
        let (first, second) = (self.ahead(b, 0)[0], self.ahead(b, 1)[0]);
        match self.direction {
            Direction::Encrypt => [first, second],
            Direction::Decrypt => [second, first],
        }
    }
}

/// What goes from round to round.
#[derive(Clone)]
struct State {
    blocks: Vec<Halves>,
    /// The subkeys of the next two rounds, for layouts whose halves have none in them.
    subkeys: Vec<Value>,
}

/// All passes over all blocks; takes and returns halves between IP and IP⁻¹, the last exchange of
/// halves left out, as FIPS 46-3's preoutput wants it.
pub(super) fn crypt(
    b: &mut Builder,
    ops: &LayoutOps,
    blocks: &[Halves],
    schedule: Value,
    passes: Passes,
    direction: Direction,
) -> Vec<Halves> {
    let cursor = Cursor::new(b, ops, schedule, passes, direction);
    let state = State { blocks: blocks.to_vec(), subkeys: Vec::new() };
    let state = match ops.layout {
        Layout::Rotated | Layout::Reversed | Layout::ReversedWide => {
            plain(b, ops, state, cursor, passes)
        }
        Layout::Bytes
        | Layout::Spaced
        | Layout::Pairs
        | Layout::Dense
        | Layout::Registers512
        | Layout::Summed512
        | Layout::Packed512
        | Layout::Registers128 => merged(b, ops, state, cursor, passes),
        Layout::Registers256 => running(b, ops, state, cursor, passes),
    };
    state.blocks
}

/// One pass over a block in a direction that is known when the kernel runs: backwards if a word is
/// zero. Of two loops one is done. For layouts whose subkey is XORed into a copy of the half.
pub(super) fn either(
    b: &mut Builder,
    ops: &LayoutOps,
    block: Halves,
    schedule: Value,
    encrypt: Value,
) -> Halves {
    let [none, all] = [0, 8].map(|times| b.constant(Type::W32, times));
    let (a, otherwise) = (encrypt, none);
    let op = Op::SelectEq { a, b: none, then: all, otherwise, rare: false };
    let backwards = b.op(Type::W32, op);
    let forwards = b.xor(backwards, all);
    let mut state = State { blocks: vec![block], subkeys: Vec::new() };
    for (count, to, name) in [
        (forwards, Direction::Encrypt, "rounds 1 to 16, to encrypt"),
        (backwards, Direction::Decrypt, "rounds 1 to 16, to decrypt"),
    ] {
        b.comment(name);
        let cursor = Cursor::new(b, ops, schedule, Passes::One, to);
        (state, _) = twice(b, &state, cursor, count, |b, n, state, cursor| {
            let subkey = cursor.ahead(b, n);
            round(b, ops, state, &subkey, None);
        });
    }
    exchange(&mut state);
    state.blocks[0]
}

/// The subkey is XORed into a copy of the half.
fn plain(
    b: &mut Builder,
    ops: &LayoutOps,
    state: State,
    cursor: Cursor<'_>,
    passes: Passes,
) -> State {
    let (mut state, mut cursor) = (state, cursor);
    for pass in 0..passes.count() {
        comment(b, pass, passes);
        let count = b.constant(Type::W64, 8);
        (state, cursor) = twice(b, &state, cursor, count, |b, n, state, cursor| {
            let subkey = cursor.ahead(b, n);
            round(b, ops, state, &subkey, None);
        });
        exchange(&mut state);
    }
    state
}

/// Merged keys: the halves have their subkeys in them; a round adds a difference to the half it has read, which
/// is used again two rounds later.
fn merged(
    b: &mut Builder,
    ops: &LayoutOps,
    state: State,
    cursor: Cursor<'_>,
    passes: Passes,
) -> State {
    let mut state = state;
    join(b, &mut state, &cursor);
    let mut cursor = cursor.step(b, 2);
    for pass in 0..passes.count() {
        comment(b, pass, passes);
        let count = b.constant(Type::W64, 7);
        (state, cursor) = twice(b, &state, cursor, count, |b, n, state, cursor| {
            let difference = cursor.ahead(b, n)[0];
            round(b, ops, state, &[], Some(difference));
        });
        for name in ["round 15", "round 16"] {
            b.comment(name);
            round(b, ops, &mut state, &[], None);
        }
        exchange(&mut state);
        join(b, &mut state, &cursor);
        cursor = cursor.step(b, 2);
    }
    state
}

/// The halves have no subkeys in them; the same differences lead from each subkey to the one two
/// rounds later.
fn running(
    b: &mut Builder,
    ops: &LayoutOps,
    state: State,
    cursor: Cursor<'_>,
    passes: Passes,
) -> State {
    let mut state = State { subkeys: cursor.boundary(b).into(), ..state };
    let mut cursor = cursor.step(b, 2);
    for pass in 0..passes.count() {
        comment(b, pass, passes);
        let count = b.constant(Type::W64, 7);
        (state, cursor) = twice(b, &state, cursor, count, |b, n, state, cursor| {
            let subkey = state.subkeys[n];
            let difference = cursor.ahead(b, n)[0];
            round(b, ops, state, &[subkey], None);
            state.subkeys[n] = b.xor(subkey, difference);
        });
        for (n, name) in ["round 15", "round 16"].into_iter().enumerate() {
            b.comment(name);
            let subkey = state.subkeys[n];
            round(b, ops, &mut state, &[subkey], None);
        }
        exchange(&mut state);
        if pass + 1 < passes.count() {
            let [inner, outer] = cursor.boundary(b);
            let [before, last] = [state.subkeys[0], state.subkeys[1]];
            state.subkeys = vec![b.xor(last, inner), b.xor(before, outer)];
            cursor = cursor.step(b, 2);
        }
    }
    state
}

/// A round of every block; the half that was read may get a difference for its next use.
fn round(
    b: &mut Builder,
    ops: &LayoutOps,
    state: &mut State,
    subkey: &[Value],
    difference: Option<Value>,
) {
    let subkey = ops.ready(b, subkey);
    for halves in &mut state.blocks {
        let f = ops.f(b, halves.r, &subkey);
        let read = difference.map_or(halves.r, |by| ops.add_subkey(b, by, halves.r));
        *halves = Halves { l: read, r: ops.add(b, f, halves.l) };
    }
}

/// Two rounds, so many times: after two of them the halves are back in their places. A loop
/// rather than a straight line keeps the whole kernel in the smallest caches of decoded
/// instructions.
fn twice<'a>(
    b: &mut Builder,
    state: &State,
    cursor: Cursor<'a>,
    count: Value,
    round: impl Fn(&mut Builder, usize, &mut State, &Cursor<'_>),
) -> (State, Cursor<'a>) {
    let blocks = state.blocks.len();
    let values = |state: &State, at: Value| -> Vec<Value> {
        let halves = state.blocks.iter().flat_map(|block| [block.l, block.r]);
        halves.chain(state.subkeys.iter().copied()).chain([at]).collect()
    };
    let again = |values: &[Value]| -> (State, Cursor<'a>) {
        let (halves, rest) = values.split_at(2 * blocks);
        let (at, subkeys) = rest.split_last().expect("the place in the schedule is carried");
        let blocks = halves.chunks_exact(2).map(|pair| Halves { l: pair[0], r: pair[1] }).collect();
        (State { blocks, subkeys: subkeys.to_vec() }, Cursor { at: *at, ..cursor })
    };
    let after = b.repeat(count, &values(state, cursor.at), |b, carried| {
        let (mut state, cursor) = again(carried);
        for (n, which) in [ODD_ROUND, EVEN_ROUND].into_iter().enumerate() {
            b.comment(which);
            round(b, n, &mut state, &cursor);
        }
        let cursor = cursor.step(b, 2);
        values(&state, cursor.at)
    });
    again(&after)
}

/// Between passes each half takes the difference from the subkey in it to the one it needs.
fn join(b: &mut Builder, state: &mut State, cursor: &Cursor<'_>) {
    let [inner, outer] = cursor.boundary(b);
    let ops = cursor.ops;
    for halves in &mut state.blocks {
        let l = ops.add_subkey(b, outer, halves.l);
        *halves = Halves { l, r: ops.add_subkey(b, inner, halves.r) };
    }
}

fn exchange(state: &mut State) {
    for halves in &mut state.blocks {
        *halves = Halves { l: halves.r, r: halves.l };
    }
}

fn comment(b: &mut Builder, pass: usize, passes: Passes) {
    b.comment(match passes {
        Passes::One => "rounds 1 to 16".to_owned(),
        Passes::Three => format!("pass {}", pass + 1),
    });
}
