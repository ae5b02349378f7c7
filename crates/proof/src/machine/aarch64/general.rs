//! Instructions on general registers, and branches.

use super::{HALVES, LINK, PLATFORM, SP};
use crate::Result;
use crate::domain::{Domain, Logic};
use crate::machine::fields::aarch64::{Bitwise, Instruction, Op, Turn};
use crate::machine::state::{Flag, Machine, State, Stop};
use crate::memory::{RETURN, STACK, TABLES, Value};

fn logic(bitwise: Bitwise) -> Result<Logic> {
    match bitwise {
        Bitwise::And => Ok(Logic::And),
        Bitwise::Orr => Ok(Logic::Or),
        Bitwise::Eor => Ok(Logic::Xor),
        _ => Err("no operation on general registers".into()),
    }
}

fn width(wide: bool) -> usize {
    if wide { 64 } else { 32 }
}

impl<D: Domain> Machine<'_, D> {
    pub(in crate::machine) fn step_aarch64(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
        depth: usize,
    ) -> Result<Option<Stop>> {
        state.next = i.address + 4;
        match i.op {
            Op::Hint(_) => {}
            Op::Return => {
                if state.registers[LINK] != Value::Saved(LINK) {
                    return Err("a return to elsewhere".into());
                }
                return Ok(Some(Stop::Return));
            }
            Op::Branch(target) => state.next = target,
            Op::BranchEqual(target) => {
                let flag = state.flag.clone();
                return self.branch(state, &flag, true, target, depth);
            }
            Op::BranchZero { nonzero, rt, target } => {
                let flag = match self.value(state, rt) {
                    Value::Count(behind) => Flag::Count(behind),
                    Value::NotZero => Flag::Zero(false),
                    Value::Cells(cells) => {
                        self.domain.number(&cells).map_or(Flag::Unknown, |n| Flag::Zero(n == 0))
                    }
                    _ => Flag::Unknown,
                };
                return self.branch(state, &flag, !nonzero, target, depth);
            }
            Op::Page { rd, page } => self.set(state, rd, Value::Pointer(TABLES, page as i64))?,
            Op::AddImmediate { subtract, wide, rd, rn, value, high } => {
                let x = match (state.registers[rn].clone(), wide) {
                    (Value::Cells(cells), _) => Value::Cells(cells[..width(wide) / D::BITS].into()),
                    (value, true) => value,
                    (value, false) => return Err(format!("arithmetic on a part of {value:?}")),
                };
                let y = self.domain.cells(value << if high { 12 } else { 0 }, width(wide));
                let (sum, _) = self.sum(&x, &y, !subtract, false)?;
                let sum = self.widened(sum);
                if rd == SP {
                    self.set_stack(state, sum)?;
                } else {
                    self.set(state, rd, sum)?;
                }
            }
            Op::LogicImmediate { logic: bitwise, wide, rd, rn, mask } => {
                let x = self.cells_of(state, rn, wide)?;
                let mask = self.domain.cells(mask, width(wide));
                self.combine(state, rd, bitwise, &x, &mask)?;
            }
            Op::Move { keep, wide, rd, value, by } => {
                let mut cells = if keep {
                    self.cells_of(state, rd, wide)?
                } else {
                    self.domain.zeros(width(wide))
                };
                let value = self.domain.cells(value, 16);
                cells[by as usize / D::BITS..][..value.len()].copy_from_slice(&value);
                self.set_cells(state, rd, cells)?;
            }
            Op::Bits { wide, rd, rn, first, last } => {
                let (x, bits) = (self.cells_of(state, rn, wide)?, width(wide));
                if !first.is_multiple_of(D::BITS) || !(last + 1).is_multiple_of(D::BITS) {
                    return Err("a part of cells".into());
                }
                let mut cells = if first <= last {
                    x[first / D::BITS..=last / D::BITS].to_vec()
                } else {
                    let low = &x[..=last / D::BITS];
                    [&self.domain.zeros(bits - first), low].concat()
                };
                cells.extend(self.domain.zeros(bits - cells.len() * D::BITS));
                self.set_cells(state, rd, cells)?;
            }
            Op::Extract { wide, rd, rn, rm, first } => {
                let first = self.cell_of(first)?;
                let (high, low) =
                    (self.cells_of(state, rn, wide)?, self.cells_of(state, rm, wide)?);
                self.set_cells(state, rd, [&low[first..], &high[..first]].concat())?;
            }
            // A move.
            Op::Logic {
                logic: Bitwise::Orr,
                wide: true,
                rd,
                rn: 31,
                rm,
                turn: Turn::Left,
                by: 0,
            } => {
                let value = self.value(state, rm);
                self.set(state, rd, value)?;
            }
            Op::Logic { logic: bitwise, wide, rd, rn, rm, turn, by } => {
                let by = self.cell_of(by)?;
                let is_move = bitwise == Bitwise::Orr && (rn, turn, by) == (31, Turn::Left, 0);
                if is_move && self.value(state, rm) == Value::NotZero {
                    // The lower half alone says so.
                    return self.set(state, rd, Value::NotZero).map(|()| None);
                }
                let (x, y) = (self.cells_of(state, rn, wide)?, self.cells_of(state, rm, wide)?);
                let zeros = self.domain.zeros(by * D::BITS);
                let y = match turn {
                    Turn::Left => [&zeros, &y[..y.len() - by]].concat(),
                    Turn::Right => [&y[by..], &zeros].concat(),
                    Turn::Rotate => [&y[by..], &y[..by]].concat(),
                };
                self.combine(state, rd, bitwise, &x, &y)?;
            }
            Op::Add { wide, rd, rn, rm } => self.add(state, wide, rd, rn, rm)?,
            Op::Compare { rn, rm } => {
                let x = match self.value(state, rn) {
                    Value::NotZero => Value::NotZero,
                    _ => Value::Cells(self.cells_of(state, rn, false)?.into()),
                };
                let y = self.cells_of(state, rm, false)?;
                (_, state.flag) = self.sum(&x, &y, false, true)?;
            }
            Op::Select { rd, rn, rm } => {
                let Flag::Zero(zero) = state.flag else {
                    return Err("a choice by what is not known".into());
                };
                let value = self.value(state, if zero { rn } else { rm });
                self.set(state, rd, value)?;
            }
            Op::Transfer { .. } | Op::Pair { .. } => self.transfer(state, i.op)?,
            _ => self.vector_aarch64(state, i.op)?,
        }
        Ok(None)
    }

    /// Where in cells a bit is the first of one.
    fn cell_of(&self, bit: usize) -> Result<usize> {
        if bit.is_multiple_of(D::BITS) {
            return Ok(bit / D::BITS);
        }
        Err("a shift by so many bits".into())
    }

    /// What a register has; register 31 is zero.
    pub(super) fn value(&mut self, state: &State<D>, register: usize) -> Value<D::Cell> {
        match register {
            31 => Value::Cells(self.domain.zeros(64).into()),
            register => state.registers[register].clone(),
        }
    }

    /// The number in a register, or in its lower half.
    pub(super) fn cells_of(
        &mut self,
        state: &State<D>,
        register: usize,
        wide: bool,
    ) -> Result<Vec<D::Cell>> {
        match self.value(state, register) {
            Value::Cells(cells) => Ok(cells[..width(wide) / D::BITS].to_vec()),
            value => Err(format!("register {register} is {value:?}, no number")),
        }
    }

    /// A value of 64 bits: a shorter number has zeros above it.
    fn widened(&mut self, value: Value<D::Cell>) -> Value<D::Cell> {
        match value {
            Value::Cells(cells) if cells.len() * D::BITS < 64 => {
                let zeros = self.domain.zeros(64 - cells.len() * D::BITS);
                Value::Cells([&*cells, &zeros].concat().into())
            }
            value => value,
        }
    }

    /// Puts a value into a register; what register 31 gets is lost.
    pub(super) fn set(
        &mut self,
        state: &mut State<D>,
        register: usize,
        value: Value<D::Cell>,
    ) -> Result<()> {
        match register {
            PLATFORM => return Err("a write of the register that systems keep".into()),
            31 => {}
            register => state.registers[register] = value,
        }
        Ok(())
    }

    /// Puts a number into a register, with zeros above it.
    pub(super) fn set_cells(
        &mut self,
        state: &mut State<D>,
        register: usize,
        cells: Vec<D::Cell>,
    ) -> Result<()> {
        let value = self.widened(Value::Cells(cells.into()));
        self.set(state, register, value)
    }

    /// Moves the pointer to the stack, which is always a multiple of 16.
    pub(super) fn set_stack(&mut self, state: &mut State<D>, value: Value<D::Cell>) -> Result<()> {
        match value {
            Value::Pointer(STACK, offset) if (RETURN - offset) % 16 == 0 => {
                state.registers[SP] = value;
                state.stack_pointer().map(|_| ())
            }
            _ => Err("sp is lost, or no multiple of 16".into()),
        }
    }

    fn combine(
        &mut self,
        state: &mut State<D>,
        rd: usize,
        bitwise: Bitwise,
        x: &[D::Cell],
        y: &[D::Cell],
    ) -> Result<()> {
        let logic = logic(bitwise)?;
        let pairs = x.iter().zip(y);
        let cells = pairs.map(|(&x, &y)| self.domain.logic(logic, x, y)).collect::<Result<_>>()?;
        self.set_cells(state, rd, cells)
    }

    fn add(
        &mut self,
        state: &mut State<D>,
        wide: bool,
        rd: usize,
        rn: usize,
        rm: usize,
    ) -> Result<()> {
        let sum = match (self.value(state, rn), self.value(state, rm)) {
            (pointer @ Value::Pointer(..), Value::Cells(number))
            | (Value::Cells(number), pointer @ Value::Pointer(..))
                if wide =>
            {
                match (&pointer, self.domain.number(&number)) {
                    (Value::Pointer(region, offset), None) => {
                        Value::Indexed(*region, *offset, (number, 1))
                    }
                    _ => self.sum(&pointer, &number, true, false)?.0,
                }
            }
            _ => {
                let (x, y) = (self.cells_of(state, rn, wide)?, self.cells_of(state, rm, wide)?);
                self.sum(&Value::Cells(x.into()), &y, true, false)?.0
            }
        };
        let sum = self.widened(sum);
        self.set(state, rd, sum)
    }

    /// Forgets that the caller's low half of a vector is in it.
    pub(super) fn half_is_lost(state: &mut State<D>, vector: usize) {
        state.registers[HALVES + vector] = Value::Unknown;
    }
}
