//! The specification's bytes, as expressions of a proof.

use super::{Bytes, Term};
use cipherloom_spec::rc4::{Byte, Rc4};
use std::cell::RefCell;

/// A byte that the specification computes with.
#[derive(Clone, Copy)]
pub(super) struct Symbol<'a> {
    bytes: &'a RefCell<Bytes>,
    term: Term,
}

/// An array that the specification computes with.
#[derive(Clone, Copy)]
pub(super) struct SymbolArray<'a> {
    bytes: &'a RefCell<Bytes>,
    array: u32,
}

impl<'a> Byte for Symbol<'a> {
    type S = SymbolArray<'a>;

    fn add(self, other: Self) -> Self {
        Self { term: self.bytes.borrow_mut().combine(self.term, other.term, 1), ..self }
    }

    fn next(self) -> Self {
        let one = self.bytes.borrow_mut().constant(1);
        self.add(Self { term: one, ..self })
    }

    fn get(s: &SymbolArray<'a>, i: Self) -> Self {
        Self { term: s.bytes.borrow_mut().read(s.array, i.term), ..i }
    }

    fn set(s: &mut SymbolArray<'a>, i: Self, value: Self) {
        let written = s.bytes.borrow_mut().write(s.array, i.term, value.term);
        s.array = written.expect("the specification knows what it writes");
    }
}

/// S, i and j of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The array S.
    pub s: u32,
    /// The counter.
    pub i: Term,
    /// The other index.
    pub j: Term,
}

impl Bytes {
    /// A byte of keystream by the specification, and what becomes of S, i and j.
    pub fn prga(&mut self, stream: &mut Stream) -> Term {
        self.lend(|bytes| {
            let symbol = |term| Symbol { bytes, term };
            let s = SymbolArray { bytes, array: stream.s };
            let mut rc4 = Rc4 { s, i: symbol(stream.i), j: symbol(stream.j) };
            let byte = rc4.prga();
            *stream = Stream { s: rc4.s.array, i: rc4.i.term, j: rc4.j.term };
            byte.term
        })
    }

    /// A step of the key set-up by the specification: what becomes of S, i and j.
    pub fn ksa_step(&mut self, stream: &mut Stream, key: Term) {
        self.lend(|bytes| {
            let symbol = |term| Symbol { bytes, term };
            let mut s = SymbolArray { bytes, array: stream.s };
            let (i, j) = (symbol(stream.i), symbol(stream.j));
            let j = Rc4::ksa_step(&mut s, i, j, symbol(key));
            *stream = Stream { s: s.array, i: i.next().term, j: j.term };
        });
    }

    fn lend<T>(&mut self, work: impl FnOnce(&RefCell<Self>) -> T) -> T {
        let bytes = RefCell::new(std::mem::take(self));
        let result = work(&bytes);
        *self = bytes.into_inner();
        result
    }
}
