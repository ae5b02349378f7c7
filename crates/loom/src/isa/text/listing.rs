//! What emitters work from: a kernel's lines with all that a dialect needs to print them, and
//! nothing that it would have to decide.

use crate::ir::{Kernel, Table};
use crate::isa::Target;
use crate::record::Record;

/// A kernel to be printed, with the instructions `I` of its processor, and `C`: its machine code,
/// or nothing where that is left to an assembler.
#[derive(Clone, Debug)]
pub struct Unit<I, C = Code> {
    /// What callers must know.
    pub record: Record,
    /// How it was made, in lines for the header.
    pub made: Vec<String>,
    /// The target.
    pub target: &'static Target,
    /// What it looks up, if anything.
    pub tables: Option<Tables>,
    /// Whether it begins with a landing pad, which Intel's CET wants where indirect calls lead.
    pub landing: bool,
    /// Its lines.
    pub lines: Vec<Line<I>>,
    /// The same as machine code.
    pub code: C,
}

/// Machine code with all that an object file says of it.
#[derive(Clone, Debug)]
pub struct Code {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Where the distances to the tables, or their addresses, lie, of four bytes each, or in real mode
    /// two, and what is added to each.
    pub tables: Vec<(usize, i64)>,
    /// What became of the stack, and where.
    pub frames: Vec<(usize, Frame)>,
}

impl<I, C> Unit<I, C> {
    /// What the kernel's entry does to the stack.
    #[must_use]
    pub fn entry(&self) -> Vec<Frame> {
        let frames = self.lines.iter().filter_map(|line| match line {
            Line::Frame(frame) => Some(frame),
            _ => None,
        });
        frames.take_while(|frame| **frame != Frame::Entered).cloned().collect()
    }
}

/// The tables of one or more kernels, in the order in which they stand in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// The label of the first.
    pub name: String,
    /// The tables.
    pub tables: Vec<Table>,
}

impl Tables {
    /// What a kernel looks up.
    #[must_use]
    pub fn of(kernel: &Kernel) -> Option<Self> {
        let (name, tables) = (kernel.table_set.clone(), kernel.tables.clone());
        (!tables.is_empty()).then_some(Self { name, tables })
    }

    /// Each table with where it begins, in bytes.
    pub fn places(&self) -> impl Iterator<Item = (usize, &Table)> {
        self.tables.iter().scan(0, |next, table| {
            let at = *next;
            *next += table.bytes();
            Some((at, table))
        })
    }

    /// Size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum()
    }

    /// What lies in memory, lowest byte of each entry first.
    #[must_use]
    pub fn content(&self) -> Vec<u8> {
        let entry = |table: &Table, entry: &u64| {
            entry.to_le_bytes()[..usize::from(table.entry_bytes)].to_vec()
        };
        let of = |table: &Table| table.entries.iter().flat_map(|e| entry(table, e)).collect();
        self.tables.iter().flat_map(|table| -> Vec<u8> { of(table) }).collect()
    }

    /// The name of the constant that says where a table begins.
    #[must_use]
    pub fn constant(table: &Table) -> String {
        table.name.to_uppercase()
    }
}

/// A line of a kernel.
#[derive(Clone, Debug)]
pub enum Line<I> {
    /// An instruction.
    Inst(Inst<I>),
    /// What the instruction before it did to the stack.
    Frame(Frame),
    /// A place to which branches lead.
    Label(Label),
    /// What follows begins at a multiple of so many bytes.
    Align(u32),
    /// A comment for people.
    Comment(String),
}

/// A label within a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// A name, of its own within the kernel.
    pub name: String,
    /// A number, of its own within the kernel.
    pub number: usize,
}

/// An instruction with the names of what it refers to.
#[derive(Clone, Debug)]
pub struct Inst<I> {
    /// The instruction.
    pub inst: I,
    /// What it refers to.
    pub refers: Refers,
    /// A few words for people.
    pub comment: String,
}

/// What an instruction refers to by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refers {
    /// Nothing.
    Nothing,
    /// A label, to which it branches, and whether this stands before it.
    Branch(Label, bool),
    /// The tables.
    Tables,
    /// The tables by their distance from a label (position-independent code for 32-bit x86).
    Distance(Label),
    /// A table by its distance from a label (position-independent code for PA-RISC).
    TableFrom {
        /// The name of the constant that says where it begins behind the tables' label.
        constant: String,
        /// The label.
        here: Label,
    },
    /// A table by its address (32-bit x86).
    TableAt {
        /// The name of the constant that says where it begins behind the tables' label.
        constant: String,
        /// Where it is thought to be, before addresses are known.
        at: u64,
    },
    /// A table: its displacement counts from where this table begins behind the tables' label.
    Table {
        /// The name of the constant.
        constant: String,
        /// Its value.
        at: u64,
    },
}

/// What an instruction did to the stack, for those who must undo it: debuggers, and handlers of
/// exceptions. `depth` is the number of bytes between the stack pointer and its value at entry,
/// where the return address lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A register was pushed.
    Pushed {
        /// Which one.
        register: u8,
        /// The depth now.
        depth: u32,
    },
    /// The stack pointer was lowered.
    Lowered {
        /// By so many bytes.
        by: u32,
        /// The depth now.
        depth: u32,
    },
    /// The kernel's entry is done.
    Entered,
    /// A register was popped.
    Popped {
        /// Which one.
        register: u8,
        /// The depth now.
        depth: u32,
    },
    /// The stack pointer was raised.
    Raised {
        /// The depth now.
        depth: u32,
    },
    /// Behind a return: what follows is reached from where the frame was this.
    Again {
        /// The depth here.
        depth: u32,
        /// The registers that were pushed, and at which depth.
        pushed: Vec<(u8, u32)>,
    },
}
