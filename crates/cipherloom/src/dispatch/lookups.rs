//! The kernels behind the backends.

use crate::backend::Backend;
use crate::kernels::bitslice::Edition;
use crate::kernels::x86_64::{self, Avx2, Avx512, Bitslice, Bmi2, Vbmi, X64};
use crate::kernels::{Direction, Key, scrubbed};
use zeroize::optimization_barrier;

/// Kernels that look up, for chains and a few blocks, which this processor can run.
#[derive(Clone, Copy)]
pub(crate) enum LookUps {
    Portable,
    /// In tables.
    X64(x86_64::Table),
    /// In registers.
    Registers(x86_64::Registers),
}

/// Bytes of the stack that the portable kernels work on.
const FRAME: usize = 256;

impl LookUps {
    /// The kernels of a backend; none if that is sliced, or the processor cannot run it.
    #[inline]
    pub(crate) fn of(backend: Backend) -> Option<Self> {
        match backend {
            Backend::Table => Some(Self::Portable),
            Backend::X64Table => X64::detect().map(x86_64::Table::Baseline).map(Self::X64),
            Backend::X64Bmi2Table => Bmi2::detect().map(x86_64::Table::Bmi2).map(Self::X64),
            Backend::X64Avx2Registers => {
                Avx2::detect().map(x86_64::Registers::Avx2).map(Self::Registers)
            }
            Backend::X64VbmiRegisters => {
                Vbmi::detect().map(x86_64::Registers::Vbmi).map(Self::Registers)
            }
            _ => None,
        }
    }

    /// One block, read as a big-endian number.
    #[inline]
    pub(crate) fn one(self, key: &Key<'_>, direction: Direction, block: u64) -> u64 {
        let mut bytes = [block.to_be_bytes()];
        match (self, direction) {
            (Self::Portable, _) => self.crypt(key, direction, &mut bytes),
            (Self::X64(table), _) => table.one(key.schedule, direction, &mut bytes),
            (Self::Registers(registers), _) => registers.crypt(key, direction, &mut bytes),
        }
        let block = u64::from_be_bytes(bytes[0]);
        bytes = [[0; 8]];
        optimization_barrier(&bytes);
        block
    }

    /// Independent blocks in place.
    pub(crate) fn crypt(self, key: &Key<'_>, direction: Direction, blocks: &mut [[u8; 8]]) {
        match (self, direction) {
            (Self::Portable, Direction::Encrypt) => {
                scrubbed(FRAME, || key.schedule.encrypt_blocks(blocks));
            }
            (Self::Portable, Direction::Decrypt) => {
                scrubbed(FRAME, || key.schedule.decrypt_blocks(blocks));
            }
            (Self::X64(table), _) => table.crypt(key.schedule, direction, blocks),
            (Self::Registers(registers), _) => registers.crypt(key, direction, blocks),
        }
    }

    /// How many blocks take no longer than so many; at most the next multiple of 8.
    #[inline]
    pub(crate) fn filled(self, blocks: usize) -> usize {
        match self {
            Self::Portable | Self::X64(_) => blocks,
            Self::Registers(registers) => registers.filled(blocks),
        }
    }

    /// CBC encryption in place: `before` is the block before the first, and becomes the last one.
    pub(crate) fn encrypt_chain(self, key: &Key<'_>, before: &mut u64, blocks: &mut [[u8; 8]]) {
        let mut bytes = before.to_be_bytes();
        match self {
            Self::Portable => return scrubbed(FRAME, || key.schedule.cbc_encrypt(before, blocks)),
            Self::X64(table) => table.encrypt_chain(key.schedule, &mut bytes, blocks),
            Self::Registers(registers) => registers.encrypt_chain(key, &mut bytes, blocks),
        }
        *before = u64::from_be_bytes(bytes);
        bytes = [0; 8];
        optimization_barrier(&bytes);
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
