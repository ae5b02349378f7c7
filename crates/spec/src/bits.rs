//! Bit strings as arrays of `bool`, leftmost bit first, as the standards number them.

/// The bits of `bytes`, leftmost (most significant) bit of the first byte first.
pub fn from_bytes(bytes: &[u8]) -> Vec<bool> {
    let mut bits = Vec::new();
    for byte in bytes {
        for n in 0..8 {
            bits.push(byte & (0x80 >> n) != 0);
        }
    }
    bits
}

/// The bytes of a bit string; a last byte that is not full is filled with 0 bits on its right.
pub fn to_bytes(bits: &[bool]) -> Vec<u8> {
    let mut bytes = vec![0; bits.len().div_ceil(8)];
    for (n, &bit) in bits.iter().enumerate() {
        if bit {
            bytes[n / 8] |= 0x80 >> (n % 8);
        }
    }
    bytes
}

/// The 64 bits of a block: element `n - 1` is bit `n`.
pub fn of_block(block: [u8; 8]) -> [bool; 64] {
    core::array::from_fn(|n| block[n / 8] & (0x80 >> (n % 8)) != 0)
}

/// The block that 64 bits form.
pub fn to_block(bits: &[bool; 64]) -> [u8; 8] {
    let mut block = [0; 8];
    for n in 0..64 {
        if bits[n] {
            block[n / 8] |= 0x80 >> (n % 8);
        }
    }
    block
}

/// A bit as the cipher functions use it: `bool`, or an expression that stands for a bit (`crates/proof`).
pub trait Bit: Copy {
    /// Addition modulo 2.
    fn add(self, other: Self) -> Self;

    /// The four bits that a table, given as a function, has for six bits.
    fn select(b: [Self; 6], table: impl Fn([bool; 6]) -> [bool; 4]) -> [Self; 4];
}

impl Bit for bool {
    fn add(self, other: bool) -> bool {
        self ^ other
    }

    fn select(b: [bool; 6], table: impl Fn([bool; 6]) -> [bool; 4]) -> [bool; 4] {
        table(b)
    }
}

/// The bits that `table` names, in its order; the standards count bits from 1.
pub(crate) fn permute<B: Copy, const FROM: usize, const TO: usize>(
    table: &[usize; TO],
    bits: &[B; FROM],
) -> [B; TO] {
    core::array::from_fn(|n| bits[table[n] - 1])
}

/// Bit-by-bit addition modulo 2.
pub(crate) fn add<B: Bit, const N: usize>(x: &[B; N], y: &[B; N]) -> [B; N] {
    core::array::from_fn(|n| x[n].add(y[n]))
}

/// The left and right halves of a bit string.
pub(crate) fn halves<B: Copy, const WHOLE: usize, const HALF: usize>(
    bits: &[B; WHOLE],
) -> ([B; HALF], [B; HALF]) {
    (core::array::from_fn(|n| bits[n]), core::array::from_fn(|n| bits[HALF + n]))
}

/// The bit string that consists of `left` followed by `right`.
pub(crate) fn concatenate<B: Copy, const HALF: usize, const WHOLE: usize>(
    left: &[B; HALF],
    right: &[B; HALF],
) -> [B; WHOLE] {
    core::array::from_fn(|n| if n < HALF { left[n] } else { right[n - HALF] })
}
