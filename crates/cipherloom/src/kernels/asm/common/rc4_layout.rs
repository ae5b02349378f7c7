//! RC4 with S in memory, by assembly: one stream, and several interleaved, for each way in which S lies there.
//!
//! The kernels work on groups of eight bytes. What a message does not use of a group is kept for
//! the next one.

use crate::kernels::cpu::Feature;
use crate::kernels::rc4_state::{Rest, State, bytes};
use crate::kernels::wipe;

pub(super) use crate::kernels::rc4_state::GROUP;
/// Bytes of a key as the set-up wants it, repeated.
pub(super) const KEY: usize = 256;
/// Most streams interleaved.
pub(crate) const INTERLEAVED: usize = 4;

/// How S lies in a kernel's state, and the kernels for that.
pub(crate) trait Layout {
    /// That the processor can run the kernels.
    type Witness: Copy;
    /// What they need.
    const FEATURE: Feature;
    /// Bytes of an entry of S.
    const ENTRY: usize;
    /// S, then i and j as 32-bit words.
    type State: Copy + AsRef<[u8]> + AsMut<[u8]>;
    /// No keystream.
    const BLANK: Self::State;

    /// Whether this processor can.
    fn detect() -> Option<Self::Witness>;
    fn set_up(state: &mut Self::State, key: &[u8; KEY]);
    /// That of one stream.
    fn of(state: &mut State) -> &mut Self::State;
    /// XORs the next bytes of one stream into data.
    fn apply_to(by: Self::Witness, state: &mut State, data: &mut [u8]);
    fn set_up_all(states: &mut [Self::State; INTERLEAVED], keys: &[[u8; KEY]; INTERLEAVED]);
    fn apply(by: Self::Witness, state: &mut Self::State, data: &mut [[u8; GROUP]]);
    /// Of the first two, three or four states.
    fn keystreams(
        by: Self::Witness,
        states: &mut [Self::State; INTERLEAVED],
        count: usize,
        out: &mut [u8],
    );
}

/// A layout: bytes of an entry, the feature that kernels for its keystreams need, which they are handed if it is
/// not the baseline's, and the functions of its kernels, for one state or so many. For one, on other processors than
/// Intel's, it may be one of the baseline's.
macro_rules! layout {
    (
        $(#[$doc:meta])*
        $name:ident: $entry:literal, $feature:ident($($handed:ident)?),
        set_up $set_up:ident, $set_up_all:ident;
        keystreams $apply:ident $(or $plain:ident)?, $two:ident, $three:ident, $four:ident;
    ) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub(crate) enum $name {}

        impl Layout for $name {
            type Witness = $feature;
            const FEATURE: Feature = $feature::FEATURE;
            const ENTRY: usize = $entry;
            type State = [u8; 256 * $entry + 8];
            const BLANK: Self::State = [0; 256 * $entry + 8];

            fn detect() -> Option<$feature> {
                $feature::detect()
            }

            #[inline(always)]
            fn set_up(state: &mut Self::State, key: &[u8; KEY]) {
                generated::$set_up(state, key);
            }

            #[inline(always)]
            fn of(state: &mut State) -> &mut Self::State {
                state.bytes()
            }

            #[inline(always)]
            fn apply_to(by: $feature, state: &mut State, data: &mut [u8]) {
                state.in_groups(data, |state, groups| Self::apply(by, state, groups));
            }

            fn set_up_all(states: &mut [Self::State; INTERLEAVED], keys: &[[u8; KEY]; INTERLEAVED]) {
                let keys = keys.as_flattened().first_chunk().expect("so many keys");
                generated::$set_up_all(first(states.as_flattened_mut()), keys);
            }

            #[inline(always)]
            fn apply(_by: $feature, state: &mut Self::State, data: &mut [[u8; GROUP]]) {
                $(if !is_intel() {
                    return generated::$plain(state, data);
                })?
                $(let $handed = _by;)?
                generated::$apply($($handed,)? state, data);
            }

            fn keystreams(
                _by: $feature,
                states: &mut [Self::State; INTERLEAVED],
                count: usize,
                out: &mut [u8],
            ) {
                $(let $handed = _by;)?
                let states = states.as_flattened_mut();
                match count {
                    2 => generated::$two($($handed,)? first(states), out.as_chunks_mut().0),
                    3 => generated::$three($($handed,)? first(states), out.as_chunks_mut().0),
                    _ => generated::$four($($handed,)? first(states), out.as_chunks_mut().0),
                }
            }
        }
    };
}

impl State {
    /// XORs the next bytes of the keystream into `data`, by a kernel for whole groups and a state of so many bytes.
    #[inline]
    pub(super) fn in_groups<const N: usize>(
        &mut self,
        data: &mut [u8],
        mut kernel: impl FnMut(&mut [u8; N], &mut [[u8; GROUP]]),
    ) {
        let state = bytes(&mut self.words);
        self.rest.apply(data, |groups| kernel(state, groups));
    }
}

