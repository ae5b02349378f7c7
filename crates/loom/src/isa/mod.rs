//! Instruction sets: instructions, how the IR becomes them, calling conventions, costs.
//!
//! What is common to all of them stands here; everything else about an instruction set is in its own
//! folder. It uses the IR, and nothing of the steps that come after it.
//!
//! | file | subject |
//! |---|---|
//! | `registers.rs` | registers, their classes, slots; operands |
//! | `node.rs` | code on virtual registers |
//! | `frame.rs` | calling conventions |
//! | `effect.rs` | what an instruction does to memory |
//! | `program.rs` | allocated code, finished programs |
//! | `features.rs` | extensions that an instruction set may have |
//! | `lower.rs`, `def_use.rs` | what all lowerings share; def-use analysis of a description |
//! | `choices.rs` | what lowering may do in several ways |
//! | `costs/` | what a processor's costs are, out of order and in order |
//! | `timing.rs` | what finished instructions read, write and cost |
//! | `leak.rs` | what machine code tells of secrets by its time |
//! | `probe.rs` | instructions to be timed, as data |
//! | `text/` | what dialects of assemblers print |
//! | `eh_frame.rs` | unwind information of ELF files |
//! | `target.rs`, `registry.rs` | a target as data, and which there are |

pub mod aarch64;
mod choices;
pub mod costs;
mod def_use;
mod effect;
mod eh_frame;
mod features;
pub mod frame;
pub mod hppa;
pub mod leak;
pub mod lower;
mod node;
pub mod probe;
pub mod program;
mod registers;
pub mod registry;
mod target;
pub mod text;
pub mod timing;
#[cfg(test)]
pub mod toy;
pub mod x86;

pub use choices::{Choices, Extract, Sums, Way};
pub use effect::{Effect, Span};
pub use features::{Feature, Features};
pub use node::{Loop, LoopCarried, Node};
pub use registers::{Operand, Reg, RegClass, RegSet, Role, Slot, Slots};
pub use target::{Landing, Model, Target, Usual};

use std::fmt::Debug;

use crate::ir::{Kernel, Param};
use costs::{Class, IssueClass};
use frame::Abi;
use lower::Lowered;
use probe::Probes;
use program::{Allocated, Program};
use text::Listing;
use timing::{Cost, Flow, InOrderSums};

