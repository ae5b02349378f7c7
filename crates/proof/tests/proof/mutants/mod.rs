//! Kernels with a byte of their code changed: each change is refused, or does what the kernel does, on the processor
//! at hand or in an emulator.
//!
//! | file | subject |
//! |---|---|
//! | `sets.rs` | the kernels of each instruction set |
//! | `record.rs` | what became of changes |
//! | `inputs.rs`, `schedules.rs` | what kernels are called with |
//! | `compare.rs` | a kernel and changed ones on the same inputs |
//! | `native.rs`, `narrow.rs`, `real.rs` | on the processor at hand: of 64 bits and what others need, of 32 bits, of real mode |
//! | `emulated.rs`, `runner.c`, `caller.s` | in an emulator |
//!
//! The records say of each kernel how many changes were tried, with which prover. `cargo xtask prove --mutants` goes
//! on where they end, a kernel after the other: the changes of a kernel follow from its hash, so that it does not
//! matter who tries them when.

mod compare;
mod emulated;
mod inputs;
mod narrow;
mod native;
mod real;
mod record;
mod schedules;
mod sets;
mod tests;

pub(crate) use compare::{Change, Subject, compare};

use proof::image::Image;
use proof::theorems::{Kernel, Lanes};
use sets::{Listed, Set};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What became of changes.
#[derive(Default)]
struct Found {
    refused: usize,
    /// Accepted, and did the same.
    same: usize,
    /// Accepted, but not for this processor.
    not_run: usize,
    accepted: Vec<String>,
    /// On how many inputs these ran.
    inputs: usize,
}

/// A file of kernels, to be changed.
struct Loaded {
    image: Image,
    span: (u64, Vec<u8>),
    covered: BTreeSet<String>,
}

impl Loaded {
    fn new(image: Image) -> Self {
        let mut covered = image.isa.covered();
        // One that does nothing.
        covered.insert("Nopd".into());
        Self { span: image.span(), covered, image }
    }

    /// The instruction at an address.
    fn instruction(&self, symbol: &str, at: u64) -> String {
        let kernel = &self.image.kernels[symbol];
        let all = self.image.isa.decode_all(self.image.code(kernel), kernel.start).unwrap();
        all.iter().find(|i| at < i.end()).map_or(String::new(), ToString::to_string)
    }

    /// Changes random bytes of a kernel, one at a time; what is accepted runs on so many inputs.
    fn change(&mut self, kernel: &Listed, changes: usize, inputs: Inputs) -> Result<Found, String> {
        let symbol = &kernel.symbol;
        let range = self.image.kernels[symbol].clone();
        // What is refused anyway says nothing of a change.
        self.kernel(symbol).prove().map_err(|error| format!("not proved as it is: {error}"))?;
        let mut random = fastrand::Rng::with_seed(kernel.seed);
        let (mut found, mut accepted) = (Found::default(), Vec::new());
        for _ in 0..changes {
            let at = random.u64(range.clone());
            let change = random.u8(1..);
            let mut byte = 0;
            self.image.change(at, |before| {
                byte = before ^ change;
                byte
            });
            if self.kernel(symbol).prove().is_err() {
                found.refused += 1;
            } else {
                let instruction = self.instruction(symbol, at);
                found.accepted.push(format!("{:#x} {instruction}", at - range.start));
                accepted.push(Change { at, bytes: vec![byte] });
            }
            self.image.change(at, |byte| byte ^ change);
        }
        let subject = self.subject(symbol);
        found.inputs = inputs(&subject);
        if accepted.is_empty() {
            return Ok(found);
        }
        match compare(&subject, &accepted, found.inputs) {
            Ok(true) => found.same = accepted.len(),
            Ok(false) => found.not_run = accepted.len(),
            Err(what) => {
                let changes = &found.accepted;
                return Err(format!(
                    "A CHANGE WAS ACCEPTED THAT DIFFERS: {what}; changes: {changes:?}"
                ));
            }
        }
        Ok(found)
    }

    fn kernel<'a>(&'a self, symbol: &'a str) -> Kernel<'a> {
        Kernel { image: &self.image, symbol, covered: &self.covered, lanes: Lanes::First }
    }

    fn subject<'a>(&'a self, symbol: &'a str) -> Subject<'a> {
        let (image, span) = (&self.image, &self.span);
        Subject {
            image,
            span,
            name: self.kernel(symbol).name(),
            entry: image.kernels[symbol].start,
        }
    }
}

/// On how many inputs a kernel and changed ones run.
type Inputs = fn(&Subject<'_>) -> usize;

/// [`Loaded::change`] for some kernels of a set, by the numbers of their sources and their own, on all cores; `done`
/// gets each of them.
fn change_all(
    set: &Set,
    kernels: &[(usize, usize)],
    changes: usize,
    inputs: Inputs,
    done: impl Fn(&Listed, &Found) + Sync,
) -> Found {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Found::default()));
    let work = || {
        let mut loaded: Vec<Option<Loaded>> = set.sources.iter().map(|_| None).collect();
        while let Some(&(source, kernel)) = kernels.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = Instant::now();
            let (place, source) = (&mut loaded[source], &set.sources[source]);
            let kernel = &source.kernels[kernel];
            let loaded = place.get_or_insert_with(|| Loaded::new((source.image)()));
            let found = loaded.change(kernel, changes, inputs).unwrap_or_else(|what| {
                // The others stop, too.
                next.store(kernels.len(), Ordering::Relaxed);
                panic!("{} {}: {what}", set.name, kernel.key)
            });
            let mut all = all.lock().unwrap();
            println!(
                "{} {}: {} refused, {} the same, {} not run: {:?} ({:.0} s)",
                set.name,
                kernel.key,
                found.refused,
                found.same,
                found.not_run,
                found.accepted,
                start.elapsed().as_secs_f64()
            );
            done(kernel, &found);
            all.refused += found.refused;
            all.same += found.same;
            all.not_run += found.not_run;
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    all.into_inner().unwrap()
}
