//! An S-box: its name, its inputs and outputs, and what it gives for all inputs at once.

use crate::fips;

/// Inputs of an S-box.
pub const INPUTS: usize = 6;
/// Outputs of an S-box.
pub const OUTPUTS: usize = 4;

/// The inputs of the S-box in 64 lanes: lane `v` of input `i` is bit `i` of `v`, counted from the
/// leftmost of six bits.
pub const LANES: [u64; INPUTS] = [
    0xffff_ffff_0000_0000,
    0xffff_0000_ffff_0000,
    0xff00_ff00_ff00_ff00,
    0xf0f0_f0f0_f0f0_f0f0,
    0xcccc_cccc_cccc_cccc,
    0xaaaa_aaaa_aaaa_aaaa,
];

/// What an S-box is called: 0 is S1.
#[must_use]
pub fn name(sbox: usize) -> String {
    format!("S{}", sbox + 1)
}

/// The outputs of S-box number `sbox` (0 is S1) for the inputs [`LANES`].
///
/// # Panics
/// If `sbox` is above 7.
#[must_use]
pub fn target(sbox: usize) -> [u64; OUTPUTS] {
    std::array::from_fn(|o| {
        let bit = |v: usize| u64::from(fips::s_box(sbox, v) >> (OUTPUTS - 1 - o) & 1);
        (0..64).fold(0, |lanes, v| lanes | bit(v) << v)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_the_inputs() {
        for v in 0..64 {
            for (i, lanes) in LANES.iter().enumerate() {
                assert_eq!(lanes >> v & 1, v >> (5 - i) & 1, "input {i} of {v}");
            }
        }
    }
}
