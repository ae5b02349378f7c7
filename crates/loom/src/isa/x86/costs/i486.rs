//! Intel 486: one instruction after the other, most of them in a clock; its cache hits.
//!
//! Not counted, as only one author has measured it, in real mode: a clock where a byte was written two
//! clocks before any address is used (Abrash, chapter 12, rule 4).

use super::in_order::{InOrderClass, penalty, rows, single};
use crate::isa::costs::InOrder;
use crate::isa::costs::{Clocks, Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "486",
    doc: "Intel 486: one instruction after the other, its cache hits",
    width: 1,
    rows: &ROWS,
    pipeline: Pipeline::InOrder(&IN_ORDER),
};

const HELP: &str = "D. Jurgens, HelpPC 2.10 (1991)";
/// For shifts to the right by zeros the list is empty; those with the sign are the same operation.
const HELP_SAR: &str = "D. Jurgens, HelpPC 2.10 (1991), at SAR";
/// HelpPC has 4 for `pop`; in a row each took 1 when measured.
const BOOK: &str = "M. Abrash, Graphics Programming Black Book (1997), chapter 12";
const BOOK_21: &str = "M. Abrash, Graphics Programming Black Book (1997), chapter 21";
const GEMS: &str = "E. Toth, Penalties on the 486 (Assembly Gems, 1998)";

const IN_ORDER: InOrder = InOrder {
    forms: &FORMS,
    // That both add up, in Toth's article.
    address: penalty(1, BOOK),
    partial: penalty(1, BOOK),
    index: penalty(1, BOOK),
    scaled: penalty(1, BOOK),
    prefix: penalty(1, GEMS),
    // `movzx` and `bswap` have it in their clocks.
    escape: penalty(0, HELP),
    constant_and_displacement: penalty(1, BOOK_21),
    taken: penalty(2, HELP),
    bus: None,
};

const FORMS: [Clocks; 21] = [
    single(InOrderClass::Move, 1, HELP),
    single(InOrderClass::Load, 1, HELP),
    single(InOrderClass::Store, 1, HELP),
    single(InOrderClass::Alu, 1, HELP),
    single(InOrderClass::AluLoad, 2, HELP),
    single(InOrderClass::XorLoad, 2, HELP),
    single(InOrderClass::AluStore, 3, HELP),
    single(InOrderClass::Shift, 2, HELP_SAR),
    single(InOrderClass::ShiftOne, 3, HELP_SAR),
    single(InOrderClass::Rotate, 2, HELP),
    single(InOrderClass::RotateOne, 3, HELP),
    single(InOrderClass::Extend, 3, HELP),
    single(InOrderClass::ExtendLoad, 3, HELP),
    single(InOrderClass::Swap, 1, HELP),
    single(InOrderClass::Not, 1, HELP),
    single(InOrderClass::Address, 1, HELP),
    single(InOrderClass::Push, 1, HELP),
    single(InOrderClass::Pop, 1, BOOK),
    single(InOrderClass::Return, 5, HELP),
    single(InOrderClass::Branch, 1, HELP),
    single(InOrderClass::Jump, 1, HELP),
];

const ROWS: [Row; 11] = rows(&IN_ORDER);
