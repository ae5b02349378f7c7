//! The rounds with one key for all lanes, by *merged keys*: differences of subkeys are XORed into the
//! halves, which have their key bits in them all the time.
//!
//! E takes 16 of the 32 bits of R once and the others twice. While a half waits to be read, each of
//! its bits already has the key bit of its first use in it, so only the 16 second uses need an XOR
//! in the round. A key bit is exchanged for the next when a round writes the half: the difference
//! of both goes in with the output of the S-box, one XOR of three in place of one of two.

use cipherloom_circuits::fips;

use super::circuit::{Circuits, Ends, substitute};
use super::masks::{INNER, OF_HALF, PER_ROUND, in_rounds, second_use};
use super::slices::{Gates, Slices, bit_of, mask_bytes};
use crate::ciphers::des::Passes;
use crate::ir::{Access, Builder, Extent, Kernel, Value};

/// The halves in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halves {
    pub(super) x: Value,
    pub(super) y: Value,
}

impl Halves {
    /// The first two parameters of kernels that do rounds. They are apart, so that an order may
    /// have what reads one meet what writes the other.
    pub(super) fn new(b: &mut Builder, slices: Slices) -> Self {
        let extent = Extent::Fixed(slices.bytes(32) as u32);
        let mut half = |name: &str, doc| {
            let half = b.pointer(name, Access::ReadWrite, extent, doc);
            b.aligned(half, slices.bytes(1) as u16);
            half
        };
        Self {
            x: half("x", "half X: 32 slices, L0 before and L16 after"),
            y: half("y", "half Y: 32 slices, R0 before and R16 after"),
        }
    }
}

/// A half in a pass: in memory, but for bits that stay in registers.
#[derive(Clone, Debug)]
pub(super) struct Half {
    slices: Slices,
    place: Value,
    /// The bits of [`held`].
    held: Vec<Value>,
}

impl Half {
    /// A half at the beginning of a pass.
    fn begin(b: &mut Builder, slices: Slices, place: Value) -> Self {
        let held = held(slices).iter().map(|&bit| slices.load(b, place, bit as i32)).collect();
        Self { slices, place, held }
    }

    /// A bit that was written by the round before, or long ago.
    pub(super) fn read(&self, b: &mut Builder, bit: usize) -> Value {
        match self.number(bit) {
            Some(n) => self.held[n],
            None => read(b, self.slices, self.place, bit),
        }
    }

    /// A bit that was written long ago.
    pub(super) fn before(&self, b: &mut Builder, bit: usize) -> Value {
        match self.number(bit) {
            Some(n) => self.held[n],
            None => self.slices.load(b, self.place, bit as i32),
        }
    }

    /// Writes a bit.
    pub(super) fn write(&mut self, b: &mut Builder, value: Value, bit: usize) {
        match self.number(bit) {
            Some(n) => self.held[n] = value,
            None => write(b, self.slices, value, self.place, bit),
        }
    }

    /// At the end of a pass.
    fn end(&self, b: &mut Builder) {
        for (&bit, &value) in held(self.slices).iter().zip(&self.held) {
            self.slices.store(b, value, self.place, bit as i32);
        }
    }

    fn number(&self, bit: usize) -> Option<usize> {
        held(self.slices).iter().position(|&held| held == bit)
    }
}

/// The bits of each half, from 0 on, that stay in registers during a pass: where there are 32 registers, S-boxes
/// leave sixteen of them, and on Intel's processors a store takes time from operations of three sources. Each of these
/// bits is read by two S-boxes, so it would have a register then.
const fn held(slices: Slices) -> &'static [usize] {
    match slices.gates {
        Gates::Three => &[3, 4, 7, 8, 11, 12, 15, 16],
        Gates::Two | Gates::Select | Gates::Sha3 => &[],
    }
}

/// What stands between the passes, if anything: how many bytes `at` goes on, and what is done with
/// a row of eight slices of a half.
pub(super) type PassBoundary<'a> = Option<(i32, &'a dyn Fn(&mut Builder, Value, Value))>;

