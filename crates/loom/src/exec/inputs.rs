//! Input for a call of any kernel: the same on every machine and at every time.

use crate::ciphers::des::bitslice::{Task, Variant, windows};
use crate::ciphers::{Strategy, rc4};
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
        if let (Strategy::Rc4(variant), "state" | "states") = (strategy, param.name.as_str()) {
            permute(variant.entry, &mut bytes);
        }
        if let (Strategy::Bitslice(variant), true) = (strategy, param.public) {
            bytes = places(variant);
        }
        scalars.push(Scalar::Region(memory.len()));
        memory.push(Memory { bytes });
    }
    (scalars, memory)
}

/// The windows of the rounds of an encryption, as they lie in memory.
fn places(variant: &Variant) -> Vec<u8> {
    let Task::Lanes(passes) = variant.task else { panic!("{variant:?} has no windows") };
    let encrypt = [(0, false), (1, true), (2, false)];
    let windows = windows(variant.lanes, &encrypt[..passes.count()]);
    let bytes = usize::from(variant.word.bytes());
    windows.into_iter().flat_map(|window| window.to_le_bytes()[..bytes].to_vec()).collect()
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

/// Makes states of random bytes: S a permutation, j any byte, i the same for all.
fn permute(entry: rc4::Entry, bytes: &mut [u8]) {
    let size = usize::from(entry.bytes());
    for state in bytes.chunks_exact_mut(256 * size + 8) {
        let mut s: [u8; 256] = std::array::from_fn(|n| n as u8);
        for (n, &with) in state[..256].iter().enumerate() {
            s.swap(n, usize::from(with));
        }
        let j = state[256];
        state.fill(0);
        for (n, value) in s.into_iter().enumerate() {
            state[n * size] = value;
        }
        state[256 * size] = 7;
        state[256 * size + 4] = j;
    }
}
