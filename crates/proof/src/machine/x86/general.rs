//! Instructions on general registers, and branches.

use super::RSP;
use super::operands::width;
use super::vectors::sources;
use crate::Result;
use crate::domain::{Domain, Logic};
use crate::isa::Convention;
use crate::machine::places::Place;
use crate::machine::state::{Flag, Machine, State, Stop};
use crate::memory::{STACK, TABLES, Value};
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// Whether two operands are one register.
pub(super) fn are_same(i: &Instruction, a: u32, b: u32) -> bool {
    let are_registers = i.op_kind(a) == OpKind::Register && i.op_kind(b) == OpKind::Register;
    are_registers && i.op_register(a) == i.op_register(b)
}

/// Whether it returns as a function that is called by a convention, and takes nothing else off the stack.
fn is_return(i: &Instruction, convention: &Convention) -> bool {
    let is_far = convention.pointer > convention.offset;
    let bytes = i64::from(i.stack_pointer_increment());
    i.op_count() == 0
        && (i.mnemonic() == Mnemonic::Retf) == is_far
        && bytes == convention.return_bytes
}

/// Whether an operand is a vector.
fn has_vector(i: &Instruction) -> bool {
    (0..i.op_count())
        .any(|n| i.op_kind(n) == OpKind::Register && i.op_register(n).is_vector_register())
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
            Ret | Retf if is_return(i, state.convention) => return Ok(Some(Stop::Return)),
            Je | Jne => {
                let wanted = i.mnemonic() == Je;
                let flag = state.flag.clone();
                return self.branch(state, &flag, wanted, i.near_branch_target(), depth);
            }
            Jmp if i.is_jmp_short_or_near() => state.next = i.near_branch_target(),
            Push | Pop => self.push_or_pop(state, i)?,
            // Where it is itself, for code of 32 bits without addresses in it.
            Call if i.is_call_near() && i.near_branch_target() == i.next_ip() => {
                let here = Value::Pointer(TABLES, i.next_ip() as i64);
                self.push(state, here)?;
            }
            Lea => {
                let place = self.place(state, i)?;
                if width(i, 0) != 8 * state.convention.word || place.index.is_some() {
                    return Err("an address that is no pointer".into());
                }
                let (region, offset) = place.at;
                self.write_value(state, i.op0_register(), Value::Pointer(region, offset))?;
            }
            Mov => self.mov(state, i)?,
            Movzx if i.op0_register().number() == RSP => {
                let is_whole =
                    (i.op0_register(), i.op_register(1)) == (Register::ESP, Register::SP);
                if !is_whole || state.convention.segments.is_empty() {
                    return Err("esp is lost".into());
                }
                state.wide = false;
            }
            // An argument of 16 bits, which may be a pointer or a count.
            Movzx if i.op1_kind() == OpKind::Memory && width(i, 1) == 16 => {
                let place = self.place(state, i)?;
                let value = self.load_value(state, &place, 2)?;
                self.write_value(state, i.op0_register(), value)?;
            }
            Movzx => {
                let bits = width(i, 1);
                let mut cells = self.source(state, i, 1, bits)?;
                cells.extend(self.domain.zeros(width(i, 0) - bits));
                self.write_register(state, i.op0_register(), &cells)?;
            }
            Xor => self.logic(state, i, Logic::Xor)?,
            And => self.logic(state, i, Logic::And)?,
            Or => self.logic(state, i, Logic::Or)?,
            Andn => self.logic(state, i, Logic::And)?,
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
            Bswap => {
                let cells = self.source(state, i, 0, 32)?;
                let bytes: Vec<_> = cells.chunks(8 / D::BITS).rev().flatten().copied().collect();
                self.write_register(state, i.op0_register(), &bytes)?;
            }
            Pext | Pdep => self.bit_selection(state, i)?,
            Vzeroupper => self.vector(state, i)?,
            _ if has_vector(i) => self.vector(state, i)?,
            _ => return Err("an instruction that the prover does not know".into()),
        }
        Ok(None)
    }

    fn push_or_pop(&mut self, state: &mut State<D>, i: &Instruction) -> Result<()> {
        let (word, register) = (state.convention.word, i.op0_register());
        if register.is_segment_register() && !state.convention.segments.is_empty() {
            return self.push_or_pop_segment(state, i);
        }
        if i.op0_kind() != OpKind::Register || register.size() != word {
            return Err("push or pop of no register".into());
        }
        if i.mnemonic() == Mnemonic::Push {
            let value = state.registers[i.op0_register().number()].clone();
            return self.push(state, value);
        }
        let pointer = state.stack_pointer()?;
        let value = self.load_value(state, &Place { at: (STACK, pointer), index: None }, word)?;
        state.registers[RSP] = Value::Pointer(STACK, pointer + word as i64);
        self.write_value(state, i.op0_register(), value)
    }

    fn push_or_pop_segment(&mut self, state: &mut State<D>, i: &Instruction) -> Result<()> {
        let (register, pointer) = (i.op0_register(), state.stack_pointer()?);
        let to = pointer + i64::from(i.stack_pointer_increment());
        if i.mnemonic() == Mnemonic::Push {
            state.registers[RSP] = Value::Pointer(STACK, to);
            let cells = self.read_register(state, register)?;
            return self.store_at(state, &Place { at: (STACK, to), index: None }, &cells);
        }
        let cells = self.load_at(state, &Place { at: (STACK, pointer), index: None }, 2)?;
        state.registers[RSP] = Value::Pointer(STACK, to);
        self.write_register(state, register, &cells)
    }

    fn push(&mut self, state: &mut State<D>, value: Value<D::Cell>) -> Result<()> {
        let pointer = state.stack_pointer()? - state.convention.word as i64;
        state.registers[RSP] = Value::Pointer(STACK, pointer);
        self.store_value(state, &Place { at: (STACK, pointer), index: None }, value)
    }

    fn mov(&mut self, state: &mut State<D>, i: &Instruction) -> Result<()> {
        let (bits, word) = (width(i, 0), 8 * state.convention.word);
        if bits < word {
            let cells = self.source(state, i, 1, bits)?;
            return self.destination(state, i, &cells);
        }
        let value = match i.op1_kind() {
            OpKind::Register => state.registers[i.op1_register().number()].clone(),
            OpKind::Memory => {
                let place = self.place(state, i)?;
                self.load_value(state, &place, word / 8)?
            }
            _ => {
                let mut cells = self.domain.cells(i.immediate(1), word);
                cells.extend(self.domain.zeros(64 - word));
                Value::Cells(cells.into())
            }
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
            let (first, second) = sources(i);
            let mut x = self.source(state, i, first, bits)?;
            if i.mnemonic() == Mnemonic::Andn {
                let ones = self.domain.constant(255);
                let not = x.into_iter().map(|x| self.domain.logic(Logic::Xor, x, ones));
                x = not.collect::<Result<Vec<_>>>()?;
            }
            let y = self.source(state, i, second, bits)?;
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
        let is_whole = bits == 8 * state.convention.word;
        let place = match i.op0_kind() {
            OpKind::Memory => Some(self.place(state, i)?),
            _ => None,
        };
        let x = match (&place, i.op0_register()) {
            (Some(place), _) if is_whole => self.load_value(state, place, bits / 8)?,
            (Some(_), _) => return Err("arithmetic in memory".into()),
            (None, register) => match &state.registers[register.full_register().number()] {
                Value::Cells(_) => Value::Cells(self.read_register(state, register)?.into()),
                Value::NotZero if i.mnemonic() == Mnemonic::Cmp => Value::NotZero,
                value if is_whole => value.clone(),
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
            Value::Count(behind) if register.size() == state.convention.word => {
                Flag::Count(*behind)
            }
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
