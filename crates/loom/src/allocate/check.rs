//! A proof that allocated code computes what the code before it did, by following each value.
//!
//! It shares with the allocator the form of its result, and the code before it as a numbered list
//! (`flat.rs`), of which it reads the lines and nothing that was found out about them. It walks the
//! result, keeps which value every register and slot holds, and compares each instruction, operand by
//! operand, with the one that it came from.

use std::collections::HashMap;
use std::fmt;

use super::flat::{Flat, Listing};
use crate::isa::frame::Abi;
use crate::isa::program::{Line, Location, Out, Program};
use crate::isa::{Isa, Node, Reg, RegSet, Role};

/// Where allocated code is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Line `line` reads `found` where it should read `wanted`.
    Value {
        /// The line of the result.
        line: usize,
        /// What the location holds, if it is known.
        found: Option<Reg>,
        /// What should be there.
        wanted: Reg,
    },
    /// The line's instruction is not the next one of the input, or is changed.
    Instruction {
        /// The line of the result.
        line: usize,
    },
    /// A register that the instruction cannot name here.
    Register {
        /// The line of the result.
        line: usize,
    },
    /// A source and a result that must share a register do not.
    Tie {
        /// The line of the result.
        line: usize,
    },
    /// Instructions of the input are missing at the end.
    Missing,
    /// The finished program's line touches so many bytes below the stack pointer, which its calling
    /// convention does not give it.
    Below {
        /// The line of the program.
        line: usize,
        /// How many.
        bytes: u32,
    },
    /// The finished program's line lowers the stack pointer so many bytes below what was touched before,
    /// which is more than a page of its calling convention.
    Untouched {
        /// The line of the program.
        line: usize,
        /// How many.
        bytes: u32,
    },
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { line, found, wanted } => {
                write!(f, "line {line} reads {found:?} where it should read {wanted:?}")
            }
            Self::Instruction { line } => write!(f, "line {line} is not the instruction meant"),
            Self::Register { line } => write!(f, "line {line} names a register that it cannot"),
            Self::Tie { line } => write!(f, "line {line} has its result in another register"),
            Self::Missing => f.write_str("instructions are missing at the end"),
            Self::Below { line, bytes } => {
                write!(f, "line {line} touches {bytes} bytes below the stack pointer")
            }
            Self::Untouched { line, bytes } => {
                write!(f, "line {line} goes {bytes} bytes below what was touched of the stack")
            }
        }
    }
}

impl std::error::Error for Wrong {}

/// Which value each location holds; what is not there is unknown.
type Holds = HashMap<Location, Reg>;

/// Checks allocated code against the code it was made from.
///
/// # Errors
/// The first location where they differ.
pub fn check<T: Isa>(
    isa: T,
    code: &[Node<T::Inst>],
    params: &[Reg],
    abi: &Abi,
    registers: RegSet,
    result: &[Out<T::Inst>],
) -> Result<(), Wrong> {
    let listing = Listing::new(isa, code);
    let input: Vec<usize> =
        (0..listing.lines.len()).filter(|&at| matches!(listing.lines[at], Flat::Inst(_))).collect();
    let mut holds: Holds = abi
        .arguments
        .iter()
        .zip(params)
        .map(|(register, value)| (Location::Register(*register), *value))
        .collect();
    let checker = Checker { isa, listing: &listing, input: &input, registers, result };
    let mut next = 0;
    checker.lines(0, result.len(), &mut next, &mut holds)?;
    if next == input.len() { Ok(()) } else { Err(Wrong::Missing) }
}

