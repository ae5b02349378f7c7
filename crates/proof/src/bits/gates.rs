//! Gates of three inputs, sums of numbers, and functions given as tables.

use super::truth::{VARIABLES, index, ones, sampled, shifted};
use super::{Bit, Bits, DIMENSIONS};
use crate::Result;

/// Truth tables of three inputs, the first being the highest bit of the entry's number, as `vpternlog`
/// counts.
const SUM: u8 = 0x96;
const MAJORITY: u8 = 0xe8;
/// Of the last two inputs.
const AND: u8 = 0x88;
const OR: u8 = 0xee;
/// Bits of the widest index of a table of which not all bits matter.
const INDEX: usize = 8;
/// The same of one that is a sum of two functions, of the lower bits and of the higher ones.
const TWICE: usize = 2 * DIMENSIONS;

impl Bits {
    /// x and y.
    pub fn and(&mut self, x: Bit, y: Bit) -> Bit {
        self.gate(AND, [Bit::ZERO, x, y])
    }

    /// x or y.
    pub fn or(&mut self, x: Bit, y: Bit) -> Bit {
        self.gate(OR, [Bit::ZERO, x, y])
    }

    /// The sum of two numbers and a carry, lowest bit first, without the last carry.
    pub fn add(&mut self, x: &[Bit], y: &[Bit], mut carry: Bit) -> Vec<Bit> {
        let mut sum = Vec::with_capacity(x.len());
        for (&x, &y) in x.iter().zip(y) {
            sum.push(self.gate(SUM, [x, y, carry]));
            carry = self.gate(MAJORITY, [x, y, carry]);
        }
        sum
    }

    /// Any function of three bits: entry 4a + 2b + c of its table. It is unknown where an unknown input
    /// makes a difference, or where it is no function of 6 sums.
    ///
    /// # Panics
    /// If the samples show that the prover is wrong.
    pub fn gate(&mut self, table: u8, [a, b, c]: [Bit; 3]) -> Bit {
        if let Some(&known) = self.gates.get(&(table, a, b, c)) {
            return known;
        }
        let gate = self.new_gate(table, [c, b, a]);
        if ![a, b, c, gate].contains(&Bit::UNKNOWN) {
            let inputs = [c, b, a].map(|bit| self.samples(bit));
            let expected = sampled(table.into(), &inputs);
            assert_eq!(self.samples(gate), expected, "a gate of bits is wrong");
        }
        self.gates.insert((table, a, b, c), gate);
        gate
    }

    fn new_gate(&mut self, table: u8, inputs: [Bit; 3]) -> Bit {
        // A variable for each sum that differs; nothing unknown is the same as anything.
        let mut variables: Vec<Bit> = Vec::with_capacity(3);
        let tables = inputs.map(|input| {
            if let Some(value) = input.known() {
                return if value { u64::MAX } else { 0 };
            }
            let (sum, added) = if input == Bit::UNKNOWN {
                (input, 0)
            } else {
                (Bit::of_form(input.form()), input.added())
            };
            let same = variables.iter().position(|&other| other == sum && sum != Bit::UNKNOWN);
            let place = same.unwrap_or_else(|| {
                variables.push(sum);
                variables.len() - 1
            });
            VARIABLES[place] ^ if added == 1 { u64::MAX } else { 0 }
        });
        let rank = variables.len();
        let all = ones(rank);
        let mut table = super::truth::compose(table.into(), &tables, rank);
        let mut sum = Bit::ZERO;
        for (n, variable) in variables.iter_mut().enumerate() {
            let difference = table ^ shifted(table, 1 << n, rank);
            if difference == 0 {
                *variable = Bit::ZERO;
            } else if *variable == Bit::UNKNOWN {
                return Bit::UNKNOWN;
            } else if difference == all {
                // It is only added.
                sum = self.xor(sum, *variable);
                table ^= VARIABLES[n] & all;
                *variable = Bit::ZERO;
            }
        }
        if table == 0 || table == all {
            return sum.plus(u32::from(table != 0));
        }
        let Some(space) = self.space(&variables) else { return Bit::UNKNOWN };
        let table = super::truth::compose(table, &space.tables, space.basis.rank);
        let function = self.of_table(&space.basis, table);
        self.xor(sum, function)
    }

