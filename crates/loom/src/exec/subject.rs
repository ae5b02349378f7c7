//! A kernel that can be called, and the answers that it must give.
#![allow(unsafe_code, reason = "calls machine code that was checked against the interpreter")]

use std::io;

use super::{CallBuffers, Jit, inputs};
use crate::ciphers::Strategy;
use crate::ir::{Fault, Memory, Scalar, interpret};
use crate::pipeline::CompiledKernel;

/// A kernel in memory.
#[derive(Debug)]
pub struct Subject {
    jit: Jit,
}

/// Known inputs and outputs of a kernel, by the interpreter.
#[derive(Clone, Debug)]
pub struct Answers {
    cases: Vec<(Vec<Scalar>, Vec<Memory>, Vec<Memory>)>,
}

impl Answers {
    /// The interpreter's answers for a few counts.
    ///
    /// # Errors
    /// [`Fault`] if the strategy leaves its memory or its types.
    pub fn new(strategy: &Strategy) -> Result<Self, Fault> {
        let kernel = strategy.kernel();
        let cases = [0, 1, 2, 5].map(|count| {
            let (scalars, before) = inputs(strategy, &kernel, count);
            let mut after = before.clone();
            interpret(&kernel, &scalars, &mut after).map(|()| (scalars, before, after))
        });
        Ok(Self { cases: cases.into_iter().collect::<Result<_, _>>()? })
    }
}

impl Subject {
    /// Puts a kernel into memory.
    ///
    /// # Errors
    /// If the system gives no executable memory.
    pub fn new(made: &dyn CompiledKernel) -> io::Result<Self> {
        Ok(Self { jit: Jit::new(made)? })
    }

    /// Whether the machine code gives the interpreter's answers.
    #[must_use]
    pub fn answers(&self, answers: &Answers) -> bool {
        answers.cases.iter().all(|(scalars, before, after)| {
            let mut buffers = CallBuffers::of(before);
            self.call(scalars, &mut buffers, 1);
            buffers.memory() == *after
        })
    }

    /// Calls it so many times with arguments that [`inputs`] made.
    pub(crate) fn call(&self, scalars: &[Scalar], memory: &mut CallBuffers, times: usize) {
        let mut arguments = [0; 4];
        for (argument, scalar) in arguments.iter_mut().zip(scalars) {
            *argument = match *scalar {
                Scalar::Word(word) => word as usize,
                Scalar::Region(region) => memory.address(region),
            };
        }
        // SAFETY: the regions are as large as the kernel's record says; that the code touches
        // nothing else is what the interpreter, which faults there, and the allocation checker say.
        unsafe { self.jit.call(arguments, times) };
    }
}
