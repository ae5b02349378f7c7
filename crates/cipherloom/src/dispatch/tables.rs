//! The kernels behind the backends.

use crate::backend::Backend;
use crate::kernels::Direction;
use crate::kernels::bitslice::Edition;
use crate::kernels::table::Schedule;
use crate::kernels::x86_64::{self, Avx2, Avx512, Bitslice, Bmi2, X64};

/// A kernel that this processor can run.
#[derive(Clone, Copy)]
pub(crate) enum Tables {
    Portable,
    X64(x86_64::Table),
}

impl Tables {
    /// The kernel of a backend; none if that has no tables, or the processor cannot run it.
    #[inline]
    pub(crate) fn of(backend: Backend) -> Option<Self> {
        match backend {
            Backend::Table => Some(Self::Portable),
            Backend::X64Table => X64::detect().map(x86_64::Table::Baseline).map(Self::X64),
            Backend::X64Bmi2Table => Bmi2::detect().map(x86_64::Table::Bmi2).map(Self::X64),
            _ => None,
        }
    }

    /// One block, read as a big-endian number.
    #[inline]
    pub(crate) fn one(self, schedule: &Schedule, direction: Direction, block: u64) -> u64 {
        match (self, direction) {
            (Self::Portable, Direction::Encrypt) => schedule.encrypt(block),
            (Self::Portable, Direction::Decrypt) => schedule.decrypt(block),
            (Self::X64(table), _) => {
                let mut bytes = [block.to_be_bytes()];
                table.one(schedule, direction, &mut bytes);
                u64::from_be_bytes(bytes[0])
            }
        }
    }

    /// Independent blocks in place.
    pub(crate) fn crypt(self, schedule: &Schedule, direction: Direction, blocks: &mut [[u8; 8]]) {
        match (self, direction) {
            (Self::Portable, Direction::Encrypt) => schedule.encrypt_blocks(blocks),
            (Self::Portable, Direction::Decrypt) => schedule.decrypt_blocks(blocks),
            (Self::X64(table), _) => table.crypt(schedule, direction, blocks),
        }
    }

    /// CBC encryption in place: `before` is the block before the first, and becomes the last one.
    pub(crate) fn encrypt_chain(
        self,
        schedule: &Schedule,
        before: &mut u64,
        blocks: &mut [[u8; 8]],
    ) {
        match self {
            Self::Portable => schedule.cbc_encrypt(before, blocks),
            Self::X64(table) => {
                let mut bytes = before.to_be_bytes();
                table.encrypt_chain(schedule, &mut bytes, blocks);
                *before = u64::from_be_bytes(bytes);
            }
        }
    }
}

impl Edition {
    /// The kernels of a backend; none if it has no slices, or the processor cannot run it.
    #[inline]
    pub(crate) fn of(backend: Backend) -> Option<Self> {
        match backend {
            Backend::Bitslice => Some(Self::Portable),
            Backend::X64Bitslice => X64::detect().map(Bitslice::Baseline).map(Self::X64),
            Backend::X64Avx2Bitslice => Avx2::detect().map(Bitslice::Avx2).map(Self::X64),
            Backend::X64Avx512Bitslice => Avx512::detect().map(Bitslice::Avx512).map(Self::X64),
            _ => None,
        }
    }
}
