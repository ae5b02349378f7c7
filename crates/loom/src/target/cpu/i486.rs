//! Intel 486: one instruction after the other, most of them in a clock; its cache hits.
//!
//! Clocks from Intel's "i486 Processor Programmer's Reference Manual" (1990), chapter 26, with the clocks
//! for prefixes, indices and constants beside displacements of its notes. What waits for addresses and
//! for whole registers is described there, too; that both add up, in E. Toth's "Penalties on the 486"
//! (Assembly Gems, 1998).

use super::in_order::{Form, InOrder, single};
use super::{Clocks, Cpu, Kind, Pipeline, Row, row};

pub(super) const CPU: Cpu = Cpu {
    name: "486",
    doc: "Intel 486: one instruction after the other, its cache hits",
    width: 1,
    rows: &ROWS,
    pipeline: Pipeline::InOrder(&IN_ORDER),
};

const IN_ORDER: InOrder = InOrder {
    forms: &FORMS,
    address: 1,
    partial: 1,
    index: 1,
    prefix: 1,
    escape: 0,
    constant_and_displacement: 1,
    taken: 2,
};

const FORMS: [Clocks; 20] = [
    single(Form::Move, 1),
    single(Form::Load, 1),
    single(Form::Store, 1),
    single(Form::Alu, 1),
    single(Form::AluLoad, 2),
    single(Form::AluStore, 3),
    single(Form::Shift, 2),
    single(Form::ShiftOne, 3),
    single(Form::Rotate, 2),
    single(Form::RotateOne, 3),
    single(Form::Extend, 3),
    single(Form::ExtendLoad, 3),
    single(Form::Swap, 1),
    single(Form::Not, 1),
    single(Form::Address, 1),
    single(Form::Push, 1),
    single(Form::Pop, 1),
    single(Form::Return, 5),
    single(Form::Branch, 1),
    single(Form::Jump, 1),
];

const ROWS: [Row; 10] = [
    row(Kind::Logic, 1, 0b1),
    row(Kind::Shift, 2, 0b1),
    row(Kind::Copy, 1, 0b1),
    row(Kind::Low, 3, 0b1),
    row(Kind::High, 3, 0b1),
    row(Kind::Swap, 1, 0b1),
    row(Kind::Address, 1, 0b1),
    row(Kind::Load, 1, 0b1),
    row(Kind::Store, 1, 0b1),
    row(Kind::Select, 1, 0b1),
];
