//! From a truth table over a space to the bit in normal form.

use super::space::{Basis, DIMENSIONS};
use super::truth::{moebius, ones, sampled, shifted};
use super::{Bit, Bits, Function};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Coefficients of sums of a basis, as rows in reduced echelon form: (first, coefficients).
type Rows = Vec<(u32, u32)>;

fn hash(key: u64, basis: &Basis) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(key);
    basis.forms[..basis.rank].iter().for_each(|&form| hasher.write_u32(form));
    let hash = hasher.finish();
    hash ^ (hash >> 29)
}

/// Takes the constant and the linear terms out of an algebraic normal form.
fn split(form: u64, rank: usize) -> (u64, u32, u32) {
    let linear = (0..rank).fold(0, |linear, n| linear | ((form >> (1 << n) & 1) as u32) << n);
    let places = (0..rank).fold(1, |places, n| places | 1 << (1 << n));
    (form & !places, linear, (form & 1) as u32)
}

/// The sums on which a function really depends, but for a linear function: those that vanish on every a
/// for which f(x + a) + f(x) is constant.
fn essential(table: u64, rank: usize) -> Rows {
    let is_structure = |a: &u32| {
        let difference = table ^ shifted(table, *a, rank);
        difference == 0 || difference == ones(rank)
    };
    let structures: Vec<u32> = (1..1u32 << rank).filter(is_structure).collect();
    if structures.is_empty() {
        return (0..rank as u32).map(|n| (n, 1 << n)).collect();
    }
    let mut rows: Rows = Vec::new();
    for mut sum in 1..1u32 << rank {
        if structures.iter().any(|a| (a & sum).count_ones() % 2 == 1) {
            continue;
        }
        for (first, row) in &rows {
            if sum >> first & 1 == 1 {
                sum ^= row;
            }
        }
        if sum != 0 {
            let first = sum.trailing_zeros();
            for (_, row) in rows.iter_mut().filter(|(_, row)| row >> first & 1 == 1) {
                *row ^= sum;
            }
            rows.push((first, sum));
        }
    }
    rows.sort_unstable();
    rows
}

/// A point of the large space for each point of the small one: the one whose other coordinates are 0.
fn point(rows: &Rows, small: u32) -> u32 {
    rows.iter().enumerate().fold(0, |point, (n, (first, _))| point | (small >> n & 1) << first)
}

impl Bits {
    /// The bit that has this truth table over a basis.
    pub(super) fn of_table(&mut self, basis: &Basis, table: u64) -> Bit {
        let rank = basis.rank;
        let table = table & ones(rank);
        let (key, mut linear, mut constant) = split(moebius(table, rank), rank);
        let mut sum = Bit::ZERO;
        if key != 0 {
            let table = moebius(key, rank);
            let rows = essential(table, rank);
            let mut small_table = 0;
            for small in 0..1 << rows.len() {
                small_table |= (table >> point(&rows, small) & 1) << small;
            }
            // Along the structures the function is linear: what it adds for each coordinate.
            for n in 0..rank as u32 {
                let coordinates = rows.iter().enumerate();
                let small = coordinates.fold(0, |a, (m, (_, row))| a | (row >> n & 1) << m);
                let along = 1 << n ^ point(&rows, small);
                linear ^= ((table ^ table >> along) as u32 & 1) << n;
            }
            let (key, own, added) = split(moebius(small_table, rows.len()), rows.len());
            constant ^= added;
            linear = combine(&rows, own, linear);
            if key != 0 {
                // Of the linear terms, those that are the basis's of the class go with it.
                let coefficients = rows.iter().enumerate();
                let own = coefficients.fold(0, |own, (n, (p, _))| own | (linear >> p & 1) << n);
                let basis = self.sub_basis(basis, &rows);
                let (atom, has) = self.class(key, own as u8, &basis);
                sum = Bit::of_form(atom);
                linear = combine(&rows, u32::from(has), linear);
            }
        }
        for n in (0..rank).filter(|n| linear >> n & 1 == 1) {
            sum = self.xor(sum, Bit::of_form(basis.forms[n]));
        }
        sum.plus(constant)
    }

    /// The sums that rows of coefficients make of a basis.
    fn sub_basis(&mut self, basis: &Basis, rows: &Rows) -> Basis {
        let empty = [0; DIMENSIONS];
        let mut sub = Basis { rank: rows.len(), forms: empty, leaders: empty };
        for (n, (first, row)) in rows.iter().enumerate() {
            for m in (0..basis.rank).filter(|m| row >> m & 1 == 1) {
                sub.forms[n] = self.forms.sum(sub.forms[n], basis.forms[m]);
            }
            sub.leaders[n] = basis.leaders[*first as usize];
        }
        sub
    }

    /// The atom of a class, by its form, and the linear terms that the atom has; a new one has those given.
    fn class(&mut self, key: u64, linear: u8, basis: &Basis) -> (u32, u8) {
        let functions = &self.functions;
        let function = |&atom: &u32| functions[atom as usize].expect("a class is a function");
        let found = self.classes.find(hash(key, basis), |atom| {
            let function = function(atom);
            function.key == key && function.basis == *basis
        });
        if let Some(&atom) = found {
            return (self.forms.of_atom(atom), function(&atom).linear);
        }
        let terms = (0..basis.rank).filter(|n| linear >> n & 1 == 1);
        let table = moebius(terms.fold(key, |terms, n| terms | 1 << (1 << n)), basis.rank);
        let forms = &basis.forms[..basis.rank];
        let below = forms.iter().flat_map(|&form| self.forms.atoms(form));
        let level =
            below.map(|&atom| self.levels[atom as usize]).max().map_or(0, |level| level + 1);
        let inputs: Vec<u64> = forms.iter().map(|&form| self.forms.samples(form)).collect();
        let atom = self.functions.len() as u32;
        let function = Function { key, linear, table, basis: *basis };
        let form = self.new_atom(Some(function), level, sampled(table, &inputs));
        let functions = &self.functions;
        self.classes.insert_unique(hash(key, basis), atom, |&atom| {
            let function = functions[atom as usize].expect("a class is a function");
            hash(function.key, &function.basis)
        });
        (form, linear)
    }
}

/// Adds those rows to a sum that `which` has.
fn combine(rows: &Rows, which: u32, sum: u32) -> u32 {
    let chosen = rows.iter().enumerate().filter(|(n, _)| which >> n & 1 == 1);
    chosen.fold(sum, |sum, (_, (_, row))| sum ^ row)
}
