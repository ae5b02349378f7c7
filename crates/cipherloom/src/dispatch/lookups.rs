//! The kernels of backends that look up.

use zeroize::optimization_barrier;

use crate::backend::{Backend, Strategy};
use crate::kernels::cpu::Steady;
use crate::kernels::{Direction, Key, asm, scrubbed};

/// Kernels that look up, for chains and a few blocks, which this processor can run.
#[derive(Clone, Copy)]
pub(crate) enum LookUps {
    Portable,
    /// In tables, in assembly.
    Tables(asm::Table),
    /// In registers.
    Registers(asm::Registers),
}

/// Bytes of the stack that the portable kernels work on.
const FRAME: usize = 256;

impl LookUps {
    /// The kernels of a backend; none if that is sliced, or the processor cannot run it.
    #[inline(always)]
    pub(crate) fn of(backend: Backend) -> Option<Self> {
        let row = backend.row();
        match (row.strategy, row.needs) {
            (Strategy::Tables(_), None) => Some(Self::Portable),
            (Strategy::Tables(_), Some(feature)) => asm::Table::of(feature).map(Self::Tables),
            (Strategy::Registers(_), Some(feature)) => {
                asm::Registers::of(feature).map(Self::Registers)
            }
            _ => None,
        }
    }

    /// Has the processor fetch what is looked up in, if it is not near.
    #[inline]
    pub(crate) fn fetch(&self) {
        if let Self::Tables(table) = self {
            table.fetch();
        }
    }

    /// One block, read as a big-endian number.
    #[inline(always)]
    pub(crate) fn one(self, key: &Key<'_>, direction: Direction, block: u64) -> u64 {
        let mut bytes = [block.to_be_bytes()];
        match self {
            Self::Tables(table) => table.one(key.schedule, direction, &mut bytes),
            Self::Portable | Self::Registers(_) => self.crypt(key, direction, &mut bytes),
        }
        let block = u64::from_be_bytes(bytes[0]);
        bytes = [[0; 8]];
        optimization_barrier(&bytes);
        block
    }

    /// Independent blocks in place.
    #[inline]
    pub(crate) fn crypt(self, key: &Key<'_>, direction: Direction, blocks: &mut [[u8; 8]]) {
        match self {
            Self::Portable => crypt(key, direction, blocks),
            Self::Tables(table) => table.crypt(key.schedule, direction, blocks),
            Self::Registers(registers) => {
                let _steady = Steady::begin();
                registers.crypt(key, direction, blocks);
            }
        }
    }

    /// How many blocks take no longer than so many; at most the next multiple of 32, up to 16 blocks of 16.
    #[inline]
    pub(crate) fn filled(self, blocks: usize) -> usize {
        match self {
            Self::Portable | Self::Tables(_) => blocks,
            Self::Registers(registers) => registers.filled(blocks),
        }
    }

    /// CBC encryption in place: `before` is the block before the first, and becomes the last one.
    pub(crate) fn encrypt_chain(self, key: &Key<'_>, before: &mut u64, blocks: &mut [[u8; 8]]) {
        let mut bytes = before.to_be_bytes();
        match self {
            Self::Portable => return scrubbed(FRAME, || key.schedule.cbc_encrypt(before, blocks)),
            Self::Tables(table) => table.encrypt_chain(key.schedule, &mut bytes, blocks),
            Self::Registers(registers) => {
                let _steady = Steady::begin();
                registers.encrypt_chain(key, &mut bytes, blocks);
            }
        }
        *before = u64::from_be_bytes(bytes);
        bytes = [0; 8];
        optimization_barrier(&bytes);
    }
}

/// Independent blocks in place, by portable tables.
#[inline(never)]
fn crypt(key: &Key<'_>, direction: Direction, blocks: &mut [[u8; 8]]) {
    scrubbed(FRAME, || match direction {
        Direction::Encrypt => key.schedule.encrypt_blocks(blocks),
        Direction::Decrypt => key.schedule.decrypt_blocks(blocks),
    });
}
