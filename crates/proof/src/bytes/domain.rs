//! Bytes as a machine computes with them.

use super::{Array, Bytes, Node, Term};
use crate::Result;
use crate::domain::{Domain, Logic, Substitution};

/// The longest sum that is sensible; kernels have 17.
const LONGEST: usize = 64;

impl Domain for Bytes {
    type Cell = Term;
    const BITS: usize = 8;
    const UNKNOWN: Term = Term::UNKNOWN;

    fn input(&mut self) -> Term {
        self.input()
    }

    fn constant(&mut self, value: u8) -> Term {
        self.constant(value)
    }

    fn known(&self, term: Term) -> Option<u8> {
        self.known(term)
    }

    fn show(&self, term: Term) -> String {
        self.known(term).map_or_else(|| format!("t{}", term.0), |value| value.to_string())
    }

    fn logic(&mut self, operation: Logic, x: Term, y: Term) -> Result<Term> {
        self.logic(operation, x, y)
    }

    fn add(&mut self, x: &[Term], y: &[Term]) -> Result<Vec<Term>> {
        // Of longer numbers only the lowest byte: what carries is not known.
        let mut sum = vec![Term::UNKNOWN; x.len()];
        if let ([first, ..], [x, ..], [y, ..]) = (&mut sum[..], x, y) {
            *first = self.combine(*x, *y, 1);
        }
        Ok(sum)
    }

    fn difference(&mut self, x: &[Term], y: &[Term]) -> Result<Term> {
        match (x, y) {
            ([x, above @ ..], [y, also @ ..])
                if above == also && !above.contains(&Term::UNKNOWN) =>
            {
                Ok(self.combine(*x, *y, 255))
            }
            _ => Err("a comparison of more than a byte".into()),
        }
    }

    fn select(&mut self, zero: Term, then: Term, other: Term) -> Term {
        self.choice(zero, then, other)
    }

    fn look_up(
        &mut self,
        _: &[Term],
        _: usize,
        _: &dyn Fn(u64) -> Result<u64>,
    ) -> Result<Vec<Term>> {
        Err("an index that is no constant, into a table".into())
    }

    fn ternary(&mut self, table: u8, xyz: [Term; 3]) -> Result<Term> {
        self.ternary(table, xyz)
    }

    fn choose<'t>(
        &mut self,
        index: &[Term],
        mask: u8,
        entry: &dyn Fn(u8) -> &'t [Term],
    ) -> Result<Vec<Term>> {
        Ok(vec![self.choose(index[0], mask, entry)?])
    }

    fn read(&mut self, array: u32, index: Term) -> Result<Term> {
        Ok(self.read(array, index))
    }

    fn moved(&mut self, index: &[Term], by: i64) -> Option<Vec<Term>> {
        let (first, above) = index.split_first()?;
        let moved = self.moved(*first, by)?;
        let is_byte = above.iter().all(|&cell| self.known(cell) == Some(0));
        is_byte.then(|| [&[moved], above].concat())
    }

    fn write(&mut self, array: u32, index: Term, value: Term) -> Result<u32> {
        self.write(array, index, value)
    }

    fn same_arrays(&mut self, x: u32, y: u32) -> bool {
        self.same_arrays(x, y)
    }

    fn leader(&self, _: Term) -> Option<u32> {
        None
    }

    fn is_lost(&self) -> bool {
        self.longest > LONGEST
    }

    fn substitute(&mut self, term: Term, places: &Substitution<Term>) -> Term {
        if let Some(&place) = places.cells.get(&term) {
            return place;
        }
        match self.nodes.get(term.0 as usize).cloned() {
            Some(Node::Input(_)) => term,
            Some(Node::Sum(constant, terms)) => {
                let constant = self.constant(constant);
                terms.into_iter().fold(constant, |sum, (term, factor)| {
                    let term = self.substitute(term, places);
                    self.combine(sum, term, factor)
                })
            }
            Some(Node::Element(array, index)) => {
                let index = self.substitute(index, places);
                let array = match self.arrays[array as usize] {
                    Array::Input(_) => places.arrays.get(&array).copied().unwrap_or(array),
                    Array::Written(..) => return Term::UNKNOWN,
                };
                self.read(array, index)
            }
            Some(Node::Xor(..) | Node::Cases(..)) | None => Term::UNKNOWN,
        }
    }
}