/// An instruction set with certain features, as the steps from lowering to the finished program see it.
pub trait Isa: Copy + Debug + Sized + 'static {
    /// An instruction before and after allocation.
    type Inst: Clone + Debug + PartialEq;

    /// An instruction of a finished program.
    type Step: Clone + Debug;

    /// The classes of registers; the first one holds words.
    const CLASSES: &'static [RegClass];

    /// How many words a loop must leave to its body, whatever it keeps in registers.
    const SPARE: usize = 0;

    /// Whether steps of pointers become displacements before lowering where loops are written out;
    /// otherwise lowering has a better use for them.
    const FOLDS_STEPS: bool = true;

    /// Whether the registers in which loops carry values are left to these while others are idle, so that a
    /// loop ends without copies.
    const LOOPS_IN_PLACE: bool = false;

    /// The instruction set for one of its targets, with certain features.
    fn new(target: &'static Target, features: Features) -> Self;

    /// The registers that a kernel may use by a calling convention.
    fn usable(&self, abi: &Abi) -> RegSet;

    /// Instructions on virtual registers that do what a description says.
    ///
    /// # Panics
    /// If the description computes with what the instruction set has not: kernel variants ask for none
    /// such.
    fn lower(&self, kernel: &Kernel, abi: &Abi, choices: &Choices) -> Lowered<Self::Inst>;

    /// A whole function: entry, exit, loops.
    ///
    /// # Panics
    /// If the code still has virtual registers, which allocation rules out.
    fn finish(
        &self,
        allocated: &Allocated<Self::Inst>,
        lowered: &Lowered<Self::Inst>,
        abi: &Abi,
        params: &[Param],
    ) -> Program<Self>;

    /// Visits the register operands of an instruction, in an order of its own that is always the same; a
    /// [`Role::Tied`] one comes right before the result that lies over it.
    fn visit(&self, inst: &mut Self::Inst, visit: &mut dyn FnMut(&mut Reg, Role, RegSet));

    /// The same instruction with its sources in other orders, as far as the result is the same.
    fn exchanged(&self, _inst: &Self::Inst) -> Vec<Self::Inst> {
        Vec::new()
    }

    /// What it does to memory.
    fn effect(&self, inst: &Self::Inst) -> Effect;

    /// What it costs: its scheduling class, and whether a load comes before it.
    fn cost(&self, inst: &Self::Inst) -> (Class, bool);

    /// Its issue class, for processors that do instructions in order; none if there are none such.
    fn issue(&self, _inst: &Self::Inst) -> Option<IssueClass> {
        None
    }

    /// A register operand that costs less in some of the registers it can be in, and these; the others do
    /// as well for the result.
    fn prefers(&self, _inst: &Self::Inst) -> Option<(Reg, RegSet)> {
        None
    }

    /// The registers that it makes an address of.
    fn addresses(&self, _inst: &Self::Inst) -> Vec<Reg> {
        Vec::new()
    }

    /// Whether it writes part of a register.
    fn writes_part(&self, _inst: &Self::Inst) -> bool {
        false
    }

    /// A copy of a register.
    fn copy(&self, to: Reg, from: Reg) -> Self::Inst;

    /// A register to a spill slot of its class.
    fn spill(&self, slot: Slot, from: Reg) -> Self::Inst;

    /// A spill slot to a register.
    fn reload(&self, to: Reg, slot: Slot) -> Self::Inst;

    /// The slot of a spill or reload.
    fn slot(&self, inst: &Self::Inst) -> Option<Slot>;

    /// How far below the stack pointer an instruction of a program reads or writes, in bytes.
    fn below_stack(_: &Self::Step) -> u32 {
        0
    }

    /// By how many bytes an instruction of a program lowers the stack pointer, and how far above it, as it is
    /// then, the instruction reads or writes.
    fn lowers_stack(_: &Self::Step) -> (u32, Option<u32>) {
        (0, None)
    }

    /// The lines of a program that matter to who follows a call, in the order in which they are done if no
    /// branch is taken.
    fn flow(program: &Program<Self>) -> Vec<(usize, Flow)>;

    /// What the lines of a program read, write and cost; none for those that are no instructions.
    fn costs(program: &Program<Self>) -> Vec<Option<Cost>>;

    /// Bytes of code.
    fn code_bytes(program: &Program<Self>) -> usize;

    /// The bytes of a program at an address, with its tables at another; without addresses, those that
    /// it has before they are known.
    ///
    /// # Errors
    /// If the tables are too far away, or only an assembler makes the bytes.
    fn bytes(_: &Program<Self>, _places: Option<(u64, u64)>) -> Result<Vec<u8>, String> {
        Err("its bytes are an assembler's".to_owned())
    }

    /// Has a program begin with a landing pad, where indirect calls may lead; without an effect on
    /// targets whose [`landing`](Target::landing) says why there is none.
    fn land(_: &mut Program<Self>) {}

    /// A program with all that the target's formats want to know of it.
    ///
    /// # Panics
    /// If the target has no formats.
    fn listing(_program: &Program<Self>, _kernel: &Kernel, abi: &Abi) -> Listing {
        panic!("{} has formats, but no listings", abi.target)
    }

    /// Sums for processors that do instructions in order; none if there are none such.
    ///
    /// # Panics
    /// If the program has instructions that none of them has.
    fn in_order(_program: &Program<Self>) -> Option<Box<dyn InOrderSums>> {
        None
    }

    /// What `loom calibrate` measures of it; none if it measures nothing.
    fn probes() -> Option<Probes<Self::Inst>> {
        None
    }

    /// The register operands of an instruction, in the order of [`visit`](Self::visit).
    fn operands(&self, inst: &Self::Inst) -> Vec<Operand> {
        let mut operands = Vec::with_capacity(4);
        self.visit(&mut inst.clone(), &mut |reg, role, allowed| {
            operands.push(Operand { reg: *reg, role, allowed });
        });
        operands
    }

    /// The same instruction on other registers, in the order of [`visit`](Self::visit).
    ///
    /// # Panics
    /// If there are fewer registers than operands.
    fn rename(&self, inst: &Self::Inst, registers: &[Reg]) -> Self::Inst {
        let mut renamed = inst.clone();
        let mut rest = registers.iter();
        self.visit(&mut renamed, &mut |reg, _, _| {
            *reg = *rest.next().expect("a register for every operand");
        });
        renamed
    }

    /// The class of a register, by its number in [`CLASSES`](Self::CLASSES).
    ///
    /// # Panics
    /// If it is in none.
    fn class(&self, register: u8) -> u8 {
        let class = Self::CLASSES.iter().position(|class| class.registers.contains(register));
        class.expect("a register that holds values") as u8
    }
}
