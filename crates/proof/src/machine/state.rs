//! What a machine is made of.

use super::instruction::Instruction;
use super::unwind::Frames;
use crate::Result;
use crate::domain::Domain;
use crate::image::Image;
use crate::isa::Convention;
use crate::memory::{Memory, RETURN, STACK, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

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
#[derive(Clone)]
pub struct State<D: Domain> {
    /// What it must leave.
    pub convention: &'static Convention,
    /// General registers, by number.
    pub registers: Vec<Value<D::Cell>>,
    /// Vector registers, and behind them masks of bytes, as vectors.
    pub vectors: Vec<Rc<Vec<D::Cell>>>,
    /// What the caller had in vectors that a kernel must leave.
    pub callers: Rc<Vec<Vec<D::Cell>>>,
    /// The zero flag.
    pub flag: Flag<D::Cell>,
    /// Memory.
    pub memory: Memory<D::Cell>,
    /// The address of the next instruction.
    pub next: u64,
    /// Whether a vector of more than 128 bits was written since the last `vzeroupper`; in real mode, whether more than
    /// `sp` may be in `esp`.
    pub wide: bool,
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
    pub(super) image: &'a Image,
    /// The addresses of the kernel's code.
    pub code: Range<u64>,
    pub(super) decoded: FxHashMap<u64, Instruction>,
    pub(super) covered: &'a BTreeSet<String>,
    /// Instructions done.
    pub(super) steps: u64,
    /// What its time tells.
    pub leaks: Leaks,
    /// Where the caller's things are at each instruction.
    pub frames: Frames,
    /// The bytes of a slice, where each instruction must do the same in all lanes.
    pub slice: Option<i64>,
    /// Where slices on the stack begin, modulo their size.
    pub(super) phase: Option<i64>,
    /// Where on the stack general registers have put numbers.
    pub(super) numbers: Vec<i64>,
}

impl<'a, D: Domain> Machine<'a, D> {
    /// A machine for the kernel at these addresses, with instructions of these forms.
    pub fn new(image: &'a Image, code: Range<u64>, covered: &'a BTreeSet<String>) -> Self {
        Self {
            domain: D::default(),
            image,
            code,
            decoded: FxHashMap::default(),
            covered,
            steps: 0,
            leaks: Leaks::default(),
            frames: Frames::new(),
            slice: None,
            phase: None,
            numbers: Vec::new(),
        }
    }
}

impl<D: Domain> State<D> {
    /// The offset of the stack pointer in its region.
    ///
    /// # Errors
    /// If it is no longer known.
    pub fn stack_pointer(&self) -> Result<i64> {
        let &Convention { stack_pointer, stack_name, stack, .. } = self.convention;
        match self.registers[stack_pointer] {
            Value::Pointer(STACK, at) if (RETURN - stack..=RETURN).contains(&at) => Ok(at),
            _ => Err(format!("{stack_name} is lost, or deeper in stack than {stack} bytes")),
        }
    }
}
