//! RC4, software-pipelined: S\[i+1\] is loaded before step i stores.
//!
//! When i + 1 = j the loaded value is stale; a branch taken once in 256 steps repairs it, which is
//! cheaper than a conditional move on the chain through j. Addresses depend on secrets: this kernel
//! is not constant-time ([`super::rc4_scan`] is).
//!
//! S has a word an entry: with a byte an entry, some processes ran at half the speed (measured).

use core::hint::black_box;

use super::rc4_state::State;

/// Makes a blank state that of a key. `key` has 1 to 256 bytes; callers check.
pub(crate) fn begin(state: &mut State, key: &[u8]) {
    set_up(key, state.words().0);
}

/// XORs the next bytes of a state's keystream into `data`.
pub(crate) fn go_on(state: &mut State, data: &mut [u8]) {
    let (s, places) = state.words();
    let [mut i, mut j] = places.map(|place| place as u8);
    apply(s, &mut i, &mut j, data);
    *places = [i.into(), j.into()];
}

/// Key set-up (KSA) of S, where it stays. `key` has 1 to 256 bytes; callers check.
pub(crate) fn set_up(key: &[u8], s: &mut [u32; 256]) {
    debug_assert!((1..=256).contains(&key.len()));
    s.iter_mut().zip(0..).for_each(|(entry, i)| *entry = i);
    let mut next = Step { i: 0, j: 0, x: 0 };
    for k in key.iter().cycle().take(256) {
        next.swap(s, *k);
    }
}

/// XORs the next bytes of the keystream of S, i and j into `data`.
pub(crate) fn apply(s: &mut [u32; 256], i: &mut u8, j: &mut u8, data: &mut [u8]) {
    let mut next = Step { i: i.wrapping_add(1), j: *j, x: s[usize::from(i.wrapping_add(1))] };
    let (words, rest) = data.as_chunks_mut::<8>();
    for word in words {
        for byte in word {
            *byte ^= next.generate(s);
        }
    }
    for byte in rest {
        *byte ^= next.generate(s);
    }
    *i = next.i.wrapping_sub(1);
    *j = next.j;
}

/// A step about to be done: `x` is S\[i\], j still that of the step before.
struct Step {
    i: u8,
    j: u8,
    x: u32,
}

impl Step {
    /// A step of the PRGA: returns a byte of keystream.
    #[inline(always)]
    fn generate(&mut self, s: &mut [u32; 256]) -> u8 {
        let sum = self.swap(s, 0);
        s[usize::from(sum)] as u8
    }

    /// j += S\[i\] + `k`, swaps S\[i\] and S\[j\], returns their sum, and loads for the next step.
    #[inline(always)]
    fn swap(&mut self, s: &mut [u32; 256], k: u8) -> u8 {
        let Self { i, x, .. } = *self;
        let j = self.j.wrapping_add(k).wrapping_add(x as u8);
        let after = i.wrapping_add(1);
        let mut x_after = s[usize::from(after)];
        let y = s[usize::from(j)];
        s[usize::from(i)] = y;
        s[usize::from(j)] = x;
        if after == j {
            x_after = stale(x);
        }
        *self = Self { i: after, j, x: x_after };
        x.wrapping_add(y) as u8
    }
}

/// `x`, by a call that the compiler can neither remove nor turn into a conditional move.
#[cold]
#[inline(never)]
fn stale(x: u32) -> u32 {
    black_box(x)
}
