//! A kernel in memory, ready to be called.
#![allow(unsafe_code, reason = "calls machine code that was just made")]

use std::io;

use super::low::{self, Low};
use crate::ir::Kernel;
use crate::target::x86::{Mode, Program};

#[cfg(target_arch = "x86_64")]
type Function = extern "sysv64" fn(usize, usize, usize, usize);
/// Elsewhere nothing is called: [`Jit::new`] refuses.
#[cfg(not(target_arch = "x86_64"))]
type Function = extern "C" fn(usize, usize, usize, usize);

/// Executable memory with a kernel's tables and code.
#[derive(Debug)]
pub struct Jit {
    mode: Mode,
    memory: Low,
    entry: usize,
}

impl Jit {
    /// Puts a kernel's tables and its program for System V's ABI of its mode into memory.
    ///
    /// # Errors
    /// If this is no x86-64 processor, or not Linux and the code has 32 bits, the system gives no executable memory, or the code cannot
    /// be encoded.
    pub fn new(kernel: &Kernel, program: &Program) -> io::Result<Self> {
        if cfg!(not(target_arch = "x86_64")) {
            return Err(io::Error::other("kernels for x86-64 do not run on this processor"));
        }
        if program.mode == Mode::Bits32 && !low::calls() {
            return Err(io::Error::other("32-bit kernels run in programs of Linux only"));
        }
        let tables: Vec<u8> = kernel
            .tables
            .iter()
            .flat_map(|table| {
                let bytes = usize::from(table.entry_bytes);
                table.entries.iter().flat_map(move |entry| entry.to_le_bytes()[..bytes].to_vec())
            })
            .collect();
        let entry = tables.len().next_multiple_of(64);
        // No instruction is longer than 15 bytes.
        let mut memory = Low::new(entry + 16 * program.instructions() + 64)?;
        memory.bytes_mut()[..tables.len()].copy_from_slice(&tables);
        let at = memory.address() as u64;
        let code = program.bytes(at + entry as u64, at).map_err(io::Error::other)?;
        memory.bytes_mut()[entry..entry + code.len()].copy_from_slice(&code);
        Ok(Self { mode: program.mode, memory: memory.executable()?, entry })
    }

    /// Calls the kernel with up to four arguments, so many times.
    ///
    /// # Safety
    /// - The arguments are those of the kernel's parameters, pointers to memory that it may use
    ///   as its record says; for 32-bit code they lie in an [`Arena`](super::Arena), which has
    ///   addresses of 32 bits.
    /// - The processor has the features that the kernel needs.
    pub unsafe fn call(&self, arguments: [usize; 4], times: usize) {
        let entry = self.memory.address() + self.entry;
        if self.mode == Mode::Bits32 {
            // SAFETY: it lies in low memory that lives as long as `self`; the caller vouches for the
            // arguments.
            return unsafe { low::call(entry, arguments, times) };
        }
        // SAFETY: the entry lies in executable memory that lives as long as `self`, and holds a
        // function of the System V ABI; unused arguments are ignored by it.
        let function: Function = unsafe { std::mem::transmute(entry) };
        let [a, b, c, d] = arguments;
        for _ in 0..times {
            function(a, b, c, d);
        }
    }
}
