//! The form in which a kernel is described: straight-line SSA with counted loops.
//!
//! No processor owns it. Words have 32 or 64 bits and wrap; vectors have 64 to 512 bits and are
//! `lanes` words side by side that operations treat alike; pointers name a region of memory and a
//! place in it.
//!
//! Memory that aliases itself (RC4's S) is read and written by *ordered* operations, which keep their
//! order among each other within one region. Any other access is done at some time between what it
//! needs and what needs it, within the loop that it stands in: so a place may be read, and then
//! written with what was made of it.

mod build;
mod bytes;
mod hoist;
mod interpret;
mod print;
mod requirements;
mod secrets;
mod steps;
mod unroll;
mod verify;

pub use build::Builder;
pub use bytes::Bytes;
pub use hoist::hoist;
pub use interpret::{Fault, Memory, Scalar, interpret};
pub use requirements::Requirements;
pub use steps::fold_steps;
pub use unroll::unroll;
pub use verify::{Defect, verify};

/// A value by number; defined once, by a parameter, an operation or a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// 32 bits.
    W32,
    /// 64 bits.
    W64,
    /// A vector of so many bits, a multiple of 64.
    Vector(u16),
    /// A place in a region of memory.
    Pointer,
}

impl Type {
    /// Width in bits; a pointer has the processor's.
    #[must_use]
    pub const fn bits(self) -> Option<u16> {
        match self {
            Self::W32 => Some(32),
            Self::W64 => Some(64),
            Self::Vector(bits) => Some(bits),
            Self::Pointer => None,
        }
    }
}

/// A table by number, in [`Kernel::tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub usize);

/// Constants that a kernel looks up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// A name that is a label in every assembler.
    pub name: String,
    /// What the entries are, in one line.
    pub doc: String,
    /// Bytes per entry: 1, 2, 4 or 8.
    pub entry_bytes: u8,
    /// The entries, each within its bytes.
    pub entries: Vec<u64>,
}

impl Table {
    /// Size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.entries.len() * usize::from(self.entry_bytes)
    }
}

/// How a kernel may use what a pointer parameter points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It reads and writes.
    ReadWrite,
}

/// How many bytes a pointer parameter points to: what a kernel may touch, and no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// So many.
    Fixed(u32),
    /// So many for each one of the parameter named `count`.
    PerCount(u32),
}

impl Extent {
    /// Bytes for a call with this count.
    #[must_use]
    pub const fn bytes(self, count: usize) -> usize {
        match self {
            Self::Fixed(bytes) => bytes as usize,
            Self::PerCount(bytes) => bytes as usize * count,
        }
    }
}

/// A parameter of a kernel, in the order of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name in headers and comments.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// What it is, in one line, with units.
    pub doc: String,
    /// For pointers: what may be done through it, and how far.
    pub memory: Option<(Access, Extent)>,
    /// For pointers: the bits that each 8 bytes there may have set, read lowest byte first. A
    /// kernel may look up by such bits without cutting them out.
    pub mask: u64,
    /// For pointers: it points to a multiple of so many bytes.
    pub align: u16,
    /// For pointers: whether what it points to is no secret.
    pub public: bool,
    /// The value that it defines.
    pub value: Value,
}

/// The order of bytes of a word in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endian {
    /// The first byte is the highest.
    Big,
    /// The first byte is the lowest.
    Little,
    /// The processor's own, for memory that only the kernels of one processor read.
    Native,
}

/// An address: `base + offset + index * scale` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// A pointer.
    pub base: Value,
    /// Bytes from it.
    pub offset: i32,
    /// A word that is read as unsigned, and how many bytes one counts (1, 2, 4 or 8).
    pub index: Option<(Value, u8)>,
}

impl Address {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Value)) {
        visit(&mut self.base);
        if let Some((index, _)) = &mut self.index {
            visit(index);
        }
    }
}

/// The truth table by which the first input chooses: the second where it is one, the third elsewhere.
pub const SELECT: u8 = 0xca;

