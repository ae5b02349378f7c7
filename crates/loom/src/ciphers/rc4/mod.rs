//! RC4: the loop (PRGA), over one stream or several interleaved, and the key set-up (KSA).
//!
//! Both are software-pipelined: S\[i+1\] is loaded before step i stores. When i + 1 = j what was
//! loaded is stale, once in 256 steps, and is put right by a select that lowering may make a rarely
//! taken branch. Processors that have learned that such a load may meet a store hold it back until all
//! stores before it have their addresses; then a step waits for the j of two steps before and for a load.
//! Where S\[i+2\] is loaded before step i stores, it waits for the j of three steps before.
//!
//! Where i is a multiple of 8 before each group, S\[i\] to S\[i+8\] stand at displacements from one pointer, and
//! nothing else asks for i: if i + 1 = j then S\[i+1\] = S\[j\], which a step loads anyway. Where these are
//! equal, S\[i+1\] is read once more, behind the stores: right for any S.

pub mod registers;
mod stream;
mod whole;

use super::counted::Counted;
pub use super::word::Word;
use crate::ir::{
    Access, Address, Builder, Endian, Extent, Kernel, Op, Param, Requirements, Type, Value,
};
pub use stream::Entry;
use stream::{Stream, VECTOR, after};

/// What a kernel of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// XORs the keystream of one state into data, 8 bytes at a time.
    Apply,
    /// Writes the keystreams of so many states, whose i are equal, 8 bytes of each at a time, one
    /// stream's 8 bytes behind the other's.
    Keystreams(u8),
    /// Sets up so many states from 256 bytes of repeated key each.
    Setup(u8),
}

/// A kernel of this family, by its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// How S lies in memory.
    pub entry: Entry,
    /// What is done.
    pub task: Task,
    /// In which words.
    pub word: Word,
    /// Whether bytes of keystream are put together in a vector, into which they come from memory at once: no
    /// shift, no sum, and of the registers for words none.
    pub inserts: bool,
    /// Whether i is a multiple of 8 before each group, so that it goes over no end of S within one.
    pub whole: bool,
}

