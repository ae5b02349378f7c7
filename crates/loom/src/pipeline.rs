//! From a kernel's description to a finished program: lower -> schedule -> allocate -> post-RA schedule
//! -> check -> finish, by compile options.

use serde::{Deserialize, Serialize};

use crate::allocate::{Budget, Wrong, allocate, check, post_ra_schedule};
use crate::ciphers::comment_at;
use crate::ir::{Kernel, Param, fold_steps, hoist, unroll};
use crate::isa::costs::Cpu;
use crate::isa::frame::Abi;
use crate::isa::lower::Lowered;
use crate::isa::program::{Allocated, Program};
use crate::isa::{Choices, Features, Isa};
use crate::record::{Record, description};
use crate::schedule::{Order, Perturbation, perturb, schedule};

/// Compile options: in which of the many ways that give the same results a kernel is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Whose costs order instructions.
    pub costs: &'static Cpu,
    /// Which extensions may be used.
    pub features: Features,
    /// Which instructions.
    pub choices: Choices,
    /// Loops of a constant count are written out if that gives at most so many operations.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unroll: u64,
    /// How many words that are only read, subkeys, stay in registers from block to block.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hoist: usize,
    /// The order of instructions; none: that of the description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// Instructions moved from there.
    #[serde(default, rename = "nudges", skip_serializing_if = "is_default")]
    pub perturbation: Perturbation,
}

/// Nothing is said of what is not done.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Options {
    /// The options of a kernel that nobody tuned, by the costs of a processor.
    #[must_use]
    pub fn untuned(costs: &'static Cpu, features: Features) -> Self {
        Self {
            costs,
            features,
            choices: Choices::default(),
            unroll: 0,
            hoist: 0,
            order: None,
            perturbation: Perturbation::default(),
        }
    }
}

/// A compiled kernel with all that was on the way to it.
#[derive(Clone, Debug)]
pub struct Compiled<T: Isa> {
    /// Its description, loops written out as the options say.
    pub kernel: Kernel,
    /// The ordered instructions on virtual registers.
    pub lowered: Lowered<T::Inst>,
    /// The same on the processor's registers.
    pub allocated: Allocated<T::Inst>,
    /// With entry, exit and labels.
    pub program: Program<T>,
    /// What callers and tests must know.
    pub record: Record,
}

/// Compiles a kernel.
///
/// # Errors
/// [`Wrong`] if the allocation checker finds the result wrong, which would be an error in allocation.
///
/// # Panics
/// If the kernel computes with what the instruction set has not.
pub fn compile<T: Isa>(
    kernel: &Kernel,
    abi: &'static Abi,
    options: &Options,
) -> Result<Compiled<T>, Wrong> {
    let isa = T::new(abi.target, options.features);
    let prepared = prepare::<T>(kernel, options);
    let mut lowered = isa.lower(&prepared, abi, &options.choices);
    if let Some(order) = &options.order {
        lowered.code = schedule(isa, &lowered.code, options.costs, order);
    }
    if options.perturbation != Perturbation::default() {
        lowered.code = perturb(isa, &lowered.code, &options.perturbation);
    }
    let in_order = options.costs.in_order();
    let budget = Budget { prefer_spilled_victims: in_order.is_some(), ..budget(isa, abi) };
    let mut allocated = allocate(isa, &lowered.code, &lowered.params, abi, budget);
    if let (Some(costs), Some(order)) = (in_order, &options.order) {
        post_ra_schedule(isa, &mut lowered.code, &mut allocated.lines, costs, order);
    }
    check(isa, &lowered.code, &lowered.params, abi, budget.registers, &allocated.lines)?;
    let program = isa.finish(&allocated, &lowered, abi, &prepared.params);
    let record = Record {
        name: kernel.name.clone(),
        doc: kernel.doc.clone(),
        abi,
        params: params(kernel, &lowered.aligns),
        features: options.features.names(),
        constant_time: kernel.is_constant_time(),
        table_bytes: kernel.table_bytes(),
        stack_bytes: program.stack,
        spills: !allocated.slots.is_empty(),
        written: allocated.written.or(program.scratch),
        description: description(kernel),
    };
    Ok(Compiled { kernel: prepared, lowered, allocated, program, record })
}

/// Compiles a kernel by each of several options, and takes the one that does fewest instructions, the
/// first of them.
///
/// # Errors
/// As [`compile`].
///
/// # Panics
/// As [`compile`], or if there are no options.
pub fn compile_shortest<T: Isa>(
    kernel: &Kernel,
    abi: &'static Abi,
    options: &[Options],
) -> Result<Compiled<T>, Wrong> {
    let mut best: Option<Compiled<T>> = None;
    for options in options {
        let next = compile(kernel, abi, options)?;
        if best.as_ref().is_none_or(|best| next.program.each < best.program.each) {
            best = Some(next);
        }
    }
    Ok(best.expect("options to compile by"))
}

/// The description with its loops as the options want them.
fn prepare<T: Isa>(kernel: &Kernel, options: &Options) -> Kernel {
    let written_out = match options.unroll {
        0 => kernel.clone(),
        most => unroll(kernel, most, &comment_at),
    };
    let folded = match options.unroll > 0 && T::FOLDS_STEPS {
        true => fold_steps(&written_out),
        false => written_out,
    };
    match options.hoist {
        0 => folded,
        most => hoist(&folded, most),
    }
}

/// What allocation may use.
#[must_use]
pub fn budget<T: Isa>(isa: T, abi: &Abi) -> Budget {
    let registers = isa.usable(abi);
    let words = registers.and(T::CLASSES[0].registers).len() - T::SPARE;
    Budget { registers, words, prefer_spilled_victims: false }
}

/// The parameters with what the processor asks of pointers, if it asks for anything.
fn params(kernel: &Kernel, aligns: &[u16]) -> Vec<Param> {
    let mut params = kernel.params.clone();
    for (param, &align) in params.iter_mut().zip(aligns) {
        param.align = param.align.max(align);
        if param.align > 1 {
            param.doc += &format!(", at a multiple of {} bytes", param.align);
        }
    }
    params
}
