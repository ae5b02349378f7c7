//! Intel 386: one instruction after the other, no cache of its own; memory without wait states.
//!
//! Of a taken branch the manual says 7 and one for each component of the instruction that follows: two
//! are assumed, and the same for a return. Prefixes take no clocks by themselves, but they are fetched, and
//! the bus may be what is slow.

use super::in_order::{InOrderClass, penalty, rows, single};
use crate::isa::costs::{Bus, Clocks, Cpu, InOrder, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "386",
    doc: "Intel 386: one instruction after the other, no wait states",
    width: 1,
    rows: &ROWS,
    pipeline: Pipeline::InOrder(&IN_ORDER),
};

const MANUAL: &str = "Intel, 80386 Programmer's Reference Manual (1986), chapter 17";
const HELP: &str = "D. Jurgens, HelpPC 2.10 (1991)";
/// It has a figure for an index beside a base and a displacement, and none for a scaled one.
const TABLE: &str = "80x86 Integer Instruction Set (8088 - Pentium), legend";
const NOTES: &str = "Intel, Optimizations for Intel's 32-bit Processors (1994), as the notes to libdes' \
                     assembler (1996) cite it";
const HARDWARE: &str = "Intel, 80386 Hardware Reference Manual (1986), 3.1";
/// The manual's figures have no condition of this kind.
const NONE: &str = "Intel, 80386 Programmer's Reference Manual (1986), chapter 17, which has none";

const IN_ORDER: InOrder = InOrder {
    forms: &FORMS,
    address: penalty(0, NONE),
    partial: penalty(1, NOTES),
    index: penalty(1, TABLE),
    scaled: penalty(0, TABLE),
    prefix: penalty(0, NONE),
    escape: penalty(0, NONE),
    constant_and_displacement: penalty(0, NONE),
    taken: penalty(6, MANUAL),
    bus: Some(Bus { bytes: 4, access: 2, source: HARDWARE }),
};

const FORMS: [Clocks; 20] = [
    single(InOrderClass::Move, 2, MANUAL),
    single(InOrderClass::Load, 4, MANUAL),
    single(InOrderClass::Store, 2, MANUAL),
    single(InOrderClass::Alu, 2, MANUAL),
    single(InOrderClass::AluLoad, 6, HELP),
    // 7 from memory to a register and 6 to memory, the other way round than other arithmetic.
    single(InOrderClass::XorLoad, 7, MANUAL),
    single(InOrderClass::AluStore, 7, HELP),
    single(InOrderClass::Shift, 3, MANUAL),
    single(InOrderClass::ShiftOne, 3, MANUAL),
    single(InOrderClass::Rotate, 3, HELP),
    single(InOrderClass::RotateOne, 3, HELP),
    single(InOrderClass::Extend, 3, MANUAL),
    single(InOrderClass::ExtendLoad, 6, MANUAL),
    single(InOrderClass::Not, 2, MANUAL),
    single(InOrderClass::Address, 2, MANUAL),
    single(InOrderClass::Push, 2, MANUAL),
    single(InOrderClass::Pop, 4, MANUAL),
    single(InOrderClass::Return, 12, MANUAL),
    single(InOrderClass::Branch, 3, MANUAL),
    single(InOrderClass::Jump, 3, HELP),
];

const ROWS: [Row; 11] = rows(&IN_ORDER);
