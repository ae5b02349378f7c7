//! DES and Triple-DES in bit slices: vector k holds bit k of many blocks, one block a lane.
//!
//! `docs/BITSLICE.md` explains the strategy. A *slice* is one vector: one bit of all lanes. The
//! *state* is 64 slices: half X, bits 1 to 32 as FIPS 46-3 numbers them, then half Y. Before the
//! rounds X is L0 and Y is R0; after them X is L16 and Y is R16.
//!
//! | file | subject |
//! |---|---|
//! | `slices.rs` | how wide a slice is, and how it and repeated masks come from memory |
//! | `transpose.rs` | bit-matrix transposes: blocks to slices and back |
//! | `blocks.rs` | blocks to the state by IP, and back by IP⁻¹ |
//! | `keys.rs` | a key per lane to slices of C and D by PC-1 |
//! | `counters.rs` | counter blocks, made as slices |
//! | `circuit.rs` | an S-box's circuit as operations on slices |
//! | `order.rs` | the order of its gates that needs the fewest registers |
//! | `rounds.rs` | the rounds, one key for all lanes, merged into the halves |
//! | `masks.rs` | the masks that these read |
//! | `lanes.rs` | the rounds, a key per lane |

mod blocks;
mod circuit;
mod counters;
mod keys;
mod lanes;
mod masks;
mod order;
mod rounds;
mod slices;
mod transpose;

pub use blocks::slice_of;
pub use circuit::{inverted, inverted_inputs};
pub use counters::low_slices;
pub use lanes::windows;
pub use masks::{Masks, masks};
pub use slices::{Gates, mask_bytes, slice_bytes};

use super::Passes;
use crate::ciphers::{Counted, Word};
use crate::ir::{Kernel, Param, Requirements};
use slices::Slices;

/// What a kernel of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// A partial transpose: an eighth of the blocks to a slice of each row.
    PieceIn,
    /// Rows to the state; with the partial transposes of all blocks, IP.
    RowsIn,
    /// The state to rows. The state is destroyed.
    RowsOut,
    /// A partial transpose: a slice of each row to an eighth of the blocks; with the rows, IP⁻¹.
    PieceOut,
    /// The same, XORed into what is there.
    PieceOutXor,
    /// Keys, one a lane, to slices.
    Keys,
    /// Counter blocks to the state.
    Counters,
    /// The rounds, one key for all lanes.
    Rounds(Passes),
    /// The rounds, a key per lane.
    Lanes(Passes),
}

/// A kernel of this family, by its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Lanes: 64, 128, 256 or 512, the bits of a slice.
    pub lanes: u16,
    /// Of how many inputs its operations are.
    pub gates: Gates,
    /// What it does.
    pub task: Task,
    /// The words in which it counts and has the distances of windows.
    pub word: Word,
}

