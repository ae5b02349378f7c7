//! `CFMX_COMPAT`, ColdFusion's cipher by default: three linear feedback shift registers, published by
//! W. Ward in 1998 as "Stream Encryption". It is as weak as it looks.

use zeroize::Zeroizing;

/// Of each register: where it starts if the seed is zero, what a 1 that leaves it is XORed as, the bits that
/// such a step sets, and those that a step of a 0 keeps.
const REGISTERS: [[u32; 4]; 3] = [
    [0x1357_9bdf, 0x8000_0062 >> 1, 0x8000_0000, 0x7fff_ffff],
    [0x2468_ace0, 0x4000_0020 >> 1, 0xc000_0000, 0x3fff_ffff],
    [0xfdb9_7531, 0x1000_0002 >> 1, 0xf000_0000, 0x0fff_ffff],
];

/// The key that an empty one stands for.
const DEFAULT: &[u8] = b"Default Seed";

/// Encrypts or decrypts in place: it is the same.
pub(super) fn apply(key: &[u8], message: &mut [u8]) {
    let key = if key.is_empty() { DEFAULT } else { key };
    // A short key is repeated. Of all of it, only these four bytes count.
    let seed = (4..8).fold(0, |seed, at| seed << 8 | u32::from(key[at % key.len()]));
    let start = |register: [u32; 4]| if seed == 0 { register[0] } else { seed };
    let mut state = Zeroizing::new(REGISTERS.map(start));
    let [a, b, c] = &mut *state;
    for byte in message {
        let (mut second, mut third) = (*b & 1, *c & 1);
        let mut mask = 0;
        for _ in 0..8 {
            // The first says which of the others moves.
            match step(a, &REGISTERS[0]) {
                1 => second = step(b, &REGISTERS[1]),
                _ => third = step(c, &REGISTERS[2]),
            }
            mask = mask << 1 | (second ^ third) as u8;
        }
        *byte ^= mask;
    }
}

/// Moves a register by a bit, and returns that. A 1 does not shift it: that is how it was written.
fn step(register: &mut u32, [_, feedback, set, keep]: &[u32; 4]) -> u32 {
    let bit = *register & 1;
    *register = match bit {
        1 => (*register ^ feedback) | set,
        _ => *register >> 1 & keep,
    };
    bit
}
