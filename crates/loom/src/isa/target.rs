//! A target as data.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::choices::Choices;
use super::costs::Cpu;
use super::features::{Feature, Features};
use super::frame::Abi;
use super::text::{Format, Missing};
use crate::ir::Requirements;

/// A target: an instruction set, with the width of the words and addresses that its programs have.
pub struct Target {
    /// Its name on the command line and in headers.
    pub name: &'static str,
    /// Bytes of a word, which are those of an address, too.
    pub word: u32,
    /// The names of registers by their numbers.
    pub register: fn(u8) -> &'static str,
    /// The names of segment registers by their numbers, where pointers have segments.
    pub segment: fn(u8) -> &'static str,
    /// Alignment of a kernel's entry, in bytes.
    pub entry: u32,
    /// What else every kernel changes.
    pub flags: &'static str,
    /// Where a kernel's part of the stack lies.
    pub stack: &'static str,
    /// What stands where indirect calls lead, if they want a landing pad there; or why they want none.
    pub landing: Result<Landing, &'static str>,
    /// Calling conventions, the usual one first.
    pub conventions: &'static [&'static Abi],
    /// Ways to write kernels to a file, the usual one first.
    pub formats: &'static [Format],
    /// Formats that one might look for, and why there are none such.
    pub missing: &'static [Missing],
    /// Why there are none of those that only other targets have.
    pub elsewhere: &'static str,
    /// The form in which a program takes kernels in that wraps them for each container, if there is one.
    pub body: Option<&'static Format>,
    /// Costs of processors, the one that stands for many first.
    pub costs: &'static [&'static Cpu],
    /// Costs of processors of the past, which may lack what a kernel needs.
    pub old_costs: &'static [&'static Cpu],
    /// Features beyond the baseline.
    pub features: &'static [Feature],
    /// What the processor at hand has of these, if programs for the target run on it.
    pub here: fn() -> Option<Features>,
    /// The costs of the processor at hand, if there are any.
    pub model_here: fn() -> Option<&'static Cpu>,
    /// All that a processor has that has certain features: newer ones do not come without older ones.
    pub complete: fn(Features) -> Features,
    /// The sets of features with which it serves a description, and makes a difference by them; or what
    /// the description has that it has not, in a few words that continue its name.
    pub serves: fn(&Requirements) -> Result<&'static [Features], &'static str>,
    /// How kernels are compiled that nobody tuned.
    pub usual: Usual,
    /// The processors by name, in the order of their age.
    pub processors: &'static [Model],
}

/// A landing pad.
#[derive(Clone, Copy)]
pub struct Landing {
    /// What it is, and what processors make of it that want none.
    pub doc: &'static str,
    /// What a processor must have, beyond the baseline, to pass over it.
    pub needs: Features,
    /// Why others do not.
    pub without: &'static str,
}

/// How kernels are compiled that nobody tuned.
#[derive(Clone, Copy)]
pub struct Usual {
    /// Whose costs order instructions.
    pub costs: &'static Cpu,
    /// Which instructions.
    pub choices: fn() -> Choices,
    /// Loops of a constant count are written out if that gives at most so many operations.
    pub unroll: u64,
    /// How many words that are only read stay in registers from block to block.
    pub hoist: usize,
    /// Whether instructions are ordered by the costs.
    pub ordered: bool,
    /// Ways of which the one that makes a kernel do fewest instructions is taken, where there are any:
    /// as many words in registers, and how far ahead an instruction may go.
    pub ways: &'static [(usize, u16)],
}

impl Target {
    /// The formats for assemblers.
    pub fn texts(&self) -> impl Iterator<Item = &'static Format> + use<> {
        self.formats.iter().filter(|format| format.dialect().is_some())
    }

    /// A format by its name.
    #[must_use]
    pub fn format(&self, name: &str) -> Option<&'static Format> {
        self.formats.iter().find(|format| format.name == name)
    }
}

impl PartialEq for Target {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Target {}

impl Hash for Target {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A processor, or the first of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its name on the command line.
    pub name: &'static str,
    /// What programs for it are made of.
    pub target: &'static Target,
    /// What it has beyond the baseline of the target.
    pub features: Features,
    /// What it is.
    pub doc: &'static str,
}

impl Model {
    /// Whether it has all of some features.
    #[must_use]
    pub fn has(&self, features: Features) -> bool {
        (self.target.complete)(self.features).include(features)
    }
}
