//! What `loom calibrate` measures of an instruction set: instructions as data.

use super::costs::Class;
use super::{Features, Reg};

/// The register that points to memory of [`MEMORY`] bytes, zeros where no probe stores.
pub const POINTER: Reg = Reg::Virtual(u32::MAX);

/// Bytes behind [`POINTER`].
pub const MEMORY: usize = 4 * 4096;

/// An instruction, or a few in a row, to be timed.
#[derive(Clone, Debug)]
pub struct Probe<I> {
    /// What people call it: the mnemonic, then what tells its form from others; several with ` + ` between
    /// them. A test compares it with the machine code.
    pub name: &'static str,
    /// What the processor must have.
    pub needs: Features,
    /// The instructions, on virtual registers. What none of them has written before holds zeros. Where
    /// there are several lists, copies take them in turns; they differ in places in memory only.
    pub code: Vec<Vec<I>>,
    /// An instruction that puts zeros into a register.
    pub fill: fn(Reg) -> I,
    /// How each waits for the one before, where the latency is measured.
    pub chain: Chain,
}

/// How a probe waits for the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// By one of its sources, each of them in turn; in another register than the result, where that can be.
    Sources,
    /// The same, but a result lies over the source of which it is made.
    InPlace,
    /// By memory; cost models do not follow that.
    Memory,
    /// It does not.
    None,
}

/// All probes of an instruction set.
#[derive(Clone, Debug)]
pub struct Probes<I> {
    /// The probes; the first one whose last instruction is of a class measures that class.
    pub all: Vec<Probe<I>>,
    /// Work in the vectors of each width, and some without: whether units have to wake up for it.
    pub waking: Vec<Probe<I>>,
    /// The scheduling classes, by their numbers.
    pub classes: Vec<(Class, String)>,
    /// The folder of its cost models, from the repository's root.
    pub folder: &'static str,
}
