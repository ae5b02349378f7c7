//! DES and Triple-DES by look-ups inside registers, in constant time: from any number of blocks to calls of
//! kernels.

use super::generated;
use crate::kernels::cpu::Feature;
use crate::kernels::cpu::processor::Baseline;
use crate::kernels::{Direction, Key, Schedule};

/// The kernels with look-ups inside registers, for every AArch64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Registers(Baseline);

/// Calls a kernel for the direction and the passes.
macro_rules! call {
    ($schedule:expr, $direction:expr, $data:expr =>
     $des:ident, $des_back:ident, $tdes:ident, $tdes_back:ident) => {
        match ($schedule, $direction) {
            (Schedule::One(words), Direction::Encrypt) => generated::$des($data, words),
            (Schedule::One(words), Direction::Decrypt) => generated::$des_back($data, words),
            (Schedule::Three(words), Direction::Encrypt) => generated::$tdes($data, words),
            (Schedule::Three(words), Direction::Decrypt) => generated::$tdes_back($data, words),
        }
    };
}

impl Registers {
    /// Those that need a feature, if there are such and this processor has it.
    #[inline]
    pub(crate) fn of(feature: Feature) -> Option<Self> {
        if feature == Baseline::FEATURE { Baseline::detect().map(Self) } else { None }
    }

    /// CBC encryption in place: `before` is the block before the first, and becomes the last one. (DESX's
    /// whitening is in the schedule, and in a half like a subkey.)
    pub(crate) fn encrypt_chain(self, key: &Key<'_>, before: &mut [u8; 8], blocks: &mut [[u8; 8]]) {
        match key.schedule {
            Schedule::One(words) => generated::des_encrypt_reg128_chain(blocks, words, before),
            Schedule::Three(words) => generated::tdes_encrypt_reg128_chain(blocks, words, before),
        }
    }

    /// Independent blocks in place.
    pub(crate) fn crypt(self, key: &Key<'_>, direction: Direction, blocks: &mut [[u8; 8]]) {
        let (pairs, rest) = blocks.as_flattened_mut().as_chunks_mut();
        if !pairs.is_empty() {
            call!(key.schedule, direction, pairs =>
                des_encrypt_reg128_x2, des_decrypt_reg128_x2,
                tdes_encrypt_reg128_x2, tdes_decrypt_reg128_x2);
        }
        let rest = rest.as_chunks_mut().0;
        if !rest.is_empty() {
            call!(key.schedule, direction, rest =>
                des_encrypt_reg128, des_decrypt_reg128, tdes_encrypt_reg128, tdes_decrypt_reg128);
        }
    }

    /// How many blocks take no longer than so many.
    pub(crate) fn filled(self, blocks: usize) -> usize {
        blocks
    }
}
