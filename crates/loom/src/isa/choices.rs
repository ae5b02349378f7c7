//! What lowering may do in several ways. Each instruction set does what it can.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How one byte of a word is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// The lowest byte of a shifted copy; the top one by the shift alone, which leaves nothing above it.
    Low,
    /// The same into another register than the copy's: on some processors renaming does it for nothing.
    Apart,
    /// The same, and the copy is where renaming can take its lowest byte, which is not so in every register.
    Free,
    /// The second byte of a shifted copy, where a processor can name that of some registers.
    High,
    /// As [`Self::Low`], but the top byte by a shift that needs no copy but a register for the distance.
    ByRegister,
    /// An index of a look-up is cut out by a mask as an offset in bytes, so that the load scales none; of
    /// entries of 8 bytes as with [`Self::Low`] and [`Self::High`] where no shift is needed.
    Offset,
    /// As [`Self::Low`], but moved into the lowest byte of a register that is cleared before a round's
    /// look-ups: the way of libdes, for processors where other ways to clear what is above a byte are slow.
    /// In 32-bit code; in 64-bit code as with [`Self::Low`].
    MoveLow,
    /// The same with [`Self::High`].
    MoveHigh,
}

impl Way {
    /// Whether what is taken is in another register than the word it is taken from.
    #[must_use]
    pub const fn is_apart(self) -> bool {
        matches!(self, Self::Apart | Self::Free)
    }
}

/// Ways and their letters.
const LETTERS: [(Way, char); 8] = [
    (Way::Low, 'l'),
    (Way::Apart, 'a'),
    (Way::Free, 'f'),
    (Way::High, 'h'),
    (Way::ByRegister, 'r'),
    (Way::Offset, 'o'),
    (Way::MoveLow, 'm'),
    (Way::MoveHigh, 'n'),
];

/// How the bytes of a word are taken apart, byte by byte: the first seven from the low end, and the top
/// one, whatever the word's width. As text a letter for each (`lhlhlhlh`), or a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extract([Way; 8]);

impl Extract {
    /// Two bytes from each of several shifted copies: the lowest and the second one. Fewest
    /// instructions.
    pub const HIGH_BYTES: Self = Self::pairs(Way::Low, Way::High, Way::High);
    /// The same, but the top byte by a shift of its own.
    pub const TOP_SHIFT: Self = Self::pairs(Way::Low, Way::High, Way::Low);
    /// The same, but the top byte by a shift whose distance is in a register.
    pub const TOP_BY_REGISTER: Self = Self::pairs(Way::Low, Way::High, Way::ByRegister);
    /// A shifted copy for each byte, and its lowest byte.
    pub const LOW_BYTES: Self = Self([Way::Low; 8]);
    /// The same, each in a register of its own.
    pub const APART: Self = Self([Way::Apart; 8]);
    /// The same where renaming does it.
    pub const FREE: Self = Self([Way::Free; 8]);
    /// By masks.
    pub const OFFSETS: Self = Self([Way::Offset; 8]);
    /// As [`Self::HIGH_BYTES`], moved into registers that are cleared.
    pub const MOVE_BYTES: Self = Self::pairs(Way::MoveLow, Way::MoveHigh, Way::MoveHigh);

    /// The ways that have names.
    pub const ALL: [Self; 8] = [
        Self::HIGH_BYTES,
        Self::TOP_SHIFT,
        Self::TOP_BY_REGISTER,
        Self::LOW_BYTES,
        Self::APART,
        Self::FREE,
        Self::OFFSETS,
        Self::MOVE_BYTES,
    ];

    /// Their names.
    const NAMES: [&str; 8] = [
        "high-bytes",
        "top-shift",
        "top-by-register",
        "low-bytes",
        "apart",
        "free",
        "offsets",
        "move-bytes",
    ];

    /// How many bytes a word has at most.
    pub const BYTES: usize = 8;

    const fn pairs(low: Way, high: Way, top: Way) -> Self {
        Self([low, high, low, high, low, high, low, top])
    }

    /// How the byte is taken that begins at a bit of a word of `size` bits.
    #[must_use]
    pub const fn way(self, shift: u8, size: u8) -> Way {
        if shift + 8 == size { self.0[7] } else { self.0[shift as usize / 8] }
    }

    /// How the top byte is taken.
    #[must_use]
    pub const fn top(self) -> Way {
        self.0[7]
    }

    /// The ways to take a byte of any word: the lowest one has no byte below it.
    #[must_use]
    pub const fn ways(byte: usize) -> &'static [Way] {
        match byte {
            0 => &[Way::Low, Way::Apart, Way::Free, Way::Offset],
            _ => &[Way::Low, Way::Apart, Way::Free, Way::Offset, Way::High, Way::ByRegister],
        }
    }

    /// With another way for one byte.
    #[must_use]
    pub const fn with(mut self, byte: usize, way: Way) -> Self {
        self.0[byte] = way;
        self
    }
}

impl fmt::Display for Extract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(n) = Self::ALL.iter().position(|named| named == self) {
            return f.write_str(Self::NAMES[n]);
        }
        let letter =
            |way| LETTERS.iter().find(|(other, _)| *other == way).map(|(_, letter)| letter);
        f.write_str(&self.0.iter().filter_map(|way| letter(*way)).collect::<String>())
    }
}

impl FromStr for Extract {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(n) = Self::NAMES.iter().position(|name| *name == text) {
            return Ok(Self::ALL[n]);
        }
        let way = |letter| LETTERS.iter().find(|(_, other)| *other == letter).map(|(way, _)| *way);
        let ways: Option<Vec<Way>> = text.chars().map(way).collect();
        let ways = ways.and_then(|ways| ways.try_into().ok()).map(Self);
        ways.ok_or(
            "a name such as high-bytes, or a letter (l a f h r o m n) for each of eight bytes",
        )
    }
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

/// Serialized as its text.
macro_rules! as_text {
    ($($name:ident)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(|form| serde::de::Error::custom(format!("`{text}`: {form}")))
            }
        }
    )*};
}

as_text! { Extract Sums }

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
    /// How many steps before it is wanted an entry is loaded that a step may change.
    #[serde(skip_serializing_if = "is_one")]
    pub ahead: u8,
}

fn is_one<T: PartialEq<u8>>(ahead: &T) -> bool {
    *ahead == 1
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            extract: Extract::HIGH_BYTES,
            sums: Sums::default(),
            memory_operands: true,
            branch: true,
            byte_sums: true,
            ahead: 1,
        }
    }
}
