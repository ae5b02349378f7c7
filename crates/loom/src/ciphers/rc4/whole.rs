//! The keystream of one state whose i is a multiple of 8 before each group.
//!
//! A group is 96 instructions on AArch64, of which a comparison and its branch are one to a decoder: on Neoverse N1,
//! which begins four a cycle, 3.0 cycles a byte. Loads and stores, 42 on two pipes, would take 2.6.

use super::Config;
use super::stream::{Stream, after};
use crate::ir::{Access, Address, Builder, Endian, Extent, Kernel, Op, Type, Value};

/// Steps of a group.
const STEPS: i32 = 8;

impl Config {
    pub(super) fn apply_whole(&self) -> Kernel {
        let doc = "RC4: XORs the keystream into data, in place. i is a multiple of 8.";
        let mut b = Builder::new(self.name(), doc);
        let state = self.states(&mut b, 1);
        let group = Extent::PerCount(STEPS as u32);
        let data = b.pointer("data", Access::ReadWrite, group, "groups of 8 bytes, in place");
        let count = b.word("count", Type::W64, "groups");
        let stream = Stream::load(&mut b, self.entry, state, 0);
        let one = b.constant(Type::W32, 1);
        let before_s = b.advance(state, -i32::from(self.entry.bytes()));
        // The place of the group's first entry in S, and that entry.
        let first = after(&mut b, stream.i, one);
        let x = stream.at(&mut b, first);
        let last = b.repeat(count, &[data, first, stream.j, x], |b, carried| {
            let [data, first, j, x] = [0, 1, 2, 3].map(|n| carried[n]);
            self.group(b, Stream { j, ..stream }, data, (before_s, first, x))
        });
        let back = b.constant(Type::W32, 255);
        let i = after(&mut b, last[1], back);
        stream.keep(&mut b, i, last[2]);
        b.finish()
    }

    /// A group: what is carried to the next one.
    fn group(
        &self,
        b: &mut Builder,
        mut stream: Stream,
        data: Value,
        (before_s, first, mut x): (Value, Value, Value),
    ) -> Vec<Value> {
        let mut entries: [Address; 9] = std::array::from_fn(|n| stream.beside(first, n as i32));
        let next_data = b.advance(data, STEPS);
        let address = Address { base: next_data, offset: -STEPS, index: None };
        let mut next = first;
        let mut word: Option<Value> = None;
        for n in 0..STEPS as usize {
            b.comment(format!("byte {}", n + 1));
            stream.j = after(b, stream.j, x);
            let before = x;
            let following = stream.load_at(b, entries[n + 1]);
            let y = stream.at(b, stream.j);
            if n == 0 {
                // The pointer to all but the last two is made: the next group's first takes its place. The last
                // one may be the first of S, and is reached from there.
                let eight = b.constant(Type::W32, STEPS as u64);
                next = after(b, first, eight);
                let last = Stream { state: before_s, ..stream };
                (entries[7], entries[8]) = (last.beside(next, 0), stream.beside(next, 0));
            }
            stream.store_at(b, entries[n], y);
            stream.put(b, stream.j, before);
            let again = stream.load_at(b, entries[n + 1]);
            let op =
                Op::SelectEq { a: y, b: following, then: again, otherwise: following, rare: true };
            x = b.op(Type::W32, op);
            let index = after(b, before, y);
            let byte = stream.at(b, index);
            let byte = b.resize(byte, Type::W64);
            let byte = if n == 0 { byte } else { b.shl(byte, 8 * n as u8) };
            word = Some(word.map_or(byte, |word| b.or(word, byte)));
        }
        let keystream = word.expect("a group has steps");
        let (bytes, endian) = (STEPS as u8, Endian::Little);
        let text = b.op(Type::W64, Op::Load { address, bytes, endian, ordered: false });
        let text = b.xor(text, keystream);
        self.put(b, text, next_data, -STEPS);
        vec![next_data, next, stream.j, x]
    }
}