impl Config {
    /// Every kernel of the family.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let streams = [1, 2, 3, 4];
        let tasks = [Task::Apply]
            .into_iter()
            .chain(streams.map(Task::Keystreams))
            .chain(streams.map(Task::Setup));
        let tasks: Vec<_> = tasks.collect();
        let mut all = Vec::new();
        for word in [Word::Bits64, Word::Bits32] {
            for entry in [Entry::Byte, Entry::Word] {
                all.extend(tasks.iter().map(|&task| Self {
                    entry,
                    task,
                    word,
                    inserts: false,
                    whole: false,
                }));
            }
        }
        let by_words = all.clone().into_iter().filter(|config| config.word == Word::Bits64);
        all.extend(
            by_words.flat_map(|config| config.whole().into_iter().chain(config.inserting())),
        );
        all
    }

    /// A name that is a label everywhere.
    #[must_use]
    pub fn name(&self) -> String {
        match (self.word, self.inserts, self.whole) {
            (_, true, _) => self.plain_name() + "_inserted",
            (.., true) => self.plain_name() + "_whole",
            (Word::Bits64, ..) => self.plain_name(),
            (Word::Bits32, ..) => self.plain_name() + "_w32",
        }
    }

    pub(super) fn ways(self) -> impl Iterator<Item = Self> {
        let by_words = [Word::Bits32, Word::Bits64].map(|word| Self { word, whole: false, ..self });
        by_words.into_iter().chain(self.whole()).chain(self.inserting())
    }

    /// The same for multiples of 8, of streams.
    fn whole(self) -> Option<Self> {
        let is_such = !matches!(self.task, Task::Setup(_));
        is_such.then_some(Self { word: Word::Bits64, inserts: false, whole: true, ..self })
    }

    /// The same by insertion, where there is keystream to put together.
    fn inserting(self) -> Option<Self> {
        let is_setup = matches!(self.task, Task::Setup(_));
        (!is_setup).then_some(Self { inserts: true, whole: false, ..self })
    }

    pub(super) fn requirements(&self) -> Requirements {
        Requirements {
            wide_words: self.word == Word::Bits64,
            selection: true,
            vectors: self.inserts.then_some(256),
            inserted_bytes: self.inserts,
            rare_loads: self.whole,
            byte_entries: self.whole && self.entry == Entry::Byte,
            paired_stores: self.entry != Entry::Byte && matches!(self.task, Task::Setup(_)),
            ..Requirements::default()
        }
    }

    /// Makes states of random bytes: S a permutation, j any byte, i the same for all.
    pub(super) fn make_valid(&self, param: &Param, bytes: &mut [u8]) {
        if !matches!(param.name.as_str(), "state" | "states") {
            return;
        }
        let size = usize::from(self.entry.bytes());
        for state in bytes.chunks_exact_mut(256 * size + 8) {
            let mut s: [u8; 256] = std::array::from_fn(|n| n as u8);
            for (n, &with) in state[..256].iter().enumerate() {
                s.swap(n, usize::from(with));
            }
            let j = state[256];
            state.fill(0);
            for (n, value) in s.into_iter().enumerate() {
                state[n * size] = value;
            }
            // It goes over the end of S.
            state[256 * size] = if self.whole { 248 } else { 7 };
            state[256 * size + 4] = j;
        }
    }

    /// The name without the way in which bytes are put together.
    pub(super) fn plain_name(&self) -> String {
        let entry = 8 * self.entry.bytes();
        match self.task {
            Task::Apply => format!("rc4_apply_s{entry}"),
            Task::Keystreams(n) => format!("rc4_keystreams_s{entry}_x{n}"),
            Task::Setup(1) => format!("rc4_setup_s{entry}"),
            Task::Setup(n) => format!("rc4_setup_s{entry}_x{n}"),
        }
    }

    /// What is counted, and how many for each one of the count, or in a call.
    pub(super) fn counted(&self) -> (Counted, usize) {
        match self.task {
            Task::Apply => (Counted::Byte, 8),
            Task::Keystreams(n) => (Counted::Byte, 8 * usize::from(n)),
            Task::Setup(n) => (Counted::Key, usize::from(n)),
        }
    }

    /// The kernel. Parameters: the states, one behind the other; the data or keystream and a
    /// count of 8-byte groups, or the keys.
    ///
    /// S\[i\] is loaded so many steps ahead, one at least.
    #[must_use]
    pub fn kernel(&self, ahead: usize) -> Kernel {
        let ahead = ahead.max(1);
        match self.task {
            Task::Apply => self.apply(ahead),
            Task::Keystreams(n) => self.keystreams(usize::from(n), ahead),
            Task::Setup(n) => self.setup(usize::from(n), ahead),
        }
    }

    fn states(&self, b: &mut Builder, n: usize) -> Value {
        let extent = Extent::Fixed(self.entry.state_bytes() as u32 * n as u32);
        let name = if n == 1 { "state" } else { "states" };
        b.pointer(name, Access::ReadWrite, extent, "S, then i and j as 32-bit words")
    }

    fn apply(&self, ahead: usize) -> Kernel {
        let doc = "RC4: XORs the keystream into data, in place.".to_owned() + self.given();
        let mut b = Builder::new(self.name(), doc);
        let state = self.states(&mut b, 1);
        let group = Extent::PerCount(8);
        let data = b.pointer("data", Access::ReadWrite, group, "groups of 8 bytes, in place");
        let count = b.word("count", Type::W64, "groups");
        let streams = [Stream::load(&mut b, self.entry, state, 0)];
        self.groups(&mut b, ahead, count, &streams, data, |b, _, keystream, data, offset| {
            let address = Address { base: data, offset, index: None };
            let (bytes, endian) = (self.at_once(), Endian::Little);
            let load = Op::Load { address, bytes, endian, ordered: false };
            let text = b.op(b.ty(keystream), load);
            let text = b.xor(text, keystream);
            self.put(b, text, data, offset);
        });
        b.finish()
    }

    fn keystreams(&self, n: usize, ahead: usize) -> Kernel {
        let given = self.given();
        let doc = format!("RC4: the keystreams of {n} states with equal i, woven together.{given}");
        let mut b = Builder::new(self.name(), doc);
        let states = self.states(&mut b, n);
        let group = Extent::PerCount(8 * n as u32);
        let out = b.pointer("out", Access::Write, group, "8 bytes of each stream, then the next 8");
        let count = b.word("count", Type::W64, "groups of 8 bytes a stream");
        let streams: Vec<_> =
            (0..n).map(|stream| Stream::load(&mut b, self.entry, states, stream)).collect();
        self.groups(&mut b, ahead, count, &streams, out, |b, n, keystream, out, offset| {
            self.put(b, keystream, out, 8 * n + offset);
        });
        b.finish()
    }

    /// What callers see to.
    fn given(&self) -> &'static str {
        if self.whole { " i is a multiple of 8." } else { "" }
    }

    /// Bytes that are put together before they go to memory.
    fn at_once(&self) -> u8 {
        if self.inserts { 8 } else { self.word.bytes() }
    }

    fn put(&self, b: &mut Builder, value: Value, base: Value, offset: i32) {
        let address = Address { base, offset, index: None };
        let (bytes, endian) = (self.at_once(), Endian::Little);
        let store = Op::Store { value, address, bytes, endian, ordered: false };
        b.op(b.ty(value), store);
    }

    /// Repeats groups of eight steps of every stream; i is one for all of them. `put` gets the number
    /// of a stream, a word of its keystream, the buffer, and how many bytes of the eight came before.
    fn groups(
        &self,
        b: &mut Builder,
        ahead: usize,
        count: Value,
        streams: &[Stream],
        buffer: Value,
        mut put: impl FnMut(&mut Builder, i32, Value, Value, i32),
    ) {
        if self.whole {
            return self.whole_groups(b, count, streams, buffer, put);
        }
        let advance = 8 * streams.len() as i32;
        let nothing = self.inserts.then(|| b.constant(VECTOR, 0));
        let one = b.constant(Type::W32, 1);
        let mut i = vec![after(b, streams[0].i, one)];
        while i.len() < ahead {
            i.push(after(b, i[i.len() - 1], one));
        }
        let mut first = [&[buffer], &i[..]].concat();
        first.extend(streams.iter().map(|stream| stream.j));
        for stream in streams {
            first.extend(i.iter().map(|&i| stream.at(b, i)));
        }
        let n = streams.len();
        let last = b.repeat(count, &first, |b, carried| {
            let (buffer, mut i) = (carried[0], carried[1..=ahead].to_vec());
            let mut moving = streams.to_vec();
            let (j, x) = carried[1 + ahead..].split_at(n);
            let mut x: Vec<_> = x.chunks(ahead).map(<[Value]>::to_vec).collect();
            for (stream, &j) in moving.iter_mut().zip(j) {
                stream.j = j;
            }
            let mut keystreams = vec![None; n];
            let one = b.constant(Type::W32, 1);
            for step in 0..8 {
                b.comment(format!("byte {}", step + 1));
                i.push(after(b, i[ahead - 1], one));
                for ((stream, x), word) in moving.iter_mut().zip(&mut x).zip(&mut keystreams) {
                    let (index, at) = (stream.step(b, &i, x), step % self.at_once());
                    if let Some(nothing) = nothing {
                        *word = Some(stream.insert(b, word.unwrap_or(nothing), at, index));
                        continue;
                    }
                    let byte = stream.at(b, index);
                    let byte = match self.word {
                        Word::Bits32 => byte,
                        Word::Bits64 => b.resize(byte, Type::W64),
                    };
                    let byte = if at == 0 { byte } else { b.shl(byte, 8 * at) };
                    *word = Some(word.map_or(byte, |word| b.or(word, byte)));
                }
                i.remove(0);
                let full = (step + 1).is_multiple_of(self.at_once());
                let offset = i32::from(step + 1) - i32::from(self.at_once());
                for (n, word) in (0..).zip(keystreams.iter_mut().filter(|_| full)) {
                    put(b, n, word.take().expect("steps fill a word"), buffer, offset);
                }
            }
            let j = moving.iter().map(|stream| stream.j);
            [b.advance(buffer, advance)].into_iter().chain(i).chain(j).chain(x.concat()).collect()
        });
        let back = b.constant(Type::W32, 255);
        let i = after(b, last[1], back);
        for (stream, &j) in streams.iter().zip(&last[1 + ahead..]) {
            stream.keep(b, i, j);
        }
    }

    fn setup(&self, n: usize, ahead: usize) -> Kernel {
        let doc = format!("RC4: the key set-up (KSA) of {n} states, woven together.");
        let mut b = Builder::new(self.name(), doc);
        let states = self.states(&mut b, n);
        let extent = Extent::Fixed(256 * n as u32);
        let keys = b.pointer("keys", Access::Read, extent, "256 bytes of repeated key a state");
        let streams: Vec<_> =
            (0..n).map(|stream| Stream::place(self.entry, states, stream)).collect();
        self.identity(&mut b, &streams);
        b.comment("256 swaps");
        let zero = b.constant(Type::W32, 0);
        let steps = 4;
        let count = b.constant(Type::W64, 256 / steps);
        // S[0] = 0 is the first entry that is loaded ahead, S[1] = 1 the second.
        let entries: Vec<_> = (1..ahead as u64).map(|n| b.constant(Type::W32, n)).collect();
        let entries = [&[zero], &entries[..]].concat();
        let mut first = [&[keys], &entries[..], &vec![zero; n]].concat();
        (0..n).for_each(|_| first.extend(&entries));
        b.repeat(count, &first, |b, carried| {
            let (keys, mut i) = (carried[0], carried[1..=ahead].to_vec());
            let (j, x) = carried[1 + ahead..].split_at(n);
            let mut j = j.to_vec();
            let mut x: Vec<_> = x.chunks(ahead).map(<[Value]>::to_vec).collect();
            let one = b.constant(Type::W32, 1);
            for step in 0..steps as i32 {
                i.push(after(b, i[ahead - 1], one));
                for (n, (stream, (j, x))) in (0..).zip(streams.iter().zip(j.iter_mut().zip(&mut x)))
                {
                    let address = Address { base: keys, offset: 256 * n + step, index: None };
                    let load =
                        Op::Load { address, bytes: 1, endian: Endian::Little, ordered: false };
                    let key = b.op(Type::W32, load);
                    // What waits for the step before comes last.
                    let sum = b.add(*j, key);
                    let sum = b.field(sum, 0, 8);
                    *j = after(b, sum, x[0]);
                    stream.swap(b, &i, *j, x);
                }
                i.remove(0);
            }
            [b.advance(keys, steps as i32)]
                .into_iter()
                .chain(i)
                .chain(j)
                .chain(x.concat())
                .collect()
        });
        for stream in &streams {
            stream.keep(&mut b, zero, zero);
        }
        b.finish()
    }

    /// S\[n\] = n, a word at a store.
    fn identity(&self, b: &mut Builder, streams: &[Stream]) {
        b.comment("S[n] = n");
        let (ty, bytes) = (self.word.ty(), self.word.bytes());
        let per_store = u64::from(bytes / self.entry.bytes());
        let bits = 8 * u32::from(self.entry.bytes());
        let spread = |n: u64| (0..per_store).fold(0, |word, at| word | n << (bits * at as u32));
        let first = (0..per_store).fold(0, |word, at| word | at << (bits * at as u32));
        let (first, step) = (b.constant(ty, first), b.constant(ty, spread(per_store)));
        let count = b.constant(Type::W64, 256 / per_store);
        let base = streams[0].state;
        let size = self.entry.state_bytes();
        b.repeat(count, &[base, first], |b, carried| {
            for n in 0..streams.len() as i32 {
                let address = Address { base: carried[0], offset: n * size, index: None };
                let value = carried[1];
                let store =
                    Op::Store { value, address, bytes, endian: Endian::Little, ordered: true };
                b.op(ty, store);
            }
            vec![b.advance(carried[0], bytes.into()), b.add(carried[1], step)]
        });
    }
}
