//! Expressions that depend on the value of a byte, case by case: choices, masks, and look-ups by a byte in
//! registers.

use super::{Bytes, Node, SAMPLES, Term};
use crate::Result;
use crate::domain::Logic;
use std::collections::BTreeMap;

/// What a byte is at each value of another.
type Leaves = [Term; 256];

/// Elements of an array by their distance from a place, as vectors have them.
#[derive(Clone)]
pub(super) struct List {
    array: u32,
    start: Term,
    elements: Vec<Term>,
}

impl Bytes {
    /// `then` where `zero` is 0, else `other`.
    pub fn choice(&mut self, zero: Term, then: Term, other: Term) -> Term {
        if [zero, then, other].contains(&Term::UNKNOWN) {
            return Term::UNKNOWN;
        }
        let [z, t, o] = [zero, then, other].map(|term| self.sample(term));
        let term = self.new_choice(zero, then, other);
        self.checked(term, |n| if z[n] == 0 { t[n] } else { o[n] })
    }

    fn new_choice(&mut self, zero: Term, then: Term, other: Term) -> Term {
        if let Some(value) = self.known(zero) {
            return if value == 0 { then } else { other };
        }
        if then == other || self.is_same_element(zero, then, other) {
            return other;
        }
        if self.differs_where_zero(zero, then, other) {
            return then;
        }
        let (byte, value) = self.byte_of(zero);
        let at = value(0);
        let mut leaves = self.leaves(other, byte);
        leaves[usize::from(at)] = self.leaf(then, byte, at);
        self.cases(byte, &leaves)
    }

    /// Whether two elements of an array have the same index where `zero` is 0.
    fn is_same_element(&mut self, zero: Term, x: Term, y: Term) -> bool {
        let (Some(of_x), Some(of_y)) = (self.elements.get(&x), self.elements.get(&y)) else {
            return false;
        };
        let pairs = of_x.iter().flat_map(|x| of_y.iter().map(move |y| (*x, *y)));
        let pairs = pairs.filter(|((a, _), (b, _))| a == b).map(|((_, i), (_, j))| (i, j));
        pairs.collect::<Vec<_>>().into_iter().any(|(i, j)| {
            let (forth, back) = (self.combine(i, j, 255), self.combine(j, i, 255));
            zero == forth || zero == back
        })
    }

    /// Whether `then` is another than `other` only where two elements of an array have the same index, of which
    /// `zero` is the difference: there it is 0.
    fn differs_where_zero(&mut self, zero: Term, then: Term, other: Term) -> bool {
        let Node::Sum(0, terms) = &self.nodes[zero.0 as usize] else { return false };
        let (&[(x, 1), (y, 255)] | &[(x, 255), (y, 1)]) = &terms[..] else { return false };
        let Node::Cases(byte, default, others) = &self.nodes[then.0 as usize] else { return false };
        let (byte, &[(value, _)], true) = (*byte, &others[..], *default == other) else {
            return false;
        };
        let value = self.constant(value);
        let apart = self.combine(byte, value, 255);
        self.is_same_element(apart, x, y)
    }

    /// An index with a number added that it does not carry, as it is so many behind a multiple of 8.
    pub(super) fn moved(&mut self, index: Term, by: i64) -> Option<Term> {
        let Node::Sum(constant, terms) = self.nodes.get(index.0 as usize)? else { return None };
        let is_multiple = terms.iter().all(|(_, factor)| factor % 8 == 0);
        if !is_multiple || !(0..8).contains(&(i64::from(constant % 8) + by)) {
            return None;
        }
        let added = self.constant(by as u8);
        let term = self.combine(index, added, 1);
        let (before, after) = (self.sample(index), self.sample(term));
        let carries = (0..SAMPLES).any(|n| i64::from(before[n]) + by != i64::from(after[n]));
        assert!(!carries, "an index goes over its end");
        Some(term)
    }