/// What an operation computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant; in a vector, each 64-bit part.
    Const(u64),
    /// Exclusive or.
    Xor(Value, Value),
    /// Bitwise and.
    And(Value, Value),
    /// Bitwise or.
    Or(Value, Value),
    /// The first and not the second.
    AndNot(Value, Value),
    /// Bitwise complement.
    Not(Value),
    /// Truth table over three inputs: bit `4 a + 2 b + c` of the table is the output bit.
    Ternary(u8, [Value; 3]),
    /// Sum modulo the width.
    Add(Value, Value),
    /// Shift towards high bits.
    Shl(Value, u8),
    /// Shift towards low bits, zeros from above.
    Shr(Value, u8),
    /// Rotation towards high bits.
    Rotl(Value, u8),
    /// The bits of the first that the second selects, moved together at the low end.
    Compress(Value, Value),
    /// The low bits of the first, moved apart to the places that the second selects.
    Expand(Value, Value),
    /// `bits` bits from bit `shift` on, as a number.
    Field {
        /// The word.
        of: Value,
        /// The lowest bit taken.
        shift: u8,
        /// How many.
        bits: u8,
    },
    /// The bytes of a word in reverse order.
    SwapBytes(Value),
    /// A word as another type of word, or as a vector, or a vector as a word: cut off or filled with
    /// zeros above.
    Resize(Value),
    /// If `a` equals `b` the third, else the fourth; of vectors byte by byte. Of words lowering may make
    /// a rarely taken branch.
    SelectEq {
        /// Compared.
        a: Value,
        /// Compared.
        b: Value,
        /// The result if they are equal.
        then: Value,
        /// The result otherwise.
        otherwise: Value,
        /// Whether equality is rare enough for a branch to a fix-up.
        rare: bool,
    },
    /// Entry `index` of a constant table; a vector is as many entries from there on as fill it, at a
    /// constant index. There must be so many.
    Lookup(TableId, Value),
    /// A word of `bytes` bytes from memory, filled with zeros above.
    Load {
        /// Where.
        address: Address,
        /// 1, 2, 4 or 8; or a vector's, of which 4 or 8 may be loaded alone.
        bytes: u8,
        /// In which order they are.
        endian: Endian,
        /// Whether it keeps its order among the ordered operations on its region.
        ordered: bool,
    },
    /// The lowest `bytes` bytes of a word to memory. Its own value is of no use.
    Store {
        /// What.
        value: Value,
        /// Where.
        address: Address,
        /// 1, 2, 4 or 8; or a vector's.
        bytes: u8,
        /// In which order they are.
        endian: Endian,
        /// Whether it keeps its order among the ordered operations on its region.
        ordered: bool,
    },
    /// A word of 4 or 8 bytes from memory, over and over: in each part of a vector the same.
    Broadcast {
        /// Where.
        address: Address,
        /// 4 or 8, in the processor's own order.
        bytes: u8,
    },
    /// The lowest 16 bytes of a vector, one of which comes from memory; zeros above. It keeps its order among
    /// the ordered operations on its region.
    InsertByte {
        /// The vector.
        into: Value,
        /// Which byte of it.
        at: u8,
        /// Where the byte is.
        address: Address,
    },
    /// What [`Bytes`] says of two vectors.
    Bytes(Bytes, [Value; 2]),
    /// Byte n is that byte of two vectors together, the second given and then the third, whose
    /// number is byte n of the first, modulo their length.
    PickTwo([Value; 3]),
    /// Byte n is that byte of all vectors but the first together, in order, whose number is byte n of the
    /// first; 0 where they have no such byte. One to four follow the first.
    PickFrom(Vec<Value>),
    /// A pointer and a number of bytes.
    Advance(Value, i32),
}

impl Op {
    /// Visits the values that it reads, in an order that is always the same.
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Value)) {
        match self {
            Self::Const(_) => {}
            Self::Xor(a, b)
            | Self::And(a, b)
            | Self::Or(a, b)
            | Self::AndNot(a, b)
            | Self::Compress(a, b)
            | Self::Expand(a, b)
            | Self::Add(a, b) => [a, b].into_iter().for_each(visit),
            Self::Not(a)
            | Self::Shl(a, _)
            | Self::Shr(a, _)
            | Self::Rotl(a, _)
            | Self::Field { of: a, .. }
            | Self::SwapBytes(a)
            | Self::Resize(a)
            | Self::Lookup(_, a)
            | Self::Advance(a, _) => visit(a),
            Self::Ternary(_, inputs) | Self::PickTwo(inputs) => inputs.iter_mut().for_each(visit),
            Self::PickFrom(inputs) => inputs.iter_mut().for_each(visit),
            Self::Bytes(_, inputs) => inputs.iter_mut().for_each(visit),
            Self::SelectEq { a, b, then, otherwise, .. } => {
                [a, b, then, otherwise].into_iter().for_each(visit);
            }
            Self::Load { address, .. } | Self::Broadcast { address, .. } => address.visit(visit),
            Self::Store { value, address, .. } | Self::InsertByte { into: value, address, .. } => {
                visit(value);
                address.visit(visit);
            }
        }
    }

    /// The values it reads.
    #[must_use]
    pub fn inputs(&self) -> Vec<Value> {
        let mut inputs = Vec::with_capacity(4);
        self.clone().visit(&mut |value| inputs.push(*value));
        inputs
    }

    /// The same operation on other values.
    fn renamed(&self, mut name: impl FnMut(Value) -> Value) -> Self {
        let mut renamed = self.clone();
        renamed.visit(&mut |value| *value = name(*value));
        renamed
    }
}

/// One statement of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `value: ty = op`.
    Define(Value, Type, Op),
    /// A counted loop.
    Repeat(Repeat),
    /// A comment for people, at the start of what it speaks of ("round 3").
    Comment(String),
}

/// A body done `count` times; zero times is possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// How many times: a word.
    pub count: Value,
    /// What goes from one time to the next.
    pub carried: Vec<Carried>,
    /// What is done.
    pub body: Vec<Statement>,
}

/// A loop-carried value. It has one location at both ends of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// Before the first time.
    pub first: Value,
    /// Inside, at the start of the body. Defined here.
    pub inside: Value,
    /// At the end of the body, and so at the start of the next time.
    pub next: Value,
    /// After the last time. Defined here.
    pub after: Value,
    /// The type of all four.
    pub ty: Type,
}

/// A kernel: what the strategies describe and everything else works from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// A name that is a label in every assembler.
    pub name: String,
    /// What it does, in a line or more.
    pub doc: String,
    /// What it is called with.
    pub params: Vec<Param>,
    /// What it looks up, in the order in which the tables stand in memory.
    pub tables: Vec<Table>,
    /// The name of all of them together, a label: kernels with equal tables have the same one and
    /// share a copy. Empty without tables.
    pub table_set: String,
    /// What it does.
    pub body: Vec<Statement>,
}

impl Kernel {
    /// Bytes of all tables.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum()
    }

    /// Every operation, in order, loops' bodies once.
    pub fn for_each_op(&self, mut visit: impl FnMut(Value, Type, &Op)) {
        fn walk(body: &[Statement], visit: &mut impl FnMut(Value, Type, &Op)) {
            for statement in body {
                match statement {
                    Statement::Define(value, ty, op) => visit(*value, *ty, op),
                    Statement::Repeat(repeat) => walk(&repeat.body, visit),
                    Statement::Comment(_) => {}
                }
            }
        }
        walk(&self.body, &mut visit);
    }
}
