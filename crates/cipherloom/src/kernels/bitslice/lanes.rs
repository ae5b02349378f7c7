//! Blocks of many messages, one of each at a time: a key for each lane, or one for all.

use super::kernel::{Broadcast, Kernel, State, Vector};
use super::message::in_frame;
use super::rotating::{One, Three};
use crate::kernels::{Direction, Key, Shape};

/// Whose keys are in the lanes.
#[derive(Clone, Copy)]
pub(crate) enum Keys<'a> {
    /// One for all of them.
    One(Key<'a>),
    /// Each has its own, which [`Lanes::set_keys`] brings.
    Each(Shape),
}

/// Lanes at work; slices of blocks have as many as there are lanes.
pub(crate) trait Lanes {
    fn count(&self) -> usize;

    /// Whether every lane has a key of its own.
    fn wants_keys(&self) -> bool;

    /// The DES keys of each lane, for as many passes as there are; whitening is left to the caller.
    /// Nothing comes of it where one key serves all.
    fn set_keys(&mut self, keys: [&[[u8; 8]]; 3]);

    /// Transforms a block in each lane.
    fn crypt(&mut self, blocks: &mut [[u8; 8]]);

    /// XORs the results for `input` into `output`.
    fn crypt_xor(&mut self, input: &[[u8; 8]], output: &mut [[u8; 8]]);
}

/// Calls `work` with the lanes of a kernel.
pub(crate) fn with_lanes<K: Kernel>(
    kernel: K,
    keys: Keys<'_>,
    direction: Direction,
    work: &mut dyn FnMut(&mut dyn Lanes),
) {
    // Where keys are taken apart.
    let beside = size_of::<State<K>>();
    match keys {
        Keys::One(key) if key.passes.shape.passes() == 1 => {
            let begin = |keys: &mut K::Des| keys.set(kernel, &key, direction);
            in_frame::<K, K::Des>(beside, || run(kernel, begin, None, work));
        }
        Keys::One(key) => {
            let begin = |keys: &mut K::Tdes| keys.set(kernel, &key, direction);
            in_frame::<K, K::Tdes>(beside, || run(kernel, begin, None, work));
        }
        Keys::Each(shape) if shape.passes() == 1 => {
            let begin = |keys: &mut One<_>| keys.set_kind(shape, direction);
            let set: Set<K, _> = |keys: &mut One<_>, kernel, lanes| keys.set_lanes(kernel, lanes);
            in_frame::<K, One<K::Vector>>(beside, || run(kernel, begin, Some(set), work));
        }
        Keys::Each(shape) => {
            let begin = |keys: &mut Three<_>| keys.set_kind(shape, direction);
            let set: Set<K, _> = |keys: &mut Three<_>, kernel, lanes| keys.set_lanes(kernel, lanes);
            in_frame::<K, Three<K::Vector>>(beside, || run(kernel, begin, Some(set), work));
        }
    }
}

/// Gives each lane its key.
type Set<K, B> = fn(&mut B, K, [&[[u8; 8]]; 3]);

fn run<K: Kernel, B: Broadcast<K>>(
    kernel: K,
    begin: impl FnOnce(&mut B),
    set: Option<Set<K, B>>,
    work: &mut dyn FnMut(&mut dyn Lanes),
) {
    let mut lanes = Work { kernel, set, keys: B::none(), state: [K::Vector::ZERO; 64] };
    begin(&mut lanes.keys);
    work(&mut lanes);
}

/// A kernel and its keys.
struct Work<K: Kernel, B> {
    kernel: K,
    /// None: one key serves all lanes.
    set: Option<Set<K, B>>,
    keys: B,
    state: State<K>,
}

impl<K: Kernel, B: Broadcast<K>> Work<K, B> {
    fn rounds(&mut self, input: &[[u8; 8]]) {
        self.keys.enter(self.kernel, input, &mut self.state);
        self.keys.rounds(self.kernel, &mut self.state);
    }
}

impl<K: Kernel, B: Broadcast<K>> Lanes for Work<K, B> {
    fn count(&self) -> usize {
        K::LANES
    }

    fn wants_keys(&self) -> bool {
        self.set.is_some()
    }

    fn set_keys(&mut self, keys: [&[[u8; 8]]; 3]) {
        if let Some(set) = self.set {
            set(&mut self.keys, self.kernel, keys);
        }
    }

    fn crypt(&mut self, blocks: &mut [[u8; 8]]) {
        self.rounds(blocks);
        self.keys.leave(self.kernel, &mut self.state, blocks);
    }

    fn crypt_xor(&mut self, input: &[[u8; 8]], output: &mut [[u8; 8]]) {
        self.rounds(input);
        self.keys.leave_xor(self.kernel, &mut self.state, output);
    }
}
