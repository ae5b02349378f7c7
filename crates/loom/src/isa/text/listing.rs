//! A kernel's lines with all that a dialect needs to print them, and nothing that it would have to
//! decide.

use std::any::Any;
use std::sync::Arc;

use crate::ir::{Kernel, Table};

/// A kernel to be printed, or to be put into an object file.
#[derive(Clone, Debug)]
pub struct Listing {
    /// What it looks up, if anything.
    pub tables: Option<Tables>,
    /// Whether it finds its tables by their distance: they lie beside it.
    pub together: bool,
    /// Whether it begins with a landing pad, where indirect calls may lead.
    pub landing: bool,
    /// Its lines.
    pub lines: Vec<Line>,
    /// The same as machine code; none where that is left to an assembler.
    pub code: Option<Code>,
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

/// Whether there are kernels and all begin with a landing pad. None branches by a register or by memory,
/// and each returns to where it was called.
pub fn all_land<'a>(mut listings: impl ExactSizeIterator<Item = &'a Listing>) -> bool {
    listings.len() > 0 && listings.all(|listing| listing.landing)
}

impl Listing {
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
    /// Alignment of the first one, in bytes: a cache line.
    pub const ALIGN: u32 = 64;

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
pub enum Line {
    /// An instruction.
    Inst(Inst),
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
pub struct Inst {
    /// The instruction, which the dialects of its instruction set know.
    inst: Arc<dyn Any + Send + Sync>,
    /// What it refers to.
    pub refers: Refers,
    /// A few words for people.
    pub comment: String,
}

impl Inst {
    /// An instruction that refers to something, and a few words on it.
    pub fn new<I: Send + Sync + 'static>(inst: I, refers: Refers, comment: String) -> Self {
        Self { inst: Arc::new(inst), refers, comment }
    }

    /// The instruction.
    ///
    /// # Panics
    /// If it is another instruction set's.
    #[must_use]
    pub fn of<I: 'static>(&self) -> &I {
        self.inst.downcast_ref().expect("a dialect of the kernel's instruction set")
    }
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
    /// The tables by their distance from a label: code that finds out where it is.
    Distance(Label),
    /// A table by its distance from a label.
    TableFrom {
        /// The name of the constant that says where it begins behind the tables' label.
        constant: String,
        /// The label.
        here: Label,
    },
    /// A table by its address.
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
    /// A register was pushed, or stored.
    Pushed {
        /// Which one.
        register: u8,
        /// The depth where it lies; the depth now, if it was pushed.
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
    /// Its exit begins.
    Leaves,
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
    /// Behind a return: what follows is reached from where the frame was this, as after the entry.
    Again {
        /// The depth here.
        depth: u32,
        /// The registers that were pushed, and at which depth.
        pushed: Vec<(u8, u32)>,
    },
}

impl Frame {
    /// Bytes between the stack pointer and the caller's, where that changed: the return address, a word
    /// of so many bytes, lies between, too.
    #[must_use]
    pub fn caller(&self, word: u32) -> Option<u32> {
        match self {
            Self::Pushed { depth, .. }
            | Self::Lowered { depth, .. }
            | Self::Popped { depth, .. }
            | Self::Raised { depth }
            | Self::Again { depth, .. } => Some(depth + word),
            Self::Entered | Self::Leaves => None,
        }
    }
}
