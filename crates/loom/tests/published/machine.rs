//! Kernels as machine code, called here with blocks, keys and streams.
#![allow(unsafe_code, reason = "calls the kernels")]

use loom::edition::Edition;
use loom::ir::Memory;
use loom::isa::frame::Abi;
use loom::isa::x86::X86_32;
use loom::tune::{Arena, GENERIC, Jit, Processor, Store};

/// A kernel as `loom emit` makes it, in memory.
pub(crate) struct Machine {
    pub(crate) edition: Edition,
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
    fn new(edition: Edition) -> Self {
        let store = Store::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tuned"));
        let tuned = store.load(&edition, GENERIC).expect("a tuned file that can be read");
        let plan = tuned.map_or_else(|| edition.untuned(), |tuned| tuned.plan);
        let made = edition.make(Abi::usual(edition.target), &plan);
        let made = made.unwrap_or_else(|wrong| panic!("{edition}: {wrong}"));
        let jit = Jit::new(&made.kernel, &made.program).expect("memory to execute");
        let pointers = made.record.params.iter().map(|param| param.memory.is_some()).collect();
        Self { edition, jit, pointers }
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
        let mut arena = Arena::of(&regions);
        let mut words = [0; 4];
        let mut region = 0;
        for (word, argument) in words.iter_mut().zip(&arguments) {
            *word = match argument {
                Argument::Word(word) => *word,
                Argument::Memory(_) => {
                    region += 1;
                    arena.address(region - 1)
                }
            };
        }
        // SAFETY: the regions are the caller's, as the kernel's record wants them.
        unsafe { self.jit.call(words, times) };
        let mut after = arena.memory().into_iter();
        for argument in arguments {
            if let Argument::Memory(bytes) = argument {
                *bytes = after.next().expect("a region for each pointer").bytes;
            }
        }
    }
}

/// Every kernel for 32-bit programs that this processor can run; the others are named.
pub(crate) fn here(wanted: impl Fn(&Edition) -> bool) -> Vec<Machine> {
    let here = Processor::detect();
    let mut machines = Vec::new();
    for edition in Edition::all(&X86_32).into_iter().filter(wanted) {
        if here.has(edition.features) {
            machines.push(Machine::new(edition));
        } else {
            println!("not run here: {edition}");
        }
    }
    machines
}
