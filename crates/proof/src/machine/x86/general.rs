//! Instructions on general registers, and branches.

use super::RSP;
use super::operands::width;
use crate::Result;
use crate::domain::{Domain, Logic};
use crate::machine::places::Place;
use crate::machine::state::{Flag, Machine, State, Stop};
use crate::memory::{STACK, Value};
use iced_x86::{Instruction, Mnemonic, OpKind};

/// Whether two operands are one register.
pub(super) fn are_same(i: &Instruction, a: u32, b: u32) -> bool {
    let are_registers = i.op_kind(a) == OpKind::Register && i.op_kind(b) == OpKind::Register;
    are_registers && i.op_register(a) == i.op_register(b)
}

impl<D: Domain> Machine<'_, D> {
    /// Does one instruction.
    ///
    /// # Errors
    /// If it is not allowed, or not known.
    pub(in crate::machine) fn step_x86(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
        depth: usize,
    ) -> Result<Option<Stop>> {
        use Mnemonic::*;
        state.next = i.next_ip();
        match i.mnemonic() {
            Nop | Endbr64 => {}
            Ret if i.op_count() == 0 => return Ok(Some(Stop::Return)),
            Je | Jne => {
                let wanted = i.mnemonic() == Je;
                let flag = state.flag.clone();
                return self.branch(state, &flag, wanted, i.near_branch_target(), depth);
            }
            Jmp if i.is_jmp_short_or_near() => state.next = i.near_branch_target(),
            Push | Pop => self.push_or_pop(state, i)?,
            Lea => {
                let place = self.place(state, i)?;
                if width(i, 0) != 64 || place.index.is_some() {
                    return Err("an address that is no pointer".into());
                }
                let (region, offset) = place.at;
                self.write_value(state, i.op0_register(), Value::Pointer(region, offset))?;
            }
            Mov => self.mov(state, i)?,
            Movzx => {
                let bits = width(i, 1);
                let mut cells = self.source(state, i, 1, bits)?;
                cells.extend(self.domain.zeros(width(i, 0) - bits));
                self.write_register(state, i.op0_register(), &cells)?;
            }
            Xor => self.logic(state, i, Logic::Xor)?,
            And => self.logic(state, i, Logic::And)?,
            Or => self.logic(state, i, Logic::Or)?,
            Shl | Shr | Rol | Ror | Rorx => self.shift(state, i)?,
            Add | Sub | Inc | Dec | Cmp => self.arithmetic(state, i)?,
            Test => self.test(state, i)?,
            Cmove => {
                let Flag::Zero(zero) = state.flag else {
                    return Err("a choice by what is not known".into());
                };
                let operand = u32::from(zero);
                let cells = self.source(state, i, operand, width(i, 0))?;
                self.write_register(state, i.op0_register(), &cells)?;
            }
            Pext | Pdep => self.bit_selection(state, i)?,
            _ => self.vector(state, i)?,
        }
        Ok(None)
    }

    fn push_or_pop(&mut self, state: &mut State<D>, i: &Instruction) -> Result<()> {
        if i.op0_kind() != OpKind::Register || i.op0_register().size() != 8 {
            return Err("push or pop of no register".into());
        }
        let register = i.op0_register().number();
        let pointer = state.stack_pointer()?;
        let below = Place { at: (STACK, pointer - 8), index: None };
        if i.mnemonic() == Mnemonic::Push {
            let value = state.registers[register].clone();
            state.registers[RSP] = Value::Pointer(STACK, pointer - 8);
            return self.store_value(state, &below, value);
        }
        let value = self.load_value(state, &Place { at: (STACK, pointer), index: None })?;
        state.registers[RSP] = Value::Pointer(STACK, pointer + 8);
        self.write_value(state, i.op0_register(), value)
    }

    fn mov(&mut self, state: &mut State<D>, i: &Instruction) -> Result<()> {
        let bits = width(i, 0);
        if bits < 64 {
            let cells = self.source(state, i, 1, bits)?;
            return self.destination(state, i, &cells);
        }
        let value = match i.op1_kind() {
            OpKind::Register => state.registers[i.op1_register().number()].clone(),
            OpKind::Memory => {
                let place = self.place(state, i)?;
                self.load_value(state, &place)?
            }
            _ => Value::Cells(self.domain.cells(i.immediate(1), 64).into()),
        };
        match i.op0_kind() {
            OpKind::Register => self.write_value(state, i.op0_register(), value),
            _ => {
                let place = self.place(state, i)?;
                self.store_value(state, &place, value)
            }
        }
    }

    fn logic(&mut self, state: &mut State<D>, i: &Instruction, logic: Logic) -> Result<()> {
        let bits = width(i, 0);
        let cells = if logic == Logic::Xor && are_same(i, 0, 1) {
            self.domain.zeros(bits)
        } else {
            let x = self.source(state, i, 0, bits)?;
            let y = self.source(state, i, 1, bits)?;
            let pairs = x.into_iter().zip(y);
            pairs.map(|(x, y)| self.domain.logic(logic, x, y)).collect::<Result<Vec<_>>>()?
        };
        self.destination(state, i, &cells)?;
        state.flag = self.domain.number(&cells).map_or(Flag::Unknown, |n| Flag::Zero(n == 0));
        Ok(())
    }

    fn shift(&mut self, state: &mut State<D>, i: &Instruction) -> Result<()> {
        let bits = width(i, 0);
        let (from, by) = if i.mnemonic() == Mnemonic::Rorx { (1, 2) } else { (0, 1) };
        if i.op_kind(by) != OpKind::Immediate8 {
            return Err("a shift by what is no constant".into());
        }
        let by = i.immediate(by) as usize & if bits == 64 { 63 } else { 31 };
        if by >= bits || !by.is_multiple_of(D::BITS) {
            return Err("a shift by so many bits".into());
        }
        let x = self.source(state, i, from, bits)?;
        let (by, n) = (by / D::BITS, x.len());
        let zeros = self.domain.zeros(by * D::BITS);
        let (low, high) = (&x[..n - by], &x[n - by..]);
        let cells = match i.mnemonic() {
            Mnemonic::Shl => [&zeros, low].concat(),
            Mnemonic::Rol => [high, low].concat(),
            Mnemonic::Shr => [&x[by..], &zeros].concat(),
            _ => [&x[by..], &x[..by]].concat(),
        };
        self.destination(state, i, &cells)?;
        if i.mnemonic() != Mnemonic::Rorx {
            state.flag = Flag::Unknown;
        }
        Ok(())
    }

    /// Sums and differences: of a pointer or a count and a constant, of constants, of cells.
    fn arithmetic(&mut self, state: &mut State<D>, i: &Instruction) -> Result<()> {
        let bits = width(i, 0);
        let place = match i.op0_kind() {
            OpKind::Memory => Some(self.place(state, i)?),
            _ => None,
        };
        let x = match (&place, i.op0_register()) {
            (Some(place), _) if bits == 64 => self.load_value(state, place)?,
            (Some(_), _) => return Err("arithmetic in memory".into()),
            (None, register) => match &state.registers[register.full_register().number()] {
                Value::Cells(_) => Value::Cells(self.read_register(state, register)?.into()),
                Value::NotZero if i.mnemonic() == Mnemonic::Cmp => Value::NotZero,
                value if bits == 64 => value.clone(),
                value => return Err(format!("arithmetic on a part of {value:?}")),
            },
        };
        let y = match i.mnemonic() {
            Mnemonic::Inc | Mnemonic::Dec => self.domain.cells(1, bits),
            _ => self.source(state, i, 1, bits)?,
        };
        let is_sum = matches!(i.mnemonic(), Mnemonic::Add | Mnemonic::Inc);
        let (result, flag) = self.sum(&x, &y, is_sum, i.mnemonic() == Mnemonic::Cmp)?;
        state.flag = flag;
        if i.mnemonic() == Mnemonic::Cmp {
            return Ok(());
        }
        match (place, result) {
            (Some(place), result) => self.store_value(state, &place, result),
            (None, Value::Cells(cells)) => self.write_register(state, i.op0_register(), &cells),
            (None, result) => self.write_value(state, i.op0_register(), result),
        }
    }

    fn test(&mut self, state: &mut State<D>, i: &Instruction) -> Result<()> {
        if !are_same(i, 0, 1) {
            return Err("a test of two numbers".into());
        }
        let register = i.op0_register();
        state.flag = match &state.registers[register.full_register().number()] {
            Value::Count(behind) if register.size() == 8 => Flag::Count(*behind),
            Value::Cells(_) => {
                let cells = self.read_register(state, register)?;
                self.domain.number(&cells).map_or(Flag::Unknown, |n| Flag::Zero(n == 0))
            }
            _ => Flag::Unknown,
        };
        Ok(())
    }

    /// `pext` and `pdep`, which are slow on some processors, by their operands.
    fn bit_selection(&mut self, state: &mut State<D>, i: &Instruction) -> Result<()> {
        self.leaks.instructions += 1;
        let bits = width(i, 0);
        let from = self.source(state, i, 1, bits)?;
        let mask = self.source(state, i, 2, bits)?;
        let mask = self.domain.number(&mask).filter(|_| D::BITS == 1);
        let mask = mask.ok_or("a mask that is no constant")?;
        let mut cells = self.domain.zeros(bits);
        for (k, n) in (0..bits).filter(|n| mask >> n & 1 == 1).enumerate() {
            if i.mnemonic() == Mnemonic::Pext {
                cells[k] = from[n];
            } else {
                cells[n] = from[k];
            }
        }
        self.write_register(state, i.op0_register(), &cells)
    }
}
