//! RC4 by assembly with S in registers, in constant time.

use super::generated;
use super::rc4_layout::with_repeated;
use super::registers::Registers;
use crate::kernels::rc4_state::State;
use crate::kernels::wipe;

/// DES' kernels and these are for the same features.
pub(crate) use super::registers::Registers as Kernels;

/// Makes a blank state that of a key (KSA): S from S\[i\] on, then j - i and -i, eight times each. `key` has 1 to 256
/// bytes; callers check.
pub(crate) fn set_up(kernels: Kernels, state: &mut State, key: &[u8]) {
    let mut words = [0; 256 / 8];
    with_repeated(key, |key| {
        for (word, bytes) in words.iter_mut().zip(key.as_chunks().0) {
            *word = u64::from_ne_bytes(*bytes);
        }
    });
    match kernels {
        Registers::Avx2(avx2) => generated::rc4_setup_reg256_avx2(avx2, state.bytes(), &words),
        Registers::Vbmi(vbmi) => generated::rc4_setup_reg512_vbmi(vbmi, state.bytes(), &words),
    }
    wipe(&mut words);
}

/// XORs the next bytes of the keystream into `data`.
pub(crate) fn apply(kernels: Kernels, state: &mut State, data: &mut [u8]) {
    match kernels {
        Registers::Avx2(avx2) => state.in_groups(data, |state, groups| {
            generated::rc4_apply_reg256_avx2(avx2, state, groups);
        }),
        Registers::Vbmi(vbmi) => state.in_groups(data, |state, groups| {
            generated::rc4_apply_reg512_vbmi(vbmi, state, groups);
        }),
    }
}