/// Passes of sixteen rounds, two at a time. `round` writes the first half and reads the second, and
/// finds what it needs `n` (0 or 1) rounds behind the place that `at` points to; each round goes on
/// by `bytes`. A pass boundary works on the half that is read before and after it.
pub(super) fn passes(
    b: &mut Builder,
    slices: Slices,
    passes: Passes,
    (halves, at): (Halves, Value),
    boundary: PassBoundary<'_>,
    (bytes, round): (i32, impl Fn(&mut Builder, (&mut Half, &Half), Value, i32)),
) {
    let pass = |b: &mut Builder, Halves { x, y }, at: Value| {
        let [mut x, mut y] = [x, y].map(|place| Half::begin(b, slices, place));
        let count = x.held.len();
        let carried = [&[at], &x.held[..], &y.held].concat();
        let eight = b.constant(slices.word.ty(), 8);
        let after = b.repeat(eight, &carried, |b, carried| {
            (x.held, y.held) = (carried[1..=count].to_vec(), carried[1 + count..].to_vec());
            round(b, (&mut x, &y), carried[0], 0);
            round(b, (&mut y, &x), carried[0], 1);
            let at = b.advance(carried[0], 2 * bytes);
            [&[at], &x.held[..], &y.held].concat()
        });
        (x.held, y.held) = (after[1..=count].to_vec(), after[1 + count..].to_vec());
        x.end(b);
        y.end(b);
        after[0]
    };
    if passes == Passes::One {
        pass(b, halves, at);
        return;
    }
    let word = slices.word.ty();
    let (three, boundaries) = (b.constant(word, 3), b.constant(word, 2));
    b.repeat(three, &[halves.x, halves.y, at, boundaries], |b, carried| {
        let (halves, boundaries) = (Halves { x: carried[0], y: carried[1] }, carried[3]);
        let mut at = pass(b, halves, carried[2]);
        // The preoutput is R16 L16: for the next pass the halves change places.
        let next = Halves { x: halves.y, y: halves.x };
        if let Some((bytes, row)) = boundary {
            // Four rows while there are boundaries left, then none.
            let one = b.constant(word, 1);
            let rows = b.add(boundaries, one);
            let rows = b.shr(rows, 1);
            let rows = b.shl(rows, 2);
            b.repeat(rows, &[next.y, at], |b, carried| {
                b.comment("between passes: other keys for the half that is read again");
                row(b, carried[0], carried[1]);
                vec![b.advance(carried[0], slices.bytes(8)), b.advance(carried[1], bytes / 4)]
            });
            at = b.advance(at, bytes);
        }
        let less = b.constant(word, slices.word.ones());
        vec![next.x, next.y, at, b.add(boundaries, less)]
    });
}

/// The kernel.
pub(super) fn rounds(name: String, slices: Slices, count: Passes) -> Kernel {
    let cipher = match count {
        Passes::One => "DES (FIPS 46-3)",
        Passes::Three => "Triple-DES (SP 800-67)",
    };
    let doc = format!(
        "{cipher} between IP and its inverse, in {} bit slices, one key for all lanes: the rounds \
         in the order of the masks, whatever the direction.",
        slices.lanes
    );
    let mut b = Builder::new(name, doc);
    let halves = Halves::new(&mut b, slices);
    let mask = mask_bytes(slices.lanes) as i32;
    let extent = Extent::Fixed(in_rounds(count) as u32 * mask as u32);
    let doc = "masks of the key's bits, in the order of use";
    let masks = b.pointer("masks", Access::Read, extent, doc);
    b.aligned(masks, mask as u16);
    let row = |b: &mut Builder, half: Value, masks: Value| {
        for k in 0..8 {
            let (value, mask) = (slices.load(b, half, k), slices.mask(b, masks, k));
            let value = b.xor(value, mask);
            slices.store(b, value, half, k);
        }
    };
    let circuits = Circuits::Merged(slices.gate_set());
    let boundary: PassBoundary<'_> = Some((OF_HALF as i32 * mask, &row));
    let round = |b: &mut Builder, (target, source): (&mut Half, &Half), masks, n| {
        let letter = ['A', 'B'][n as usize];
        let first = n * PER_ROUND as i32;
        let mut merged =
            Merged { slices, target, source, masks, first, sbox: 0, turn: 0, read: [None; 32] };
        for (turn, sbox) in order(n).into_iter().enumerate() {
            b.comment(format!("round {letter}: S{}", sbox + 1));
            (merged.sbox, merged.turn) = (sbox, turn);
            substitute(b, circuits, sbox, &mut merged);
        }
    };
    passes(&mut b, slices, count, (halves, masks), boundary, (PER_ROUND as i32 * mask, round));
    b.finish()
}

