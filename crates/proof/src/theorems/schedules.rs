//! Subkeys as kernels want them in memory, from bits of subkeys. Public, as the library's tests compare what it
//! hands to kernels with this.

use crate::Result;
use crate::bits::{Bit, Bits};
use cipherloom_spec::tables::{E, LEFT_SHIFTS};

/// A subkey.
pub type Subkey = [Bit; 48];

/// Subkeys of so many passes of DES, which are inputs.
pub(super) fn subkeys(bits: &mut Bits, passes: usize) -> Vec<Subkey> {
    (0..16 * passes).map(|_| std::array::from_fn(|_| bits.input())).collect()
}

/// x + y of two bit strings.
pub(super) fn sum(bits: &mut Bits, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    x.iter().zip(y).map(|(&x, &y)| bits.xor(x, y)).collect()
}

/// How kernels by tables have halves and subkeys in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Halves of 32 bits, rotated.
    Rotated,
    /// E-expanded halves of 64 bits, with six bits a byte.
    Bytes,
    /// The same with twelve bits in 16.
    Pairs,
    /// The same with twelve bits at these places, two groups of six in each, the first one higher, and with all bits
    /// of the half in the lower 32.
    Dense,
}

/// Where the fields of [`Layout::Dense`] begin, with their groups, counted from 0.
const FIELDS: [(usize, [usize; 2]); 4] = [(0, [4, 6]), (12, [0, 2]), (32, [5, 7]), (44, [1, 3])];
/// The bits of a half that no field in the lower 32 bits has, which stand in bits 31 to 24 of them.
const SPARE: [usize; 8] = [5, 6, 13, 14, 21, 22, 29, 30];

impl Layout {
    /// That of a kernel, by a word of its name.
    pub(super) fn of(word: &str) -> Result<Self> {
        match word {
            "table32" => Ok(Self::Rotated),
            "table64" | "spaced64" | "reg128" | "reg256" | "reg512" | "sum512" | "pack512" => {
                Ok(Self::Bytes)
            }
            "paired" => Ok(Self::Pairs),
            "paired12" => Ok(Self::Dense),
            _ => Err("no theorem says what it is to do".into()),
        }
    }

    /// Bytes of a word in memory.
    pub(super) fn word(self) -> i64 {
        if self == Self::Rotated { 4 } else { 8 }
    }

    /// What a schedule has, for people.
    pub(super) fn has(self) -> &'static str {
        match self {
            Self::Rotated => "in two words, the second rotated by 4, six bits a byte",
            Self::Bytes => "differences two rounds apart, six bits a byte",
            Self::Pairs => "differences two rounds apart, twelve bits in 16",
            Self::Dense => "differences two rounds apart, twelve bits each at bit 0, 12, 32 and 44",
        }
    }

    /// What halves are, for people.
    pub(super) fn halves_have(self) -> &'static str {
        match self {
            Self::Rotated => "rotated to the left by 3",
            _ => "expanded by E, as the schedule has its bits",
        }
    }

    /// Where the bit of E's 48 with this number, from 0, stands in 64.
    fn place(self, n: usize) -> usize {
        let (group, within) = (n / 6, 5 - n % 6);
        let field = |&(at, groups): &(usize, [usize; 2])| {
            let place = groups.iter().position(|&other| other == group)?;
            Some(at + 6 * (1 - place))
        };
        within
            + match self {
                Self::Rotated | Self::Bytes => 8 * (7 - group),
                Self::Pairs => 16 * (3 - group / 2) + 6 * (1 - group % 2),
                Self::Dense => FIELDS.iter().find_map(field).expect("every group has a field"),
            }
    }

    /// 48 bits in a word of 64.
    fn spread(self, bits: &[Bit]) -> Vec<Bit> {
        let mut word = vec![Bit::ZERO; 64];
        for (n, &bit) in bits.iter().enumerate() {
            word[self.place(n)] = bit;
        }
        word
    }

    /// Two halves of 32 bits, the first bit first.
    pub(super) fn halves(self, halves: &[Bit]) -> Vec<Bit> {
        if self == Self::Rotated {
            return rotated(halves);
        }
        let expanded = halves.chunks(32).flat_map(|half| {
            let mut word = self.spread(&E.map(|bit| half[bit - 1]));
            let spare = if self == Self::Dense { &SPARE[..] } else { &[] };
            spare.iter().zip((24..32).rev()).for_each(|(&bit, at)| word[at] = half[bit]);
            word
        });
        expanded.collect()
    }

    /// The schedule of these subkeys, in the order of encryption.
    pub fn schedule(self, bits: &mut Bits, keys: &[Subkey]) -> Vec<Bit> {
        if self == Self::Rotated { rotated_words(keys) } else { self.table_words(bits, keys) }
    }

    /// That of kernels that keep halves E-expanded. The half that a subkey is for already has the one before the last
    /// in it, so words are differences of subkeys two rounds apart; between passes halves change places.
    fn table_words(self, bits: &mut Bits, keys: &[Subkey]) -> Vec<Bit> {
        let word = |key: Option<&Subkey>| self.spread(key.map_or(&[], |key| &key[..]));
        let passes: Vec<&[Subkey]> = keys.chunks(16).collect();
        let mut words = Vec::new();
        for pass in 0..=passes.len() {
            let before = pass.checked_sub(1).map(|before| passes[before]);
            let after = passes.get(pass);
            for n in 0..2 {
                let (x, y) =
                    (word(before.map(|keys| &keys[15 - n])), word(after.map(|keys| &keys[n])));
                words.extend(sum(bits, &x, &y));
            }
            for pair in after.into_iter().flat_map(|keys| keys.windows(3)) {
                words.extend(sum(bits, &word(Some(&pair[0])), &word(Some(&pair[2]))));
            }
        }
        words
    }
}

