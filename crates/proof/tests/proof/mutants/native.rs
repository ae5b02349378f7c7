//! A kernel and changed ones on the processor at hand, beside each other: what 64 and fewer bits have in common, and
//! calls of 64 bits.
#![allow(unsafe_code, reason = "runs machine code")]

use super::compare::{Change, Subject};
use super::inputs::{Argument, Inputs};

/// Where memory is to lie.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Anywhere,
    /// Below 2 GiB.
    Low,
    At(usize),
}

/// Memory that is this one's own, and may be run.
pub(super) struct Mapping {
    at: *mut u8,
    bytes: usize,
}

impl Mapping {
    pub(super) fn new(place: Place, bytes: usize) -> Self {
        let (wanted, flag) = match place {
            Place::Anywhere => (0, 0),
            Place::Low => (0, libc::MAP_32BIT),
            Place::At(address) => (address, libc::MAP_FIXED_NOREPLACE),
        };
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | flag;
        let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        // SAFETY: a new mapping, in place of no other.
        let at = unsafe { libc::mmap(wanted as *mut _, bytes, protection, flags, -1, 0) };
        assert_ne!(at, libc::MAP_FAILED, "{place:x?}: {}", std::io::Error::last_os_error());
        Self { at: at.cast(), bytes }
    }

    pub(super) fn address(&self) -> usize {
        self.at as usize
    }

    /// An argument as a number.
    pub(super) fn number(&self, argument: Argument) -> u64 {
        match argument {
            Argument::Number(number) => number,
            Argument::Fresh(offset) | Argument::Kept(offset) => (self.address() + offset) as u64,
        }
    }

    pub(super) fn write(&self, at: usize, bytes: &[u8]) {
        assert!(at + bytes.len() <= self.bytes);
        // SAFETY: they fit into the mapping, which no reference leads to.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.at.add(at), bytes.len()) };
    }

    pub(super) fn read(&self, at: usize, bytes: &mut [u8]) {
        assert!(at + bytes.len() <= self.bytes);
        // SAFETY: as above.
        unsafe { std::ptr::copy_nonoverlapping(self.at.add(at), bytes.as_mut_ptr(), bytes.len()) };
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's own, and nothing of it runs any more.
        unsafe {
            libc::munmap(self.at.cast(), self.bytes);
        }
    }
}

/// What is free behind a file's constant parts.
const ROOM: usize = 64;

/// A file's constant parts, perhaps with a change, in this process.
pub(super) struct Loaded {
    pub(super) mapping: Mapping,
    /// What they are away from where they were linked.
    moved: usize,
}

impl Loaded {
    pub(super) fn new(subject: &Subject<'_>, change: Option<&Change>, place: Place) -> Self {
        let (base, bytes) = subject.span;
        // Alignment within a page stays as it is.
        let within = *base as usize % 4096;
        let base = *base as usize - within;
        let mapping = Mapping::new(place, within + bytes.len() + ROOM);
        mapping.write(within, bytes);
        if let Some(change) = change {
            mapping.write(change.at as usize - base, &change.bytes);
        }
        let moved = mapping.address().wrapping_sub(base);
        Self { mapping, moved }
    }

    /// Where something is that was linked at an address.
    pub(super) fn place(&self, address: u64) -> usize {
        let place = (address as usize).wrapping_add(self.moved);
        assert!(place - self.mapping.address() < self.mapping.bytes);
        place
    }
}

/// Calls a kernel, by its number among it and the changed ones, on the same inputs. What differs, if something does.
/// Arguments are numbers, or lead into the memory.
pub(super) fn on_inputs(
    subject: &Subject<'_>,
    (count, copies): (usize, usize),
    memory: &Mapping,
    mut call: impl FnMut(usize, [Argument; 4]),
) -> Result<(), String> {
    let mut inputs = Inputs::new(subject.image, subject.name);
    let (mut after, mut found, mut kept) = (Vec::new(), Vec::new(), Vec::<u8>::new());
    // The lowest place of what is kept.
    let mut fresh = 0;
    let is_as_it_was = |fresh: usize, kept: &[u8]| {
        let mut now = vec![0; kept.len()];
        memory.read(fresh, &mut now);
        now == kept
    };
    let mut changes = 0;
    for n in 0..count {
        let (arguments, is_new) = inputs.next();
        if is_new {
            if !is_as_it_was(fresh, &kept) {
                return Err(format!("before input {n} something was written that is only read"));
            }
            fresh = inputs.fresh.len();
            memory.write(fresh, &inputs.kept);
            kept.clone_from(&inputs.kept);
            found.resize(fresh, 0);
        }
        let arguments = arguments.map(|argument| match argument {
            Argument::Kept(offset) => Argument::Fresh(fresh + offset),
            other => other,
        });
        for copy in 0..copies {
            memory.write(0, &inputs.fresh);
            call(copy, arguments);
            memory.read(0, &mut found);
            if copy == 0 {
                changes += usize::from(found != inputs.fresh);
                after.clone_from(&found);
            } else if found != after {
                return Err(format!("change {} differs on input {n}", copy - 1));
            }
        }
    }
    if !is_as_it_was(fresh, &kept) {
        return Err("something was written that is only read".into());
    }
    assert!(changes > 0, "{}: it did nothing", subject.name);
    Ok(())
}

/// Whether this processor has what a kernel's name asks for.
pub(super) fn can_run(name: &str) -> bool {
    let has = |feature: &str, has: bool| !name.contains(feature) || has;
    let bmi =
        std::arch::is_x86_feature_detected!("bmi1") && std::arch::is_x86_feature_detected!("bmi2");
    has("avx2", std::arch::is_x86_feature_detected!("avx2"))
        && has("bmi2", bmi)
        && has("avx512", std::arch::is_x86_feature_detected!("avx512bw"))
        && has("vbmi", std::arch::is_x86_feature_detected!("avx512vbmi"))
        && (!name.contains("vbmi") || std::arch::is_x86_feature_detected!("gfni"))
        && has("gfni", bmi && std::arch::is_x86_feature_detected!("gfni"))
}

/// Compares kernels of 64 bits: what differs.
pub(super) fn compare(
    subject: &Subject<'_>,
    changes: &[Change],
    inputs: usize,
) -> Result<(), String> {
    let all = std::iter::once(None).chain(changes.iter().map(Some));
    let all: Vec<Loaded> =
        all.map(|change| Loaded::new(subject, change, Place::Anywhere)).collect();
    let memory = Mapping::new(Place::Anywhere, MEMORY);
    on_inputs(subject, (inputs, all.len()), &memory, |copy, arguments| {
        let [a, b, c, d] = arguments.map(|argument| memory.number(argument));
        // SAFETY: the kernel was proved to keep to its convention and to its regions, or changed by hand to do so,
        // and each argument is a count, a number or a region of the size that it wants.
        unsafe {
            let entry = all[copy].place(subject.entry);
            let kernel: extern "sysv64" fn(u64, u64, u64, u64) = std::mem::transmute(entry);
            kernel(a, b, c, d);
        }
    })
}

/// More than the regions of any kernel.
pub(super) const MEMORY: usize = 1 << 17;
