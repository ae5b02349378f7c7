//! RC4 by assembly: one stream, and several interleaved.
//!
//! The kernels work on groups of eight bytes. What a message does not use of a group is kept for
//! the next one.

use super::generated;
use crate::kernels::cpu::Feature;
use crate::kernels::cpu::processor::Baseline;
use crate::kernels::wipe;
use zeroize::ZeroizeOnDrop;

/// Bytes that the kernels make at a time.
pub(super) const GROUP: usize = 8;
/// Bytes of a kernel's state: S, then i and j as 32-bit words.
const STATE: usize = 256 + 8;
/// Where their values, which are below 256, stand.
const I: usize = 256;
const J: usize = 256 + 4;
/// Bytes of a key as the set-up wants it, repeated.
const KEY: usize = 256;
/// Most streams interleaved.
pub(crate) const INTERLEAVED: usize = 4;

/// The kernels of one feature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rc4(Baseline);

impl Rc4 {
    /// Those that need a feature, if there are such and this processor has it.
    pub(crate) fn of(feature: Feature) -> Option<Self> {
        if feature == Baseline::FEATURE { Baseline::detect().map(Self) } else { None }
    }
}

/// One RC4 keystream. Wiped on drop.
#[derive(Clone)]
#[repr(align(64))]
pub(crate) struct State {
    kernel: [u8; STATE],
    rest: Rest,
}

impl State {
    /// No keystream yet.
    pub(crate) fn blank(_: Rc4) -> Self {
        Self { kernel: [0; STATE], rest: Rest::NONE }
    }

    /// Makes a blank one that of a key (KSA). `key` has 1 to 256 bytes; callers check.
    pub(crate) fn set_up(&mut self, key: &[u8]) -> &mut Self {
        set_up(&mut self.kernel, key);
        self
    }

    /// From S, i and j.
    pub(crate) fn resume(kernels: Rc4, s: &[u8; 256], i: u8, j: u8) -> Self {
        let mut state = Self::blank(kernels);
        state.kernel[..256].copy_from_slice(s);
        (state.kernel[I], state.kernel[J]) = (i, j);
        state
    }

    /// S, i and j, where no group is in progress.
    pub(crate) fn pause(&self) -> Option<([u8; 256], u8, u8)> {
        let s = self.kernel.first_chunk()?;
        self.rest.is_none().then_some((*s, self.kernel[I], self.kernel[J]))
    }

    /// XORs the next bytes of the keystream into `data`.
    pub(crate) fn apply(&mut self, data: &mut [u8]) {
        self.rest.apply(data, |groups| generated::rc4_apply_s8(&mut self.kernel, groups));
    }
}

impl Drop for State {
    fn drop(&mut self) {
        wipe(&mut self.kernel);
    }
}

impl ZeroizeOnDrop for State {}

/// What is left of the last group of a keystream. Wiped on drop.
#[derive(Clone)]
pub(super) struct Rest {
    group: [u8; GROUP],
    /// How many bytes of it are used up.
    used: usize,
}

impl Rest {
    /// Nothing.
    pub(super) const NONE: Self = Self { group: [0; GROUP], used: GROUP };

    /// Whether nothing is left.
    fn is_none(&self) -> bool {
        self.used == GROUP
    }

    /// XORs the next bytes of a keystream into data, by a kernel for whole groups.
    #[inline]
    pub(super) fn apply(&mut self, data: &mut [u8], mut kernel: impl FnMut(&mut [[u8; GROUP]])) {
        let (first, rest) = data.split_at_mut(data.len().min(GROUP - self.used));
        self.xor(first);
        let (groups, last) = rest.as_chunks_mut::<GROUP>();
        if !groups.is_empty() {
            kernel(groups);
        }
        if !last.is_empty() {
            let mut group = [[0; GROUP]];
            kernel(&mut group);
            (self.group, self.used) = (group[0], 0);
            wipe(&mut group);
            self.xor(last);
        }
    }

    #[inline]
    fn xor(&mut self, data: &mut [u8]) {
        for (byte, mask) in data.iter_mut().zip(&self.group[self.used..]) {
            *byte ^= mask;
        }
        self.used += data.len();
    }
}