/// The schedule of kernels that keep halves E-expanded, with six bits a byte.
pub fn table_words(bits: &mut Bits, keys: &[Subkey]) -> Vec<Bit> {
    Layout::Bytes.schedule(bits, keys)
}

/// The schedule of libdes, 2 words of 32 bits a round: S1, S3, S5, S7, and S2, S4, S6, S8 rotated by 4.
pub fn libdes_words(keys: &[Subkey]) -> Vec<Bit> {
    let pairs = keys.iter().flat_map(|key| {
        let bit = |n: usize, bit: usize| key[6 * n + bit];
        pair_of_words(|n, at| bit(2 * n, at), |n, at| bit(2 * n + 1, at))
    });
    pairs.collect()
}

/// The schedule of other kernels with halves of 32 bits, 2 words a round: S8, S6, S4, S2, and S7, S5, S3, S1
/// rotated by 4, the first bit of each highest.
pub fn rotated_words(keys: &[Subkey]) -> Vec<Bit> {
    let pairs = keys.iter().flat_map(|key| {
        let bit = |s: usize, bit: usize| key[6 * (s - 1) + 5 - bit];
        pair_of_words(|n, at| bit(8 - 2 * n, at), |n, at| bit(7 - 2 * n, at))
    });
    pairs.collect()
}

/// Halves of 32 bits with the first bit highest, rotated to the left by 3.
fn rotated(halves: &[Bit]) -> Vec<Bit> {
    let bit = |n: usize| halves[n / 32 * 32 + (34 - n % 32) % 32];
    (0..64).map(bit).collect()
}

/// Two words of 32 bits with six bits in each byte, by the byte and the bit's place; the second rotated by 4.
fn pair_of_words(
    first: impl Fn(usize, usize) -> Bit,
    second: impl Fn(usize, usize) -> Bit,
) -> [Bit; 64] {
    let mut words = [Bit::ZERO; 64];
    for (n, at) in (0..4).flat_map(|n| (0..6).map(move |at| (n, at))) {
        words[8 * n + 2 + at] = first(n, at);
        words[32 + 8 * n + 2 + at] = second(n, at);
    }
    words[32..].rotate_right(4);
    words
}

/// Where a bit of R stands first in E(R).
pub(super) fn first_place(bit: usize) -> usize {
    E.iter().position(|&at| at == bit + 1).expect("every bit of R is in E(R)")
}

/// What S-boxes as circuits want and give inverted: of their 48 inputs and of f's result; the highest is bit 1.
#[derive(Clone, Copy)]
pub struct Inverted {
    inputs: u64,
    /// Of f's result.
    pub outputs: u32,
}

impl Inverted {
    /// That of the circuits in kernels with such words in their names.
    #[must_use]
    pub fn by(words: &[&str]) -> Self {
        let (inputs, outputs) = match words {
            words if words.contains(&"avx512") => (0, 0),
            words if words.contains(&"sha3") => (0x5d5e_e4ec_1411, 0x9c27_4843),
            _ => (0, 0xd8d8_dbbc),
        };
        Self { inputs, outputs }
    }

