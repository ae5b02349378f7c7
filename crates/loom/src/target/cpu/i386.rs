//! Intel 386: one instruction after the other, no cache of its own; memory without wait states.
//!
//! Clocks from Intel's "80386 Programmer's Reference Manual" (1986), chapter 17. Of a taken branch it
//! says 7 and one for each component of the instruction that follows: two are assumed. The clock between
//! a byte and its whole register is from Intel's "Optimizations for Intel's 32-bit Processors", as the
//! notes to libdes' assembler (1996) cite it.

use super::in_order::{Form, InOrder, single};
use super::{Clocks, Cpu, Kind, Pipeline, Row, row};

pub(super) const CPU: Cpu = Cpu {
    name: "386",
    doc: "Intel 386: one instruction after the other, no wait states",
    width: 1,
    rows: &ROWS,
    pipeline: Pipeline::InOrder(&IN_ORDER),
};

const IN_ORDER: InOrder = InOrder {
    forms: &FORMS,
    address: 0,
    partial: 1,
    index: 1,
    prefix: 0,
    escape: 0,
    constant_and_displacement: 0,
    taken: 6,
};

const FORMS: [Clocks; 19] = [
    single(Form::Move, 2),
    single(Form::Load, 4),
    single(Form::Store, 2),
    single(Form::Alu, 2),
    single(Form::AluLoad, 6),
    single(Form::AluStore, 7),
    single(Form::Shift, 3),
    single(Form::ShiftOne, 3),
    single(Form::Rotate, 3),
    single(Form::RotateOne, 3),
    single(Form::Extend, 3),
    single(Form::ExtendLoad, 6),
    single(Form::Not, 2),
    single(Form::Address, 2),
    single(Form::Push, 2),
    single(Form::Pop, 4),
    single(Form::Return, 12),
    single(Form::Branch, 3),
    single(Form::Jump, 3),
];

const ROWS: [Row; 10] = [
    row(Kind::Logic, 2, 0b1),
    row(Kind::Shift, 3, 0b1),
    row(Kind::Copy, 2, 0b1),
    row(Kind::Low, 3, 0b1),
    row(Kind::High, 3, 0b1),
    row(Kind::Swap, 9, 0b1),
    row(Kind::Address, 2, 0b1),
    row(Kind::Load, 4, 0b1),
    row(Kind::Store, 2, 0b1),
    row(Kind::Select, 3, 0b1),
];