impl Drop for Rest {
    fn drop(&mut self) {
        wipe(&mut self.group);
    }
}

/// Up to [`INTERLEAVED`] keystreams that move together. Wiped on drop.
///
/// They share i: a stream can join only where the others have made a multiple of 256 bytes.
pub(crate) struct Streams {
    states: [[u8; STATE]; INTERLEAVED],
    count: usize,
}

impl Streams {
    pub(crate) fn new(_: Rc4) -> Self {
        Self { states: [[0; STATE]; INTERLEAVED], count: 0 }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Adds the streams of some keys, at their start, behind those that are there.
    pub(crate) fn add(&mut self, keys: &[&[u8]]) {
        let new = &mut self.states[self.count..][..keys.len()];
        self.count += keys.len();
        match (new, keys) {
            ([state], [key]) => set_up(state, key),
            ([], _) => {}
            // A set-up of four takes less time than two of one.
            (new, keys) => {
                let (mut states, mut repeated) =
                    ([[0; STATE]; INTERLEAVED], [[0; KEY]; INTERLEAVED]);
                for (repeated, key) in repeated.iter_mut().zip(keys) {
                    repeat(key, repeated);
                }
                generated::rc4_setup_s8_x4(whole(&mut states), whole(&mut repeated));
                new.copy_from_slice(&states[..keys.len()]);
                wipe(states.as_flattened_mut());
                wipe(repeated.as_flattened_mut());
            }
        }
    }

    /// Writes the next bytes of every keystream: a group of each, then the next group of each.
    pub(crate) fn keystreams(&mut self, out: &mut [u8]) {
        debug_assert!(out.len().is_multiple_of(GROUP * self.count));
        let states = self.states.as_flattened_mut();
        match self.count {
            0 => {}
            1 => {
                out.fill(0);
                generated::rc4_apply_s8(first(states), out.as_chunks_mut().0);
            }
            2 => generated::rc4_keystreams_s8_x2(first(states), out.as_chunks_mut().0),
            3 => generated::rc4_keystreams_s8_x3(first(states), out.as_chunks_mut().0),
            _ => generated::rc4_keystreams_s8_x4(first(states), out.as_chunks_mut().0),
        }
    }

    /// Ends stream `n`; the last one takes its number.
    pub(crate) fn remove(&mut self, n: usize) {
        self.count -= 1;
        self.states[n] = self.states[self.count];
    }

    /// The first stream alone.
    pub(crate) fn into_first(self) -> State {
        State { kernel: self.states[0], rest: Rest::NONE }
    }
}

impl Drop for Streams {
    fn drop(&mut self) {
        wipe(self.states.as_flattened_mut());
    }
}

/// The first states, as a kernel wants them.
fn first<const N: usize>(states: &mut [u8]) -> &mut [u8; N] {
    states.first_chunk_mut().expect("there are as many states as the kernel interleaves")
}

/// Arrays one behind the other, as a kernel wants them.
fn whole<const N: usize, const M: usize>(arrays: &mut [[u8; N]; INTERLEAVED]) -> &mut [u8; M] {
    first(arrays.as_flattened_mut())
}

/// Key set-up of one stream.
fn set_up(state: &mut [u8; STATE], key: &[u8]) {
    with_repeated(key, |repeated| generated::rc4_setup_s8(state, repeated));
}

/// Hands out the key, over and over.
pub(super) fn with_repeated(key: &[u8], work: impl FnOnce(&[u8; KEY])) {
    let mut repeated = [0; KEY];
    repeat(key, &mut repeated);
    work(&repeated);
    wipe(&mut repeated);
}

/// The key, over and over.
pub(super) fn repeat(key: &[u8], repeated: &mut [u8; KEY]) {
    debug_assert!((1..=KEY).contains(&key.len()));
    if let Ok(key) = <&[u8; 16]>::try_from(key) {
        // Most keys: no call for each copy.
        repeated.as_chunks_mut().0.fill(*key);
        return;
    }
    repeated[..key.len()].copy_from_slice(key);
    let mut len = key.len();
    while len < KEY {
        // What is there begins with the key and ends with a whole one: twice as much is right too.
        let more = len.min(KEY - len);
        repeated.copy_within(..more, len);
        len += more;
    }
}
