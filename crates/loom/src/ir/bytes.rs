//! What operations on the bytes of vectors mean: look-ups inside registers, sums, bit matrices.

/// Two vectors, one result, byte by byte. Bytes are counted from the lowest; a *part* is 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bytes {
    /// Byte n is that byte of the second whose number is byte n of the first, modulo its length.
    Pick,
    /// The same within each 16 bytes, of the *first* by the *second*: the lowest four bits of an
    /// index count; where its highest bit is set, the result is 0.
    Shuffle,
    /// Bit i of byte n is the parity of byte n of the first and byte 7 - i of the same part of the
    /// second: each part of the second is a matrix of 8 x 8 bits, each byte of the first a vector.
    Matrix,
    /// Each part is the sum of the eight differences, without sign, of its bytes.
    Distance,
    /// Bytes of the first: as they are where the second's, as a signed number, is above zero, 0
    /// where it is 0, negated (modulo 256) where it is below.
    Sign,
    /// Within each 16 bytes, the even 4-byte words of the first, then those of the second.
    Evens,
    /// Within each 16 bytes, the lower 8 bytes of both in turns, the first's before the second's.
    Interleave,
    /// The same with 2-byte words.
    InterleavePairs,
    /// The same with 4-byte words.
    InterleaveWords,
    /// Within each 16 bytes, the lower part of the first, then the lower part of the second.
    InterleaveParts,
    /// Within each 16 bytes, 2-byte words of the upper 8 bytes of both in turns.
    UpperPairs,
    /// The same with 4-byte words.
    UpperWords,
    /// Within each 16 bytes, the upper part of the first, then the upper part of the second.
    UpperParts,
    /// The upper half of the first, then the lower half of the second: exchanged halves, if both
    /// are one vector.
    Halves,
    /// The lower half of the first, then the lower half of the second.
    LowHalves,
    /// All but the lowest 8 bytes of the second, then the lowest 8 of the first.
    Next,
    /// The same within each 16 bytes.
    NextWithin,
    /// The sum, modulo 256.
    Sum,
    /// All bits set where both are equal, 0 elsewhere.
    Equal,
    /// Bytes of the first, moved towards high bits by the second's as signed numbers, towards low bits where
    /// these are below zero; zeros come in.
    Move,
    /// The sums, modulo 256, of each two neighbours of the first, and then those of the second.
    Pairs,
}

