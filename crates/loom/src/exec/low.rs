//! Memory at addresses of 32 bits, and calls of 32-bit code from this process.
//!
//! A 64-bit process of Linux may jump into a code segment of 32 bits and back: so kernels of both
//! modes are tested and timed by the same program. Where that cannot be, memory lies anywhere, and
//! [`call`] refuses.
#![allow(unsafe_code, reason = "maps memory, and changes the processor's mode")]

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod gate {
    use std::io;

    /// Zeroed memory of its own, below 2 GiB.
    #[derive(Debug)]
    pub(in crate::exec) struct Low {
        at: *mut u8,
        bytes: usize,
    }

    // SAFETY: it is the only owner of its memory, as a `Box` would be.
    unsafe impl Send for Low {}
    // SAFETY: without `&mut` it is only read.
    unsafe impl Sync for Low {}

    impl Low {
        /// So many bytes, at least one page.
        pub(in crate::exec) fn new(bytes: usize) -> io::Result<Self> {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let kind = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_32BIT;
            let bytes = bytes.max(1);
            // SAFETY: a new mapping of no file takes nothing from anybody.
            let at = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, kind, -1, 0) };
            if at == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            Ok(Self { at: at.cast(), bytes })
        }

        /// Its address.
        pub(in crate::exec) fn address(&self) -> usize {
            self.at as usize
        }

        pub(in crate::exec) fn bytes(&self) -> &[u8] {
            // SAFETY: the mapping has so many bytes, and lives as long as `self`.
            unsafe { std::slice::from_raw_parts(self.at, self.bytes) }
        }

        pub(in crate::exec) fn bytes_mut(&mut self) -> &mut [u8] {
            // SAFETY: as above, and nobody else has it.
            unsafe { std::slice::from_raw_parts_mut(self.at, self.bytes) }
        }

        /// Makes it memory to execute, and no longer to write.
        pub(in crate::exec) fn executable(self) -> io::Result<Self> {
            // SAFETY: the mapping is this one's own.
            let failed = unsafe {
                libc::mprotect(self.at.cast(), self.bytes, libc::PROT_READ | libc::PROT_EXEC)
            };
            if failed == 0 { Ok(self) } else { Err(io::Error::last_os_error()) }
        }
    }

    impl Drop for Low {
        fn drop(&mut self) {
            // SAFETY: nobody has a reference into it any more. A failure would leave it mapped.
            unsafe { libc::munmap(self.at.cast(), self.bytes) };
        }
    }

    // Both parts are copied to low memory, where addresses of 32 bits are enough to come back.
    std::arch::global_asm!(
        ".pushsection .rodata",
        // (far pointer to the second part, stack with four arguments, the kernel, how often, the old
        // stack)
        "loom_gate_enter:",
        "push rbx; push rbp; push r12; push r13; push r14; push r15",
        // Segments without a limit: 32-bit code has no use for none at all.
        "mov ecx, 0x2b; mov ds, ecx; mov es, ecx",
        "mov [rsi + 24], rsp",
        "mov rsp, rsi",
        "call fword ptr [rdi]",
        "mov rsp, [rsp + 24]",
        "pop r15; pop r14; pop r13; pop r12; pop rbp; pop rbx",
        "ret",
        "loom_gate_narrow:",
        ".code32",
        "2:",
        ".rept 4",
        "push dword ptr [esp + 20]",
        ".endr",
        "call dword ptr [esp + 40]",
        "add esp, 16",
        "dec dword ptr [esp + 28]",
        "jne 2b",
        "retf",
        ".code64",
        "loom_gate_end:",
        ".popsection",
    );

    unsafe extern "C" {
        static loom_gate_enter: u8;
        static loom_gate_narrow: u8;
        static loom_gate_end: u8;
    }

    /// What the processor reads from memory for a far call.
    #[repr(C, packed)]
    struct Far {
        offset: u32,
        selector: u16,
    }

    /// Linux's code segment for 32-bit programs.
    const SELECTOR: u16 = 0x23;
    const STACK: usize = 1 << 16;

    struct Gate {
        code: Low,
        narrow: usize,
        stack: Low,
    }

    impl Gate {
        fn new() -> io::Result<Self> {
            let [enter, narrow, end] =
                [&raw const loom_gate_enter, &raw const loom_gate_narrow, &raw const loom_gate_end];
            let length = end as usize - enter as usize;
            // SAFETY: between the labels lies the code above.
            let bytes = unsafe { std::slice::from_raw_parts(enter, length) };
            let mut code = Low::new(length)?;
            code.bytes_mut()[..length].copy_from_slice(bytes);
            let narrow = narrow as usize - enter as usize;
            Ok(Self { code: code.executable()?, narrow, stack: Low::new(STACK)? })
        }
    }

    thread_local! {
        static GATE: io::Result<Gate> = Gate::new();
    }

    /// Calls a function of 32-bit code so many times.
    pub(in crate::exec) unsafe fn call(function: usize, arguments: [usize; 4], times: usize) {
        GATE.with(|gate| {
            let gate = gate.as_ref().expect("memory below 2 GiB");
            let narrow = gate.code.address() + gate.narrow;
            let far = Far { offset: narrow as u32, selector: SELECTOR };
            // So that the stack pointer is a multiple of 16 before the call.
            let top = gate.stack.address() + STACK - 56;
            let words = [&arguments[..], &[function, times]].concat();
            for (n, word) in words.into_iter().enumerate() {
                let word = u32::try_from(word).expect("an address or a count below 4 GiB");
                // SAFETY: there are 56 bytes of this thread's own stack.
                unsafe { ((top + 4 * n) as *mut u32).write(word) };
            }
            type Enter = extern "sysv64" fn(*const Far, usize);
            // SAFETY: this is the code above; the caller vouches for the function.
            let enter: Enter = unsafe { std::mem::transmute(gate.code.address()) };
            enter(&raw const far, top);
        });
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod anywhere {
    use std::io;

    use memmap2::{Mmap, MmapMut};

    /// Zeroed memory of its own.
    #[derive(Debug)]
    pub(in crate::exec) enum Low {
        Write(MmapMut),
        Execute(Mmap),
    }

    impl Low {
        /// So many bytes, at least one page.
        pub(in crate::exec) fn new(bytes: usize) -> io::Result<Self> {
            Ok(Self::Write(MmapMut::map_anon(bytes.max(1))?))
        }

        /// Its address.
        pub(in crate::exec) fn address(&self) -> usize {
            self.bytes().as_ptr() as usize
        }

        pub(in crate::exec) fn bytes(&self) -> &[u8] {
            match self {
                Self::Write(memory) => memory,
                Self::Execute(memory) => memory,
            }
        }

        pub(in crate::exec) fn bytes_mut(&mut self) -> &mut [u8] {
            match self {
                Self::Write(memory) => memory,
                Self::Execute(_) => panic!("memory to execute is not written"),
            }
        }

        /// Makes it memory to execute, and no longer to write.
        pub(in crate::exec) fn executable(self) -> io::Result<Self> {
            match self {
                Self::Write(memory) => Ok(Self::Execute(memory.make_exec()?)),
                done @ Self::Execute(_) => Ok(done),
            }
        }
    }

    pub(in crate::exec) unsafe fn call(function: usize, arguments: [usize; 4], _: usize) {
        panic!("32-bit code at {function:#x} is not called with {arguments:?} here");
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
use anywhere as here;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use gate as here;

pub(super) use here::Low;

/// Whether [`call`] can be.
pub(super) fn calls() -> bool {
    cfg!(all(target_os = "linux", target_arch = "x86_64"))
}

/// Calls a function of 32-bit code with up to four arguments on the stack, so many times: the way
/// there costs more than a block of DES.
///
/// # Safety
/// - The function lies in executable [`Low`] memory and keeps to cdecl.
/// - It may be called with these arguments, again and again.
///
/// # Panics
/// If it is not called at all, and where it cannot be: see [`calls`].
pub(super) unsafe fn call(function: usize, arguments: [usize; 4], times: usize) {
    assert!(times > 0, "it is called once at least");
    // SAFETY: as the caller says.
    unsafe { here::call(function, arguments, times) };
}
