//! Bits as functions of inputs, in a normal form: equal functions have, for all that kernels of DES do,
//! the same form, so a comparison of numbers decides.
//!
//! A bit is a sum over GF(2) of atoms, perhaps with 1 added. An atom is an input, or a class of non-linear
//! functions of at most 6 sums: functions that differ by a linear function of these are one class, and the
//! atom is the member that was met first. (docs/PROOF.md works an S-box through.)
//!
//! The normal form need not find every equality: two forms that differ are never called equal, so what it
//! misses is a refusal. It must never give one form to two functions. Every atom therefore has 64 samples,
//! and every operation is done on these as well; where they differ, the prover stops.

mod atoms;
mod domain;
mod forms;
mod gates;
mod space;
mod spec;
mod truth;

use forms::Forms;
use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use space::{Basis, DIMENSIONS};

/// How deep sums may be made for the sake of others. Kernels need 25; one that is wrong may need any number. What
/// is deeper is added and not simplified.
const NESTED: usize = 128;

/// A bit: the number of a form, and whether 1 is added to it. It belongs to the [`Bits`] that made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Bit(u32);

impl Bit {
    /// 0.
    pub const ZERO: Self = Self(0);
    /// 1.
    pub const ONE: Self = Self(1);
    /// Nothing is known of it.
    pub const UNKNOWN: Self = Self(u32::MAX);

    /// A constant.
    pub fn constant(value: bool) -> Self {
        Self(value.into())
    }

    /// Its value, if it is a constant.
    pub fn known(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    /// This bit + 1.
    pub fn complement(self) -> Self {
        self.plus(1)
    }

    fn form(self) -> u32 {
        self.0 >> 1
    }

    fn of_form(form: u32) -> Self {
        Self(form << 1)
    }

    fn added(self) -> u32 {
        self.0 & 1
    }

    fn plus(self, constant: u32) -> Self {
        if self == Self::UNKNOWN { self } else { Self(self.0 ^ constant) }
    }
}

/// A class of functions of at most 6 sums.
#[derive(Clone, Copy)]
struct Function {
    /// The terms of degree 2 and more of its algebraic normal form.
    key: u64,
    /// The linear terms of the member that was met first.
    linear: u8,
    /// The truth table of that member.
    table: u64,
    basis: Basis,
}

/// All bits of one proof.
#[derive(Clone, Default)]
pub struct Bits {
    forms: Forms,
    /// By atom; inputs have none.
    functions: Vec<Option<Function>>,
    classes: HashTable<u32>,
    /// By atom: 1 + the highest level of the atoms it is made of.
    levels: Vec<u16>,
    /// By atom: a bit, of 64, for each leading atom of its basis. Where two have more than 6, it is no use to look
    /// at the bases.
    leaders: Vec<u64>,
    sums: FxHashMap<(u32, u32), Bit>,
    /// The sum of two non-linear atoms, where that is simpler than both.
    merged: FxHashMap<(u32, u32), Option<Bit>>,
    gates: FxHashMap<(u8, Bit, Bit, Bit), Bit>,
    /// How many sums are being made for the sake of another.
    nested: usize,
}

impl Bits {
    /// A new input.
    pub fn input(&mut self) -> Bit {
        let sample = forms::sample(self.functions.len());
        Bit::of_form(self.new_atom(None, 0, sample))
    }

    /// New inputs.
    pub fn inputs(&mut self, count: usize) -> Vec<Bit> {
        (0..count).map(|_| self.input()).collect()
    }

    /// How many atoms there are.
    pub fn atoms(&self) -> usize {
        self.functions.len()
    }

    fn new_atom(&mut self, function: Option<Function>, level: u16, sample: u64) -> u32 {
        let leaders = function.iter().flat_map(|function| function.basis.members());
        self.leaders.push(leaders.fold(0, |all, (_, leader)| all | 1 << (leader % 64)));
        self.functions.push(function);
        self.levels.push(level);
        self.forms.new_atom(sample)
    }

    /// 64 values of a bit, for 64 random values of all inputs.
    fn samples(&self, bit: Bit) -> u64 {
        self.forms.samples(bit.form()) ^ if bit.added() == 1 { u64::MAX } else { 0 }
    }

