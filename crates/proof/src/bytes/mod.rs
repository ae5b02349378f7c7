//! Bytes as expressions of inputs, for RC4: sums modulo 256, XOR, elements of arrays, and choices.
//!
//! An array is another with one element written, or an input. An element is read through all writes,
//! from the last one back: where it is not certain whether an index is that of a write, the result is a
//! choice. Two rules go beyond this: "A\[i\] if i = j, else A\[j\]" is A\[j\]; and where A\[i\] and A\[j\]
//! differ, i and j do.
//!
//! Vectors have S byte by byte, and look up by comparing with all indices: an expression that depends on
//! the value of a byte has a case for each value, and if these are all elements of S it is one of them.
//!
//! Every expression is also computed for 8 random values of all inputs, as a check of these rules.

mod cases;
mod domain;
mod spec;

use crate::Result;
use crate::domain::Logic;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

pub use spec::Stream;

/// An expression, by its number in the [`Bytes`] that made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    /// Nothing is known of it.
    pub const UNKNOWN: Self = Self(u32::MAX);
}

/// How many values each expression is computed for.
const SAMPLES: usize = 8;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    Input(u32),
    /// A constant and multiples of terms, modulo 256.
    Sum(u8, Vec<(Term, u8)>),
    /// A constant and terms.
    Xor(u8, Vec<Term>),
    Element(u32, Term),
    /// What it is by the values of the first, and the second where it has none of these.
    Cases(Term, Term, Vec<(u8, Term)>),
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Array {
    Input(u32),
    Written(u32, Term, Term),
}

/// All expressions of one proof.
#[derive(Clone, Default)]
pub struct Bytes {
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, Term>,
    samples: Vec<[u8; SAMPLES]>,
    arrays: Vec<Array>,
    array_numbers: FxHashMap<Array, u32>,
    array_samples: Vec<[[u8; 256]; SAMPLES]>,
    reads: FxHashMap<(u32, Term), Term>,
    /// Which elements a term is.
    elements: FxHashMap<Term, Vec<(u32, Term)>>,
    /// Arrays as vectors may have them.
    lists: Vec<cases::List>,
    logics: FxHashMap<(Logic, Term, Term), Term>,
    /// Terms of the longest sum.
    longest: usize,
    /// The state of the generator of samples.
    random: u64,
}

impl Bytes {
    /// A new input.
    pub fn input(&mut self) -> Term {
        let number = self.nodes.len() as u32;
        // Small values in half of the samples, so that indices are equal in some.
        let sample = std::array::from_fn(|n| self.random_byte() & if n % 2 == 0 { 3 } else { 255 });
        self.node(Node::Input(number), sample)
    }

    /// A new array of inputs.
    pub fn array(&mut self) -> u32 {
        let number = self.arrays.len() as u32;
        let sample = std::array::from_fn(|n| {
            std::array::from_fn(|_| self.random_byte() & if n % 2 == 0 { 3 } else { 255 })
        });
        self.array_node(Array::Input(number), || sample)
    }