    /// A byte on whose cases a term depends, and for each value of the term which case that is: sums that
    /// differ by a constant or a sign have one byte.
    fn byte_of(&mut self, term: Term) -> (Term, impl Fn(u8) -> u8 + use<>) {
        let zero = self.constant(0);
        let (constant, first) = match &self.nodes[term.0 as usize] {
            Node::Sum(constant, terms) => (*constant, terms.first().map_or(1, |(_, n)| *n)),
            _ => (0, 1),
        };
        let added = self.constant(constant);
        let sum = self.combine(term, added, 255);
        let is_negative = first > 128;
        let byte = if is_negative { self.combine(zero, sum, 255) } else { sum };
        let value = move |value: u8| {
            let case = value.wrapping_sub(constant);
            if is_negative { case.wrapping_neg() } else { case }
        };
        (byte, value)
    }

    /// What a term is where a byte has a value.
    fn leaf(&self, term: Term, byte: Term, value: u8) -> Term {
        match &self.nodes[term.0 as usize] {
            Node::Cases(own, default, others) if *own == byte => {
                let found = others.binary_search_by_key(&value, |(value, _)| *value);
                found.map_or(*default, |place| others[place].1)
            }
            _ => term,
        }
    }

    fn leaves(&self, term: Term, byte: Term) -> Leaves {
        let mut leaves = [term; 256];
        if let Node::Cases(own, default, others) = &self.nodes[term.0 as usize]
            && *own == byte
        {
            leaves = [*default; 256];
            others.iter().for_each(|(value, leaf)| leaves[usize::from(*value)] = *leaf);
        }
        leaves
    }

    /// The term that is `leaves[v]` where a byte has the value v.
    fn cases(&mut self, byte: Term, leaves: &Leaves) -> Term {
        if leaves.contains(&Term::UNKNOWN) {
            return Term::UNKNOWN;
        }
        let mut counts: BTreeMap<Term, usize> = BTreeMap::new();
        leaves.iter().for_each(|leaf| *counts.entry(*leaf).or_default() += 1);
        let most = counts.values().max().copied();
        let default = counts.iter().find(|(_, count)| Some(**count) == most);
        let default = default.map_or(leaves[0], |(leaf, _)| *leaf);
        let others = (0..=255).zip(leaves).filter(|(_, leaf)| **leaf != default);
        let others: Vec<(u8, Term)> = others.map(|(value, leaf)| (value, *leaf)).collect();
        let sample = self.sample(byte);
        let sample: [u8; SAMPLES] =
            std::array::from_fn(|n| self.sample(leaves[usize::from(sample[n])])[n]);
        if others.is_empty() {
            return default;
        }
        let element = if counts.len() > 128 { self.element_at(byte, leaves) } else { None };
        let term = element.unwrap_or_else(|| self.node(Node::Cases(byte, default, others), sample));
        self.checked(term, |n| sample[n])
    }

    /// Leaves that are v + c or c - v, or the elements of a list from somewhere on, up or down, perhaps each
    /// with one term added: the byte itself, or the element at the byte.
    fn element_at(&mut self, byte: Term, leaves: &Leaves) -> Option<Term> {
        let zero = self.constant(0);
        let parts = |leaf: Term| match &self.nodes[leaf.0 as usize] {
            Node::Xor(_, terms) => terms.clone(),
            _ => Vec::new(),
        };
        let added = [vec![zero], parts(leaves[0]), parts(leaves[1])].concat();
        for added in added {
            let mut plain = *leaves;
            for leaf in &mut plain {
                *leaf = self.logic(Logic::Xor, *leaf, added).ok()?;
            }
            for (factor, sign) in [(1, 1), (255, usize::MAX)] {
                if let Some(first) = self.known(plain[0])
                    && (0..=255_u8).all(|v| {
                        self.known(plain[usize::from(v)])
                            == Some(first.wrapping_add(v.wrapping_mul(factor)))
                    })
                {
                    let first = self.constant(first);
                    let sum = self.combine(first, byte, factor);
                    return Some(self.xor(sum, added));
                }
                let place = |list: &List| {
                    let first = list.elements.iter().position(|element| *element == plain[0])?;
                    let at = |v: usize| first.wrapping_add(v.wrapping_mul(sign)) % 256;
                    (0..256).all(|v| list.elements[at(v)] == plain[v]).then_some(first)
                };
                let found =
                    self.lists.iter().find_map(|list| Some((list.array, list.start, place(list)?)));
                if let Some((array, start, first)) = found {
                    let first = self.constant(first as u8);
                    let start = self.combine(start, first, 1);
                    let index = self.combine(start, byte, factor);
                    let element = self.read(array, index);
                    return Some(self.xor(element, added));
                }
            }
        }
        None
    }

