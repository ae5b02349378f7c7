//! Each strategy for each cipher, described once for every target.

pub mod des;
pub mod rc4;
mod word;

pub use word::Word;

use crate::ir::{Kernel, Param, Requirements};

/// A kernel that can be made, by what it computes and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// DES or Triple-DES by tables.
    Des(des::Variant),
    /// One of libdes' functions.
    Libdes(des::libdes::Variant),
    /// DES or Triple-DES in bit slices.
    Bitslice(des::bitslice::Variant),
    /// RC4.
    Rc4(rc4::Variant),
}

/// What the figures of a kernel count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// 8 bytes of DES.
    Block,
    /// A byte of a stream.
    Byte,
    /// A key set up.
    Key,
}

impl Piece {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Byte => "byte",
            Self::Key => "key",
        }
    }
}

impl Strategy {
    /// Every kernel that there is.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let des = des::Variant::all().into_iter().map(Self::Des);
        let bitslice = des::bitslice::Variant::all().into_iter().map(Self::Bitslice);
        let rc4 = rc4::Variant::all().into_iter().map(Self::Rc4);
        let libdes = des::libdes::Variant::all().into_iter().map(Self::Libdes);
        des.chain(bitslice).chain(rc4).chain(libdes).collect()
    }

    /// A kernel by its name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|strategy| strategy.name() == name)
    }

    /// A name that is a label everywhere.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Des(variant) => variant.name(),
            Self::Libdes(variant) => variant.name(),
            Self::Bitslice(variant) => variant.name(),
            Self::Rc4(variant) => variant.name(),
        }
    }

    /// What it asks of a processor.
    #[must_use]
    pub fn requirements(&self) -> Requirements {
        match self {
            Self::Des(variant) => variant.requirements(),
            Self::Libdes(variant) => variant.requirements(),
            Self::Bitslice(variant) => variant.requirements(),
            Self::Rc4(variant) => variant.requirements(),
        }
    }

    /// All ways to compute the same; of those that a processor can do, the last one makes most of it.
    #[must_use]
    pub fn ways(&self) -> Vec<Self> {
        match self {
            Self::Des(variant) => variant.ways().map(Self::Des).collect(),
            Self::Libdes(variant) => variant.ways().map(Self::Libdes).collect(),
            Self::Bitslice(variant) => variant.ways().map(Self::Bitslice).collect(),
            Self::Rc4(variant) => variant.ways().map(Self::Rc4).collect(),
        }
    }

    /// Whether it is the way for processors without special features, or the only one.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        match self {
            Self::Des(variant) => variant.permute == des::Permute::Shifts,
            Self::Libdes(variant) => !variant.wide && variant.permute == des::Permute::Shifts,
            Self::Rc4(variant) => variant.word == Word::Bits64,
            Self::Bitslice(variant) => variant.is_plain(),
        }
    }

    /// The name without the way in which bits are moved, the kind of operations, the width of words,
    /// the room of tables.
    #[must_use]
    pub fn plain_name(&self) -> String {
        match self {
            Self::Des(variant) => variant.plain_name(),
            Self::Libdes(variant) => variant.function.name().to_owned(),
            Self::Bitslice(variant) => variant.plain_name(),
            Self::Rc4(variant) => variant.plain_name(),
        }
    }

    /// What figures count, and how many of these a kernel does for each one of its count, or in a
    /// call if it has no count.
    #[must_use]
    pub fn pieces(&self) -> (Piece, usize) {
        match self {
            Self::Des(variant) => (Piece::Block, variant.blocks_at_a_time()),
            Self::Libdes(_) => (Piece::Block, 1),
            Self::Bitslice(variant) => variant.pieces(),
            Self::Rc4(variant) => variant.pieces(),
        }
    }

    /// Makes valid input for a pointer of random bytes, where not any are.
    pub fn make_valid(&self, param: &Param, bytes: &mut [u8]) {
        match self {
            Self::Rc4(variant) => variant.make_valid(param, bytes),
            Self::Bitslice(variant) => variant.make_valid(param, bytes),
            Self::Des(_) | Self::Libdes(_) => {}
        }
    }

    /// Its description.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        match self {
            Self::Des(variant) => variant.kernel(),
            Self::Libdes(variant) => variant.kernel(),
            Self::Bitslice(variant) => variant.kernel(),
            Self::Rc4(variant) => variant.kernel(),
        }
    }
}

/// What a comment inside a repetition says of one time of it, from 0 on.
#[must_use]
pub fn comment_at(comment: &str, time: u64) -> String {
    match comment {
        des::ODD_ROUND => format!("round {}", 2 * time + 1),
        des::EVEN_ROUND => format!("round {}", 2 * time + 2),
        other => format!("{other}, time {}", time + 1),
    }
}
