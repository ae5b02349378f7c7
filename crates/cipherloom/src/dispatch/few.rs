//! What backends cost, and the backends for little work.

use super::available::available;
use crate::backend::costs::{Slices, Tables};
use crate::backend::{Backend, Family, Policy, Strategy};
use crate::kernels::Shape;

/// What a key object costs.
pub(super) fn schedule(shape: Shape) -> usize {
    [230, 400][column(shape)]
}

/// DES, then Triple-DES.
fn column(shape: Shape) -> usize {
    match shape {
        Shape::Single => 0,
        Shape::Ede | Shape::Eee => 1,
    }
}

/// What a backend costs that looks up; none if it is sliced.
#[inline]
pub(super) fn tables(backend: Backend, shape: Shape) -> Option<&'static Tables> {
    match backend.row().strategy {
        Strategy::Tables(costs) | Strategy::Registers(costs) => Some(&costs[column(shape)]),
        Strategy::Slices(_) | Strategy::Rc4Loop | Strategy::Rc4Scan => None,
    }
}

/// What a backend's slices cost; none if it has no slices.
#[inline]
pub(super) fn slices(backend: Backend, shape: Shape) -> Option<&'static Slices> {
    match backend.row().strategy {
        Strategy::Slices(costs) => Some(&costs[column(shape)]),
        _ => None,
    }
}

/// The backends for little work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Few {
    /// For a chain, and blocks that are not enough to be interleaved.
    pub(crate) single: Backend,
    /// For blocks interleaved together.
    pub(crate) interleaved: Backend,
}

impl Few {
    /// How many blocks are worth interleaving by another backend than one of them gets.
    pub(crate) const INTERLEAVED: usize = 4;

    #[inline]
    pub(super) fn fastest(shape: Shape, policy: Policy) -> Self {
        let single = available().first(Family::Des, policy);
        let block = |backend| tables(backend, shape).map(|tables| tables.block);
        let interleaved = available().registers().filter(|other| block(*other) < block(single));
        Self { single, interleaved: interleaved.unwrap_or(single) }
    }

    /// One for everything.
    #[inline]
    pub(super) fn only(backend: Backend) -> Self {
        Self { single: backend, interleaved: backend }
    }

    #[inline]
    pub(super) fn of(self, blocks: usize) -> Backend {
        if blocks < Self::INTERLEAVED { self.single } else { self.interleaved }
    }
}
