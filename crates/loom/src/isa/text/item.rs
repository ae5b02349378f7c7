//! What a dialect has a form for.

use super::{Frame, Inst, Label};

/// Where something is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Code.
    Text,
    /// Constants.
    Constants,
}

/// Something that a dialect has a form for. Names are those of C.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// The file begins; what its kernels need beyond the processor's baseline, and how many bytes their
    /// pointers have.
    Start(&'a [&'static str], u32),
    /// What follows belongs into a section.
    Section(Section),
    /// What came before did.
    EndSection(Section),
    /// A name is for others, too.
    Global(&'a str),
    /// What follows begins at a multiple of so many bytes.
    Align(u32),
    /// Entries of so many bytes; the first of several tables bears the name of all.
    Entries(Option<&'a str>, u8, &'a [u64]),
    /// Tables end.
    EndTables(&'a str),
    /// How far behind a label of a function its tables lie gets a name.
    Distance(&'a str, &'a Label, &'a str),
    /// A number gets a name; the name may have had another number before.
    Constant(&'a str, u64),
    /// A function begins.
    Function(&'a str),
    /// A label of a function.
    Label(&'a str, &'a Label),
    /// An instruction of a function, which looks up the tables named last.
    Inst(&'a str, &'a Inst, &'a str),
    /// What became of the stack.
    Frame(&'a Frame),
    /// A function ends; what its entry did to the stack.
    EndFunction(&'a str, &'a [Frame]),
    /// All functions of the file begin with a landing pad. Who cannot say that is not asked to.
    Landing,
    /// The file ends; whether its functions may be taken apart.
    Finish(bool),
}
