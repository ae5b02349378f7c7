//! What kernels are called with: memory beside guard pages, and what the interpreter makes of it.
#![allow(unsafe_code, reason = "calls the kernels")]

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use crate::call::{FLAGS, watched};
use crate::watch_32;
use cipherloom_testkit::guard::GuardedBuf;
use loom::ciphers::Strategy;
use loom::exec::{Image, inputs};
use loom::ir::{Memory, Param, Scalar, interpret};
use loom::isa::x86::X86_32;
use loom::record::Record;

/// A call's memory, and what the interpreter makes of it.
pub(crate) struct Case {
    scalars: Vec<Scalar>,
    before: Vec<Memory>,
    after: Vec<Memory>,
}

/// No work, one unit of it, three.
pub(crate) fn cases(strategy: &Strategy) -> &'static [Case] {
    static ALL: LazyLock<HashMap<String, OnceLock<Vec<Case>>>> = LazyLock::new(|| {
        Strategy::all().iter().map(|strategy| (strategy.name(), OnceLock::new())).collect()
    });
    ALL[&strategy.name()].get_or_init(|| calculated(strategy))
}

fn calculated(strategy: &Strategy) -> Vec<Case> {
    let kernel = strategy.kernel();
    let case = |count| {
        let (scalars, before) = inputs(strategy, &kernel, count);
        let mut after = before.clone();
        interpret(&kernel, &scalars, &mut after).expect("a kernel that the interpreter can run");
        Case { scalars, before, after }
    };
    [0, 1, 3].map(case).into()
}

/// Where a buffer lies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    /// So many bytes behind an inaccessible page.
    Behind(usize),
    /// So many bytes before one.
    Before(usize),
}

impl Side {
    /// Bytes between the buffer and the page.
    const fn gap(self) -> usize {
        match self {
            Self::Behind(gap) | Self::Before(gap) => gap,
        }
    }
}

impl Case {
    /// Calls a kernel with these flags, each buffer beside a guard page, and says what was wrong.
    ///
    /// # Safety
    /// `target` is a kernel with this record, in memory that can be executed.
    pub(crate) unsafe fn call(
        &self,
        target: *const u8,
        record: &Record,
        side: Side,
        flags: u64,
    ) -> Result<(), String> {
        self.beside_guards(record, side, |arguments| {
            // SAFETY: the buffers are as large as the record says, and filled as the kernel wants.
            unsafe { watched(target, record, arguments, flags) }
        })
    }

    /// The same for a kernel of 32-bit code, which begins at some byte of memory.
    ///
    /// # Safety
    /// There is a kernel with this record, and the case is for it.
    pub(crate) unsafe fn watch_32(
        &self,
        image: &Image,
        at: usize,
        record: &Record,
        side: Side,
    ) -> Result<(), String> {
        let target = image.bytes()[at..].as_ptr() as usize;
        self.beside_guards(record, side, |arguments| {
            // SAFETY: the caller vouches for the kernel, the regions are as its record says.
            unsafe { watch_32::watched(target, record, arguments, FLAGS as u32) }
        })
    }

    /// Calls a kernel of 32-bit code, which begins at some byte of memory, with buffers beside guard
    /// pages, and compares what it leaves in them.
    ///
    /// # Safety
    /// There is a kernel with the record that the case is for.
    pub(crate) unsafe fn call_32(
        &self,
        image: &Image,
        at: usize,
        record: &Record,
        side: Side,
    ) -> Result<(), String> {
        self.beside_guards(record, side, |arguments| {
            let mut four = [0; 4];
            four.iter_mut().zip(arguments).for_each(|(one, &argument)| *one = argument as usize);
            // SAFETY: the regions are as large as the record says, and filled as the kernel wants.
            unsafe { image.call(at, four, 1) };
            Ok(())
        })
    }

    /// Has the arguments used in a call, each buffer beside a guard page, and compares what it leaves in
    /// and beside the buffers.
    fn beside_guards(
        &self,
        record: &Record,
        side: Side,
        call: impl FnOnce(&[u64]) -> Result<(), String>,
    ) -> Result<(), String> {
        const FILL: u8 = 0xe7;
        let low = record.abi.target == &X86_32;
        let pointers = record.params.iter().filter(|param| param.memory.is_some());
        let place = |(memory, param): (&Memory, &Param)| {
            let gap = side.gap().next_multiple_of(usize::from(param.align));
            let length = memory.bytes.len() + gap;
            let (mut buffer, at) = match (side, low) {
                (Side::Behind(_), false) => (GuardedBuf::beginning_after_guard(length), gap),
                (Side::Behind(_), true) => (GuardedBuf::low_beginning_after_guard(length), gap),
                (Side::Before(_), false) => (GuardedBuf::ending_at_guard(length), 0),
                (Side::Before(_), true) => (GuardedBuf::low_ending_at_guard(length), 0),
            };
            buffer.as_mut_slice().fill(FILL);
            buffer.as_mut_slice()[at..at + memory.bytes.len()].copy_from_slice(&memory.bytes);
            (buffer, at)
        };
        let mut buffers: Vec<_> = self.before.iter().zip(pointers).map(place).collect();
        let arguments: Vec<u64> = self
            .scalars
            .iter()
            .map(|scalar| match *scalar {
                Scalar::Word(word) => word,
                Scalar::Region(region) => {
                    let (buffer, at) = &mut buffers[region];
                    buffer.as_mut_slice()[*at..].as_mut_ptr() as u64
                }
            })
            .collect();
        call(&arguments)?;
        for (region, ((buffer, at), after)) in buffers.iter().zip(&self.after).enumerate() {
            let (bytes, end) = (buffer.as_slice(), at + after.bytes.len());
            if bytes[*at..end] != after.bytes {
                return Err(format!("region {region} is not what the interpreter makes of it"));
            }
            if bytes[..*at].iter().chain(&bytes[end..]).any(|&byte| byte != FILL) {
                return Err(format!("bytes beside region {region} were written"));
            }
        }
        Ok(())
    }
}
