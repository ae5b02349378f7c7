//! DES and Triple-DES by tables: from any number of blocks to calls of kernels.

use super::copies::fetch;
use super::generated;
use crate::kernels::cpu::Feature;
use crate::kernels::cpu::processor::{Baseline, Bmi2, Gfni, is_intel};
use crate::kernels::{Direction, Schedule};

/// The table kernels of one feature.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Table {
    /// For every x86-64.
    Baseline(Baseline),
    /// With BMI2; with GFNI for what is not interleaved, if the processor has it and that was asked for.
    Bmi2(Bmi2, Option<Gfni>),
}

/// Calls a kernel of the feature and for the passes of the schedule.
macro_rules! call {
    ($table:expr, $schedule:expr, $data:expr $(, $before:expr)? =>
     $des:ident, $des_bmi2:ident, $tdes:ident, $tdes_bmi2:ident) => {
        match ($table, $schedule) {
            (Table::Baseline(_), Schedule::One(words)) => {
                generated::$des($data, words $(, $before)?)
            }
            (Table::Bmi2(bmi2, _), Schedule::One(words)) => {
                generated::$des_bmi2(bmi2, $data, words $(, $before)?)
            }
            (Table::Baseline(_), Schedule::Three(words)) => {
                generated::$tdes($data, words $(, $before)?)
            }
            (Table::Bmi2(bmi2, _), Schedule::Three(words)) => {
                generated::$tdes_bmi2(bmi2, $data, words $(, $before)?)
            }
        }
    };
}

/// The same for GFNI.
macro_rules! call_gfni {
    ($gfni:expr, $schedule:expr, $data:expr $(, $before:expr)? => $des:ident, $tdes:ident) => {
        match $schedule {
            Schedule::One(words) => generated::$des($gfni, $data, words $(, $before)?),
            Schedule::Three(words) => generated::$tdes($gfni, $data, words $(, $before)?),
        }
    };
}

/// From how many blocks on a chain goes by spaced tables on Intel's processors: for fewer there is too much to fetch.
const LONG: usize = 8;

impl Table {
    /// Those that need a feature, if there are such and this processor has it.
    #[inline]
    pub(crate) fn of(feature: Feature) -> Option<Self> {
        match feature {
            Feature::X64 => Baseline::detect().map(Self::Baseline),
            Feature::Bmi2 => Bmi2::detect().map(|bmi2| Self::Bmi2(bmi2, None)),
            Feature::Gfni => Gfni::detect().map(|gfni| Self::Bmi2(gfni.bmi2(), Some(gfni))),
            _ => None,
        }
    }

    /// Has the processor fetch the tables of short messages, if they are not near.
    #[inline]
    pub(crate) fn fetch(self) {
        /// Bytes of eight tables of 64 entries, which begin with a cache line.
        const TABLES: usize = 8 * 64 * 8;
        let tables = match self {
            Self::Bmi2(_, Some(_)) => generated::des_table64_matrices_tables(),
            _ => generated::des_table64_tables(),
        };
        fetch(&tables[..TABLES]);
    }

    /// CBC encryption in place: `before` is the block before the first, and becomes the last one.
    pub(crate) fn encrypt_chain(
        self,
        schedule: &Schedule,
        before: &mut [u8; 8],
        blocks: &mut [[u8; 8]],
    ) {
        if let Self::Bmi2(_, Some(gfni)) = self {
            if blocks.len() >= LONG && is_intel() {
                return call_gfni!(gfni, schedule, blocks, before =>
                    des_encrypt_spaced64_chain_gfni, tdes_encrypt_spaced64_chain_gfni);
            }
            return call_gfni!(gfni, schedule, blocks, before =>
                des_encrypt_table64_chain_gfni, tdes_encrypt_table64_chain_gfni);
        }
        call!(self, schedule, blocks, before =>
            des_encrypt_table64_chain, des_encrypt_table64_chain_bmi2,
            tdes_encrypt_table64_chain, tdes_encrypt_table64_chain_bmi2);
    }