    /// x + y modulo 2.
    ///
    /// # Panics
    /// If the samples show that the prover is wrong.
    pub fn xor(&mut self, x: Bit, y: Bit) -> Bit {
        if x == Bit::UNKNOWN || y == Bit::UNKNOWN {
            return Bit::UNKNOWN;
        }
        let added = x.added() ^ y.added();
        let (low, high) = (x.form().min(y.form()), x.form().max(y.form()));
        if low == high {
            return Bit(added);
        }
        if low == 0 {
            return Bit::of_form(high).plus(added);
        }
        if let Some(&sum) = self.sums.get(&(low, high)) {
            return sum.plus(added);
        }
        self.nested += 1;
        let sum = match self.nested <= NESTED {
            true => self.new_sum(low, high),
            false => Bit::of_form(self.forms.sum(low, high)),
        };
        self.nested -= 1;
        let expected = self.forms.samples(low) ^ self.forms.samples(high);
        assert_eq!(self.samples(sum), expected, "a sum of bits is wrong");
        self.sums.insert((low, high), sum);
        sum.plus(added)
    }

    /// The sum of two forms; where a non-linear atom of one and one of the other have a simpler sum, by that.
    fn new_sum(&mut self, x: u32, y: u32) -> Bit {
        let (large, small) =
            if self.forms.atoms(x).len() >= self.forms.atoms(y).len() { (x, y) } else { (y, x) };
        let (of_large, of_small) = (self.only_in(large, small), self.only_in(small, large));
        for &m in &of_small {
            for &n in &of_large {
                if let Some(sum) = self.merge(n, m) {
                    let rest_large = self.forms.sum(large, self.forms.of_atom(n));
                    let rest_small = self.forms.sum(small, self.forms.of_atom(m));
                    let rest = self.xor(Bit::of_form(rest_large), Bit::of_form(rest_small));
                    return self.xor(rest, sum);
                }
            }
        }
        Bit::of_form(self.forms.sum(large, small))
    }

    /// The non-linear atoms of one form that the other has not.
    fn only_in(&self, form: u32, other: u32) -> Vec<u32> {
        let is_new =
            |atom: &u32| self.functions[*atom as usize].is_some() && !self.forms.has(other, *atom);
        self.forms.atoms(form).iter().copied().filter(is_new).collect()
    }

    /// The sum of two non-linear atoms, if both are functions of the same 6 sums.
    fn merge(&mut self, n: u32, m: u32) -> Option<Bit> {
        let leaders = self.leaders[n as usize] | self.leaders[m as usize];
        if leaders.count_ones() as usize > DIMENSIONS {
            return None;
        }
        let (Some(x), Some(y)) = (&self.functions[n as usize], &self.functions[m as usize]) else {
            return None;
        };
        if x.basis.rank + y.basis.leaders_beside(&x.basis) > DIMENSIONS {
            return None;
        }
        let key = (n.min(m), n.max(m));
        if let Some(&known) = self.merged.get(&key) {
            return known;
        }
        // Until it is made it is no simpler: else making it may ask for it again without end.
        self.merged.insert(key, None);
        let atoms = [n, m].map(|atom| Bit::of_form(self.forms.of_atom(atom)));
        let space = self.space_expanding(&atoms, &[n, m]);
        let sum = space.map(|space| self.of_table(&space.basis, space.tables[0] ^ space.tables[1]));
        self.merged.insert(key, sum);
        sum
    }

    /// A bit with others in place of inputs: nothing is known of it where it is not a sum of inputs.
    pub fn substitute(&mut self, bit: Bit, places: &FxHashMap<Bit, Bit>) -> Bit {
        if bit == Bit::UNKNOWN {
            return bit;
        }
        let mut sum = Bit(bit.added());
        for atom in self.forms.atoms(bit.form()).to_vec() {
            let own = Bit::of_form(self.forms.of_atom(atom));
            if self.functions[atom as usize].is_some() {
                return Bit::UNKNOWN;
            }
            sum = self.xor(sum, places.get(&own).copied().unwrap_or(own));
        }
        sum
    }

    /// The youngest atom of a bit's sum, by which sums can be eliminated.
    pub fn leader(&self, bit: Bit) -> Option<u32> {
        self.forms.atoms(bit.form()).first().copied()
    }

    /// How a bit reads in an error message.
    pub fn show(&self, bit: Bit) -> String {
        if bit == Bit::UNKNOWN {
            return "?".into();
        }
        let atoms = self.forms.atoms(bit.form());
        let names = atoms.iter().take(8).map(|&atom| {
            let kind = if self.functions[atom as usize].is_some() { 'f' } else { 'x' };
            format!("{kind}{atom}")
        });
        let mut names: Vec<String> = names.collect();
        if atoms.len() > names.len() {
            names.push(format!("({} more)", atoms.len() - names.len()));
        }
        if bit.added() == 1 || names.is_empty() {
            names.push(bit.added().to_string());
        }
        names.join("+")
    }
}

#[cfg(test)]
mod tests;
