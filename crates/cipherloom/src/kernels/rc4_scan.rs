//! RC4 in constant time: every look-up at a secret index reads all of S under a mask.
//!
//! The index i is public (it counts bytes), j and S\[i\] + S\[j\] are not.

use core::hint::black_box;

use zeroize::Zeroize;

use super::cpu::Steady;
use super::rc4_state::State;

/// Bytes of S, i and j.
const STATE: usize = 256 + 2;

/// S, i and j of a state.
struct Scan<'s> {
    s: &'s mut [u8; 256],
    i: u8,
    j: u8,
}

/// Makes a blank state that of a key (KSA). `key` has 1 to 256 bytes; callers check.
pub(crate) fn set_up(state: &mut State, key: &[u8]) {
    debug_assert!((1..=256).contains(&key.len()));
    let _steady = Steady::begin();
    let mut scan = Scan { s: state.bytes(), i: 0, j: 0 };
    *scan.s = NUMBERS;
    for (i, k) in (0..=255u8).zip(key.iter().cycle()) {
        scan.j = scan.j.wrapping_add(*k);
        scan.swap(i);
    }
    scan.j.zeroize();
}

/// XORs the next bytes of a state's keystream into `data`.
pub(crate) fn apply(state: &mut State, data: &mut [u8]) {
    let _steady = Steady::begin();
    let (s, places) = state.bytes::<STATE>().split_first_chunk_mut().expect("S");
    let mut scan = Scan { s, i: places[0], j: places[1] };
    for byte in data {
        scan.i = scan.i.wrapping_add(1);
        let sum = scan.swap(scan.i);
        *byte ^= at(scan.s, &only(sum));
    }
    (places[0], places[1]) = (scan.i, scan.j);
}

impl Scan<'_> {
    /// Adds S\[i\] to j, swaps S\[i\] and S\[j\], and returns their sum.
    #[inline(always)]
    fn swap(&mut self, i: u8) -> u8 {
        let x = self.s[usize::from(i)];
        self.j = self.j.wrapping_add(x);
        // What the masks are is kept from the compiler: where it knows that they come from a
        // comparison, it may turn the masked copy into a jump over the copy.
        let only_j = black_box(only(self.j));
        let y = at(self.s, &only_j);
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
