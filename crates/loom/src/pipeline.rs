//! From a kernel's description to a finished program: lower -> schedule -> allocate -> post-RA schedule
//! -> check -> finish, by compile options.

use serde::{Deserialize, Serialize};

use crate::allocate::{Budget, Wrong, allocate, check, check_stack, post_ra_schedule};
use crate::ciphers::comment_at;
use crate::ir::{Kernel, Param, fold_steps, hoist, unroll};
use crate::isa::costs::Cpu;
use crate::isa::frame::Abi;
use crate::isa::lower::Lowered;
use crate::isa::program::{Allocated, Program};
use crate::isa::registry::{self, WithIsa};
use crate::isa::text::Listing;
use crate::isa::timing::{Cost, Flow, InOrderSums};
use crate::isa::{Choices, Features, Isa, Node};
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
    check_stack(&program, abi)?;
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

/// A compiled kernel, whatever its instruction set.
pub trait CompiledKernel {
    /// Its description, loops written out as the options say.
    fn kernel(&self) -> &Kernel;

    /// What callers and tests must know.
    fn record(&self) -> &Record;

    /// Gives it another name.
    fn rename(&mut self, name: String);

    /// Has it begin with a landing pad, where the target knows such.
    fn land(&mut self);

    /// With all that the target's formats want to know of it.
    ///
    /// # Panics
    /// If the target has no formats.
    fn listing(&self) -> Listing;

    /// Its machine code at an address, with its tables at another; see [`Isa::bytes`].
    ///
    /// # Errors
    /// If only an assembler makes it, or the tables are too far away.
    fn bytes(&self, places: Option<(u64, u64)>) -> Result<Vec<u8>, String>;

    /// Bytes of code.
    fn code_bytes(&self) -> usize;

    /// Instructions before allocation, those of loops once.
    fn lowered_instructions(&self) -> usize;

    /// Instructions of the program.
    fn instructions(&self) -> usize;

    /// Instructions done for each one of the count, where compile options are chosen by it.
    fn each(&self) -> Option<u64>;

    /// Lines of the program.
    fn lines(&self) -> usize;

    /// As [`Isa::flow`].
    fn flow(&self) -> Vec<(usize, Flow)>;

    /// As [`Isa::costs`].
    fn costs(&self) -> Vec<Option<Cost>>;

    /// As [`Isa::in_order`].
    fn in_order(&self) -> Option<Box<dyn InOrderSums>>;
}

impl<T: Isa> CompiledKernel for Compiled<T> {
    fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    fn record(&self) -> &Record {
        &self.record
    }

    fn rename(&mut self, name: String) {
        self.record.name = name;
    }

    fn land(&mut self) {
        T::land(&mut self.program);
    }

    fn listing(&self) -> Listing {
        T::listing(&self.program, &self.kernel, self.record.abi)
    }

    fn bytes(&self, places: Option<(u64, u64)>) -> Result<Vec<u8>, String> {
        T::bytes(&self.program, places)
    }

    fn code_bytes(&self) -> usize {
        T::code_bytes(&self.program)
    }

    fn lowered_instructions(&self) -> usize {
        Node::instructions(&self.lowered.code)
    }

    fn instructions(&self) -> usize {
        self.program.instructions()
    }

    fn each(&self) -> Option<u64> {
        self.program.each
    }

    fn lines(&self) -> usize {
        self.program.lines.len()
    }

    fn flow(&self) -> Vec<(usize, Flow)> {
        T::flow(&self.program)
    }

    fn costs(&self) -> Vec<Option<Cost>> {
        T::costs(&self.program)
    }

    fn in_order(&self) -> Option<Box<dyn InOrderSums>> {
        T::in_order(&self.program)
    }
}

/// Compiles a kernel for the target of a calling convention.
///
/// # Errors
/// As [`compile`].
///
/// # Panics
/// As [`compile`].
pub fn compile_for(
    kernel: &Kernel,
    abi: &'static Abi,
    options: &Options,
) -> Result<Box<dyn CompiledKernel>, Wrong> {
    struct Compile<'a>(&'a Kernel, &'static Abi, &'a Options);
    impl WithIsa for Compile<'_> {
        type Out = Result<Box<dyn CompiledKernel>, Wrong>;

        fn with<T: Isa>(self) -> Self::Out {
            Ok(Box::new(compile::<T>(self.0, self.1, self.2)?))
        }
    }
    registry::with(abi.target, Compile(kernel, abi, options))
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