    /// Makes known that vectors may have all elements of an array one after the other, from an index on.
    pub fn list(&mut self, array: u32, start: Term) {
        let elements = (0..=255).map(|n| {
            let n = self.constant(n);
            let index = self.combine(start, n, 1);
            self.read(array, index)
        });
        let elements = elements.collect();
        self.lists.push(List { array, start, elements });
    }

    /// The byte by which a term is a mask, of ones and zeros alone.
    fn byte_of_mask(&self, term: Term) -> Option<Term> {
        let Node::Cases(byte, default, others) = self.nodes.get(term.0 as usize)? else {
            return None;
        };
        let is_mask = |leaf: Term| matches!(self.known(leaf), Some(0 | 255));
        (is_mask(*default) && others.iter().all(|(_, leaf)| is_mask(*leaf))).then_some(*byte)
    }

    /// The byte by which a term was masked: it is 0 in most cases.
    fn byte_of_masked(&self, term: Term) -> Option<Term> {
        match self.nodes.get(term.0 as usize)? {
            Node::Cases(byte, default, _) if self.known(*default) == Some(0) => Some(*byte),
            _ => None,
        }
    }

    /// What `work` makes of terms, case by case of a byte.
    fn by_cases<const N: usize>(
        &mut self,
        byte: Term,
        terms: [Term; N],
        mut work: impl FnMut(&mut Self, [Term; N]) -> Result<Term>,
    ) -> Result<Term> {
        let all = terms.map(|term| self.leaves(term, byte));
        let mut leaves = [Term::UNKNOWN; 256];
        let mut last: Option<([Term; N], Term)> = None;
        for (value, leaf) in leaves.iter_mut().enumerate() {
            let own = std::array::from_fn(|n| all[n][value]);
            *leaf = match last {
                Some((before, result)) if before == own => result,
                _ => work(self, own)?,
            };
            last = Some((own, *leaf));
        }
        Ok(self.cases(byte, &leaves))
    }

    /// A bitwise operation: on constants, on masks, on what cancels, or with a constant.
    pub(super) fn logic(&mut self, operation: Logic, x: Term, y: Term) -> Result<Term> {
        let (known_x, known_y) = (self.known(x), self.known(y));
        let apply = |x: u8, y: u8| match operation {
            Logic::Xor => x ^ y,
            Logic::And => x & y,
            Logic::Or => x | y,
        };
        match (operation, known_x, known_y) {
            (_, Some(x), Some(y)) => return Ok(self.constant(apply(x, y))),
            (Logic::Xor | Logic::Or, Some(0), _) | (Logic::And, Some(255), _) => return Ok(y),
            (Logic::Xor | Logic::Or, _, Some(0)) | (Logic::And, _, Some(255)) => return Ok(x),
            (Logic::And, Some(0), _) | (Logic::Or, Some(255), _) => return Ok(x),
            (Logic::And, _, Some(0)) | (Logic::Or, _, Some(255)) => return Ok(y),
            (Logic::And | Logic::Or, ..) if x == y => return Ok(x),
            _ => {}
        }
        if x == Term::UNKNOWN || y == Term::UNKNOWN {
            return Ok(Term::UNKNOWN);
        }
        if let Some(&known) = self.logics.get(&(operation, x, y)) {
            return Ok(known);
        }
        let by_mask = |term| {
            let mask = if operation == Logic::Xor { None } else { self.byte_of_mask(term) };
            mask.or_else(|| self.byte_of_masked(term))
        };
        let term = match (by_mask(x).or_else(|| by_mask(y)), known_x.or(known_y)) {
            (Some(byte), _) => {
                self.by_cases(byte, [x, y], |bytes, [x, y]| bytes.logic(operation, x, y))?
            }
            (None, _) if operation == Logic::Xor => self.xor(x, y),
            (None, Some(constant)) => {
                let (byte, case) = self.byte_of(if known_x.is_some() { y } else { x });
                let mut leaves = [Term::UNKNOWN; 256];
                for value in 0..=255 {
                    leaves[usize::from(case(value))] = self.constant(apply(value, constant));
                }
                self.cases(byte, &leaves)
            }
            (None, None) => return Err("a bitwise operation on bytes".into()),
        };
        self.logics.insert((operation, x, y), term);
        let (a, b) = (self.sample(x), self.sample(y));
        Ok(self.checked(term, |n| apply(a[n], b[n])))
    }

