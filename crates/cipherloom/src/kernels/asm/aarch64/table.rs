//! DES and Triple-DES by tables: from any number of blocks to calls of kernels.

use super::generated;
use crate::kernels::cpu::Feature;
use crate::kernels::cpu::processor::Baseline;
use crate::kernels::{Direction, Schedule};

/// The table kernels, for every AArch64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table(Baseline);

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

impl Table {
    /// Those that need a feature, if there are such and this processor has it.
    #[inline]
    pub(crate) fn of(feature: Feature) -> Option<Self> {
        if feature == Baseline::FEATURE { Baseline::detect().map(Self) } else { None }
    }

    /// Fetches nothing: nobody has measured what that gains here.
    pub(crate) fn fetch(self) {}

    /// CBC encryption in place: `before` is the block before the first, and becomes the last one.
    pub(crate) fn encrypt_chain(
        self,
        schedule: &Schedule,
        before: &mut [u8; 8],
        blocks: &mut [[u8; 8]],
    ) {
        match schedule {
            Schedule::One(words) => generated::des_encrypt_table64_chain(blocks, words, before),
            Schedule::Three(words) => generated::tdes_encrypt_table64_chain(blocks, words, before),
        }
    }

    /// Independent blocks in place.
    pub(crate) fn crypt(self, schedule: &Schedule, direction: Direction, blocks: &mut [[u8; 8]]) {
        let (pairs, rest) = blocks.as_flattened_mut().as_chunks_mut();
        if !pairs.is_empty() {
            call!(schedule, direction, pairs =>
                des_encrypt_table64_x2, des_decrypt_table64_x2,
                tdes_encrypt_table64_x2, tdes_decrypt_table64_x2);
        }
        self.one(schedule, direction, rest.as_chunks_mut().0);
    }

    /// One by one; what a single block costs matters here.
    #[inline]
    pub(crate) fn one(self, schedule: &Schedule, direction: Direction, blocks: &mut [[u8; 8]]) {
        call!(schedule, direction, blocks =>
            des_encrypt_table64, des_decrypt_table64, tdes_encrypt_table64, tdes_decrypt_table64);
    }
}
