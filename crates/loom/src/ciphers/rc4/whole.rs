//! The keystreams of states whose i is a multiple of 8 before each group.
//!
//! A group of one stream is 96 instructions on AArch64, of which a comparison and its branch are one to a decoder:
//! on Neoverse N1, which begins four a cycle, 3.0 cycles a byte. Loads and stores, 42 on two pipes, would take 2.6.
//! On x86-64, with a word for each entry, a byte is ten instructions: thirteen where i is any.
//! Of several streams, one after the other within a step: then registers have room for what four of them hold.

use super::Config;
use super::stream::{Entry, Stream, after};
use crate::ir::{Address, Builder, Op, Type, Value};

/// Steps of a group.
const STEPS: i32 = 8;

impl Config {
    /// Repeats groups of eight steps of every stream, as [`Config::groups`] does.
    pub(super) fn whole_groups(
        &self,
        b: &mut Builder,
        count: Value,
        streams: &[Stream],
        buffer: Value,
        mut put: impl FnMut(&mut Builder, i32, Value, Value, i32),
    ) {
        let one = b.constant(Type::W32, 1);
        // A sum of what is known to be a byte is an index as it stands.
        let streams =
            &streams.iter().map(|stream| Stream { loaded: 1, ..*stream }).collect::<Vec<_>>();
        let states = streams[0].state;
        // Processors for which entries are words name an index and a displacement at once. For others each S has a pointer
        // of its own: an entry at j is one instruction. One pointer leads to S[i] of all.
        let is_by_words = self.entry == Entry::Word;
        let before_s = (!is_by_words).then(|| b.advance(states, -1));
        let own: Vec<_> = (streams.iter())
            .map(|stream| match stream.offset {
                _ if is_by_words => *stream,
                0 => *stream,
                offset => Stream { state: b.advance(states, offset), offset: 0, ..*stream },
            })
            .collect();
        let advance = STEPS * streams.len() as i32;
        // The place of the group's first entry in S, and that entry.
        let first = after(b, streams[0].i, one);
        let mut carried = vec![buffer, first];
        carried.extend(streams.iter().map(|stream| stream.j));
        carried.extend(own.iter().map(|stream| stream.at(b, first)));
        let last = b.repeat(count, &carried, |b, carried| {
            let (buffer, first) = (b.advance(carried[0], advance), carried[1]);
            let (j, x) = carried[2..].split_at(streams.len());
            let mut lanes: Vec<Lane> = (streams.iter().zip(&own).zip(j).zip(x))
                .map(|(((&beside, &own), &j), &x)| Lane {
                    own: Stream { j, ..own },
                    entries: std::array::from_fn(|n| beside.beside(first, n as i32)),
                    x,
                    word: None,
                })
                .collect();
            let mut next = first;
            for n in 0..STEPS as usize {
                b.comment(format!("byte {}", n + 1));
                if n == 1 {
                    // The pointer to all but the last two is made: the next group's first takes its place. The last
                    // one may be the first of S, and is reached from there.
                    let eight = b.constant(Type::W32, STEPS as u64);
                    next = after(b, first, eight);
                    for (lane, &beside) in lanes.iter_mut().zip(streams) {
                        lane.entries[7] = match before_s {
                            Some(state) => Stream { state, ..beside }.beside(next, 0),
                            None => beside.beside(next, -1),
                        };
                        lane.entries[8] = lane.own.beside(next, 0);
                    }
                }
                lanes.iter_mut().for_each(|lane| lane.step(b, n));
            }
            for (n, lane) in (0..).zip(&lanes) {
                put(b, n, lane.word.expect("a group has steps"), buffer, -advance);
            }
            let j = lanes.iter().map(|lane| lane.own.j);
            [buffer, next].into_iter().chain(j).chain(lanes.iter().map(|lane| lane.x)).collect()
        });
        let back = b.constant(Type::W32, 255);
        let i = after(b, last[1], back);
        for (stream, &j) in streams.iter().zip(&last[2..]) {
            stream.keep(b, i, j);
        }
    }
}

/// One stream within a group.
struct Lane {
    /// From its own S.
    own: Stream,
    /// Where S\[i\] of each step is, and that of the first behind them.
    entries: [Address; 9],
    /// S\[i\] of the next step.
    x: Value,
    /// The keystream so far.
    word: Option<Value>,
}

impl Lane {
    fn step(&mut self, b: &mut Builder, n: usize) {
        let before = self.x;
        self.own.j = after(b, self.own.j, before);
        let following = self.own.load_at(b, self.entries[n + 1]);
        let y = self.own.at(b, self.own.j);
        self.own.store_at(b, self.entries[n], y);
        self.own.put(b, self.own.j, before);
        let again = self.own.load_at(b, self.entries[n + 1]);
        let op = Op::SelectEq { a: y, b: following, then: again, otherwise: following, rare: true };
        self.x = b.op(Type::W32, op);
        let index = after(b, before, y);
        let byte = self.own.at(b, index);
        let byte = b.resize(byte, Type::W64);
        let byte = if n == 0 { byte } else { b.shl(byte, 8 * n as u8) };
        self.word = Some(self.word.map_or(byte, |word| b.or(word, byte)));
    }
}
