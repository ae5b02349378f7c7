//! What lowering may do in several ways. Each instruction set does what it can.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How the bytes of a word are taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extract {
    /// Two bytes from each of several shifted copies: the lowest and the second one. Fewest
    /// instructions; on x86 it names four registers only.
    HighBytes,
    /// The same, but the top byte by a shift of its own, which leaves nothing above it.
    TopShift,
    /// The same by a shift that needs no copy but a register for the distance.
    #[serde(rename = "top-shrx")]
    TopByRegister,
    /// A shifted copy for each byte, and its lowest byte.
    LowBytes,
    /// Indices of look-ups are cut out by masks as byte offsets, so that the load scales none; of
    /// entries of 8 bytes the lowest two bytes as with the others, as they need no shift.
    Offsets,
    /// As with [`Self::HighBytes`], but moved into the lowest bytes of two registers that are
    /// cleared before a round's look-ups: the way of libdes on a Pentium, where other ways to clear
    /// what is above a byte are slow. In 32-bit code; in 64-bit code as with `HighBytes`.
    MoveBytes,
}

impl Extract {
    /// Every way.
    pub const ALL: [Self; 6] = [
        Self::HighBytes,
        Self::TopShift,
        Self::TopByRegister,
        Self::LowBytes,
        Self::Offsets,
        Self::MoveBytes,
    ];
}

/// In which order up to eight look-ups are made, and into which of up to four sums each is XORed;
/// the sums are XORed at the end, the first two first. As text: `0a 1b 2a 3b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sums([(u8, u8); 8]);

impl Sums {
    /// How many sums there can be.
    pub const MOST: usize = 4;
    /// How many look-ups there can be.
    pub const LOOKUPS: usize = 8;

    /// By when each look-up of a DES round can come: the two bytes that need no shift and the top
    /// one first; each sum then waits for what comes with it, and the last two sums for each other.
    #[must_use]
    pub const fn as_they_come() -> Self {
        Self([(0, 0), (1, 1), (7, 1), (2, 0), (3, 1), (4, 2), (5, 2), (6, 2)])
    }

    /// Look-ups in their natural order, dealt to so many sums.
    #[must_use]
    pub fn dealt(sums: u8) -> Self {
        Self(std::array::from_fn(|n| (n as u8, n as u8 % sums.clamp(1, Self::MOST as u8))))
    }

    /// With two look-ups, by their places in the order, exchanged.
    #[must_use]
    pub fn exchanged(mut self, a: usize, b: usize) -> Self {
        self.0.swap(a, b);
        self
    }

    /// With the look-up at a place in the order XORed into a sum.
    #[must_use]
    pub fn moved(mut self, at: usize, sum: usize) -> Self {
        self.0[at].1 = (sum % Self::MOST) as u8;
        self
    }

    /// The look-ups `late` in order, each with its sum; with fewer than eight the pattern's numbers
    /// above theirs are left out, with more the rest follows dealt to all sums.
    #[must_use]
    pub fn order<T: Copy>(&self, late: &[T]) -> Vec<(T, usize)> {
        let patterned = self
            .0
            .iter()
            .filter_map(|&(n, sum)| late.get(usize::from(n)).map(|&item| (item, usize::from(sum))));
        let rest = late.iter().enumerate().skip(8).map(|(n, &item)| (item, n % Self::MOST));
        patterned.chain(rest).collect()
    }
}

impl Default for Sums {
    fn default() -> Self {
        Self::dealt(2)
    }
}

impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.0.map(|(n, sum)| format!("{n}{}", char::from(b'a' + sum)));
        f.write_str(&steps.join(" "))
    }
}

impl FromStr for Sums {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str =
            "eight different look-ups 0 to 7, each with a sum a to d: 0a 1b 2a 3b ...";
        let steps = text.split(' ').map(|step| match step.as_bytes() {
            [n @ b'0'..=b'7', sum @ b'a'..=b'd'] => Ok((n - b'0', sum - b'a')),
            _ => Err(FORM),
        });
        let steps: [(u8, u8); 8] =
            steps.collect::<Result<Vec<_>, _>>()?.try_into().map_err(|_| FORM)?;
        let all = steps.iter().fold(0u8, |seen, (n, _)| seen | 1 << n);
        if all == 0xff { Ok(Self(steps)) } else { Err(FORM) }
    }
}

impl Serialize for Sums {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sums {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|form| serde::de::Error::custom(format!("`{text}`: {form}")))
    }
}

/// What lowering may do in several ways; the tuner searches among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choices {
    /// How bytes are taken.
    pub extract: Extract,
    /// In which order the look-ups of a round are made and added up.
    pub sums: Sums,
    /// Whether a look-up is the operand of an XOR rather than a load of its own.
    pub memory_operands: bool,
    /// Whether a rare select is a branch rather than a conditional move.
    pub branch: bool,
    /// Whether a sum modulo 256 is an 8-bit addition rather than a wide one that is cut.
    pub byte_sums: bool,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            extract: Extract::HighBytes,
            sums: Sums::default(),
            memory_operands: true,
            branch: true,
            byte_sums: true,
        }
    }
}
