//! How a machine runs from branch to branch.

use super::instruction::Instruction;
use super::state::{Flag, Machine, State, Stop};
use super::unwind::Frame;
use crate::Result;
use crate::domain::Domain;
use crate::memory::Value;

/// How many instructions it may do.
const LIMIT: u64 = 100_000;
/// How deep rare ways may begin in rare ways.
const NESTED: usize = 2;

impl<D: Domain> Machine<'_, D> {
    /// Runs to a branch on the count, to one of `until`, or to the return.
    ///
    /// # Errors
    /// If the kernel does something that is not allowed, or that the prover does not know.
    pub fn run(&mut self, state: &mut State<D>, until: &[u64]) -> Result<Stop> {
        self.run_nested(state, until, 0)
    }

    fn run_nested(&mut self, state: &mut State<D>, until: &[u64], depth: usize) -> Result<Stop> {
        loop {
            let instruction = self.fetch(state.next)?;
            self.steps += 1;
            if self.steps > LIMIT || self.domain.is_lost() {
                return Err("too many instructions, or sums that grow without end".into());
            }
            let at = state.next - self.code.start;
            let mut frame = Frame::of(state)?;
            if let Some(before) = self.frames.get(&state.next) {
                frame =
                    frame.common(before).ok_or("two ways lead here with another stack pointer")?;
            }
            self.frames.insert(state.next, frame);
            let stop = self
                .step(state, &instruction, depth)
                .map_err(|error| format!("at {at:#x}, `{instruction}`: {error}"))?;
            if let Some(stop) = stop {
                return Ok(stop);
            }
            if until.contains(&state.next) {
                return Ok(Stop::Reached);
            }
        }
    }

    /// Does the one instruction at `state.next`, for co-simulation.
    ///
    /// # Errors
    /// As of [`run`](Self::run).
    pub fn run_one(&mut self, state: &mut State<D>) -> Result<()> {
        let instruction = self.fetch(state.next)?;
        self.step(state, &instruction, 0).map(|_| ())
    }

    /// Does one instruction.
    fn step(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
        depth: usize,
    ) -> Result<Option<Stop>> {
        match i {
            Instruction::X86(i) => self.step_x86(state, i, depth),
            Instruction::AArch64(i) => self.step_aarch64(state, i, depth),
            Instruction::Hppa(i) => self.step_hppa(state, i, depth),
        }
    }

    /// Where a jump to `target` leads if a flag, which says whether something is zero, is `wanted`.
    pub(super) fn branch(
        &mut self,
        state: &mut State<D>,
        flag: &Flag<D::Cell>,
        wanted: bool,
        target: u64,
        depth: usize,
    ) -> Result<Option<Stop>> {
        let next = state.next;
        match *flag {
            Flag::Unknown => return Err("a branch on what is not known".into()),
            Flag::Zero(zero) => state.next = if zero == wanted { target } else { next },
            Flag::Count(behind) => {
                let (zero, more) = if wanted { (target, next) } else { (next, target) };
                return Ok(Some(Stop::Branch { behind, zero, more }));
            }
            Flag::Cell(cell) => {
                // A rare way, which comes back to behind the branch.
                if !wanted || depth >= NESTED {
                    return Err("a branch on a cell".into());
                }
                self.leaks.branches += 1;
                let mut rare = state.clone();
                rare.next = target;
                let Stop::Reached = self.run_nested(&mut rare, &[next], depth + 1)? else {
                    return Err("a rare way that does not come back".into());
                };
                self.join(state, &rare, cell)?;
            }
        }
        Ok(None)
    }

    /// Makes of a state what it is if another was reached where `zero` is zero.
    fn join(&mut self, state: &mut State<D>, rare: &State<D>, zero: D::Cell) -> Result<()> {
        let values = state.registers.iter_mut().zip(&rare.registers);
        for (value, other) in values.filter(|(value, other)| value != other) {
            *value = match (&*value, other) {
                (Value::Cells(cells), Value::Cells(others)) => {
                    let pairs = cells.iter().zip(others.iter());
                    Value::Cells(pairs.map(|(&x, &y)| self.domain.select(zero, y, x)).collect())
                }
                _ => Value::Unknown,
            };
        }
        for (region, other) in state.memory.regions.iter().zip(&rare.memory.regions) {
            let same = region.cells == other.cells && region.values == other.values;
            if !same || region.arrays != other.arrays {
                return Err(format!("a rare way changes {}", region.name));
            }
        }
        if state.vectors != rare.vectors || state.wide != rare.wide {
            return Err("a rare way changes vectors".into());
        }
        state.flag = Flag::Unknown;
        Ok(())
    }
}
