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

/// The bits that `table` names, in its order; the standards count bits from 1.
pub(crate) fn permute<const FROM: usize, const TO: usize>(
    table: &[usize; TO],
    bits: &[bool; FROM],
) -> [bool; TO] {
    core::array::from_fn(|n| bits[table[n] - 1])
}

/// Bit-by-bit addition modulo 2.
pub(crate) fn add<const N: usize>(x: &[bool; N], y: &[bool; N]) -> [bool; N] {
    core::array::from_fn(|n| x[n] ^ y[n])
}

/// The left and right halves of a bit string.
pub(crate) fn halves<const WHOLE: usize, const HALF: usize>(
    bits: &[bool; WHOLE],
) -> ([bool; HALF], [bool; HALF]) {
    (core::array::from_fn(|n| bits[n]), core::array::from_fn(|n| bits[HALF + n]))
}

/// The bit string that consists of `left` followed by `right`.
pub(crate) fn concatenate<const HALF: usize, const WHOLE: usize>(
    left: &[bool; HALF],
    right: &[bool; HALF],
) -> [bool; WHOLE] {
    core::array::from_fn(|n| if n < HALF { left[n] } else { right[n - HALF] })
}
