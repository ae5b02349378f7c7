//! The kernels of backends in bit slices.

use crate::backend::{Backend, Strategy};
use crate::kernels::asm;
use crate::kernels::bitslice::{
    Kernel as _, Keys, Lanes, Narrow, Operation, Portable, Wide, Width, run, with_lanes,
};
use crate::kernels::cpu::Steady;
use crate::kernels::{Direction, Key};

/// The bit-slice kernels of one backend, which this processor can run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sliced {
    /// In portable Rust.
    Portable,
    /// In assembly.
    Asm(asm::Bitslice),
}

impl Sliced {
    /// The kernels of a backend; none if it has no slices, or the processor cannot run it.
    #[inline]
    pub(crate) fn of(backend: Backend) -> Option<Self> {
        let row = backend.row();
        match (row.strategy, row.needs) {
            (Strategy::Slices(_), None) => Some(Self::Portable),
            (Strategy::Slices(_), Some(feature)) => asm::Bitslice::of(feature).map(Self::Asm),
            _ => None,
        }
    }

    /// Lanes of a width.
    pub(crate) const fn lanes(self, width: Width) -> usize {
        match (self, width) {
            (Self::Portable, Width::Wide) => Wide::LANES,
            (Self::Portable, Width::Narrow) => Narrow::LANES,
            (Self::Asm(kernels), _) => kernels.lanes(width),
        }
    }

    /// Does all of an operation by one width.
    pub(crate) fn run(self, width: Width, key: &Key<'_>, operation: Operation<'_>) {
        let _steady = Steady::begin();
        match (self, width) {
            (Self::Portable, Width::Wide) => run::<Wide>(Portable, key, operation),
            (Self::Portable, Width::Narrow) => run::<Narrow>(Portable, key, operation),
            (Self::Asm(kernels), _) => kernels.run(width, key, operation),
        }
    }

    /// Calls `work` with lanes.
    pub(crate) fn with_lanes(
        self,
        width: Width,
        keys: Keys<'_>,
        direction: Direction,
        work: &mut dyn FnMut(&mut dyn Lanes),
    ) {
        let _steady = Steady::begin();
        match (self, width) {
            (Self::Portable, Width::Wide) => {
                with_lanes::<Wide>(Portable, keys, direction, work);
            }
            (Self::Portable, Width::Narrow) => {
                with_lanes::<Narrow>(Portable, keys, direction, work);
            }
            (Self::Asm(kernels), _) => kernels.with_lanes(width, keys, direction, work),
        }
    }
}