    /// Entry 4x + 2y + z of a table of 8, bit by bit, where one of x, y and z is a mask.
    pub(super) fn ternary(&mut self, table: u8, xyz: [Term; 3]) -> Result<Term> {
        if xyz.contains(&Term::UNKNOWN) {
            return Ok(Term::UNKNOWN);
        }
        let term = self.new_ternary(table, xyz)?;
        let samples = xyz.map(|term| self.sample(term));
        Ok(self.checked(term, |n| {
            (0..8).fold(0, |byte, bit| {
                let [x, y, z] = samples.map(|sample| sample[n] >> bit & 1);
                byte | (table >> (4 * x + 2 * y + z) & 1) << bit
            })
        }))
    }

    fn new_ternary(&mut self, table: u8, xyz: [Term; 3]) -> Result<Term> {
        for (n, mask) in xyz.into_iter().enumerate() {
            // The entries where the mask's bit is 0 or 1, by the bits of the two others.
            let half = |bit: u8| {
                let entries = (0..8).filter(|entry| entry >> (2 - n) & 1 == bit);
                entries.enumerate().fold(0, |half, (k, entry)| half | (table >> entry & 1) << k)
            };
            let others = [xyz[usize::from(n == 0)], xyz[if n == 2 { 1 } else { 2 }]];
            let terms = [mask, others[0], others[1]];
            if matches!(self.known(mask), Some(0 | 255)) {
                return self.of_mask(half(0), half(1), terms);
            }
            if let Some(byte) = self.byte_of_mask(mask) {
                return self
                    .by_cases(byte, terms, |bytes, terms| bytes.of_mask(half(0), half(1), terms));
            }
        }
        Err("a function of three bytes of which none is a mask".into())
    }

    /// A function of two terms by a table of 4, which a constant mask chooses of two.
    fn of_mask(&mut self, zeros: u8, ones: u8, [mask, x, y]: [Term; 3]) -> Result<Term> {
        match if self.known(mask) == Some(0) { zeros } else { ones } {
            0b0000 => Ok(self.constant(0)),
            0b1111 => Ok(self.constant(255)),
            0b1100 => Ok(x),
            0b1010 => Ok(y),
            0b0110 => self.logic(Logic::Xor, x, y),
            0b1000 => self.logic(Logic::And, x, y),
            0b1110 => self.logic(Logic::Or, x, y),
            _ => Err("a function of two bytes".into()),
        }
    }

    /// What `entry` has for a byte, of which the bits in `mask` count.
    pub(super) fn choose<'t>(
        &mut self,
        index: Term,
        mask: u8,
        entry: &dyn Fn(u8) -> &'t [Term],
    ) -> Result<Term> {
        if let Some(value) = self.known(index) {
            return Ok(entry(value & mask)[0]);
        }
        let Some(node) = self.nodes.get(index.0 as usize) else { return Ok(Term::UNKNOWN) };
        let mut leaves = [Term::UNKNOWN; 256];
        let byte = if let Node::Cases(byte, ..) = *node {
            for (leaf, value) in leaves.iter_mut().zip(self.leaves(index, byte)) {
                let value = self.known(value).ok_or("an index of more than one byte")?;
                *leaf = entry(value & mask)[0];
            }
            byte
        } else {
            let (byte, case) = self.byte_of(index);
            for value in 0..=255 {
                leaves[usize::from(case(value))] = entry(value & mask)[0];
            }
            byte
        };
        for (value, leaf) in (0..=255).zip(&mut leaves) {
            if *leaf != Term::UNKNOWN {
                *leaf = self.leaf(*leaf, byte, value);
            }
        }
        let term = self.cases(byte, &leaves);
        if term == Term::UNKNOWN {
            return Ok(term);
        }
        let chosen = self.sample(index).map(|value| entry(value & mask)[0]);
        Ok(self.checked(term, |n| self.sample(chosen[n])[n]))
    }
}
