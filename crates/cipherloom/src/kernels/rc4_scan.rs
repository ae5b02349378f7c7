//! RC4 in constant time: every look-up at a secret index reads all of S under a mask.
//!
//! The index i is public (it counts bytes), j and S\[i\] + S\[j\] are not.

use core::hint::black_box;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::cpu::Steady;

/// One RC4 keystream: S, i and j. Wiped on drop.
#[derive(Clone)]
pub(crate) struct State {
    s: [u8; 256],
    i: u8,
    j: u8,
}

impl State {
    /// No keystream yet.
    pub(crate) fn blank() -> Self {
        Self { s: NUMBERS, i: 0, j: 0 }
    }

    /// Makes a blank one that of a key (KSA). `key` has 1 to 256 bytes; callers check.
    pub(crate) fn set_up(&mut self, key: &[u8]) -> &mut Self {
        debug_assert!((1..=256).contains(&key.len()));
        let _steady = Steady::begin();
        for (i, k) in (0..=255u8).zip(key.iter().cycle()) {
            self.j = self.j.wrapping_add(*k);
            self.swap(i);
        }
        self.j = 0;
        self
    }

    /// XORs the next bytes of the keystream into `data`.
    pub(crate) fn apply(&mut self, data: &mut [u8]) {
        let _steady = Steady::begin();
        for byte in data {
            self.i = self.i.wrapping_add(1);
            let sum = self.swap(self.i);
            *byte ^= at(&self.s, &only(sum));
        }
    }

    /// Adds S\[i\] to j, swaps S\[i\] and S\[j\], and returns their sum.
    #[inline(always)]
    fn swap(&mut self, i: u8) -> u8 {
        let x = self.s[usize::from(i)];
        self.j = self.j.wrapping_add(x);
        // What the masks are is kept from the compiler: where it knows that they come from a
        // comparison, it may turn the masked copy into a jump over the copy.
        let only_j = black_box(only(self.j));
        let y = at(&self.s, &only_j);
        for (s, mask) in self.s.iter_mut().zip(only_j) {
            *s = (*s & !mask) | (x & mask);
        }
        self.s[usize::from(i)] = y;
        x.wrapping_add(y)
    }
}

/// The byte of S where the mask is, reading all of S.
#[inline(always)]
fn at(s: &[u8; 256], masks: &[u8; 256]) -> u8 {
    s.iter().zip(masks).fold(0, |found, (s, mask)| found | (s & mask))
}

/// A mask of ones at `index`, zeros elsewhere.
#[inline(always)]
fn only(index: u8) -> [u8; 256] {
    NUMBERS.map(|n| u8::from(n == index).wrapping_neg())
}

impl Drop for State {
    fn drop(&mut self) {
        self.s.zeroize();
        self.i.zeroize();
        self.j.zeroize();
    }
}

impl ZeroizeOnDrop for State {}

/// 0 to 255, which is also S before key set-up.
const NUMBERS: [u8; 256] = {
    let mut numbers = [0; 256];
    let mut n = 0;
    while n < 256 {
        numbers[n] = n as u8;
        n += 1;
    }
    numbers
};