    /// Subkeys as masks have them: a key bit is inverted where an input is.
    #[must_use]
    pub fn keys(self, keys: &[Subkey]) -> Vec<Subkey> {
        let inverted = |n: usize| self.inputs >> (47 - n) & 1 == 1;
        let bit = |key: &Subkey, n| if inverted(n) { key[n].complement() } else { key[n] };
        keys.iter().map(|key| std::array::from_fn(|n| bit(key, n))).collect()
    }
}

/// The masks of rounds in bit slices, one a bit. Each half has the bits of the subkey in it that its bits
/// meet first in E; where a bit is met again, its mask is the difference. After a round, 32 masks change the
/// half's key from this round's to the next one's; `inverted` are the bits that the circuits give inverted.
pub fn slice_masks(bits: &mut Bits, keys: &[Subkey], inverted: u32) -> Vec<Bit> {
    let again: Vec<usize> = (0..48).filter(|&place| first_place(E[place] - 1) != place).collect();
    let firsts: Vec<Vec<Bit>> = keys.iter().map(merged).collect();
    let nothing = vec![Bit::ZERO; 32];
    let mut masks = Vec::new();
    for (round, key) in keys.iter().enumerate() {
        if round > 0 && round % 16 == 0 {
            masks.extend(sum(bits, &firsts[round - 1], &firsts[round]));
        }
        for &place in &again {
            masks.push(bits.xor(key[place], key[first_place(E[place] - 1)]));
        }
        // The half that the last round of a pass writes is written again before it is used.
        let (before, after) = match round % 16 {
            0 if round > 0 => (&nothing, &nothing),
            0 => (&nothing, &firsts[1]),
            15 => (&firsts[round - 1], firsts.get(round + 2).unwrap_or(&nothing)),
            _ => (&firsts[round - 1], &firsts[round + 1]),
        };
        for (n, mask) in sum(bits, before, after).into_iter().enumerate() {
            let is_inverted = inverted >> (31 - n) & 1 == 1;
            masks.push(if is_inverted { mask.complement() } else { mask });
        }
    }
    masks
}

/// The bits of a subkey that bits of R meet first in E.
pub fn merged(key: &Subkey) -> Vec<Bit> {
    (0..32).map(|bit| key[first_place(bit)]).collect()
}

/// In which order kernels with a key per lane, which lie as they are, take the rounds' windows.
#[derive(Clone, Copy)]
pub struct Order {
    /// EDE: the second of three passes goes backwards.
    pub is_ede: bool,
    /// Decryption: everything goes backwards.
    pub is_backwards: bool,
}

impl Order {
    pub(super) const ENCRYPTION: Self = Self { is_ede: false, is_backwards: false };
    const ALL: [Self; 4] = [
        Self::ENCRYPTION,
        Self { is_ede: false, is_backwards: true },
        Self { is_ede: true, is_backwards: false },
        Self { is_ede: true, is_backwards: true },
    ];

    /// Those that so many passes may have.
    pub(super) fn all(passes: usize) -> &'static [Self] {
        if passes == 1 { &Self::ALL[..2] } else { &Self::ALL }
    }

    /// Puts what the rounds have, in the order of the keys, into the order of application.
    pub(super) fn apply<T>(self, rounds: &mut [T]) {
        if let (true, Some(second)) = (self.is_ede, rounds.get_mut(16..32)) {
            second.reverse();
        }
        if self.is_backwards {
            rounds.reverse();
        }
    }
}

/// Where each round finds C and D in slices of keys, C0 C0 D0 D0 of each, in bytes.
pub fn windows(passes: usize, slice: usize, order: Order) -> Vec<u64> {
    let mut windows = Vec::new();
    for pass in 0..passes {
        let mut shift = 0;
        windows.extend(LEFT_SHIFTS.map(|by| {
            shift += by;
            ((112 * pass + shift) * slice) as u64
        }));
    }
    order.apply(&mut windows);
    windows
}

/// The lane of a block among so many: words of 64 bits have every so-manieth block.
pub fn lane(lanes: usize, block: usize) -> usize {
    let words = lanes / 64;
    64 * (block % words) + block / words
}
