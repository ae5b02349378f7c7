//! Known answers for every backend, run once before its first use.
//!
//! The expected digests come from the `spec` crate; the tests of `blocks.rs` and `rc4.rs` make them again there.

mod blocks;
mod rc4;

use core::sync::atomic::{AtomicU8, Ordering};

use super::available::available;
use super::lookups::LookUps;
use super::rc4::StreamKernels;
use super::sliced::Sliced;
use crate::backend::{Backend, Status, Strategy};
use crate::error::Error;
use blocks::{look_ups_are_right, slices_are_right};
use rc4::streams_are_right;

/// One state per backend: what its self-test said, for the whole process.
static STATES: [AtomicU8; Backend::EVERY.len()] = [const { AtomicU8::new(UNTESTED) }; _];

const UNTESTED: u8 = 0;
const WORKS: u8 = 1;
const FAILED: u8 = 2;

/// What is known of a backend so far.
pub(crate) fn status(backend: Backend) -> Status {
    match STATES[index(backend)].load(Ordering::Relaxed) {
        UNTESTED => Status::Untested,
        WORKS => Status::Works,
        _ => Status::Failed,
    }
}

/// Whether a backend may compute; its first use waits for its test.
#[inline]
pub(crate) fn is_usable(backend: Backend) -> bool {
    let state = STATES[index(backend)].load(Ordering::Relaxed);
    state == WORKS || (state == UNTESTED && first_use(backend))
}

#[cold]
fn first_use(backend: Backend) -> bool {
    // Under Miri one self-test takes minutes; there are tests of it outside.
    cfg!(miri) || run(backend).is_ok()
}

/// Tests a backend now. Two threads may test at the same time: both find the same.
pub(crate) fn run(backend: Backend) -> Result<(), Error> {
    if !available().backends().contains(&backend) {
        return Err(Error::Backend(backend));
    }
    settle(&STATES[index(backend)], test(backend))
}

/// Keeps a result; a failure is final.
fn settle(state: &AtomicU8, passed: bool) -> Result<(), Error> {
    let result = if passed { WORKS } else { FAILED };
    let before = state.fetch_max(result, Ordering::Relaxed);
    if before.max(result) == WORKS { Ok(()) } else { Err(Error::SelfTest) }
}

fn index(backend: Backend) -> usize {
    backend as usize
}

fn test(backend: Backend) -> bool {
    match backend.row().strategy {
        Strategy::Tables(_) | Strategy::Registers(_) => {
            LookUps::of(backend).is_some_and(look_ups_are_right)
        }
        Strategy::Slices(_) => Sliced::of(backend).is_some_and(slices_are_right),
        Strategy::Rc4Loop(_)
        | Strategy::Rc4Words(_)
        | Strategy::Rc4Scan(_)
        | Strategy::Rc4Registers(_) => StreamKernels::of(backend).is_some_and(streams_are_right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_final() {
        let state = AtomicU8::new(UNTESTED);
        assert_eq!(settle(&state, true), Ok(()));
        assert_eq!(settle(&state, false), Err(Error::SelfTest));
        assert_eq!(settle(&state, true), Err(Error::SelfTest));
    }

    #[test]
    fn every_backend_passes() {
        for &backend in available().backends() {
            assert_eq!(run(backend), Ok(()), "{}", backend.name());
            assert_eq!(status(backend), Status::Works);
        }
    }
}
