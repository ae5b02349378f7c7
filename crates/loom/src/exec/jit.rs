//! A kernel in memory, ready to be called.
#![allow(unsafe_code, reason = "calls machine code that was just made")]

use std::io;

use super::low::{self, Low};
use crate::isa::Target;
use crate::isa::text::Tables;
use crate::pipeline::CompiledKernel;

#[cfg(target_arch = "x86_64")]
type Function = extern "sysv64" fn(usize, usize, usize, usize);
/// Elsewhere nothing is called: [`Jit::new`] refuses.
#[cfg(not(target_arch = "x86_64"))]
type Function = extern "C" fn(usize, usize, usize, usize);

/// Executable memory with code of one target.
#[derive(Debug)]
pub struct Image {
    target: &'static Target,
    memory: Low,
}

impl Image {
    /// So many bytes of memory, which `fill` gets as zeros, with the address at which they stay.
    ///
    /// # Errors
    /// If programs of the target do not run on this processor, or not in this process, the system gives
    /// no executable memory, or `fill` fails.
    pub fn new(
        target: &'static Target,
        bytes: usize,
        fill: impl FnOnce(u64, &mut [u8]) -> io::Result<()>,
    ) -> io::Result<Self> {
        if (target.here)().is_none() {
            let problem = format!("kernels for {target} do not run on this processor");
            return Err(io::Error::other(problem));
        }
        if is_narrow(target) && !low::calls() {
            return Err(io::Error::other("32-bit kernels run in programs of Linux only"));
        }
        let mut memory = Low::new(bytes)?;
        let at = memory.address() as u64;
        fill(at, &mut memory.bytes_mut()[..bytes])?;
        Ok(Self { target, memory: memory.executable()? })
    }

    /// What lies there.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.memory.bytes()
    }

    /// Calls the function that begins at some byte, with up to four arguments, so many times.
    ///
    /// # Safety
    /// - A function begins there, of the target's usual calling convention.
    /// - The arguments are those of its parameters, pointers to memory that it may use; for 32-bit
    ///   code they lie in [`CallBuffers`](super::CallBuffers), which has addresses of 32 bits.
    /// - The processor has the features that the function needs.
    pub unsafe fn call(&self, at: usize, arguments: [usize; 4], times: usize) {
        let entry = self.memory.address() + at;
        if is_narrow(self.target) {
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

/// Whether a program of this process has to change to code of 32 bits.
fn is_narrow(target: &Target) -> bool {
    usize::try_from(target.word).is_ok_and(|word| word < size_of::<usize>())
}

/// A kernel in memory, with its tables.
#[derive(Debug)]
pub struct Jit {
    image: Image,
    entry: usize,
}

impl Jit {
    /// Puts a kernel's tables and its program for the usual calling convention into memory.
    ///
    /// # Errors
    /// As [`Image::new`], or if the code cannot be encoded.
    pub fn new(made: &dyn CompiledKernel) -> io::Result<Self> {
        let tables = Tables::of(made.kernel()).map_or(Vec::new(), |tables| tables.content());
        let entry = tables.len().next_multiple_of(64);
        let bytes = entry + made.code_bytes();
        let image = Image::new(made.record().abi.target, bytes, |at, memory| {
            memory[..tables.len()].copy_from_slice(&tables);
            let code = made.bytes(Some((at + entry as u64, at))).map_err(io::Error::other)?;
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
