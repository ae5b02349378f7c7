//! All steps from a kernel's description to its instructions, as a plan says.

use super::{GENERAL, Hppa, Inst, Lowered, Program, lower, program};
use crate::allocate::{Allocated, Budget, Wrong, allocate, check};
use crate::ciphers::des::Permute;
use crate::ciphers::rc4::{Entry, Task};
use crate::ciphers::{self, Strategy};
use crate::ir::{Kernel, Param, hoist, unroll};
use crate::isa::costs::Cpu;
use crate::isa::frame::Abi;
use crate::record::{Record, description};
use crate::schedule::{Order, schedule};

/// In which of the many ways that give the same results a kernel is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Whose costs order instructions.
    pub cpu: &'static Cpu,
    /// How many operations a repetition of a constant count may be written out to.
    pub unroll: u64,
    /// How many words that are only read, subkeys, stay in registers from block to block.
    pub hoist: usize,
    /// Their order; none: that of the description.
    pub order: Option<Order>,
}

impl Plan {
    /// The plan for a processor: all rounds of a pass over one block written out.
    #[must_use]
    pub fn untuned(cpu: &'static Cpu) -> Self {
        Self { cpu, unroll: 500, hoist: 4, order: Some(Order::default()) }
    }
}

/// A finished kernel with all that was on the way to it.
#[derive(Clone, Debug)]
pub struct Made {
    /// Its description, repetitions written out.
    pub kernel: Kernel,
    /// The ordered instructions on virtual registers.
    pub lowered: Lowered,
    /// The same on the processor's registers.
    pub allocated: Allocated<Inst>,
    /// With entry, exit and labels.
    pub program: Program,
    /// What callers and tests must know.
    pub record: Record,
}

/// Makes a kernel.
///
/// # Errors
/// [`Wrong`] if the allocation checker finds the result wrong, which would be an error in
/// allocation.
///
/// # Panics
/// If the kernel has vectors, or moves bits under masks.
pub fn make(kernel: &Kernel, abi: &'static Abi, plan: &Plan) -> Result<Made, Wrong> {
    let unrolled = unroll(kernel, plan.unroll, &ciphers::remark_at);
    let unrolled = hoist(&unrolled, plan.hoist);
    let mut lowered = lower(&unrolled, abi);
    if let Some(order) = &plan.order {
        lowered.code = schedule::<Hppa>(&lowered.code, plan.cpu, order);
    }
    let budget = Budget { registers: GENERAL, homes: GENERAL.iter().count() - 2, thrifty: false };
    let allocated = allocate::<Hppa>(&lowered.code, &lowered.params, abi, budget);
    check::<Hppa>(&lowered.code, &lowered.params, abi, GENERAL, &allocated.lines)?;
    let program = program(&allocated, &lowered.times, abi);
    let record = Record {
        name: kernel.name.clone(),
        doc: kernel.doc.clone(),
        abi,
        params: params(kernel, &lowered),
        features: Vec::new(),
        constant_time: kernel.is_constant_time(),
        table_bytes: kernel.table_bytes(),
        stack_bytes: program.stack,
        spills: !allocated.slots.is_empty(),
        written: allocated.written.or(program.scratch()),
        description: description(kernel),
    };
    Ok(Made { kernel: unrolled, lowered, allocated, program, record })
}

/// The parameters with what the processor asks of pointers.
fn params(kernel: &Kernel, lowered: &Lowered) -> Vec<Param> {
    let aligned = |(param, &align): (&Param, &u16)| {
        let align = param.align.max(align);
        let doc = match align {
            1 => param.doc.clone(),
            _ => format!("{}, at a multiple of {align} bytes", param.doc),
        };
        Param { align, doc, ..param.clone() }
    };
    kernel.params.iter().zip(&lowered.aligns).map(aligned).collect()
}

/// Makes a kernel in several ways, and takes the one that takes fewest instructions, the first of
/// them: how far ahead an instruction goes, and how many subkeys stay in registers, decides what else
/// has room there.
///
/// # Errors
/// As [`make`].
///
/// # Panics
/// As [`make`].
pub fn make_shortest(kernel: &Kernel, abi: &'static Abi, cpu: &'static Cpu) -> Result<Made, Wrong> {
    const WAYS: [(usize, u16); 6] = [(0, 24), (3, 16), (4, 8), (5, 8), (5, 16), (8, 8)];
    let mut best: Option<Made> = None;
    for (hoist, window) in WAYS {
        let order = Some(Order { window, ..Order::default() });
        let made = make(kernel, abi, &Plan { order, hoist, ..Plan::untuned(cpu) })?;
        if best.as_ref().is_none_or(|best| made.program.each < best.program.each) {
            best = Some(made);
        }
    }
    Ok(best.expect("there is at least one window"))
}

/// Whether a strategy can be made.
///
/// # Errors
/// Why not, in a few words.
pub fn is_for(strategy: &Strategy) -> Result<(), &'static str> {
    match strategy {
        Strategy::Bitslice(_) => Err("has vectors, which PA-RISC has not"),
        Strategy::Des(variant) if variant.layout.is_in_registers() => {
            Err("looks up inside vectors, which PA-RISC has not")
        }
        Strategy::Des(variant) if variant.permute == Permute::Moves => {
            Err("moves bits under masks, for which PA-RISC has no instruction")
        }
        Strategy::Des(variant) if variant.permute == Permute::Matrices => {
            Err("has products with matrices of bits, for which PA-RISC has no instruction")
        }
        Strategy::Rc4(variant)
            if variant.entry != Entry::Byte && matches!(variant.task, Task::Setup(_)) =>
        {
            Err(
                "stores two entries at once, lowest byte first, which PA-RISC's order of bytes is not",
            )
        }
        Strategy::Libdes(_) => Err("libdes' functions were assembly for x86"),
        Strategy::Des(_) | Strategy::Rc4(_) => Ok(()),
    }
}
