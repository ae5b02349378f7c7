//! RC4, software-pipelined: S\[i+1\] is loaded before step i stores.
//!
//! When i + 1 = j the loaded value is stale; a branch taken once in 256 steps repairs it, which is
//! cheaper than a conditional move on the chain through j. Addresses depend on secrets: this kernel
//! is not constant-time ([`super::rc4_scan`] is).

use core::hint::black_box;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// One RC4 keystream: S, i and j. Wiped on drop.
#[derive(Clone)]
pub(crate) struct State {
    s: [u8; 256],
    i: u8,
    j: u8,
}

impl State {
    /// Key set-up (KSA). `key` has 1 to 256 bytes; callers check.
    pub(crate) fn new(key: &[u8]) -> Self {
        debug_assert!((1..=256).contains(&key.len()));
        let mut s: [u8; 256] = core::array::from_fn(|i| i as u8);
        let mut j = 0u8;
        for (i, k) in (0..=255u8).zip(key.iter().cycle()) {
            let x = s[usize::from(i)];
            j = j.wrapping_add(x).wrapping_add(*k);
            s[usize::from(i)] = s[usize::from(j)];
            s[usize::from(j)] = x;
        }
        Self { s, i: 0, j: 0 }
    }

    /// XORs the next bytes of the keystream into `data`.
    pub(crate) fn apply(&mut self, data: &mut [u8]) {
        let Self { s, i, j } = self;
        let mut next = Step { i: i.wrapping_add(1), j: *j, x: s[usize::from(i.wrapping_add(1))] };
        let (words, rest) = data.as_chunks_mut::<8>();
        for word in words {
            let mut keystream = 0;
            for n in 0..8 {
                keystream |= u64::from(next.step(s)) << (8 * n);
            }
            *word = (u64::from_le_bytes(*word) ^ keystream).to_le_bytes();
        }
        for byte in rest {
            *byte ^= next.step(s);
        }
        *i = next.i.wrapping_sub(1);
        *j = next.j;
    }
}

impl Drop for State {
    fn drop(&mut self) {
        self.s.zeroize();
        self.i.zeroize();
        self.j.zeroize();
    }
}

impl ZeroizeOnDrop for State {}

/// A step of the PRGA about to be done: `x` is S\[i\], j still that of the step before.
struct Step {
    i: u8,
    j: u8,
    x: u8,
}

impl Step {
    /// Does the step, loads for the one after it, and returns a byte of keystream.
    #[inline(always)]
    fn step(&mut self, s: &mut [u8; 256]) -> u8 {
        let Self { i, x, .. } = *self;
        let j = self.j.wrapping_add(x);
        let after = i.wrapping_add(1);
        let mut x_after = s[usize::from(after)];
        let y = s[usize::from(j)];
        s[usize::from(i)] = y;
        s[usize::from(j)] = x;
        if after == j {
            x_after = stale(x);
        }
        *self = Self { i: after, j, x: x_after };
        s[usize::from(x.wrapping_add(y))]
    }
}

/// `x`, by a call that the compiler can neither remove nor turn into a conditional move.
#[cold]
#[inline(never)]
fn stale(x: u8) -> u8 {
    black_box(x)
}
