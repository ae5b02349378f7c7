//! The specification's bits, as bits of a proof.

use super::{Bit, Bits};
use cipherloom_spec::bits::Bit as SpecBit;
use std::cell::RefCell;

/// A bit that the specification computes with.
#[derive(Clone, Copy)]
pub struct Symbol<'a> {
    bits: &'a RefCell<Bits>,
    bit: Bit,
}

impl SpecBit for Symbol<'_> {
    fn add(self, other: Self) -> Self {
        Self { bit: self.bits.borrow_mut().xor(self.bit, other.bit), ..self }
    }

    fn select(b: [Self; 6], table: impl Fn([bool; 6]) -> [bool; 4]) -> [Self; 4] {
        let mut bits = b[0].bits.borrow_mut();
        let selected = bits.function(&b.map(|symbol| symbol.bit), 4, |value| {
            let selected = table(std::array::from_fn(|n| value >> n & 1 == 1));
            Ok((0..4).fold(0, |number, n| number | u64::from(selected[n]) << n))
        });
        // Six bits are functions of six bits.
        let selected = selected.ok().flatten().unwrap_or_else(|| vec![Bit::UNKNOWN; 4]);
        std::array::from_fn(|n| Self { bit: selected[n], ..b[0] })
    }
}

impl Bits {
    /// Lets the specification compute with these bits: `work` gets a function that makes symbols of bits.
    pub fn specify<const N: usize>(
        &mut self,
        work: impl for<'a> FnOnce(&dyn Fn(Bit) -> Symbol<'a>) -> [Symbol<'a>; N],
    ) -> [Bit; N] {
        let bits = RefCell::new(std::mem::take(self));
        let result = work(&|bit| Symbol { bits: &bits, bit }).map(|symbol| symbol.bit);
        *self = bits.into_inner();
        result
    }
}
