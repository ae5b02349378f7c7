//! Intel Pentium: two pipes, U (port 0) and V (port 1), in order; its caches hit, no two accesses at a
//! time meet in a bank, branches are foreseen.
//!
//! Clocks and pairing from Intel's "Pentium Processor User's Manual" (1993) and Agner Fog's "How to
//! optimize for the Pentium family of microprocessors". A first byte 0F takes a clock to decode, so
//! `movzx` takes four in all, as the notes to libdes' assembler (1996) have it.

use super::in_order::{Form, InOrder, Pairing, paired};
use super::{Clocks, Cpu, Kind, Pipeline, Row, row};

pub(super) const CPU: Cpu = Cpu {
    name: "pentium",
    doc: "Intel Pentium: two pipes in order, U as port 0 and V as port 1",
    width: 2,
    rows: &ROWS,
    pipeline: Pipeline::InOrder(&IN_ORDER),
};

const IN_ORDER: InOrder = InOrder {
    forms: &FORMS,
    address: 1,
    partial: 0,
    index: 0,
    prefix: 1,
    escape: 1,
    constant_and_displacement: 0,
    taken: 0,
};

const FORMS: [Clocks; 20] = [
    paired(Form::Move, 1, Pairing::Either),
    paired(Form::Load, 1, Pairing::Either),
    paired(Form::Store, 1, Pairing::Either),
    paired(Form::Alu, 1, Pairing::Either),
    paired(Form::AluLoad, 2, Pairing::Either),
    paired(Form::AluStore, 3, Pairing::Either),
    paired(Form::Shift, 1, Pairing::First),
    paired(Form::ShiftOne, 1, Pairing::First),
    paired(Form::Rotate, 1, Pairing::Alone),
    paired(Form::RotateOne, 1, Pairing::First),
    paired(Form::Extend, 3, Pairing::Alone),
    paired(Form::ExtendLoad, 3, Pairing::Alone),
    paired(Form::Swap, 1, Pairing::Alone),
    paired(Form::Not, 1, Pairing::Alone),
    paired(Form::Address, 1, Pairing::Either),
    paired(Form::Push, 1, Pairing::Either),
    paired(Form::Pop, 1, Pairing::Either),
    paired(Form::Return, 2, Pairing::Alone),
    paired(Form::Branch, 1, Pairing::Second),
    paired(Form::Jump, 1, Pairing::Second),
];

const ROWS: [Row; 10] = [
    row(Kind::Logic, 1, 0b11),
    row(Kind::Shift, 1, 0b1),
    row(Kind::Copy, 1, 0b11),
    row(Kind::Low, 4, 0b1),
    row(Kind::High, 4, 0b1),
    row(Kind::Swap, 2, 0b1),
    row(Kind::Address, 1, 0b11),
    row(Kind::Load, 1, 0b11),
    row(Kind::Store, 1, 0b11),
    row(Kind::Select, 1, 0b10),
];
