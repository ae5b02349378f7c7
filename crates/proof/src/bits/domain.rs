//! Bits as a machine computes with them.

use super::{Bit, Bits};
use crate::Result;
use crate::domain::{Domain, Logic, Substitution};

const NO_ARRAYS: &str = "an index that is no constant, into memory that is no table";

/// How many atoms a sum may have. In the library's kernels the longest has 157.
const LONGEST: usize = 256;

impl Domain for Bits {
    type Cell = Bit;
    const BITS: usize = 1;
    const UNKNOWN: Bit = Bit::UNKNOWN;

    fn input(&mut self) -> Bit {
        self.input()
    }

    fn constant(&mut self, value: u8) -> Bit {
        Bit::constant(value & 1 == 1)
    }

    fn known(&self, bit: Bit) -> Option<u8> {
        bit.known().map(u8::from)
    }

    fn show(&self, bit: Bit) -> String {
        self.show(bit)
    }

    fn logic(&mut self, operation: Logic, x: Bit, y: Bit) -> Result<Bit> {
        Ok(match operation {
            Logic::Xor => self.xor(x, y),
            Logic::And => self.and(x, y),
            Logic::Or => self.or(x, y),
        })
    }

    fn add(&mut self, x: &[Bit], y: &[Bit]) -> Result<Vec<Bit>> {
        Ok(self.add(x, y, Bit::ZERO))
    }

    fn difference(&mut self, _: &[Bit], _: &[Bit]) -> Result<Bit> {
        Err("a comparison of what is no constant".into())
    }

    fn select(&mut self, zero: Bit, then: Bit, other: Bit) -> Bit {
        self.gate(0xac, [zero, then, other])
    }

    fn look_up(
        &mut self,
        index: &[Bit],
        bytes: usize,
        table: &dyn Fn(u64) -> Result<u64>,
    ) -> Result<Vec<Bit>> {
        let fixed = index.iter().enumerate().filter(|(_, bit)| **bit == Bit::ONE);
        let fixed = fixed.fold(0, |fixed, (n, _)| fixed | 1 << n);
        let variable = index.iter().enumerate().filter(|(_, bit)| bit.known().is_none());
        let (places, bits): (Vec<usize>, Vec<Bit>) = variable.unzip();
        let found = self.function(&bits, 8 * bytes, |value| {
            let places = places.iter().enumerate();
            table(places.fold(fixed, |index, (n, place)| index | (value >> n & 1) << place))
        })?;
        found.ok_or_else(|| "an index of more than 6 dimensions".into())
    }

    fn ternary(&mut self, table: u8, xyz: [Bit; 3]) -> Result<Bit> {
        Ok(self.gate(table, xyz))
    }

    fn choose<'t>(
        &mut self,
        index: &[Bit],
        mask: u8,
        entry: &dyn Fn(u8) -> &'t [Bit],
    ) -> Result<Vec<Bit>> {
        let places: Vec<usize> = (0..8).filter(|n| mask >> n & 1 == 1).collect();
        let bits: Vec<Bit> = places.iter().map(|&n| index[n]).collect();
        if bits.contains(&Bit::UNKNOWN) {
            return Ok(vec![Bit::UNKNOWN; 8]);
        }
        let entry = |value: u64| {
            let places = places.iter().enumerate();
            entry(places.fold(0, |index, (n, place)| index | ((value >> n & 1) as u8) << place))
        };
        if let Some(value) = self.number(&bits) {
            return Ok(entry(value).to_vec());
        }
        let picked = self.function(&bits, 8, |value| {
            let bits = entry(value).iter().enumerate();
            let mut bits = bits.map(|(n, bit)| Some(u64::from(bit.known()?) << n));
            let byte = bits.try_fold(0, |byte, bit| Some(byte | bit?));
            byte.ok_or_else(|| "an index that is no constant, into a table that is none".into())
        })?;
        picked.ok_or_else(|| "an index of more than 6 dimensions".into())
    }

    fn read(&mut self, _: u32, _: Bit) -> Result<Bit> {
        Err(NO_ARRAYS.into())
    }

    fn write(&mut self, _: u32, _: Bit, _: Bit) -> Result<u32> {
        Err(NO_ARRAYS.into())
    }

    fn same_arrays(&mut self, x: u32, y: u32) -> bool {
        x == y
    }

    fn leader(&self, bit: Bit) -> Option<u32> {
        self.leader(bit)
    }

    fn is_lost(&self) -> bool {
        self.forms.longest() > LONGEST
    }

    fn substitute(&mut self, bit: Bit, places: &Substitution<Bit>) -> Bit {
        self.substitute(bit, &places.cells)
    }
}
