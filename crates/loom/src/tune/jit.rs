//! A kernel in memory, ready to be called.
#![allow(unsafe_code, reason = "calls machine code that was just made")]

use std::io;

use super::low::{self, Low};
use crate::ir::Kernel;
use crate::isa::program::Program;
use crate::isa::x86::{Mode, X86};

#[cfg(target_arch = "x86_64")]
type Function = extern "sysv64" fn(usize, usize, usize, usize);
/// Elsewhere nothing is called: [`Jit::new`] refuses.
#[cfg(not(target_arch = "x86_64"))]
type Function = extern "C" fn(usize, usize, usize, usize);

/// Executable memory with code of one mode.
#[derive(Debug)]
pub struct Image {
    mode: Mode,
    memory: Low,
}

impl Image {
    /// So many bytes of memory, which `fill` gets as zeros, with the address at which they stay.
    ///
    /// # Errors
    /// If this is no x86-64 processor, or not Linux and the code has 32 bits, the system gives no
    /// executable memory, or `fill` fails.
    pub fn new(
        mode: Mode,
        bytes: usize,
        fill: impl FnOnce(u64, &mut [u8]) -> io::Result<()>,
    ) -> io::Result<Self> {
        if cfg!(not(target_arch = "x86_64")) {
            return Err(io::Error::other("kernels for x86-64 do not run on this processor"));
        }
        if mode == Mode::Real {
            return Err(io::Error::other("kernels for real mode run in emulators only"));
        }
        if mode == Mode::Bits32 && !low::calls() {
            return Err(io::Error::other("32-bit kernels run in programs of Linux only"));
        }
        let mut memory = Low::new(bytes)?;
        let at = memory.address() as u64;
        fill(at, &mut memory.bytes_mut()[..bytes])?;
        Ok(Self { mode, memory: memory.executable()? })
    }

    /// What lies there.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.memory.bytes()
    }

    /// Calls the function that begins at some byte, with up to four arguments, so many times.
    ///
    /// # Safety
    /// - A function begins there, of System V's ABI of its mode.
    /// - The arguments are those of its parameters, pointers to memory that it may use; for 32-bit
    ///   code they lie in [`CallBuffers`](super::CallBuffers), which has addresses of 32 bits.
    /// - The processor has the features that the function needs.
    pub unsafe fn call(&self, at: usize, arguments: [usize; 4], times: usize) {
        let entry = self.memory.address() + at;
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

/// A kernel in memory, with its tables.
#[derive(Debug)]
pub struct Jit {
    image: Image,
    entry: usize,
}

impl Jit {
    /// Puts a kernel's tables and its program for System V's ABI of its mode into memory.
    ///
    /// # Errors
    /// As [`Image::new`], or if the code cannot be encoded.
    pub fn new(kernel: &Kernel, program: &Program<X86>) -> io::Result<Self> {
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
        let bytes = entry + 16 * program.instructions() + 64;
        let image = Image::new(program.isa.mode, bytes, |at, memory| {
            memory[..tables.len()].copy_from_slice(&tables);
            let code = program.bytes(at + entry as u64, at).map_err(io::Error::other)?;
            memory[entry..entry + code.len()].copy_from_slice(&code);
            Ok(())
        })?;
        Ok(Self { image, entry })
    }

    /// Calls the kernel with up to four arguments, so many times.
    ///
    /// # Safety
    /// The arguments are those of the kernel's parameters, to be used as its record says; else as
    /// [`Image::call`].
    pub unsafe fn call(&self, arguments: [usize; 4], times: usize) {
        // SAFETY: the kernel begins there; the caller vouches for the rest.
        unsafe { self.image.call(self.entry, arguments, times) };
    }
}