    /// Any function of some bits: `table` gets their values as a number, the first bit lowest, and gives
    /// the `outputs` bits of the result. `None` if the bits are functions of more than 6 sums.
    ///
    /// # Errors
    /// Those of `table`, which is asked for every value that the bits can have.
    ///
    /// # Panics
    /// If the samples show that the prover is wrong.
    pub fn function(
        &mut self,
        bits: &[Bit],
        outputs: usize,
        table: impl Fn(u64) -> Result<u64>,
    ) -> Result<Option<Vec<Bit>>> {
        let Some(space) = self.space(bits) else {
            return self.function_of_some(bits, outputs, &table);
        };
        let mut tables = vec![0; outputs];
        for a in 0..1 << space.basis.rank {
            let value = table(index(&space.tables, a))?;
            for (n, table) in tables.iter_mut().enumerate() {
                *table |= (value >> n & 1) << a;
            }
        }
        let results = tables.into_iter().map(|table| self.of_table(&space.basis, table));
        let results: Vec<Bit> = results.collect();
        let samples = |bits: &[Bit]| bits.iter().map(|&bit| self.samples(bit)).collect();
        let (inputs, results_samples): (Vec<u64>, Vec<u64>) = (samples(bits), samples(&results));
        for a in 0..64 {
            let expected = table(index(&inputs, a))?;
            assert_eq!(index(&results_samples, a), expected & low(outputs), "a function is wrong");
        }
        Ok(Some(results))
    }

    /// A function of a few bits too many, if it does not depend on some of them: all its values are looked at.
    fn function_of_some(
        &mut self,
        bits: &[Bit],
        outputs: usize,
        table: &dyn Fn(u64) -> Result<u64>,
    ) -> Result<Option<Vec<Bit>>> {
        if bits.len() > INDEX {
            return self.function_in_parts(bits, outputs, table);
        }
        let values = (0..1 << bits.len()).map(table).collect::<Result<Vec<_>>>()?;
        let matters = |n: &usize| (0..values.len()).any(|v| values[v] != values[v ^ 1 << n]);
        let places: Vec<usize> = (0..bits.len()).filter(matters).collect();
        if places.len() == bits.len() {
            return self.function_in_parts(bits, outputs, table);
        }
        let some: Vec<Bit> = places.iter().map(|&n| bits[n]).collect();
        let spread = |value: u64| {
            let places = places.iter().enumerate();
            places.fold(0, |all, (n, place)| all | ((value >> n & 1) as usize) << place)
        };
        let of_some: &dyn Fn(u64) -> Result<u64> = &|value| Ok(values[spread(value)]);
        self.function(&some, outputs, of_some)
    }

    /// A function that is a sum of one of some bits and one of the others: all its values are looked at.
    fn function_in_parts(
        &mut self,
        bits: &[Bit],
        outputs: usize,
        table: &dyn Fn(u64) -> Result<u64>,
    ) -> Result<Option<Vec<Bit>>> {
        if bits.len() <= DIMENSIONS || bits.len() > TWICE {
            return Ok(None);
        }
        let values = (0..1 << bits.len()).map(table).collect::<Result<Vec<_>>>()?;
        let is_sum = |lower: &usize| {
            let below = (1 << lower) - 1;
            let apart = |v: usize| values[v & below] ^ values[v & !below] ^ values[0];
            (0..values.len()).all(|v| values[v] == apart(v))
        };
        let Some(lower) = (bits.len() - DIMENSIONS..=DIMENSIONS).find(is_sum) else {
            return Ok(None);
        };
        let below = self.function(&bits[..lower], outputs, |v| Ok(values[v as usize]))?;
        let above = |v: u64| Ok(values[(v as usize) << lower] ^ values[0]);
        let above =
            self.function(&bits[lower..], outputs, &above as &dyn Fn(u64) -> Result<u64>)?;
        let (Some(below), Some(above)) = (below, above) else { return Ok(None) };
        let results: Vec<Bit> = below.iter().zip(&above).map(|(&x, &y)| self.xor(x, y)).collect();
        let samples = |bits: &[Bit]| bits.iter().map(|&bit| self.samples(bit)).collect();
        let (inputs, results_samples): (Vec<u64>, Vec<u64>) = (samples(bits), samples(&results));
        for a in 0..64 {
            let expected = values[index(&inputs, a) as usize] & low(outputs);
            assert_eq!(index(&results_samples, a), expected, "a sum of functions is wrong");
        }
        Ok(Some(results))
    }
}

fn low(bits: usize) -> u64 {
    if bits == 64 { u64::MAX } else { (1 << bits) - 1 }
}