/// Checks that a finished program touches nothing below the stack pointer but the convention's red zone:
/// a signal, or a handler of exceptions, would overwrite it. Nor does it go deeper at once than a page of
/// the convention.
///
/// # Errors
/// The first line that does.
pub fn check_stack<T: Isa>(program: &Program<T>, abi: &Abi) -> Result<(), Wrong> {
    // From the stack pointer up to what was touched. A call has touched the return address.
    let mut untouched = 0u32;
    for (line, found) in program.lines.iter().enumerate() {
        let Line::Inst(step) = found else { continue };
        let bytes = T::below_stack(step);
        if bytes > abi.red_zone {
            return Err(Wrong::Below { line, bytes });
        }
        let (lowered, touched) = T::lowers_stack(step);
        untouched = untouched.saturating_add(lowered);
        if abi.page.is_some_and(|page| untouched > page) {
            return Err(Wrong::Untouched { line, bytes: untouched });
        }
        untouched = untouched.min(touched.unwrap_or(u32::MAX));
    }
    Ok(())
}

struct Checker<'a, T: Isa> {
    isa: T,
    listing: &'a Listing<T::Inst>,
    /// The numbers of the input's instructions.
    input: &'a [usize],
    registers: RegSet,
    result: &'a [Out<T::Inst>],
}

