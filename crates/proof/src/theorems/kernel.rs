//! A kernel, its call, and what is proved of it.

use crate::Result;
use crate::domain::Domain;
use crate::image::{Image, name_of};
use crate::machine::{Leaks, Machine, State, Stop};
use crate::memory::{BOTH, Memory, READ, Region, Value};
use std::collections::BTreeSet;
use std::ops::Range;

/// Vendors whose processors may have a kernel of their own.
const VENDORS: [&str; 4] = ["_intel", "_amd", "_zen", "_arm"];

/// Which lanes of bit-sliced rounds are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lanes {
    /// The first, and a check that every instruction does the same in all.
    First,
    /// All.
    All,
}

/// What is proved of a kernel.
#[derive(Clone, Debug)]
pub struct Proof {
    /// What it is called with, what it does, and what it keeps.
    pub statement: String,
    /// What its time tells.
    pub leaks: Leaks,
}

/// A kernel in an image.
#[derive(Clone, Copy)]
pub struct Kernel<'a> {
    /// Where it is.
    pub image: &'a Image,
    /// Its `HASH_NAME`.
    pub symbol: &'a str,
    /// The forms of instructions that co-simulation covers.
    pub covered: &'a BTreeSet<String>,
    /// Which lanes of it are followed.
    pub lanes: Lanes,
}

impl<'a> Kernel<'a> {
    /// Its name without that of a vendor.
    pub fn name(&self) -> &'a str {
        let name = name_of(self.symbol);
        VENDORS.iter().find_map(|vendor| name.strip_suffix(vendor)).unwrap_or(name)
    }

    pub(super) fn code(&self) -> Range<u64> {
        self.image.kernels[self.symbol].clone()
    }

    pub(super) fn machine<D: Domain>(&self) -> Machine<'a, D> {
        Machine::new(self.image, self.code(), self.covered)
    }

    /// The other kernel that works together with this one.
    ///
    /// # Errors
    /// If the image has none of that name, or several that differ.
    pub(super) fn other(&self, name: &str) -> Result<Self> {
        let mut symbols = self.image.kernels.keys().filter(|symbol| name_of(symbol) == name);
        let symbol = symbols.next().ok_or_else(|| format!("{name} is not in the file"))?;
        match symbols.next() {
            None => Ok(Self { symbol, ..*self }),
            Some(_) => Err(format!("{name} is in the file twice")),
        }
    }
}

pub(super) const CONSTANT: &str = "  time   constant";
const VARIABLE: &str = "  time   NOT constant: it looks up by secrets, or branches on them";

/// A call: memory, and arguments.
pub struct Call<D: Domain> {
    pub(super) memory: Memory<D::Cell>,
    pub(super) arguments: Vec<Value<D::Cell>>,
}

impl<D: Domain> Call<D> {
    pub(super) fn new() -> Self {
        Self { memory: Memory::new(D::UNKNOWN, 8 / D::BITS), arguments: Vec::new() }
    }

    /// The next argument is a pointer to a region: the region's number.
    pub(super) fn region(&mut self, region: Region<D::Cell>) -> usize {
        let number = self.memory.regions.len();
        self.memory.regions.push(region);
        self.arguments.push(Value::Pointer(number, 0));
        number
    }

    /// The next argument is a pointer to a region that is only read, of words of so many bytes.
    pub(super) fn input(&mut self, name: &'static str, word: i64, cells: Vec<D::Cell>) -> usize {
        self.region(Region { word: (word, word), ..Region::new(name, READ, cells, 8 / D::BITS) })
    }

    /// The same of one that is read and written.
    pub(super) fn in_place(&mut self, name: &'static str, word: i64, cells: Vec<D::Cell>) -> usize {
        self.region(Region { word: (word, word), ..Region::new(name, BOTH, cells, 8 / D::BITS) })
    }

    /// The next argument is the count of groups.
    pub(super) fn count(&mut self) {
        self.arguments.push(Value::Count(0));
    }

    pub(super) fn state(&self, kernel: &Kernel<'_>, domain: &mut D) -> State<D> {
        let (convention, entry) = (kernel.image.convention, kernel.code().start);
        let mut state = State::call(convention, entry, self.memory.clone(), &self.arguments);
        state.give_callers(domain);
        state
    }

    /// The statement about a kernel that is called like this and does this.
    pub(super) fn statement(&self, kernel: &Kernel<'_>, is_constant: bool, does: &str) -> String {
        let (stack, keeps) = (kernel.image.convention.stack, kernel.image.convention.keeps);
        let (mut reads, mut writes, mut aligned) = (Vec::new(), Vec::new(), String::new());
        for (n, argument) in self.arguments.iter().enumerate() {
            let Value::Pointer(number, _) = argument else { continue };
            let Region { name, size, align, access, .. } = &self.memory.regions[*number];
            // A count belongs to the region before it.
            let is_counted = matches!(self.arguments.get(n + 1), Some(Value::Count(_)));
            let bytes = format!("{name} {size}{}", if is_counted { " x count" } else { "" });
            if *align > 1 {
                aligned += &format!(", {name} at {align}");
            }
            reads.extend(access.read.then(|| bytes.clone()));
            writes.extend(access.write.then_some(bytes));
        }
        format!(
            "{name}:\n  given  regions and the {stack} bytes below the return address lie apart{aligned}{given}\n\
             \x20 then   it returns; {does}\n  reads  {reads}; writes {writes} (bytes), and its tables\n\
             \x20 keeps  {keeps}\n\x20 stack  nothing is left on it but zeros and the caller's registers\n{time}\n",
            name = kernel.name(),
            given = kernel.image.convention.given,
            reads = reads.join(", "),
            writes = writes.join(", "),
            time = if is_constant { CONSTANT } else { VARIABLE },
        )
    }
}

/// Runs a kernel without loops over a count to its return: the state there.
pub(super) fn run<D: Domain>(
    machine: &mut Machine<'_, D>,
    kernel: &Kernel<'_>,
    call: &Call<D>,
) -> Result<State<D>> {
    let mut state = call.state(kernel, &mut machine.domain);
    let Stop::Return = machine.run(&mut state, &[])? else {
        return Err("a branch on a count".into());
    };
    machine.check_return(&state)?;
    Ok(state)
}

/// An array of the specification, of a list.
pub(super) fn array<T: Copy, const N: usize>(list: &[T]) -> [T; N] {
    std::array::from_fn(|n| list[n])
}

/// Bits as memory has them, byte by byte from the lowest, to those of the standard, from the highest; and
/// back.
pub(super) fn standard_order<T: Copy>(bits: &[T]) -> Vec<T> {
    (0..bits.len()).map(|n| bits[n / 8 * 8 + 7 - n % 8]).collect()
}