impl Rest {
    /// XORs the next bytes of a keystream into data, by a kernel for whole groups.
    #[inline]
    pub(super) fn apply(&mut self, data: &mut [u8], mut kernel: impl FnMut(&mut [[u8; GROUP]])) {
        let (first, rest) = data.split_at_mut(data.len().min(self.left));
        self.xor(first);
        let (groups, last) = rest.as_chunks_mut::<GROUP>();
        if !groups.is_empty() {
            kernel(groups);
        }
        if !last.is_empty() {
            let mut group = [[0; GROUP]];
            kernel(&mut group);
            (self.group, self.left) = (group[0], GROUP);
            wipe(&mut group);
            self.xor(last);
        }
    }

    #[inline]
    fn xor(&mut self, data: &mut [u8]) {
        for (byte, mask) in data.iter_mut().zip(&self.group[GROUP - self.left..]) {
            *byte ^= mask;
        }
        self.left -= data.len();
    }
}

/// Up to [`INTERLEAVED`] keystreams that move together. Wiped on drop.
///
/// They share i: a stream can join only where the others have made a multiple of 256 bytes.
pub(crate) struct Streams<L: Layout> {
    states: [L::State; INTERLEAVED],
    count: usize,
    by: L::Witness,
}

impl<L: Layout> Streams<L> {
    /// None. Inlined, so that they are made where they stay.
    #[inline(always)]
    pub(super) fn none(by: L::Witness) -> Self {
        Self { states: [L::BLANK; INTERLEAVED], count: 0, by }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Adds the streams of some keys, at their start, behind those that are there.
    pub(super) fn add(&mut self, keys: &[&[u8]]) {
        let new = &mut self.states[self.count..][..keys.len()];
        self.count += keys.len();
        match (new, keys) {
            ([state], [key]) => set_up::<L>(state, key),
            ([], _) => {}
            // A set-up of four takes less time than two of one.
            (new, keys) => {
                let mut repeated = [[0; KEY]; INTERLEAVED];
                for (repeated, key) in repeated.iter_mut().zip(keys) {
                    repeat(key, repeated);
                }
                set_up_beside::<L>(new, &repeated);
                wipe(repeated.as_flattened_mut());
            }
        }
    }

    /// Writes the next bytes of every keystream: a group of each, then the next group of each.
    pub(super) fn keystreams(&mut self, out: &mut [u8]) {
        debug_assert!(out.len().is_multiple_of(GROUP * self.count));
        match self.count {
            0 => {}
            1 => {
                out.fill(0);
                L::apply(self.by, &mut self.states[0], out.as_chunks_mut().0);
            }
            count => L::keystreams(self.by, &mut self.states, count, out),
        }
    }

    /// Ends stream `n`; the last one takes its number.
    pub(super) fn remove(&mut self, n: usize) {
        self.count -= 1;
        self.states[n] = self.states[self.count];
    }

    /// XORs the next bytes of the first keystream into `data`; it is of no more use then.
    pub(super) fn finish(&mut self, data: &mut [u8]) {
        let mut rest = Rest::NONE;
        rest.apply(data, |groups| L::apply(self.by, &mut self.states[0], groups));
    }
}

impl<L: Layout> Drop for Streams<L> {
    fn drop(&mut self) {
        wipe_all::<L>(&mut self.states);
    }
}

/// Key set-up of so many streams as there is room for at a time, of which some are wanted.
fn set_up_beside<L: Layout>(new: &mut [L::State], keys: &[[u8; KEY]; INTERLEAVED]) {
    if let Ok(all) = new.try_into() {
        L::set_up_all(all, keys);
        return;
    }
    let mut states = [L::BLANK; INTERLEAVED];
    L::set_up_all(&mut states, keys);
    new.copy_from_slice(&states[..new.len()]);
    wipe_all::<L>(&mut states);
}

fn wipe_all<L: Layout>(states: &mut [L::State]) {
    states.iter_mut().for_each(|state| wipe(state.as_mut()));
}

/// The first states, as a kernel wants them.
pub(super) fn first<const N: usize>(states: &mut [u8]) -> &mut [u8; N] {
    states.first_chunk_mut().expect("there are as many states as the kernel interleaves")
}

/// Key set-up of one stream.
#[inline(always)]
pub(super) fn set_up<L: Layout>(state: &mut L::State, key: &[u8]) {
    with_repeated(key, |repeated| L::set_up(state, repeated));
}

/// Hands out the key, over and over.
#[inline(always)]
pub(super) fn with_repeated(key: &[u8], work: impl FnOnce(&[u8; KEY])) {
    let mut repeated = [0; KEY];
    repeat(key, &mut repeated);
    work(&repeated);
    wipe(&mut repeated);
}

/// The key, over and over.
#[inline(always)]
pub(super) fn repeat(key: &[u8], repeated: &mut [u8; KEY]) {
    debug_assert!((1..=KEY).contains(&key.len()));
    match <&[u8; 16]>::try_from(key) {
        // Most keys: no call for each copy.
        Ok(key) => repeated.as_chunks_mut().0.fill(*key),
        Err(_) => repeat_any(key, repeated),
    }
}

/// The same for keys of any length.
#[cold]
fn repeat_any(key: &[u8], repeated: &mut [u8; KEY]) {
    repeated[..key.len()].copy_from_slice(key);
    let mut len = key.len();
    while len < KEY {
        // What is there begins with the key and ends with a whole one: twice as much is right too.
        let more = len.min(KEY - len);
        repeated.copy_within(..more, len);
        len += more;
    }
}
