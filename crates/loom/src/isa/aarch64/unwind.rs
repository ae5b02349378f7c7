//! Windows' unwind information: a code for each instruction of a function's entry and of its exit ("ARM64
//! exception handling" in Microsoft's documentation).

use super::inst::Inst;
use super::program::Step;
use super::reg::STACK;
use super::{VECTOR_0, register};
use crate::isa::Reg;
use crate::isa::text::{Frame, Line, Listing};

/// What an instruction of an entry or exit does, or undoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unwind {
    /// Nothing that a caller would miss.
    Nothing,
    /// The stack pointer moves by so many bytes.
    Moves(u32),
    /// A register, or it and the next, is stored so far above the stack pointer; `moves`: which is lowered by
    /// so many bytes before.
    Saves { first: u8, pair: bool, at: u32, moves: bool },
}

/// The first register that has codes, of each class.
const FIRST: [u8; 2] = [19, VECTOR_0 + 8];
/// What ends a list of codes, and stands for the return.
const END: u8 = 0xe4;

impl Unwind {
    /// That of an instruction; none if it has no place in an entry or exit.
    pub(super) fn of(step: &Step) -> Option<Self> {
        match *step {
            Step::Landing => Some(Self::Nothing),
            Step::Inst(Inst::SumImm { dst: Reg::Physical(STACK), imm, .. }) => {
                Some(Self::Moves(imm.unsigned_abs()))
            }
            Step::Save { registers, at, moves } | Step::Restore { registers, at, moves } => {
                let first = registers[0].expect("a register");
                Some(Self::Saves { first, pair: registers[1].is_some(), at, moves })
            }
            _ => None,
        }
    }

    /// The directive that LLVM's assembler has for it.
    pub(super) fn directive(self) -> (&'static str, String) {
        match self {
            Self::Nothing => (".seh_nop", String::new()),
            Self::Moves(bytes) => (".seh_stackalloc", bytes.to_string()),
            Self::Saves { first, pair, at, moves } => {
                let is_vector = first >= VECTOR_0;
                let directive = match (is_vector, pair, moves) {
                    (false, false, false) => ".seh_save_reg",
                    (false, false, true) => ".seh_save_reg_x",
                    (false, true, false) => ".seh_save_regp",
                    (false, true, true) => ".seh_save_regp_x",
                    (true, false, false) => ".seh_save_freg",
                    (true, false, true) => ".seh_save_freg_x",
                    (true, true, false) => ".seh_save_fregp",
                    (true, true, true) => ".seh_save_fregp_x",
                };
                (directive, format!("{}, {at}", name(first)))
            }
        }
    }

    /// Its code.
    ///
    /// # Panics
    /// If no code has a field for such a number, which frames of kernels are too small for.
    fn code(self) -> Vec<u8> {
        let (bits, at, wide) = match self {
            Self::Nothing => return vec![0xe3],
            Self::Moves(bytes @ ..512) => return vec![(bytes / 16) as u8],
            Self::Moves(bytes) => {
                assert!(bytes < 1 << 15, "a frame of {bytes} bytes");
                return (0xc000 | (bytes / 16) as u16).to_be_bytes().to_vec();
            }
            Self::Saves { first, pair, at, moves } => {
                // The operation, and how many bits its offset has.
                let (operation, wide) = match (first >= VECTOR_0, pair, moves) {
                    (false, false, false) => (0xd000, 6),
                    (false, false, true) => (0xd400, 5),
                    (false, true, false) => (0xc800, 6),
                    (false, true, true) => (0xcc00, 6),
                    (true, false, false) => (0xdc00, 6),
                    (true, false, true) => (0xde00, 5),
                    (true, true, false) => (0xd800, 6),
                    (true, true, true) => (0xda00, 6),
                };
                let number = u16::from(first - FIRST[usize::from(first >= VECTOR_0)]);
                let at = if moves { at / 8 - 1 } else { at / 8 };
                (operation | number << wide, at, wide)
            }
        };
        assert!(at < 1 << wide, "a register {at} words above the stack pointer");
        (bits | at as u16).to_be_bytes().to_vec()
    }
}

/// The name of a register, as directives have it.
pub(super) fn name(number: u8) -> String {
    match number >= VECTOR_0 {
        true => format!("d{}", number - VECTOR_0),
        false => register(number).to_owned(),
    }
}

/// The record of a function, as it stands in `.xdata`.
///
/// # Panics
/// If the function is larger than any kernel.
pub(super) fn record(listing: &Listing) -> Vec<u8> {
    let code = listing.code.as_ref().expect("machine code");
    let exit = code.frames.iter().find(|(_, frame)| *frame == Frame::Leaves);
    let exit = exit.map(|(at, _)| (at / 4) as u32).expect("an exit");
    let (mut codes, leave) = codes(listing);
    let start = codes.len() as u32;
    codes.extend(leave);
    codes.resize(codes.len().next_multiple_of(4), 0);
    let (length, words) = ((code.bytes.len() / 4) as u32, (codes.len() / 4) as u32);
    assert!(length < 1 << 18 && words < 1 << 5, "a function of {length} instructions");
    // One exit, of which is said where it begins, and with which code.
    let head = [length | 1 << 22 | words << 27, exit | start << 22];
    [head.map(u32::to_le_bytes).concat(), codes].concat()
}

/// The codes of the entry, the last instruction first, as it is undone first; and of the exit, in its order.
fn codes(listing: &Listing) -> (Vec<u8>, Vec<u8>) {
    let (mut entry, mut exit) = (Vec::new(), Vec::new());
    let (mut is_entry, mut is_exit) = (true, false);
    for line in &listing.lines {
        match line {
            Line::Frame(Frame::Entered) => is_entry = false,
            Line::Frame(Frame::Leaves) => is_exit = true,
            Line::Frame(Frame::Again { .. }) => is_exit = false,
            Line::Inst(inst) if is_entry || is_exit => {
                let Some(unwind) = Unwind::of(inst.of()) else { continue };
                if is_entry { &mut entry } else { &mut exit }.push(unwind.code());
            }
            _ => {}
        }
    }
    entry.reverse();
    let ended = |codes: Vec<Vec<u8>>| [codes.concat(), vec![END]].concat();
    (ended(entry), ended(exit))
}
