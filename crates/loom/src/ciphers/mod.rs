//! Each strategy for each cipher, described once for every target.

mod counted;
pub mod des;
pub mod rc4;
mod word;

pub use counted::Counted;
pub use word::Word;

use crate::ir::{Kernel, Param, Requirements};

/// A kernel that can be made, by what it computes and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// DES or Triple-DES by tables.
    Des(des::Config),
    /// One of libdes' functions.
    Libdes(des::libdes::Config),
    /// DES or Triple-DES in bit slices.
    Bitslice(des::bitslice::Config),
    /// RC4 with S in memory.
    Rc4(rc4::Config),
    /// RC4 with S in registers.
    Rc4Registers(rc4::registers::Config),
}

impl Strategy {
    /// Every kernel that there is.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let des = des::Config::all().into_iter().map(Self::Des);
        let bitslice = des::bitslice::Config::all().into_iter().map(Self::Bitslice);
        let rc4 = rc4::Config::all().into_iter().map(Self::Rc4);
        let libdes = des::libdes::Config::all().into_iter().map(Self::Libdes);
        let registers = rc4::registers::Config::all().into_iter().map(Self::Rc4Registers);
        des.chain(bitslice).chain(rc4).chain(libdes).chain(registers).collect()
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
            Self::Des(config) => config.name(),
            Self::Libdes(config) => config.name(),
            Self::Bitslice(config) => config.name(),
            Self::Rc4(config) => config.name(),
            Self::Rc4Registers(config) => config.name(),
        }
    }

    /// What it asks of a processor.
    #[must_use]
    pub fn requirements(&self) -> Requirements {
        match self {
            Self::Des(config) => config.requirements(),
            Self::Libdes(config) => config.requirements(),
            Self::Bitslice(config) => config.requirements(),
            Self::Rc4(config) => config.requirements(),
            Self::Rc4Registers(config) => config.requirements(),
        }
    }

    /// All ways to compute the same; of those that a processor can do, the last one makes most of it.
    #[must_use]
    pub fn ways(&self) -> Vec<Self> {
        match self {
            Self::Des(config) => config.ways().map(Self::Des).collect(),
            Self::Libdes(config) => config.ways().map(Self::Libdes).collect(),
            Self::Bitslice(config) => config.ways().map(Self::Bitslice).collect(),
            Self::Rc4(config) => config.ways().map(Self::Rc4).collect(),
            Self::Rc4Registers(_) => vec![*self],
        }
    }

    /// Whether it is the way for processors without special features, or the only one.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        match self {
            Self::Des(config) => config.permute == des::Permute::Shifts,
            Self::Libdes(config) => !config.wide && config.permute == des::Permute::Shifts,
            Self::Rc4(config) => config.word == Word::Bits64 && !config.inserts && !config.whole,
            Self::Bitslice(config) => config.is_plain(),
            Self::Rc4Registers(_) => true,
        }
    }

    /// The name without the way in which bits are moved, the kind of operations, the width of words,
    /// the size of tables.
    #[must_use]
    pub fn plain_name(&self) -> String {
        match self {
            Self::Des(config) => config.plain_name(),
            Self::Libdes(config) => config.function.name().to_owned(),
            Self::Bitslice(config) => config.plain_name(),
            Self::Rc4(config) => config.plain_name(),
            Self::Rc4Registers(config) => config.name(),
        }
    }

    /// Whether it looks up in memory at addresses that depend on secrets. A test compares what the
    /// description does.
    #[must_use]
    pub fn looks_up_in_memory(&self) -> bool {
        match self {
            Self::Des(config) => !config.layout.is_in_registers(),
            Self::Libdes(_) | Self::Rc4(_) => true,
            Self::Bitslice(_) | Self::Rc4Registers(_) => false,
        }
    }

    /// What figures count, and how many of these a kernel does for each one of its count, or in a
    /// call if it has no count.
    #[must_use]
    pub fn counted(&self) -> (Counted, usize) {
        match self {
            Self::Des(config) => (Counted::Block, config.blocks_at_a_time()),
            Self::Libdes(_) => (Counted::Block, 1),
            Self::Bitslice(config) => config.counted(),
            Self::Rc4(config) => config.counted(),
            Self::Rc4Registers(config) => config.counted(),
        }
    }

    /// Makes valid input for a pointer of random bytes, where not any are.
    pub fn make_valid(&self, param: &Param, bytes: &mut [u8]) {
        match self {
            Self::Rc4(variant) => variant.make_valid(param, bytes),
            Self::Bitslice(variant) => variant.make_valid(param, bytes),
            Self::Des(_) | Self::Libdes(_) | Self::Rc4Registers(_) => {}
        }
    }

    /// Its description.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        self.kernel_ahead(1)
    }

    /// The same kernel, in which what stands in memory is loaded so many steps before it is wanted, if it may
    /// change meanwhile.
    #[must_use]
    pub fn kernel_ahead(&self, ahead: u8) -> Kernel {
        match self {
            Self::Des(config) => config.kernel(),
            Self::Libdes(config) => config.kernel(),
            Self::Bitslice(config) => config.kernel(),
            Self::Rc4(config) => config.kernel(ahead.into()),
            Self::Rc4Registers(config) => config.kernel(),
        }
    }
}

/// What a comment inside a loop says of one time of it, from 0 on.
#[must_use]
pub fn comment_at(comment: &str, time: u64) -> String {
    match comment {
        des::ODD_ROUND => format!("round {}", 2 * time + 1),
        des::EVEN_ROUND => format!("round {}", 2 * time + 2),
        other => format!("{other}, time {}", time + 1),
    }
}