impl Bytes {
    /// Its name in a printed kernel.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pick => "pick",
            Self::Shuffle => "shuffle",
            Self::Matrix => "matrix",
            Self::Distance => "distance",
            Self::Sign => "sign",
            Self::Evens => "evens",
            Self::Interleave => "interleave",
            Self::InterleavePairs => "interleave_pairs",
            Self::InterleaveWords => "interleave_words",
            Self::InterleaveParts => "interleave_parts",
            Self::UpperPairs => "upper_pairs",
            Self::UpperWords => "upper_words",
            Self::UpperParts => "upper_parts",
            Self::Halves => "halves",
            Self::LowHalves => "low_halves",
            Self::Next => "next",
            Self::NextWithin => "next_within",
            Self::Sum => "sum",
            Self::Equal => "equal",
            Self::Move => "move",
            Self::Pairs => "pairs",
        }
    }

    /// Bits that a vector must have at least for it to mean something.
    #[must_use]
    pub const fn least_bits(self) -> u16 {
        match self {
            Self::Shuffle
            | Self::Evens
            | Self::Interleave
            | Self::InterleavePairs
            | Self::InterleaveWords
            | Self::InterleaveParts
            | Self::UpperPairs
            | Self::UpperWords
            | Self::UpperParts
            | Self::Halves
            | Self::LowHalves
            | Self::NextWithin => 128,
            Self::Pick
            | Self::Matrix
            | Self::Distance
            | Self::Sign
            | Self::Next
            | Self::Sum
            | Self::Equal
            | Self::Move
            | Self::Pairs => 64,
        }
    }

    /// Whether its operands may change places.
    #[must_use]
    pub const fn is_symmetric(self) -> bool {
        matches!(self, Self::Distance | Self::Sum | Self::Equal)
    }

    /// The result for the bytes of two vectors of one length.
    pub(super) fn apply(self, a: &[u8], b: &[u8]) -> Vec<u8> {
        let each = |f: &dyn Fn(usize) -> u8| (0..a.len()).map(f).collect();
        match self {
            Self::Pick => each(&|n| b[usize::from(a[n]) % b.len()]),
            Self::Shuffle => each(&|n| match b[n] {
                0x80.. => 0,
                index => a[n / 16 * 16 + usize::from(index % 16)],
            }),
            Self::Matrix => each(&|n| {
                let row = |i: usize| (a[n] & b[n / 8 * 8 + 7 - i]).count_ones() as u8 % 2;
                (0..8).fold(0, |byte, i| byte | row(i) << i)
            }),
            Self::Distance => {
                let part = |n: usize| -> u64 {
                    (8 * n..8 * n + 8).map(|n| u64::from(a[n].abs_diff(b[n]))).sum()
                };
                (0..a.len() / 8).flat_map(|n| part(n).to_le_bytes()).collect()
            }
            Self::Sign => each(&|n| match b[n] {
                0 => 0,
                1..0x80 => a[n],
                0x80.. => a[n].wrapping_neg(),
            }),
            Self::Evens => each(&|n| {
                let (word, byte) = (n % 16 / 4, n % 4);
                let from = n / 16 * 16 + word % 2 * 8 + byte;
                if word < 2 { a[from] } else { b[from] }
            }),
            Self::Interleave => interleave(1, 0, a, b),
            Self::InterleavePairs => interleave(2, 0, a, b),
            Self::InterleaveWords => interleave(4, 0, a, b),
            Self::InterleaveParts => interleave(8, 0, a, b),
            Self::UpperPairs => interleave(2, 8, a, b),
            Self::UpperWords => interleave(4, 8, a, b),
            Self::UpperParts => interleave(8, 8, a, b),
            Self::Halves => {
                let half = a.len() / 2;
                [&a[half..], &b[..half]].concat()
            }
            Self::LowHalves => {
                let half = a.len() / 2;
                [&a[..half], &b[..half]].concat()
            }
            Self::Next => [&b[8..], &a[..8]].concat(),
            Self::NextWithin => {
                let parts = a.chunks(16).zip(b.chunks(16));
                parts.flat_map(|(a, b)| [&b[8..], &a[..8]].concat()).collect()
            }
            Self::Sum => each(&|n| a[n].wrapping_add(b[n])),
            Self::Equal => each(&|n| if a[n] == b[n] { 0xff } else { 0 }),
            Self::Move => each(&|n| match b[n].cast_signed() {
                by @ 0..8 => a[n] << by,
                by @ -7..0 => a[n] >> -by,
                _ => 0,
            }),
            Self::Pairs => {
                [a, b].concat().chunks(2).map(|two| two[0].wrapping_add(two[1])).collect()
            }
        }
    }
}

/// Words of `size` bytes of both in turns, of each 16 bytes the eight from `first` on.
fn interleave(size: usize, first: usize, a: &[u8], b: &[u8]) -> Vec<u8> {
    let byte = |n: usize| {
        let (word, byte) = (n % 16 / size, n % size);
        let from = n / 16 * 16 + first + word / 2 * size + byte;
        if word % 2 == 0 { a[from] } else { b[from] }
    };
    (0..a.len()).map(byte).collect()
}

/// Byte n is that byte of the tables together whose number is byte n of `index`, 0 where there is none.
pub(super) fn pick_from(index: &[u8], tables: &[Vec<u8>]) -> Vec<u8> {
    let all = tables.concat();
    index.iter().map(|&index| all.get(usize::from(index)).copied().unwrap_or(0)).collect()
}

/// Byte n is that byte of the two together, `low` first, whose number is byte n of `index`, modulo
/// their length.
pub(super) fn pick_two(index: &[u8], low: &[u8], high: &[u8]) -> Vec<u8> {
    let both = [low, high].concat();
    index.iter().map(|&index| both[usize::from(index) % both.len()]).collect()
}