/// A round with merged keys.
struct Merged<'a> {
    slices: Slices,
    target: &'a mut Half,
    source: &'a Half,
    masks: Value,
    /// The round's first mask.
    first: i32,
    sbox: usize,
    turn: usize,
    /// The bits of the source that were read, and at which turn.
    read: [Option<(usize, Value)>; 32],
}

impl Ends for Merged<'_> {
    fn input(&mut self, b: &mut Builder, n: usize, _inverted: bool) -> Value {
        // An inversion is in the masks, as if it were in the key.
        let place = 6 * self.sbox + n;
        let bit = bit_of(fips::E[place]);
        // What the S-box before has read is still at hand.
        let near = self.read[bit].filter(|(turn, _)| turn + 1 >= self.turn);
        let (_, value) = near.unwrap_or_else(|| (self.turn, self.source.read(b, bit)));
        self.read[bit] = Some((self.turn, value));
        match second_use(place) {
            None => value,
            Some(inner) => {
                let mask = self.slices.mask(b, self.masks, self.first + inner as i32);
                b.xor(value, mask)
            }
        }
    }

    fn output(&mut self, b: &mut Builder, n: usize, value: Value, _inverted: bool) {
        // An inversion is in the difference.
        let bit = target_of(self.sbox, n);
        let before = self.target.before(b, bit);
        let at = self.first + (INNER + bit) as i32;
        let difference = self.slices.mask(b, self.masks, at);
        let value = xor_three(b, self.slices, [before, difference, value]);
        self.target.write(b, value, bit);
    }
}

/// The exclusive or of three; the first two are there earlier.
fn xor_three(b: &mut Builder, slices: Slices, [first, second, last]: [Value; 3]) -> Value {
    /// Ones in an odd number.
    const ODD: u8 = 0x96;
    match slices.gates {
        Gates::Two | Gates::Select | Gates::Sha3 => {
            let early = b.xor(first, second);
            b.xor(early, last)
        }
        Gates::Three => b.ternary(ODD, [first, last, second]),
    }
}

/// The bit of the target that output `n` of an S-box goes to, by P.
///
/// # Panics
/// If there is none.
pub(super) fn target_of(sbox: usize, n: usize) -> usize {
    let goes = |&from: &u8| bit_of(from) == 4 * sbox + n;
    fips::P.iter().position(goes).expect("P takes every bit")
}

/// A bit of the half that a round reads. The round before wrote it, and the next one will.
pub(super) fn read(b: &mut Builder, slices: Slices, half: Value, bit: usize) -> Value {
    b.load_ordered(half, slices.bytes(bit as i32), slices.ty())
}

/// A bit of the half that a round writes.
pub(super) fn write(b: &mut Builder, slices: Slices, value: Value, half: Value, bit: usize) {
    b.store_ordered(value, half, slices.bytes(bit as i32));
}

/// The S-boxes (0 is S1) in the order in which round A, or after it round B, computes them.
///
/// Neighbours share two bits of the half that they read, so both rounds go round the eight; and what
/// was computed last should be needed late. Of the 256 such ways this one measured best on Zen 4, or
/// within a hundredth of the best, for every width.
pub(super) const fn order(round: i32) -> [usize; 8] {
    if round == 0 { [3, 2, 1, 0, 7, 6, 5, 4] } else { [4, 5, 6, 7, 0, 1, 2, 3] }
}
