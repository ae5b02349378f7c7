//! Each strategy for each cipher, described once for every target.

pub mod des;
pub mod rc4;
mod word;

pub use word::Word;

use crate::ir::Kernel;

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

    /// The way of it that moves bits under masks, if there is one.
    #[must_use]
    pub fn moving(&self) -> Option<Self> {
        match self {
            Self::Des(variant) => variant.moving().map(Self::Des),
            Self::Bitslice(_) | Self::Libdes(_) | Self::Rc4(_) => None,
        }
    }

    /// The way of it that permutes by products with matrices of bits, if there is one.
    #[must_use]
    pub fn by_matrices(&self) -> Option<Self> {
        let permute = des::Permute::Matrices;
        match self {
            Self::Libdes(variant) => {
                Some(Self::Libdes(des::libdes::Variant { permute, ..*variant }))
            }
            Self::Des(variant) => variant.by_matrices().map(Self::Des),
            Self::Bitslice(_) | Self::Rc4(_) => None,
        }
    }

    /// The way of it in words of 32 bits, if there is one and it is another.
    #[must_use]
    pub fn narrow(&self) -> Option<Self> {
        match self {
            Self::Rc4(variant) => variant.narrow().map(Self::Rc4),
            Self::Bitslice(variant) => variant.narrow().map(Self::Bitslice),
            Self::Des(_) | Self::Libdes(_) => None,
        }
    }

    /// The way of it by tables of more room, if there is one and it is another.
    #[must_use]
    pub fn wide(&self) -> Option<Self> {
        match self {
            Self::Libdes(variant) if !variant.wide => {
                Some(Self::Libdes(des::libdes::Variant { wide: true, ..*variant }))
            }
            Self::Des(_) | Self::Libdes(_) | Self::Bitslice(_) | Self::Rc4(_) => None,
        }
    }

    /// Whether it is a way that moves bits under masks.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        matches!(self, Self::Des(variant) if variant.permute == des::Permute::Moves)
    }

    /// Whether it is a way that permutes by products with matrices of bits.
    #[must_use]
    pub fn is_by_matrices(&self) -> bool {
        let permute = match self {
            Self::Des(variant) => variant.permute,
            Self::Libdes(variant) => variant.permute,
            Self::Bitslice(_) | Self::Rc4(_) => return false,
        };
        permute == des::Permute::Matrices
    }

    /// Whether it is the way for processors without special features, or the only one.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        match self {
            Self::Des(_) => !self.is_moving() && !self.is_by_matrices(),
            Self::Libdes(variant) => !variant.wide && !self.is_by_matrices(),
            Self::Rc4(variant) => variant.word == rc4::Word::Bits64,
            Self::Bitslice(variant) => variant.is_plain(),
        }
    }

    /// The way of it by operations of three inputs, if there is one and it is another.
    #[must_use]
    pub fn by_three(&self) -> Option<Self> {
        match self {
            Self::Bitslice(variant) => variant.by_three().map(Self::Bitslice),
            Self::Des(_) | Self::Libdes(_) | Self::Rc4(_) => None,
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

/// What a remark inside a repetition says of one time of it, from 0 on.
#[must_use]
pub fn remark_at(remark: &str, time: u64) -> String {
    match remark {
        des::ODD_ROUND => format!("round {}", 2 * time + 1),
        des::EVEN_ROUND => format!("round {}", 2 * time + 2),
        other => format!("{other}, time {}", time + 1),
    }
}