impl Config {
    /// Every kernel of the family.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let tasks = [
            Task::PieceIn,
            Task::RowsIn,
            Task::RowsOut,
            Task::PieceOut,
            Task::PieceOutXor,
            Task::Keys,
            Task::Counters,
            Task::Rounds(Passes::One),
            Task::Rounds(Passes::Three),
            Task::Lanes(Passes::One),
            Task::Lanes(Passes::Three),
        ];
        let shapes = [
            (64, Gates::Two),
            (128, Gates::Two),
            (128, Gates::Sha3),
            (128, Gates::Select),
            (256, Gates::Two),
            (256, Gates::Three),
            (512, Gates::Three),
        ];
        let words = [Word::Bits64, Word::Bits32];
        let each = |(lanes, gates)| {
            let ways = tasks.into_iter().flat_map(move |task| words.map(|word| (task, word)));
            ways.map(move |(task, word)| Self { lanes, gates, task, word })
        };
        shapes.into_iter().flat_map(each).filter(Self::exists).collect()
    }

    /// Counters take no operations, so there is one kernel of a width; FEAT_SHA3 has something for
    /// circuits, and for bits of bytes that change places; words of 32 bits are for
    /// kernels that compute with words, beside vectors that programs of 32 bits have.
    fn exists(&self) -> bool {
        let once = match (self.lanes, self.gates) {
            (256, Gates::Three) => self.task != Task::Counters,
            (_, Gates::Sha3) => self.has_circuits() || self.is_piece(),
            (_, Gates::Select) => self.task != Task::Counters,
            _ => true,
        };
        once && (self.word == Word::Bits64 || self.has_words() && self.is_for_32_bits())
    }

    /// Whether it has S-boxes.
    fn has_circuits(&self) -> bool {
        matches!(self.task, Task::Rounds(_) | Task::Lanes(_))
    }

    /// Whether it takes an eighth of the blocks.
    fn is_piece(&self) -> bool {
        matches!(self.task, Task::PieceIn | Task::PieceOut | Task::PieceOutXor)
    }

    /// Whether bytes of its rows change places.
    fn has_rows(&self) -> bool {
        matches!(self.task, Task::RowsIn | Task::RowsOut | Task::Keys)
    }

    fn slices(&self) -> Slices {
        Slices { lanes: self.lanes, gates: self.gates, word: self.word }
    }

    /// Whether it computes with words, and not with constant trip counts only.
    fn has_words(&self) -> bool {
        matches!(self.task, Task::Rounds(Passes::Three) | Task::Lanes(_))
    }

    /// Whether programs of 32 bits have its vectors, if its words are right.
    fn is_for_32_bits(&self) -> bool {
        matches!((self.lanes, self.gates), (128 | 256, Gates::Two))
    }

    pub(in crate::ciphers) fn ways(self) -> impl Iterator<Item = Self> {
        let gates = [Gates::Two, Gates::Select, Gates::Sha3, Gates::Three].into_iter();
        let ways = gates.flat_map(|gates| [Word::Bits32, Word::Bits64].map(|word| (gates, word)));
        let all = Self::all();
        ways.map(move |(gates, word)| Self { gates, word, ..self })
            .filter(move |way| all.contains(way))
    }

    pub(in crate::ciphers) fn requirements(&self) -> Requirements {
        Requirements {
            wide_words: self.lanes == 64 || self.word == Word::Bits64 && self.has_words(),
            vectors: Some(self.lanes),
            interleaving: self.slices().interleaves() && self.has_rows(),
            bit_select: matches!(self.gates, Gates::Sha3 | Gates::Select),
            cheap_select: self.gates == Gates::Select && self.has_circuits(),
            xor_three: self.gates == Gates::Sha3 && self.has_circuits(),
            xor_rotated: self.gates == Gates::Sha3 && !self.has_circuits(),
            ternary_logic: self.gates == Gates::Three,
            ..Requirements::default()
        }
    }

    /// Places in the keys are the windows of the rounds of an encryption.
    pub(in crate::ciphers) fn make_valid(&self, param: &Param, bytes: &mut [u8]) {
        let Task::Lanes(passes) = self.task else { return };
        if param.public {
            let encrypt = [(0, false), (1, true), (2, false)];
            let windows = windows(self.lanes, &encrypt[..passes.count()]);
            let size = usize::from(self.word.bytes());
            for (place, window) in bytes.chunks_exact_mut(size).zip(windows) {
                place.copy_from_slice(&window.to_le_bytes()[..size]);
            }
        }
    }

    /// Whether it is the way by operations of two inputs, or the only one.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let two = Self { gates: Gates::Two, ..*self };
        self.word == Word::Bits64 && (two == *self || !Self::all().contains(&two))
    }

    /// A name that is a label everywhere.
    #[must_use]
    pub fn name(&self) -> String {
        match (self.gates, self.word) {
            (Gates::Two, Word::Bits64) => self.plain_name(),
            (Gates::Two, Word::Bits32) => self.plain_name() + "_w32",
            (Gates::Sha3, _) => self.plain_name() + "_xor3",
            (Gates::Select, _) => self.plain_name() + "_select",
            (Gates::Three, _) => self.plain_name() + "_ternary",
        }
    }

    /// The name without the kind of operations and the width of words.
    #[must_use]
    pub fn plain_name(&self) -> String {
        let lanes = self.lanes;
        let cipher = |passes| match passes {
            Passes::One => "des",
            Passes::Three => "tdes",
        };
        match self.task {
            Task::PieceIn => format!("bitslice{lanes}_piece_in"),
            Task::RowsIn => format!("bitslice{lanes}_rows_in"),
            Task::RowsOut => format!("bitslice{lanes}_rows_out"),
            Task::PieceOut => format!("bitslice{lanes}_piece_out"),
            Task::PieceOutXor => format!("bitslice{lanes}_piece_out_xor"),
            Task::Keys => format!("bitslice{lanes}_keys"),
            Task::Counters => format!("bitslice{lanes}_counters"),
            Task::Rounds(passes) => format!("{}_bitslice{lanes}", cipher(passes)),
            Task::Lanes(passes) => format!("{}_bitslice{lanes}_lanes", cipher(passes)),
        }
    }

    /// What figures count, and how many of these are done in a call.
    #[must_use]
    pub fn counted(&self) -> (Counted, usize) {
        let counted = if self.task == Task::Keys { Counted::Key } else { Counted::Block };
        let share = if self.is_piece() { 8 } else { 1 };
        (counted, usize::from(self.lanes) / share)
    }

    /// The kernel.
    ///
    /// | task | parameters |
    /// |---|---|
    /// | `PieceIn` | blocks, rows |
    /// | `RowsIn` | enter, state |
    /// | `RowsOut` | state, leave |
    /// | `PieceOut`, `PieceOutXor` | rows, blocks |
    /// | `Keys` | keys, slices |
    /// | `Counters` | low, high, state |
    /// | `Rounds` | x, y, masks |
    /// | `Lanes` | x, y, keys, windows |
    ///
    /// A block or key has 8 bytes in the order of the standard. Slices and state are for the kernels of
    /// the same width alone.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        let slices = self.slices();
        match self.task {
            Task::PieceIn => blocks::enter_piece(self.name(), slices),
            Task::RowsIn => blocks::enter_rows(self.name(), slices),
            Task::RowsOut => blocks::leave_rows(self.name(), slices),
            Task::PieceOut => blocks::leave_piece(self.name(), slices, false),
            Task::PieceOutXor => blocks::leave_piece(self.name(), slices, true),
            Task::Keys => keys::slices(self.name(), slices),
            Task::Counters => counters::counters(self.name(), slices),
            Task::Rounds(passes) => rounds::rounds(self.name(), slices, passes),
            Task::Lanes(passes) => lanes::lanes(self.name(), slices, passes),
        }
    }
}
