//! Instructions on registers, and branches with what stands behind them.

use super::{LINK, SP, WHOLE};
use crate::Result;
use crate::domain::{Domain, Logic};
use crate::machine::Instruction as Any;
use crate::machine::fields::hppa::{Alu, Instruction, Op};
use crate::machine::state::{Flag, Machine, State, Stop};
use crate::memory::{RETURN, STACK, TABLES, Value};

impl<D: Domain> Machine<'_, D> {
    pub(in crate::machine) fn step_hppa(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
        depth: usize,
    ) -> Result<Option<Stop>> {
        state.next = i.address.wrapping_add(4);
        let is_narrow = state.convention.offset == 4;
        match i.op {
            Op::SkipUnlessEqual { x, y } => {
                let flag = self.comparison(state, x, y)?;
                let skipped = state.next;
                state.next = skipped.wrapping_add(4);
                self.branch(state, &flag, true, skipped, depth)
            }
            Op::IfZero { x, target } => {
                let flag = self.comparison(state, x, 0)?;
                self.branch(state, &flag, true, target, depth)
            }
            Op::UnlessZero { x, target } => {
                let flag = self.comparison(state, x, 0)?;
                self.behind(state)?;
                self.branch(state, &flag, false, target, depth)
            }
            Op::Again { x, target } => {
                let less = self.held(state, x);
                let less = self.moved(&less, -1)?;
                let flag = match &less {
                    // It looks at 32 bits.
                    Value::Count(behind) if is_narrow => Flag::Count(*behind),
                    Value::Cells(cells) => {
                        let low = self.domain.number(&cells[..32 / D::BITS]);
                        low.map_or(Flag::Unknown, |low| Flag::Zero(low == 0))
                    }
                    _ => Flag::Unknown,
                };
                self.put(state, x, less)?;
                self.behind(state)?;
                self.branch(state, &flag, false, target, depth)
            }
            Op::Return => {
                if state.registers[LINK] != Value::Saved(LINK) {
                    return Err("a return to elsewhere".into());
                }
                self.behind(state)?;
                Ok(Some(Stop::Return))
            }
            _ => self.plain(state, i).map(|()| None),
        }
    }

    /// Does what stands behind a branch; it then goes on behind that, if nothing else is said.
    fn behind(&mut self, state: &mut State<D>) -> Result<()> {
        match self.fetch(state.next)? {
            Any::Hppa(i) if i.is_plain() => {
                state.next = i.address.wrapping_add(4);
                self.plain(state, &i).map_err(|error| format!("behind it, `{i}`: {error}"))
            }
            i => Err(format!("`{i}` behind a branch")),
        }
    }

    /// What a comparison says: whether two registers are equal.
    fn comparison(&mut self, state: &State<D>, x: usize, y: usize) -> Result<Flag<D::Cell>> {
        let (mut x, mut y) = (self.held(state, x), self.held(state, y));
        if matches!(y, Value::NotZero | Value::Count(_)) {
            (x, y) = (y, x);
        }
        let Value::Cells(y) = y else { return Err(format!("a comparison with {y:?}")) };
        match x {
            Value::Count(behind) if self.domain.number(&y) == Some(0) => Ok(Flag::Count(behind)),
            Value::Count(_) => Err("a comparison with a count".into()),
            x => Ok(self.sum(&x, &y, false, true)?.1),
        }
    }

    /// An instruction that leads to the next one.
    fn plain(&mut self, state: &mut State<D>, i: &Instruction) -> Result<()> {
        match i.op {
            // A move.
            Op::Alu { alu: Alu::Or, t, x, y: 0 } => {
                let value = self.held(state, x);
                self.put(state, t, value)
            }
            Op::Alu { alu: Alu::Add, t, x, y } => self.add_shifted(state, t, x, 0, y),
            Op::Alu { alu, t, x, y } => {
                let logic = match alu {
                    Alu::And => Logic::And,
                    Alu::Or => Logic::Or,
                    _ => Logic::Xor,
                };
                let (x, y) = (self.cells_in(state, x)?, self.cells_in(state, y)?);
                let pairs = x.iter().zip(&y);
                let cells = pairs.map(|(&x, &y)| self.domain.logic(logic, x, y));
                let cells = cells.collect::<Result<_>>()?;
                self.put(state, t, Value::Cells(cells))
            }
            Op::ShiftAdd { by, t, x, y } => self.add_shifted(state, t, x, by, y),
            Op::Offset { t, base, by } => {
                let base = self.held(state, base);
                let sum = self.moved(&base, by)?;
                self.put(state, t, sum)
            }
            Op::High { t, value } => {
                let cells = self.domain.cells(value as u64, 64);
                self.put(state, t, Value::Cells(cells.into()))
            }
            Op::Here { t } => self.put(state, t, Value::Pointer(TABLES, i.address as i64)),
            Op::Extract { t, x, last: 63, bits: 32 } => {
                let value = self.lower(state, x)?;
                self.put(state, t, value)
            }
            Op::Extract { t, x, last, bits } => {
                let (from, bits) = (self.cell(63 - last)?, self.cell(bits)?);
                let mut cells = self.cells_in(state, x)?[from..from + bits].to_vec();
                cells.extend(self.domain.zeros(64 - bits * D::BITS));
                self.put(state, t, Value::Cells(cells.into()))
            }
            Op::Deposit { clears, t, x, last, bits } => {
                let (from, bits) = (self.cell(63 - last)?, self.cell(bits)?);
                let x = self.cells_in(state, x)?;
                let mut cells =
                    if clears { self.domain.zeros(64) } else { self.cells_in(state, t)? };
                cells[from..from + bits].copy_from_slice(&x[..bits]);
                self.put(state, t, Value::Cells(cells.into()))
            }
            Op::Turn { t, x, by } => {
                let by = self.cell(by)?;
                let mut cells = self.cells_in(state, x)?;
                cells.rotate_left(by);
                self.put(state, t, Value::Cells(cells.into()))
            }
            Op::Halfwords { t, x, order } => {
                let x = self.cells_in(state, x)?;
                // The highest is number 0.
                let halfwords = order.iter().rev().map(|n| &x[(3 - n) * 16 / D::BITS..]);
                let cells = halfwords.flat_map(|cells| &cells[..16 / D::BITS]).copied().collect();
                self.put(state, t, Value::Cells(cells))
            }
            Op::ShiftHalfwords { left, t, x, by } => {
                let (x, by) = (self.cells_in(state, x)?, self.cell(by)?);
                let zeros = self.domain.zeros(by * D::BITS);
                let shifted = x.chunks(16 / D::BITS).flat_map(|cells| match left {
                    true => [&zeros, &cells[..cells.len() - by]].concat(),
                    false => [&cells[by..], &zeros].concat(),
                });
                let cells = shifted.collect();
                self.put(state, t, Value::Cells(cells))
            }
            Op::Load { bytes, t, base, address } => self.load_hppa(state, bytes, t, base, address),
            Op::Store { bytes, x, base, address } => {
                self.store_hppa(state, bytes, x, base, address)
            }
            _ => Err("no instruction that leads to the next one".into()),
        }
    }

    /// Where in cells a bit is the first of one, or how many cells so many bits are.
    fn cell(&self, bit: usize) -> Result<usize> {
        if bit.is_multiple_of(D::BITS) {
            return Ok(bit / D::BITS);
        }
        Err("a part of cells".into())
    }

    /// What a register has, in all 64 bits; register 0 is zero.
    pub(super) fn held(&mut self, state: &State<D>, register: usize) -> Value<D::Cell> {
        let is_given = state.registers[WHOLE + register] == Value::Unknown;
        match &state.registers[register] {
            _ if register == 0 => Value::Cells(self.domain.zeros(64).into()),
            Value::Cells(_) if is_given => Value::Unknown,
            Value::Count(_) if is_given && state.convention.offset == 4 => Value::Unknown,
            value => value.clone(),
        }
    }

    /// The lower half of a register, with zeros above.
    fn lower(&mut self, state: &State<D>, register: usize) -> Result<Value<D::Cell>> {
        match &state.registers[register] {
            _ if register == 0 => Ok(self.held(state, register)),
            Value::Cells(cells) => {
                let low = cells[..32 / D::BITS].iter().copied();
                Ok(Value::Cells(low.chain(self.domain.zeros(32)).collect()))
            }
            Value::NotZero => Ok(Value::NotZero),
            Value::Count(behind) if state.convention.offset == 4 => Ok(Value::Count(*behind)),
            value => Err(format!("the lower half of {value:?}")),
        }
    }

    /// The number in a register.
    pub(super) fn cells_in(&mut self, state: &State<D>, register: usize) -> Result<Vec<D::Cell>> {
        match self.held(state, register) {
            Value::Cells(cells) => Ok(cells.to_vec()),
            value => Err(format!("register {register} is {value:?}, no number")),
        }
    }

    /// Puts a value into a register; what register 0 gets is lost.
    pub(super) fn put(
        &mut self,
        state: &mut State<D>,
        register: usize,
        value: Value<D::Cell>,
    ) -> Result<()> {
        if register == SP {
            let frame = if state.convention.offset == 4 { 64 } else { 16 };
            let is_whole = |offset: i64| (RETURN - offset) % frame == 0;
            if !matches!(value, Value::Pointer(STACK, offset) if is_whole(offset)) {
                return Err(format!("sp is lost, or no multiple of {frame}"));
            }
        }
        if register != 0 {
            state.registers[register] = value;
            state.registers[WHOLE + register] = Value::NotZero;
        }
        if register == SP { state.stack_pointer().map(|_| ()) } else { Ok(()) }
    }

    /// A value, so many bytes or units further on.
    pub(super) fn moved(&mut self, value: &Value<D::Cell>, by: i64) -> Result<Value<D::Cell>> {
        // The stack's offsets go down where addresses go up.
        if let Value::Pointer(STACK, offset) = value {
            return Ok(Value::Pointer(STACK, offset.wrapping_sub(by)));
        }
        let by = self.domain.cells(by as u64, 64);
        Ok(self.sum(value, &by, true, false)?.0)
    }

    /// t = (x to the left) + y.
    fn add_shifted(
        &mut self,
        state: &mut State<D>,
        t: usize,
        x: usize,
        left: usize,
        y: usize,
    ) -> Result<()> {
        let (x, y) = (self.held(state, x), self.held(state, y));
        let sum = match (x, y) {
            (base @ Value::Pointer(..), Value::Cells(number)) if left == 0 => {
                self.further(&base, &number, 1)?
            }
            (Value::Cells(number), base @ Value::Pointer(..)) => {
                self.further(&base, &number, 1 << left)?
            }
            (Value::Cells(x), Value::Cells(y)) => {
                let left = self.cell(left)?;
                let x = [&self.domain.zeros(left * D::BITS), &x[..x.len() - left]].concat();
                self.sum(&Value::Cells(x.into()), &y, true, false)?.0
            }
            (x, y) => return Err(format!("the sum of {x:?} and {y:?}")),
        };
        self.put(state, t, sum)
    }

    /// A pointer, further on by an index with a scale.
    fn further(
        &mut self,
        base: &Value<D::Cell>,
        index: &[D::Cell],
        scale: i64,
    ) -> Result<Value<D::Cell>> {
        match (base, self.domain.number(index)) {
            (_, Some(number)) => self.moved(base, (number as i64).wrapping_mul(scale)),
            (&Value::Pointer(region, offset), None) if region != STACK => {
                Ok(Value::Indexed(region, offset, (index.into(), scale)))
            }
            _ => Err("an index into the stack".into()),
        }
    }
}