    /// Independent blocks in place.
    pub(crate) fn crypt(self, schedule: &Schedule, direction: Direction, blocks: &mut [[u8; 8]]) {
        let (fours, threes) = groups(blocks.len());
        let (fours, rest) = blocks.split_at_mut(4 * fours);
        let (threes, rest) = rest.split_at_mut(3 * threes);
        if !fours.is_empty() {
            self.four(schedule, direction, whole(fours));
        }
        if !threes.is_empty() {
            self.three(schedule, direction, whole(threes));
        }
        match rest.len() {
            0 => {}
            2 => self.two(schedule, direction, whole(rest)),
            _ => self.one(schedule, direction, rest),
        }
    }

    fn four(self, schedule: &Schedule, direction: Direction, groups: &mut [[u8; 32]]) {
        match direction {
            Direction::Encrypt => call!(self, schedule, groups =>
                des_encrypt_table64_x4, des_encrypt_table64_x4_bmi2,
                tdes_encrypt_table64_x4, tdes_encrypt_table64_x4_bmi2),
            Direction::Decrypt => call!(self, schedule, groups =>
                des_decrypt_table64_x4, des_decrypt_table64_x4_bmi2,
                tdes_decrypt_table64_x4, tdes_decrypt_table64_x4_bmi2),
        }
    }

    fn three(self, schedule: &Schedule, direction: Direction, groups: &mut [[u8; 24]]) {
        match direction {
            Direction::Encrypt => call!(self, schedule, groups =>
                des_encrypt_table64_x3, des_encrypt_table64_x3_bmi2,
                tdes_encrypt_table64_x3, tdes_encrypt_table64_x3_bmi2),
            Direction::Decrypt => call!(self, schedule, groups =>
                des_decrypt_table64_x3, des_decrypt_table64_x3_bmi2,
                tdes_decrypt_table64_x3, tdes_decrypt_table64_x3_bmi2),
        }
    }

    fn two(self, schedule: &Schedule, direction: Direction, groups: &mut [[u8; 16]]) {
        match direction {
            Direction::Encrypt => call!(self, schedule, groups =>
                des_encrypt_table64_x2, des_encrypt_table64_x2_bmi2,
                tdes_encrypt_table64_x2, tdes_encrypt_table64_x2_bmi2),
            Direction::Decrypt => call!(self, schedule, groups =>
                des_decrypt_table64_x2, des_decrypt_table64_x2_bmi2,
                tdes_decrypt_table64_x2, tdes_decrypt_table64_x2_bmi2),
        }
    }

    /// One by one; what a single block costs matters here.
    #[inline(always)]
    pub(crate) fn one(self, schedule: &Schedule, direction: Direction, blocks: &mut [[u8; 8]]) {
        if let Self::Bmi2(_, Some(gfni)) = self {
            return match direction {
                Direction::Encrypt => call_gfni!(gfni, schedule, blocks =>
                    des_encrypt_table64_gfni, tdes_encrypt_table64_gfni),
                Direction::Decrypt => call_gfni!(gfni, schedule, blocks =>
                    des_decrypt_table64_gfni, tdes_decrypt_table64_gfni),
            };
        }
        match direction {
            Direction::Encrypt => call!(self, schedule, blocks =>
                des_encrypt_table64, des_encrypt_table64_bmi2,
                tdes_encrypt_table64, tdes_encrypt_table64_bmi2),
            Direction::Decrypt => call!(self, schedule, blocks =>
                des_decrypt_table64, des_decrypt_table64_bmi2,
                tdes_decrypt_table64, tdes_decrypt_table64_bmi2),
        }
    }
}

/// Blocks as groups of so many bytes, which are a multiple of a block's.
fn whole<const N: usize>(blocks: &mut [[u8; 8]]) -> &mut [[u8; N]] {
    blocks.as_flattened_mut().as_chunks_mut().0
}

/// How many groups of four and of three `blocks` have; one or two may be left over.
const fn groups(blocks: usize) -> (usize, usize) {
    match blocks {
        0..=2 => (0, 0),
        5 => (0, 1),
        _ => {
            let threes = (4 - blocks % 4) % 4;
            ((blocks - 3 * threes) / 4, threes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_leave_nothing_over_where_that_can_be() {
        for blocks in 0..100 {
            let (fours, threes) = groups(blocks);
            let left = blocks - 4 * fours - 3 * threes;
            assert_eq!(left, [0, 1, 2, 0, 0, 2].get(blocks).copied().unwrap_or(0), "{blocks}");
        }
    }
}
