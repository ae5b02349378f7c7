//! Intel Pentium: two pipes, U (port 0) and V (port 1), in order; its caches hit, no two accesses at a
//! time meet in a bank, branches are foreseen.
//!
//! A first byte 0F takes a clock to decode, so `movzx` takes four in all, as the notes to libdes'
//! assembler (1996) have it.

use super::in_order::{InOrderClass, paired, penalty, rows};
use crate::isa::costs::{Clocks, Cpu, InOrder, Pairing, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "pentium",
    doc: "Intel Pentium: two pipes in order, U as port 0 and V as port 1",
    width: 2,
    rows: &ROWS,
    pipeline: Pipeline::InOrder(&IN_ORDER),
};

const BOOK: &str = "M. Abrash, Graphics Programming Black Book (1997), tables 20.1 and 20.2";
const BOOK_21: &str = "M. Abrash, Graphics Programming Black Book (1997), chapter 21";
const FOG: &str =
    "A. Fog, How to optimize for the Pentium microprocessor (1996), list of instructions";
const FOG_PAIRS: &str =
    "A. Fog, How to optimize for the Pentium family of microprocessors (2000), chapter 10";
const FOG_WAITS: &str =
    "A. Fog, How to optimize for the Pentium family of microprocessors (2000), chapter 9";
/// No text at hand has the clocks of these; that they do not pair, chapters 20 and 21 of Abrash's book.
const MEMORY: &str = "A. Fog, Instruction tables, from memory";

const IN_ORDER: InOrder = InOrder {
    forms: &FORMS,
    address: penalty(1, FOG_WAITS),
    // `xor` and `mov` of a byte instead of `movzx`, with nothing to wait for but the `xor`.
    partial: penalty(0, BOOK_21),
    index: penalty(0, FOG_PAIRS),
    scaled: penalty(0, FOG_PAIRS),
    prefix: penalty(1, BOOK_21),
    escape: penalty(1, FOG),
    constant_and_displacement: penalty(0, BOOK_21),
    taken: penalty(0, BOOK_21),
    bus: None,
};

const FORMS: [Clocks; 21] = [
    paired(InOrderClass::Move, 1, Pairing::Either, BOOK),
    paired(InOrderClass::Load, 1, Pairing::Either, BOOK),
    paired(InOrderClass::Store, 1, Pairing::Either, BOOK),
    paired(InOrderClass::Alu, 1, Pairing::Either, BOOK),
    paired(InOrderClass::AluLoad, 2, Pairing::Either, BOOK),
    paired(InOrderClass::XorLoad, 2, Pairing::Either, BOOK),
    paired(InOrderClass::AluStore, 3, Pairing::Either, BOOK),
    paired(InOrderClass::Shift, 1, Pairing::First, BOOK),
    paired(InOrderClass::ShiftOne, 1, Pairing::First, BOOK),
    paired(InOrderClass::Rotate, 1, Pairing::Alone, MEMORY),
    paired(InOrderClass::RotateOne, 1, Pairing::First, BOOK),
    paired(InOrderClass::Extend, 3, Pairing::Alone, FOG),
    paired(InOrderClass::ExtendLoad, 3, Pairing::Alone, FOG),
    paired(InOrderClass::Swap, 1, Pairing::Alone, MEMORY),
    paired(InOrderClass::Not, 1, Pairing::Alone, FOG),
    paired(InOrderClass::Address, 1, Pairing::Either, BOOK),
    paired(InOrderClass::Push, 1, Pairing::Either, BOOK),
    paired(InOrderClass::Pop, 1, Pairing::Either, BOOK),
    paired(InOrderClass::Return, 2, Pairing::Alone, MEMORY),
    paired(InOrderClass::Branch, 1, Pairing::Second, BOOK_21),
    paired(InOrderClass::Jump, 1, Pairing::Second, BOOK_21),
];

const ROWS: [Row; 11] = rows(&IN_ORDER);