    fn random_byte(&mut self) -> u8 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.random >> 56) as u8
    }

    fn node(&mut self, node: Node, sample: [u8; SAMPLES]) -> Term {
        if let Some(&term) = self.numbers.get(&node) {
            return term;
        }
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.numbers.insert(node, term);
        self.samples.push(sample);
        term
    }

    fn array_node(&mut self, array: Array, sample: impl FnOnce() -> [[u8; 256]; SAMPLES]) -> u32 {
        if let Some(&number) = self.array_numbers.get(&array) {
            return number;
        }
        let number = self.arrays.len() as u32;
        self.arrays.push(array.clone());
        self.array_numbers.insert(array, number);
        self.array_samples.push(sample());
        number
    }

    fn sample(&self, term: Term) -> [u8; SAMPLES] {
        self.samples[term.0 as usize]
    }

    /// A result beside what it is for the samples.
    fn checked(&self, term: Term, expected: impl Fn(usize) -> u8) -> Term {
        assert_eq!(self.sample(term), std::array::from_fn(expected), "an expression is wrong");
        term
    }

    /// A constant.
    pub fn constant(&mut self, value: u8) -> Term {
        self.node(Node::Sum(value, Vec::new()), [value; SAMPLES])
    }

    /// The value of a constant.
    pub fn known(&self, term: Term) -> Option<u8> {
        match self.nodes.get(term.0 as usize) {
            Some(Node::Sum(value, terms)) if terms.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// x + factor * y modulo 256.
    pub fn combine(&mut self, x: Term, y: Term, factor: u8) -> Term {
        if x == Term::UNKNOWN || y == Term::UNKNOWN {
            return Term::UNKNOWN;
        }
        let parts = |term: Term| match &self.nodes[term.0 as usize] {
            Node::Sum(constant, terms) => (*constant, terms.clone()),
            _ => (0, vec![(term, 1)]),
        };
        let ((c, terms), (d, others)) = (parts(x), parts(y));
        let mut factors: BTreeMap<Term, u8> = terms.into_iter().collect();
        for (term, own) in others {
            let sum = factors.entry(term).or_default();
            *sum = sum.wrapping_add(own.wrapping_mul(factor));
        }
        let constant = c.wrapping_add(d.wrapping_mul(factor));
        let terms: Vec<(Term, u8)> = factors.into_iter().filter(|(_, own)| *own != 0).collect();
        self.longest = self.longest.max(terms.len());
        let (a, b) = (self.sample(x), self.sample(y));
        let expected = |n: usize| a[n].wrapping_add(b[n].wrapping_mul(factor));
        let term = match terms[..] {
            [(term, 1)] if constant == 0 => term,
            _ => {
                let sample = std::array::from_fn(|n| {
                    terms.iter().fold(constant, |sum, (term, factor)| {
                        sum.wrapping_add(self.sample(*term)[n].wrapping_mul(*factor))
                    })
                });
                self.node(Node::Sum(constant, terms), sample)
            }
        };
        self.checked(term, expected)
    }

    /// x XOR y.
    pub fn xor(&mut self, x: Term, y: Term) -> Term {
        if x == Term::UNKNOWN || y == Term::UNKNOWN {
            return Term::UNKNOWN;
        }
        let parts = |term: Term| match &self.nodes[term.0 as usize] {
            Node::Xor(constant, terms) => (*constant, terms.clone()),
            Node::Sum(constant, terms) if terms.is_empty() => (*constant, Vec::new()),
            _ => (0, vec![term]),
        };
        let ((c, mut terms), (d, others)) = (parts(x), parts(y));
        for term in others {
            match terms.binary_search(&term) {
                Ok(place) => drop(terms.remove(place)),
                Err(place) => terms.insert(place, term),
            }
        }
        let (a, b) = (self.sample(x), self.sample(y));
        let sample: [u8; SAMPLES] = std::array::from_fn(|n| a[n] ^ b[n]);
        let term = match terms[..] {
            [] => self.constant(c ^ d),
            [term] if c == d => term,
            _ => self.node(Node::Xor(c ^ d, terms), sample),
        };
        self.checked(term, |n| sample[n])
    }

    /// An array with one element changed.
    ///
    /// # Errors
    /// If the index or the value is not known.
    pub fn write(&mut self, array: u32, index: Term, value: Term) -> Result<u32> {
        if index == Term::UNKNOWN || value == Term::UNKNOWN {
            return Err("an element of an array that is not known".into());
        }
        let (indices, values) = (self.sample(index), self.sample(value));
        let mut sample = self.array_samples[array as usize];
        for n in 0..SAMPLES {
            sample[n][usize::from(indices[n])] = values[n];
        }
        Ok(self.array_node(Array::Written(array, index, value), || sample))
    }

    /// An element of an array.
    pub fn read(&mut self, array: u32, index: Term) -> Term {
        if index == Term::UNKNOWN {
            return Term::UNKNOWN;
        }
        if let Some(&term) = self.reads.get(&(array, index)) {
            return term;
        }
        // Back from the last write to one that is certain, and forward again.
        let mut uncertain = Vec::new();
        let mut at = array;
        let mut term = loop {
            if let Some(&term) = self.reads.get(&(at, index)) {
                break term;
            }
            match self.arrays[at as usize] {
                Array::Input(_) => {
                    let indices = self.sample(index);
                    let all = &self.array_samples[at as usize];
                    let sample = std::array::from_fn(|n| all[n][usize::from(indices[n])]);
                    break self.node(Node::Element(at, index), sample);
                }
                Array::Written(before, place, value) => {
                    let difference = self.combine(place, index, 255);
                    match self.known(difference) {
                        Some(0) => break value,
                        Some(_) => {}
                        None => uncertain.push((at, difference, value)),
                    }
                    at = before;
                }
            }
        };
        while let Some((written, difference, value)) = uncertain.pop() {
            term = self.choice(difference, value, term);
            self.reads.insert((written, index), term);
            self.elements.entry(term).or_default().push((written, index));
        }
        self.reads.insert((array, index), term);
        self.elements.entry(term).or_default().push((array, index));
        let (all, indices) = (&self.array_samples[array as usize], self.sample(index));
        self.checked(term, |n| all[n][usize::from(indices[n])])
    }

    /// Whether two arrays have the same elements.
    pub fn same_arrays(&mut self, x: u32, y: u32) -> bool {
        x == y
            || (0..=255).all(|n| {
                let index = self.constant(n);
                self.read(x, index) == self.read(y, index)
            })
    }
}

#[cfg(test)]
mod tests;
