//! RC4 in constant time: every look-up at a secret index reads all of S under a mask.
//!
//! The index i is public (it counts bytes), j and S\[i\] + S\[j\] are not.

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
        let mut state = Self { s: NUMBERS, i: 0, j: 0 };
        for (i, k) in (0..=255u8).zip(key.iter().cycle()) {
            state.j = state.j.wrapping_add(*k);
            state.swap(i);
        }
        state.j = 0;
        state
    }

    /// XORs the next bytes of the keystream into `data`.
    pub(crate) fn apply(&mut self, data: &mut [u8]) {
        for byte in data {
            self.i = self.i.wrapping_add(1);
            let sum = self.swap(self.i);
            *byte ^= self.at(sum);
        }
    }

    /// Adds S\[i\] to j, swaps S\[i\] and S\[j\], and returns their sum.
    #[inline(always)]
    fn swap(&mut self, i: u8) -> u8 {
        let x = self.s[usize::from(i)];
        self.j = self.j.wrapping_add(x);
        let j = self.j;
        let y = self.at(j);
        for (s, n) in self.s.iter_mut().zip(NUMBERS) {
            let mask = equal(n, j);
            *s = (*s & !mask) | (x & mask);
        }
        self.s[usize::from(i)] = y;
        x.wrapping_add(y)
    }

    /// S\[index\], reading all of S.
    #[inline(always)]
    fn at(&self, index: u8) -> u8 {
        self.s.iter().zip(NUMBERS).fold(0, |found, (s, n)| found | (s & equal(n, index)))
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

/// All ones if `a` = `b`, else zero.
#[inline(always)]
fn equal(a: u8, b: u8) -> u8 {
    u8::from(a == b).wrapping_neg()
}
