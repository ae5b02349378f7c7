//! Operations of gates, by name, and the sets of them.

use std::fmt;
use std::str::FromStr;

/// What a gate computes of its operands x, y, z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// x and y.
    And,
    /// x or y.
    Or,
    /// x xor y.
    Xor,
    /// x and not y.
    Andn,
    /// x or not y.
    Orn,
    /// x xor y xor z.
    Xor3,
    /// x xor (y and not z).
    Bcax,
    /// y where x is one, z where it is zero.
    Select,
    /// A truth table: bit 4x + 2y + z is the result, as in the immediate of `vpternlog`.
    Table(u8),
}

impl Op {
    /// How many operands it takes.
    #[must_use]
    pub const fn operands(self) -> usize {
        match self {
            Self::And | Self::Or | Self::Xor | Self::Andn | Self::Orn => 2,
            Self::Xor3 | Self::Bcax | Self::Select | Self::Table(_) => 3,
        }
    }

    /// The result in each of 64 lanes. An operation with two operands takes no notice of the third.
    #[must_use]
    pub const fn apply(self, [x, y, z]: [u64; 3]) -> u64 {
        match self {
            Self::And => x & y,
            Self::Or => x | y,
            Self::Xor => x ^ y,
            Self::Andn => x & !y,
            Self::Orn => x | !y,
            Self::Xor3 => x ^ y ^ z,
            Self::Bcax => x ^ y & !z,
            Self::Select => x & y | !x & z,
            Self::Table(table) => {
                let mut result = 0;
                let mut row = 0;
                while row < 8 {
                    if table >> row & 1 != 0 {
                        let x = if row & 4 != 0 { x } else { !x };
                        let y = if row & 2 != 0 { y } else { !y };
                        let z = if row & 1 != 0 { z } else { !z };
                        result |= x & y & z;
                    }
                    row += 1;
                }
                result
            }
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::And => f.write_str("AND"),
            Self::Or => f.write_str("OR"),
            Self::Xor => f.write_str("XOR"),
            Self::Andn => f.write_str("ANDN"),
            Self::Orn => f.write_str("ORN"),
            Self::Xor3 => f.write_str("XOR3"),
            Self::Bcax => f.write_str("BCAX"),
            Self::Select => f.write_str("SEL"),
            Self::Table(table) => write!(f, "TT{table:02x}"),
        }
    }
}

/// The operation that a text names.
pub(crate) fn operation(text: &str) -> Option<Op> {
    Some(match text {
        "AND" => Op::And,
        "OR" => Op::Or,
        "XOR" => Op::Xor,
        "ANDN" => Op::Andn,
        "ORN" => Op::Orn,
        "XOR3" => Op::Xor3,
        "BCAX" => Op::Bcax,
        "SEL" => Op::Select,
        _ => {
            let table = text.strip_prefix("TT").filter(|digits| digits.len() == 2)?;
            Op::Table(u8::from_str_radix(table, 16).ok()?)
        }
    })
}

/// Which gates a circuit may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GateSet {
    /// AND, OR, XOR, and AND with the second operand inverted: what every processor has.
    Plain,
    /// The same, OR with the second operand inverted, and bit-select: NEON (`orn`, `bsl`), PowerPC
    /// (`vorc`, `vsel`).
    Select,
    /// The same, and two of three inputs: NEON with FEAT_SHA3 (`eor3`, `bcax`).
    Sha3,
    /// Every truth table of three inputs: AVX-512 (`vpternlog`).
    Lut3,
    /// The same, where each output is XORed into something by an operation of three inputs, which can
    /// take in a last gate of two ([`Circuit::absorbed`](crate::Circuit::absorbed)).
    Lut3Xor,
}

impl GateSet {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Plain, Self::Select, Self::Sha3, Self::Lut3, Self::Lut3Xor];

    /// Its name, also of its directory in `data/`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Select => "select",
            Self::Sha3 => "sha3",
            Self::Lut3 => "lut3",
            Self::Lut3Xor => "lut3-xor",
        }
    }

    /// Whether it has a gate.
    #[must_use]
    pub const fn has(self, op: Op) -> bool {
        match op {
            Op::And | Op::Or | Op::Xor | Op::Andn => !self.has_tables(),
            Op::Orn | Op::Select => matches!(self, Self::Select | Self::Sha3),
            Op::Xor3 | Op::Bcax => matches!(self, Self::Sha3),
            Op::Table(_) => self.has_tables(),
        }
    }

    /// Whether its gates are truth tables.
    pub(crate) const fn has_tables(self) -> bool {
        matches!(self, Self::Lut3 | Self::Lut3Xor)
    }

    /// The fewest gates that others published for S1 to S8, and who; none if nobody did.
    #[must_use]
    pub const fn published(self) -> Option<([usize; 8], &'static str)> {
        match self {
            Self::Plain => Some(([49, 44, 46, 33, 48, 46, 46, 41], "353, each NOT counted")),
            Self::Select => Some(([36, 33, 33, 26, 35, 34, 34, 32], "263")),
            Self::Sha3 | Self::Lut3Xor => None,
            Self::Lut3 => Some(([23, 22, 24, 17, 23, 22, 23, 23], "177, in 2024")),
        }
    }
}

impl fmt::Display for GateSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GateSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|set| set.name() == text);
        found.ok_or_else(|| {
            format!("no gate set `{text}`; there is plain, select, sha3, lut3 or lut3-xor")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_what_their_tables_say() {
        let [x, y, z] = [0xf0, 0xcc, 0xaa];
        assert_eq!(Op::Select.apply([x, y, z]), 0xca);
        assert_eq!(Op::Andn.apply([x, y, z]), 0x30);
        assert_eq!(Op::Orn.apply([x, y, z]) & 0xff, 0xf3);
        assert_eq!(Op::Xor3.apply([x, y, z]), 0x96);
        assert_eq!(Op::Bcax.apply([x, y, z]), 0xb4);
        for table in 0..=255 {
            assert_eq!(Op::Table(table).apply([x, y, z]) & 0xff, u64::from(table));
        }
    }
}
