//! A machine: its state, and how it runs from branch to branch. What instructions do is in `x86/`.

mod convention;
mod x86;

use crate::Result;
use crate::domain::Domain;
use crate::image::Image;
use crate::memory::{Memory, RETURN, STACK, Value};
use iced_x86::Instruction;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

pub use x86::{Execute, form};

/// General registers, by number.
pub const RSP: usize = 4;
/// Bits of a vector register.
pub const VECTOR: usize = 512;

/// What the zero flag says. No other flag is read by a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flag<C> {
    /// Nothing is known of it.
    Unknown,
    /// It is this.
    Zero(bool),
    /// It is set where the count of groups is so many.
    Count(i64),
    /// It is set where this cell is zero.
    Cell(C),
}

/// All that a kernel may see and change.
pub struct State<D: Domain> {
    /// General registers, by number.
    pub registers: Vec<Value<D::Cell>>,
    /// Vector registers; empty ones where cells are not bits.
    pub vectors: Vec<Rc<Vec<D::Cell>>>,
    /// The zero flag.
    pub flag: Flag<D::Cell>,
    /// Memory.
    pub memory: Memory<D::Cell>,
    /// The address of the next instruction.
    pub next: u64,
    /// Whether a vector of more than 128 bits was written since the last `vzeroupper`.
    pub wide: bool,
}

impl<D: Domain> Clone for State<D> {
    fn clone(&self) -> Self {
        Self {
            registers: self.registers.clone(),
            vectors: self.vectors.clone(),
            flag: self.flag.clone(),
            memory: self.memory.clone(),
            next: self.next,
            wide: self.wide,
        }
    }
}

/// Why a machine stopped.
pub enum Stop {
    /// The kernel returned.
    Return,
    /// Where the count less `behind` is zero, it goes on at `zero`, else at `more`.
    Branch {
        /// How many groups are done.
        behind: i64,
        /// Where it goes on if the count is that.
        zero: u64,
        /// Where it goes on if it is more.
        more: u64,
    },
    /// It is at one of the addresses that were asked for.
    Reached,
}

/// What of a kernel's run tells of secrets by its time.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Leaks {
    /// Addresses that depend on cells.
    pub addresses: u64,
    /// Branches that depend on cells.
    pub branches: u64,
    /// Instructions whose time depends on their operands.
    pub instructions: u64,
}

/// A machine that runs one kernel.
pub struct Machine<'a, D: Domain> {
    /// What it computes with.
    pub domain: D,
    image: &'a Image,
    /// The addresses of the kernel's code.
    pub code: Range<u64>,
    decoded: FxHashMap<u64, Instruction>,
    covered: &'a BTreeSet<String>,
    /// Instructions done, and how many may be.
    pub steps: u64,
    limit: u64,
    /// What its time tells.
    pub leaks: Leaks,
    /// The bytes of a slice, where each instruction must do the same in all lanes.
    pub slice: Option<i64>,
    /// Where slices on the stack begin, modulo their size.
    phase: Option<i64>,
    /// Where on the stack general registers have put numbers.
    numbers: Vec<i64>,
}

/// How deep rare ways may begin in rare ways.
const NESTED: usize = 2;

impl<'a, D: Execute> Machine<'a, D> {
    /// A machine for the kernel at these addresses, with instructions of these forms.
    pub fn new(image: &'a Image, code: Range<u64>, covered: &'a BTreeSet<String>) -> Self {
        Self {
            domain: D::default(),
            image,
            code,
            decoded: FxHashMap::default(),
            covered,
            steps: 0,
            limit: 100_000,
            leaks: Leaks::default(),
            slice: None,
            phase: None,
            numbers: Vec::new(),
        }
    }

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
            if self.steps > self.limit {
                return Err("too many instructions".into());
            }
            let at = state.next - self.code.start;
            let stop = self.step(state, &instruction, depth);
            let stop = stop.map_err(|error| format!("at {at:#x}, `{instruction}`: {error}"))?;
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

    /// Where a jump to `target` if the zero flag is `wanted` leads.
    fn branch(
        &mut self,
        state: &mut State<D>,
        wanted: bool,
        target: u64,
        depth: usize,
    ) -> Result<Option<Stop>> {
        let next = state.next;
        match state.flag.clone() {
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

impl<D: Domain> State<D> {
    /// The offset of the stack pointer in its region.
    ///
    /// # Errors
    /// If it is no longer known.
    pub fn stack_pointer(&self) -> Result<i64> {
        match self.registers[RSP] {
            Value::Pointer(STACK, offset) if offset <= RETURN => Ok(offset),
            _ => Err("rsp is lost".into()),
        }
    }
}
