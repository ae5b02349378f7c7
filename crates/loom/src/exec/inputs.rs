//! Input for a call of any kernel: the same on every machine and at every time.

use crate::ciphers::Strategy;
use crate::ir::{Kernel, Memory, Scalar};

/// Arguments of one call with so many units of work, and the memory that they point into.
#[must_use]
pub fn inputs(strategy: &Strategy, kernel: &Kernel, count: usize) -> (Vec<Scalar>, Vec<Memory>) {
    let (mut scalars, mut memory) = (Vec::new(), Vec::new());
    for param in &kernel.params {
        let Some((_, extent)) = param.memory else {
            scalars.push(Scalar::Word(count as u64));
            continue;
        };
        let mut bytes = random(1 + memory.len() as u64, extent.bytes(count));
        for (byte, mask) in bytes.iter_mut().zip(param.mask.to_le_bytes().into_iter().cycle()) {
            *byte &= mask;
        }
        strategy.make_valid(param, &mut bytes);
        scalars.push(Scalar::Region(memory.len()));
        memory.push(Memory { bytes });
    }
    (scalars, memory)
}

/// Bytes from a linear congruential generator (Knuth's MMIX constants).
fn random(seed: u64, bytes: usize) -> Vec<u8> {
    let mut x = seed;
    let next = || {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (x >> 56) as u8
    };
    std::iter::repeat_with(next).take(bytes).collect()
}
