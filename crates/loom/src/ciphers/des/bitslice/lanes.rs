//! The rounds with a key per lane, read from rotating key slices.
//!
//! There is no key schedule: a round's C and D are windows of the slices that `keys.rs` makes, so
//! PC-2 is a list of displacements and a round needs one number, the place of its window.

use cipherloom_circuits::{GateSet, Kept, fips};

use super::circuit::{Circuits, Ends, substitute};
use super::keys::{HALF, KEY};
use super::rounds::{Half, Halves, order, passes, read, target_of, write};
use super::slices::{Slices, bit_of, slice_bytes};
use crate::ciphers::des::Passes;
use crate::ir::{Access, Address, Builder, Extent, Kernel, Value};

/// For each round, in the order of application, the distance of its window from the start of the
/// key slices, in bytes. (In memory these are the words of the kernel.)
///
/// `passes` are, in the order of application, the number of a key among those that the slices hold
/// one after the other, and whether its rounds go backwards, from K16 to K1.
#[must_use]
pub fn windows(lanes: u16, passes: &[(u16, bool)]) -> Vec<u64> {
    let slice = u64::from(slice_bytes(lanes));
    let of = |&(key, backwards): &(u16, bool)| {
        let mut shifts = fips::SHIFTS;
        if backwards {
            shifts.reverse();
        }
        let first = u64::from(key) * KEY as u64;
        shifts.map(|shift| (first + u64::from(shift) % HALF as u64) * slice)
    };
    passes.iter().flat_map(of).collect()
}

/// The kernel.
pub(super) fn lanes(name: String, slices: Slices, count: Passes) -> Kernel {
    let cipher = match count {
        Passes::One => "DES (FIPS 46-3)",
        Passes::Three => "Triple-DES (SP 800-67)",
    };
    let doc = format!(
        "{cipher} between IP and its inverse, in {} bit slices, a key per lane: the rounds in the \
         order of the windows, whatever the direction.",
        slices.lanes
    );
    let mut b = Builder::new(name, doc);
    let halves = Halves::new(&mut b, slices);
    let n = count.count() as i32;
    // Bytes of a window's number.
    let size = i32::from(slices.word.bytes());
    let extent = Extent::Fixed(slices.bytes(n * KEY) as u32);
    let keys = b.pointer("keys", Access::Read, extent, "112 slices a key: C, C, D, D");
    b.aligned(keys, slices.bytes(1) as u16);
    let extent = Extent::Fixed((16 * n * size) as u32);
    let doc = "for each round the distance of its C from the start of the keys, in bytes";
    let windows = b.pointer("windows", Access::Read, extent, doc);
    b.aligned(windows, size as u16);
    b.public(windows);
    let set = slices.gate_set_xor();
    let circuits = Circuits::Kept(set);
    invert(&mut b, slices, set, halves);
    let round = |b: &mut Builder, (target, source): (&mut Half, &Half), at, n| {
        let window = b.load(at, n * size, slices.word.ty(), crate::ir::Endian::Native);
        let letter = ['A', 'B'][n as usize];
        let mut keyed =
            Keyed { slices, set, target, source, keys, window, sbox: 0, turn: 0, read: [None; 32] };
        for (turn, sbox) in order(n).into_iter().enumerate() {
            b.comment(format!("round {letter}: S{}", sbox + 1));
            (keyed.sbox, keyed.turn) = (sbox, turn);
            substitute(b, circuits, sbox, &mut keyed);
        }
    };
    passes(&mut b, slices, count, (halves, windows), None, (size, round));
    invert(&mut b, slices, set, halves);
    b.finish()
}

/// Inverts the bits of both halves that rounds keep inverted.
fn invert(b: &mut Builder, slices: Slices, set: GateSet, halves: Halves) {
    let inverted = Kept::of(set).inverted;
    for half in [halves.x, halves.y] {
        for bit in (0..32).filter(|&bit| inverted[bit]) {
            let value = read(b, slices, half, bit);
            let value = b.not(value);
            write(b, slices, value, half, bit);
        }
    }
}

/// A round with a key per lane.
struct Keyed<'a> {
    slices: Slices,
    set: GateSet,
    target: &'a mut Half,
    source: &'a Half,
    keys: Value,
    window: Value,
    sbox: usize,
    turn: usize,
    /// The bits of the source that were read, and at which turn.
    read: [Option<(usize, Value)>; 32],
}

impl Ends for Keyed<'_> {
    fn input(&mut self, b: &mut Builder, n: usize, inverted: bool) -> Value {
        let place = 6 * self.sbox + n;
        let bit = bit_of(fips::E[place]);
        // What the S-box before has read is still at hand.
        let near = self.read[bit].filter(|(turn, _)| turn + 1 >= self.turn);
        let (_, value) = near.unwrap_or_else(|| (self.turn, self.source.read(b, bit)));
        self.read[bit] = Some((self.turn, value));
        // D's first copy stands behind both of C.
        let key = bit_of(fips::PC2[place]) as i32;
        let slice = if key < HALF { key } else { key + HALF };
        let index = Some((self.window, 1));
        let place = Address { base: self.keys, offset: self.slices.bytes(slice), index };
        let key = b.load_at(place, self.slices.ty());
        let is_kept = Kept::of(self.set).inverted[bit];
        let value = if inverted == is_kept { value } else { b.not(value) };
        b.xor(value, key)
    }

    fn output(&mut self, b: &mut Builder, n: usize, value: Value, inverted: bool) {
        let bit = target_of(self.sbox, n);
        let before = self.target.before(b, bit);
        let before = if inverted { b.not(before) } else { before };
        let value = b.xor(before, value);
        self.target.write(b, value, bit);
    }

    fn output_of_two(
        &mut self,
        b: &mut Builder,
        n: usize,
        (table, [x, y]): (u8, [Value; 2]),
        inverted: bool,
    ) {
        let bit = target_of(self.sbox, n);
        let before = self.target.before(b, bit);
        let table = if inverted { !table } else { table };
        let value = b.ternary(xored(table), [x, y, before]);
        self.target.write(b, value, bit);
    }
}

/// The table of x, y and y, XORed with z.
fn xored(table: u8) -> u8 {
    let bit = |row: u8| {
        let (x, y, z) = (row >> 2, row >> 1 & 1, row & 1);
        (table >> (4 * x + 3 * y) ^ z) & 1
    };
    (0..8).fold(0, |all, row| all | bit(row) << row)
}
