//! RC4 by assembly with S in registers, in constant time.

use super::generated;
use super::rc4_layout::{Rest, with_repeated};
use super::registers::Registers;

/// DES' kernels and these are for the same features.
pub(crate) use super::registers::Registers as Kernels;

use crate::kernels::wipe;
use zeroize::ZeroizeOnDrop;

/// Bytes of a kernel's state: S from S\[i\] on, then j - i and -i, eight times each.
const STATE: usize = 256 + 8 + 8;

/// One RC4 keystream. Wiped on drop.
#[derive(Clone)]
#[repr(align(64))]
pub(crate) struct State {
    kernel: [u8; STATE],
    rest: Rest,
    kernels: Registers,
}

impl State {
    /// No keystream yet.
    pub(crate) fn blank(kernels: Registers) -> Self {
        Self { kernel: [0; STATE], rest: Rest::NONE, kernels }
    }

    /// Makes a blank one that of a key (KSA). `key` has 1 to 256 bytes; callers check.
    pub(crate) fn set_up(&mut self, key: &[u8]) -> &mut Self {
        let state = &mut self.kernel;
        let mut words = [0; 256 / 8];
        with_repeated(key, |key| {
            for (word, bytes) in words.iter_mut().zip(key.as_chunks().0) {
                *word = u64::from_ne_bytes(*bytes);
            }
        });
        match self.kernels {
            Registers::Avx2(avx2) => generated::rc4_setup_reg256_avx2(avx2, state, &words),
            Registers::Vbmi(vbmi) => generated::rc4_setup_reg512_vbmi(vbmi, state, &words),
        }
        wipe(&mut words);
        self
    }

    /// XORs the next bytes of the keystream into `data`.
    pub(crate) fn apply(&mut self, data: &mut [u8]) {
        let state = &mut self.kernel;
        match self.kernels {
            Registers::Avx2(avx2) => self
                .rest
                .apply(data, |groups| generated::rc4_apply_reg256_avx2(avx2, state, groups)),
            Registers::Vbmi(vbmi) => self
                .rest
                .apply(data, |groups| generated::rc4_apply_reg512_vbmi(vbmi, state, groups)),
        }
    }
}

impl Drop for State {
    fn drop(&mut self) {
        wipe(&mut self.kernel);
    }
}

impl ZeroizeOnDrop for State {}
