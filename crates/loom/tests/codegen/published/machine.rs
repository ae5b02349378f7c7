//! Kernels as machine code, called here with blocks, keys and streams.
#![allow(unsafe_code, reason = "calls the kernels")]

use loom::exec::{CallBuffers, Jit, Processor};
use loom::ir::Memory;
use loom::isa::frame::Abi;
use loom::isa::x86::X86_32;
use loom::tune::{GENERIC, Store};
use loom::variant::KernelVariant;

/// A kernel as `loom emit` makes it, in memory.
pub(crate) struct Machine {
    pub(crate) variant: KernelVariant,
    jit: Jit,
    /// Whether each parameter is a pointer.
    pointers: Vec<bool>,
}

/// An argument.
pub(crate) enum Argument<'a> {
    /// A number.
    Word(usize),
    /// Memory that is read and written.
    Memory(&'a mut Vec<u8>),
}

impl Machine {
    fn new(variant: KernelVariant) -> Self {
        let store = Store::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tuned"));
        let abi = Abi::usual(variant.target);
        let tuned = store.load(&variant, abi, GENERIC).expect("a tuned file that can be read");
        let plan = tuned.map_or_else(|| variant.untuned(), |tuned| tuned.plan);
        let made = variant.make(abi, &plan);
        let made = made.unwrap_or_else(|wrong| panic!("{variant}: {wrong}"));
        let jit = Jit::new(&*made).expect("memory to execute");
        let pointers = made.record().params.iter().map(|param| param.memory.is_some()).collect();
        Self { variant, jit, pointers }
    }

    /// Calls it so many times.
    ///
    /// # Panics
    /// If arguments are not of the kinds that the parameters have. (That regions are as large as the
    /// kernel's record says is what callers here see to.)
    pub(crate) fn call<const N: usize>(&self, mut arguments: [Argument<'_>; N], times: usize) {
        let is_pointer = |argument: &Argument<'_>| matches!(argument, Argument::Memory(_));
        assert!(arguments.iter().map(is_pointer).eq(self.pointers.iter().copied()));
        let regions: Vec<Memory> = arguments
            .iter_mut()
            .filter_map(|argument| match argument {
                Argument::Memory(bytes) => Some(Memory { bytes: std::mem::take(*bytes) }),
                Argument::Word(_) => None,
            })
            .collect();
        let mut buffers = CallBuffers::of(&regions);
        let mut words = [0; 4];
        let mut region = 0;
        for (word, argument) in words.iter_mut().zip(&arguments) {
            *word = match argument {
                Argument::Word(word) => *word,
                Argument::Memory(_) => {
                    region += 1;
                    buffers.address(region - 1)
                }
            };
        }
        // SAFETY: the regions are the caller's, as the kernel's record wants them.
        unsafe { self.jit.call(words, times) };
        let mut after = buffers.memory().into_iter();
        for argument in arguments {
            if let Argument::Memory(bytes) = argument {
                *bytes = after.next().expect("a region for each pointer").bytes;
            }
        }
    }
}

/// Every kernel for 32-bit programs that this processor can run; the others are named.
pub(crate) fn here(wanted: impl Fn(&KernelVariant) -> bool) -> Vec<Machine> {
    let here = Processor::detect();
    let mut machines = Vec::new();
    for variant in KernelVariant::all(&X86_32).into_iter().filter(wanted) {
        if here.has(variant.features) {
            machines.push(Machine::new(variant));
        } else {
            println!("not run here: {variant}");
        }
    }
    machines
}
