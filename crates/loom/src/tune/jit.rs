//! A kernel in memory, ready to be called.
#![allow(unsafe_code, reason = "calls machine code that was just made")]

use std::io;

use memmap2::{Mmap, MmapMut};

use crate::ir::Kernel;
use crate::target::x86_64::Program;

#[cfg(target_arch = "x86_64")]
type Function = extern "sysv64" fn(usize, usize, usize, usize);
/// Elsewhere nothing is called: [`Jit::new`] refuses.
#[cfg(not(target_arch = "x86_64"))]
type Function = extern "C" fn(usize, usize, usize, usize);

/// Executable memory with a kernel's tables and code.
#[derive(Debug)]
pub struct Jit {
    memory: Mmap,
    entry: usize,
}

impl Jit {
    /// Puts a kernel's tables and its program for the System V ABI into memory.
    ///
    /// # Errors
    /// If this is no x86-64 processor, the system gives no executable memory, or the code cannot
    /// be encoded.
    pub fn new(kernel: &Kernel, program: &Program) -> io::Result<Self> {
        if cfg!(not(target_arch = "x86_64")) {
            return Err(io::Error::other("kernels for x86-64 do not run on this processor"));
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
        let mut memory = MmapMut::map_anon(entry + 16 * program.instructions() + 64)?;
        memory[..tables.len()].copy_from_slice(&tables);
        let at = memory.as_ptr() as u64;
        let code = program.bytes(at + entry as u64, at).map_err(io::Error::other)?;
        memory[entry..entry + code.len()].copy_from_slice(&code);
        Ok(Self { memory: memory.make_exec()?, entry })
    }

    /// Calls the kernel with up to four arguments.
    ///
    /// # Safety
    /// - The arguments are those of the kernel's parameters, pointers to memory that it may use
    ///   as its record says.
    /// - The processor has the features that the kernel needs.
    pub unsafe fn call(&self, arguments: [usize; 4]) {
        // SAFETY: the entry lies in executable memory that lives as long as `self`, and holds a
        // function of the System V ABI; unused arguments are ignored by it.
        let function: Function =
            unsafe { std::mem::transmute(self.memory.as_ptr().add(self.entry)) };
        let [a, b, c, d] = arguments;
        function(a, b, c, d);
    }
}