impl<T: Isa> Checker<'_, T> {
    fn lines(
        &self,
        from: usize,
        to: usize,
        next: &mut usize,
        holds: &mut Holds,
    ) -> Result<(), Wrong> {
        let mut line = from;
        while line < to {
            match &self.result[line] {
                Out::Comment(_) => {}
                Out::Inst(inst, Some(origin)) => {
                    if self.input.get(*next) != Some(origin) {
                        return Err(Wrong::Instruction { line });
                    }
                    *next += 1;
                    self.inst(line, inst, *origin, holds)?;
                }
                Out::Inst(inst, None) => self.added(line, inst, holds)?,
                Out::Begin(..) => {
                    let end = self.end_of(line);
                    self.counted_loop(line, end, next, holds)?;
                    line = end;
                }
                Out::End(_) => return Err(Wrong::Instruction { line }),
            }
            line += 1;
        }
        Ok(())
    }

    fn end_of(&self, begin: usize) -> usize {
        let mut depth = 0;
        for (line, out) in self.result.iter().enumerate().skip(begin) {
            match out {
                Out::Begin(..) => depth += 1,
                Out::End(_) if depth == 1 => return line,
                Out::End(_) => depth -= 1,
                _ => {}
            }
        }
        self.result.len()
    }

    /// A copy, spill or reload moves whatever there is.
    fn added(&self, line: usize, inst: &T::Inst, holds: &mut Holds) -> Result<(), Wrong> {
        let location = |reg: Reg| match reg {
            Reg::Physical(register) if self.registers.contains(register) => {
                Ok(Location::Register(register))
            }
            _ => Err(Wrong::Register { line }),
        };
        let operands = self.isa.operands(inst);
        let (from, to) = match (&operands[..], self.isa.slot(inst)) {
            ([a, b], None) if *inst == self.isa.copy(b.reg, a.reg) => {
                (location(a.reg)?, location(b.reg)?)
            }
            ([a], Some(slot)) if *inst == self.isa.spill(slot, a.reg) => {
                (location(a.reg)?, Location::Slot(slot))
            }
            ([a], Some(slot)) if *inst == self.isa.reload(a.reg, slot) => {
                (Location::Slot(slot), location(a.reg)?)
            }
            _ => return Err(Wrong::Instruction { line }),
        };
        match holds.get(&from).copied() {
            Some(value) => holds.insert(to, value),
            None => holds.remove(&to),
        };
        Ok(())
    }

    fn inst(
        &self,
        line: usize,
        inst: &T::Inst,
        origin: usize,
        holds: &mut Holds,
    ) -> Result<(), Wrong> {
        let Flat::Inst(meant) = &self.listing.lines[origin] else {
            return Err(Wrong::Instruction { line });
        };
        let named: Vec<Reg> = self.isa.operands(inst).iter().map(|operand| operand.reg).collect();
        // The same instruction, or one with its sources exchanged, on other registers.
        let meant = std::iter::once(meant.clone())
            .chain(self.isa.exchanged(meant))
            .find(|meant| {
                self.isa.operands(meant).len() == named.len()
                    && self.isa.rename(meant, &named) == *inst
                    && self.wrong_read(line, meant, &named, holds).is_none()
            })
            .map_or_else(
                || {
                    let same = self.isa.operands(meant).len() == named.len()
                        && self.isa.rename(meant, &named) == *inst;
                    let read = self.wrong_read(line, meant, &named, holds);
                    Err(read.filter(|_| same).unwrap_or(Wrong::Instruction { line }))
                },
                Ok,
            )?;
        let operands = self.isa.operands(&meant);
        for (n, operand) in operands.iter().enumerate() {
            let Reg::Physical(register) = named[n] else {
                return Err(Wrong::Register { line });
            };
            if !operand.allowed.and(self.registers).contains(register) {
                return Err(Wrong::Register { line });
            }
            if operand.role == Role::Tied && named[n + 1] != named[n] {
                return Err(Wrong::Tie { line });
            }
        }
        for (operand, reg) in operands.iter().zip(&named) {
            if let (Role::Define, Reg::Physical(register)) = (operand.role, reg) {
                holds.retain(|_, value| *value != operand.reg);
                holds.insert(Location::Register(*register), operand.reg);
            }
        }
        Ok(())
    }

    fn wrong_read(
        &self,
        line: usize,
        meant: &T::Inst,
        named: &[Reg],
        holds: &Holds,
    ) -> Option<Wrong> {
        self.isa.operands(meant).iter().zip(named).find_map(|(operand, reg)| {
            let Reg::Physical(register) = reg else { return Some(Wrong::Register { line }) };
            let found = holds.get(&Location::Register(*register)).copied();
            let right = operand.role == Role::Define || found == Some(operand.reg);
            (!right).then_some(Wrong::Value { line, found, wanted: operand.reg })
        })
    }

    /// The body is walked until what is known at its start holds at its end as well.
    fn counted_loop(
        &self,
        begin: usize,
        end: usize,
        next: &mut usize,
        holds: &mut Holds,
    ) -> Result<(), Wrong> {
        let (Out::Begin(count, count_location, assigned), Some(Out::End(end_location))) =
            (&self.result[begin], self.result.get(end))
        else {
            return Err(Wrong::Instruction { line: begin });
        };
        let read = |line: usize, holds: &Holds, location: Location, wanted: Reg| {
            let found = holds.get(&location).copied();
            if found == Some(wanted) { Ok(()) } else { Err(Wrong::Value { line, found, wanted }) }
        };
        // The loop meant is the one around the input's next instruction.
        let meant = self.listing.lines.iter().find_map(|line| match line {
            Flat::Begin { count: c, carried, .. } if c == count => Some(carried),
            _ => None,
        });
        if meant
            .is_none_or(|carried| !carried.iter().eq(assigned.iter().map(|(carried, _)| carried)))
        {
            return Err(Wrong::Instruction { line: begin });
        }
        read(begin, holds, *count_location, *count)?;
        for (carried, location) in assigned {
            read(begin, holds, *location, carried.first)?;
        }
        // What goes around changes from one time to the next: only its assigned location has today's value.
        let around = |known: &mut Holds| {
            let changes = |value: &Reg| {
                value == count || assigned.iter().any(|(carried, _)| carried.inside == *value)
            };
            known.retain(|_, value| !changes(value));
            known.insert(*count_location, *count);
            known.extend(assigned.iter().map(|(carried, location)| (*location, carried.inside)));
        };
        around(holds);
        let first = *next;
        loop {
            let mut after = holds.clone();
            *next = first;
            self.lines(begin + 1, end, next, &mut after)?;
            if end_location != count_location {
                return Err(Wrong::Instruction { line: end });
            }
            read(end, &after, *end_location, *count)?;
            for (carried, location) in assigned {
                read(end, &after, *location, carried.next)?;
            }
            around(&mut after);
            let known = holds.len();
            holds.retain(|location, value| after.get(location) == Some(value));
            if holds.len() == known {
                break;
            }
        }
        holds.retain(|_, value| assigned.iter().all(|(carried, _)| carried.after != *value));
        holds.extend(assigned.iter().map(|(carried, location)| (*location, carried.after)));
        Ok(())
    }
}
