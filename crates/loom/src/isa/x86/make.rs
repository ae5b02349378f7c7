//! All steps from a kernel's description to its instructions, as a plan says.

use serde::{Deserialize, Serialize};

use super::{
    Choices, Features, GENERAL, Inst, Lowered, Mode, Program, X86_16, X86_32, X86_64, lower,
    program,
};
use crate::allocate::{Allocated, Budget, Wrong, allocate, check, settle};
use crate::ciphers::remark_at;
use crate::ir::{Kernel, fold_steps, unroll};
use crate::isa::costs::Cpu;
use crate::isa::frame::Abi;
use crate::isa::{Isa, RegSet};
use crate::record::{Record, description};
use crate::schedule::{Nudges, Order, nudge, schedule};

/// In which of the many ways that give the same results a kernel is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Whose costs order instructions.
    #[serde(rename = "costs")]
    pub cpu: &'static Cpu,
    /// Which extensions may be used.
    pub features: Features,
    /// Which instructions.
    pub choices: Choices,
    /// Repetitions of a constant count are written out if that gives at most so many operations.
    #[serde(default, skip_serializing_if = "is_none")]
    pub unroll: u64,
    /// Their order; none: that of the description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// Instructions moved from there.
    #[serde(default, skip_serializing_if = "Nudges::is_empty")]
    pub nudges: Nudges,
}

/// Nothing is said of what is not done.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants it")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

impl Plan {
    /// The plan of a kernel that nobody tuned.
    #[must_use]
    pub fn untuned(features: Features) -> Self {
        let cpu = super::costs::GENERIC;
        Self {
            cpu,
            features,
            choices: Choices::default(),
            unroll: 0,
            order: None,
            nudges: Nudges::default(),
        }
    }
}

/// A finished kernel with all that was on the way to it.
#[derive(Clone, Debug)]
pub struct Made {
    /// Its description.
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

/// The registers that a kernel may use: all but the stack pointer, and vectors that the caller
/// wants back (Windows' `xmm6` to `xmm15`).
#[must_use]
pub const fn usable(abi: &Abi, features: Features) -> RegSet {
    let all = Mode::of(abi.architecture).registers(features);
    // A saved register for words can be pushed, one for vectors is left alone.
    all.without(abi.saved.without(GENERAL))
}

/// What allocation may use.
#[must_use]
pub fn budget(abi: &Abi, features: Features) -> Budget {
    let registers = usable(abi, features);
    Budget { registers, homes: registers.and(GENERAL).iter().count(), thrifty: false }
}

/// Makes a kernel.
///
/// # Errors
/// [`Wrong`] if the allocation checker finds the result wrong, which would be an error in
/// allocation.
pub fn make(kernel: &Kernel, abi: &'static Abi, plan: &Plan) -> Result<Made, Wrong> {
    match Mode::of(abi.architecture) {
        Mode::Real => make_in::<X86_16>(kernel, abi, plan),
        Mode::Bits32 => make_in::<X86_32>(kernel, abi, plan),
        Mode::Bits64 => make_in::<X86_64>(kernel, abi, plan),
    }
}

fn make_in<T: Isa<Inst = Inst>>(
    kernel: &Kernel,
    abi: &'static Abi,
    plan: &Plan,
) -> Result<Made, Wrong> {
    let kernel = &match plan.unroll {
        0 => kernel.clone(),
        most => fold_steps(&unroll(kernel, most, &remark_at)),
    };
    let mut lowered = lower(kernel, abi, plan.features, &plan.choices);
    if let Some(order) = &plan.order {
        lowered.code = schedule::<T>(&lowered.code, plan.cpu, order);
    }
    if !plan.nudges.is_empty() {
        lowered.code = nudge::<T>(&lowered.code, &plan.nudges);
    }
    let thrifty = plan.cpu.in_order().is_some();
    let budget = Budget { thrifty, ..budget(abi, plan.features) };
    let mut allocated = allocate::<T>(&lowered.code, &lowered.params, abi, budget);
    if let (Some(costs), Some(order)) = (plan.cpu.in_order(), &plan.order) {
        settle::<T>(&mut lowered.code, &mut allocated.lines, costs, order);
    }
    check::<T>(&lowered.code, &lowered.params, abi, budget.registers, &allocated.lines)?;
    let program = program(&allocated, abi, &kernel.params);
    let record = Record {
        name: kernel.name.clone(),
        doc: kernel.doc.clone(),
        abi,
        params: kernel.params.clone(),
        features: plan.features.names(),
        constant_time: kernel.is_constant_time(),
        table_bytes: kernel.table_bytes(),
        stack_bytes: program.stack,
        spills: !allocated.slots.is_empty(),
        written: allocated.written,
        description: description(kernel),
    };
    Ok(Made { kernel: kernel.clone(), lowered, allocated, program, record })
}
