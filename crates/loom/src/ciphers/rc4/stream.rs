//! One state in use: S in memory, i and j in registers.

use crate::ir::{Address, Builder, Endian, Op, Type, Value};

/// Where bytes of keystream are put together by insertion, eight of them.
pub(super) const VECTOR: Type = Type::Vector(256);

/// How many bytes an entry of S has in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// One byte: S fills four cache lines.
    Byte,
    /// Four bytes: no partial registers.
    Word,
}

impl Entry {
    /// 1 or 4.
    #[must_use]
    pub const fn bytes(self) -> u8 {
        match self {
            Self::Byte => 1,
            Self::Word => 4,
        }
    }

    /// Bytes of a state: S, then i and j as 32-bit words.
    #[must_use]
    pub const fn state_bytes(self) -> i32 {
        256 * self.bytes() as i32 + 8
    }
}

/// One state in use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream {
    pub(super) entry: Entry,
    pub(super) state: Value,
    /// How many bytes of an entry are loaded: the lowest alone, where that is the first.
    pub(super) loaded: u8,
    /// Bytes from the first state.
    pub(super) offset: i32,
    pub(super) i: Value,
    pub(super) j: Value,
}

impl Stream {
    /// State number `n`, with i and j not loaded.
    pub(super) fn place(entry: Entry, state: Value, n: usize) -> Self {
        let (loaded, offset) = (entry.bytes(), n as i32 * entry.state_bytes());
        Self { entry, state, loaded, offset, i: state, j: state }
    }

    pub(super) fn load(b: &mut Builder, entry: Entry, state: Value, n: usize) -> Self {
        let stream = Self::place(entry, state, n);
        let [i, j] = stream.indices().map(|address| {
            let op = Op::Load { address, bytes: 4, endian: Endian::Native, ordered: true };
            let index = b.op(Type::W32, op);
            b.field(index, 0, 8)
        });
        Self { i, j, ..stream }
    }

    /// Where i and j lie in memory.
    fn indices(&self) -> [Address; 2] {
        let end = self.offset + self.entry.state_bytes();
        [end - 8, end - 4].map(|offset| Address { base: self.state, offset, index: None })
    }

    pub(super) fn keep(&self, b: &mut Builder, i: Value, j: Value) {
        for (address, value) in self.indices().into_iter().zip([i, j]) {
            let (bytes, endian) = (4, Endian::Native);
            b.op(Type::W32, Op::Store { value, address, bytes, endian, ordered: true });
        }
    }

    fn entry(&self, index: Value) -> Address {
        let index = Some((index, self.entry.bytes()));
        Address { base: self.state, offset: self.offset, index }
    }

    /// Where the entry so many behind S\[index\] is, with no regard to the end of S.
    pub(super) fn beside(&self, index: Value, by: i32) -> Address {
        let address = self.entry(index);
        Address { offset: address.offset + by * i32::from(self.entry.bytes()), ..address }
    }

    /// S\[index\].
    pub(super) fn at(&self, b: &mut Builder, index: Value) -> Value {
        self.load_at(b, self.entry(index))
    }

    /// An entry.
    pub(super) fn load_at(&self, b: &mut Builder, address: Address) -> Value {
        let bytes = self.loaded;
        b.op(Type::W32, Op::Load { address, bytes, endian: Endian::Native, ordered: true })
    }

    /// S\[index\] = value.
    pub(super) fn put(&self, b: &mut Builder, index: Value, value: Value) {
        self.store_at(b, self.entry(index), value);
    }

    /// Another entry.
    pub(super) fn store_at(&self, b: &mut Builder, address: Address, value: Value) {
        let bytes = self.entry.bytes();
        b.op(Type::W32, Op::Store { value, address, bytes, endian: Endian::Native, ordered: true });
    }

    /// One step of the PRGA. Returns where in S the byte of keystream is.
    pub(super) fn step(&mut self, b: &mut Builder, i: &[Value], x: &mut Vec<Value>) -> Value {
        self.j = after(b, self.j, x[0]);
        let before = x[0];
        let y = self.swap(b, i, self.j, x);
        after(b, before, y)
    }

    /// `into` with S\[index\] as its byte `at`.
    pub(super) fn insert(&self, b: &mut Builder, into: Value, at: u8, index: Value) -> Value {
        let address = self.entry(index);
        b.op(VECTOR, Op::InsertByte { into, at, address })
    }

    /// Swaps S\[i\] and S\[j\], which is returned. `i` has i and those after it, `x` the entries at all
    /// of them but the last; each of these becomes the next one.
    pub(super) fn swap(&self, b: &mut Builder, i: &[Value], j: Value, x: &mut Vec<Value>) -> Value {
        x.push(self.at(b, i[i.len() - 1]));
        let y = self.at(b, j);
        self.put(b, i[0], y);
        let then = x.remove(0);
        self.put(b, j, then);
        for (&a, x) in i[1..].iter().zip(x) {
            *x = b.op(Type::W32, Op::SelectEq { a, b: j, then, otherwise: *x, rare: true });
        }
        y
    }
}

/// The sum modulo 256.
pub(super) fn after(b: &mut Builder, a: Value, by: Value) -> Value {
    let sum = b.add(a, by);
    b.field(sum, 0, 8)
}
