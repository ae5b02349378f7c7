//! What instructions cost on one processor: a file of data for each.

mod generic;
mod i386;
mod i486;
mod ice_lake;
mod in_order;
mod pa8000;
mod pentium;
mod pentium_pro;
mod sapphire_rapids;
mod skylake;
mod zen2;
mod zen3;
mod zen4;
mod zen5;

pub use in_order::{Bus, Clocks, Form, InOrder, Pairing, Penalty};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The processors, the one that stands for many first.
pub const ALL: [&Cpu; 8] = [
    &generic::CPU,
    &skylake::CPU,
    &ice_lake::CPU,
    &sapphire_rapids::CPU,
    &zen2::CPU,
    &zen3::CPU,
    &zen4::CPU,
    &zen5::CPU,
];

/// Processors that have 32-bit code only, and no vectors: rows for general registers.
pub const OLD: [&Cpu; 4] = [&i386::CPU, &i486::CPU, &pentium::CPU, &pentium_pro::CPU];

/// The processors of PA-RISC 2.0.
pub const HPPA: [&Cpu; 1] = [&pa8000::CPU];

/// Kinds of instructions that cost alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Arithmetic, logic, immediate moves on general registers.
    Logic,
    /// Shifts and rotations by a constant.
    Shift,
    /// A copy of a register, which renaming may do.
    Copy,
    /// A byte or halfword with zeros above, from the low end.
    Low,
    /// The same from `ah` and its like.
    High,
    /// A reversal of bytes.
    Swap,
    /// An address.
    Address,
    /// A load, from address to result.
    Load,
    /// A store.
    Store,
    /// Bits moved together or apart by a mask (`pext`, `pdep`).
    Bits,
    /// A compare and branch that is not taken, or a conditional move.
    Select,
    /// Logic on vectors of up to 256 bits.
    Vector,
    /// Shifts in vectors of up to 256 bits.
    VectorShift,
    /// Logic on vectors of 512 bits; on a processor that has none, as on narrower ones.
    Wide,
    /// Tables of three inputs on vectors of up to 256 bits.
    Ternary,
    /// The same on 512 bits.
    WideTernary,
    /// Shifts in vectors of 512 bits.
    WideShift,
    /// A general register to a vector, or back.
    Splat,
    /// Bytes or words to other places within 16 bytes, in vectors of up to 256 bits.
    Shuffle,
    /// The same in 512 bits.
    WideShuffle,
    /// Halves of a vector of 256 bits to other places.
    Across,
    /// Bytes picked from anywhere in a vector.
    Pick,
    /// Bytes picked from anywhere in two vectors.
    PickTwo,
    /// Products with matrices of bits.
    Matrix,
    /// Sums of differences of bytes.
    Distance,
    /// Bytes with the signs of others.
    Sign,
}

/// One row: cycles from source to result, and the ports that can do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// What.
    pub kind: Kind,
    /// Cycles.
    pub latency: u32,
    /// Bit n: port n can do it; none: no port is needed.
    pub ports: u16,
}

/// A processor's costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// Its name on the command line and in headers.
    pub name: &'static str,
    /// What it stands for, and where its numbers come from.
    pub doc: &'static str,
    /// Operations a cycle that can be renamed, a load with its arithmetic counting once.
    pub width: u32,
    /// A row for every kind.
    pub rows: &'static [Row],
    /// In which order instructions are done.
    pub pipeline: Pipeline,
}

/// In which order a processor does instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipeline {
    /// As their sources are there and the ports of their rows are free; with what a use of a whole
    /// register waits for after a part of it was written, if for anything.
    OutOfOrder(&'static [Partial]),
    /// In the order of the program: the clocks of a line follow from its instructions.
    InOrder(&'static InOrder),
}

/// What a use of a whole register waits for after a byte of it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partial {
    /// Whether the register was cleared by `xor` with itself before.
    pub cleared: bool,
    /// Clocks.
    pub clocks: u32,
    /// Who says so.
    pub source: &'static str,
}

impl Cpu {
    /// The processor that stands for many.
    pub const GENERIC: &'static Self = &generic::CPU;

    /// A processor by name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        ALL.into_iter().chain(OLD).find(|cpu| cpu.name == name)
    }

    /// The costs of a processor that does instructions in order; none of others.
    #[must_use]
    pub const fn in_order(&self) -> Option<&'static InOrder> {
        match self.pipeline {
            Pipeline::InOrder(costs) => Some(costs),
            Pipeline::OutOfOrder(_) => None,
        }
    }

    /// What a use of a whole register waits for after a part of it was written.
    #[must_use]
    pub fn partial(&self, cleared: bool) -> u32 {
        match self.pipeline {
            Pipeline::InOrder(costs) => costs.partial.clocks,
            Pipeline::OutOfOrder(partial) => {
                let row = partial.iter().find(|row| row.cleared == cleared);
                row.map_or(0, |row| row.clocks)
            }
        }
    }

    /// The row of a kind.
    ///
    /// # Panics
    /// If the processor's file has none: `tests` see to it that it has.
    #[must_use]
    pub fn row(&self, kind: Kind) -> &Row {
        let row = self.rows.iter().find(|row| row.kind == kind);
        row.unwrap_or_else(|| panic!("{} has no costs for {kind:?}", self.name))
    }
}

/// Costs are named, not spelt out.
impl Serialize for &'static Cpu {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.name.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for &'static Cpu {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || serde::de::Error::custom(format!("no costs of a processor `{name}`"));
        Cpu::by_name(&name).ok_or_else(unknown)
    }
}

/// A row, for the tables.
const fn row(kind: Kind, latency: u32, ports: u16) -> Row {
    Row { kind, latency, ports }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::models::Model;

    #[test]
    fn every_processor_has_every_row_once() {
        use Kind::{
            Across, Address, Bits, Copy, Distance, High, Load, Logic, Low, Matrix, Pick, PickTwo,
            Select, Shift, Shuffle, Sign, Splat, Store, Swap, Ternary, Vector, VectorShift, Wide,
            WideShift, WideShuffle, WideTernary,
        };
        // Where the compiler stops at a new kind: it belongs into the list below, too.
        let _ = |kind| match kind {
            Logic | Shift | Copy | Low | High | Swap | Address | Load | Store | Bits | Select
            | Vector | VectorShift | Wide | WideShift | Splat | Shuffle | WideShuffle | Across
            | Pick | PickTwo | Matrix | Distance | Sign | Ternary | WideTernary => {}
        };
        for cpu in ALL {
            for kind in [
                Logic,
                Shift,
                Copy,
                Low,
                High,
                Swap,
                Address,
                Load,
                Store,
                Bits,
                Select,
                Vector,
                VectorShift,
                Wide,
                WideShift,
                Splat,
                Shuffle,
                WideShuffle,
                Across,
                Pick,
                PickTwo,
                Matrix,
                Distance,
                Sign,
                Ternary,
                WideTernary,
            ] {
                let rows = cpu.rows.iter().filter(|row| row.kind == kind).count();
                assert_eq!(rows, 1, "{}: {kind:?}", cpu.name);
            }
        }
    }

    #[test]
    fn old_processors_have_every_row_of_general_registers_once() {
        use Kind::{Address, Copy, High, Load, Logic, Low, Select, Shift, Store, Swap};
        for cpu in OLD {
            for kind in [Logic, Shift, Copy, Low, High, Swap, Address, Load, Store, Select] {
                let rows = cpu.rows.iter().filter(|row| row.kind == kind).count();
                assert_eq!(rows, 1, "{}: {kind:?}", cpu.name);
            }
            let model = Model::by_name(cpu.name).expect("a processor of this name");
            for form in Form::ALL {
                let Some(costs) = cpu.in_order() else { continue };
                let rows = costs.forms.iter().filter(|row| row.form == form).count();
                let has = form != Form::Swap || model.features.bswap;
                assert_eq!(rows, usize::from(has), "{}: {form:?}", cpu.name);
            }
        }
    }

    /// Who says so is named with a year, but for these, which no text at hand has.
    #[test]
    fn every_figure_of_an_old_processor_has_a_source() {
        let mut remembered = Vec::new();
        for cpu in OLD {
            let Pipeline::InOrder(costs) = cpu.pipeline else { continue };
            let forms = costs.forms.iter().map(|row| (format!("{:?}", row.form), row.source));
            let penalties =
                costs.penalties().map(|(name, penalty)| (name.to_owned(), penalty.source));
            for (what, source) in forms.chain(penalties) {
                let year =
                    source.contains("(19") || source.contains("(20") || source.contains(", 19");
                let legend = source.starts_with("80x86 Integer Instruction Set (8088");
                if source.ends_with("from memory") {
                    remembered.push(format!("{}: {what}", cpu.name));
                } else {
                    assert!(year || legend, "{}: {what}: {source}", cpu.name);
                }
            }
        }
        assert_eq!(remembered, ["pentium: Rotate", "pentium: Swap", "pentium: Return"]);
    }

    #[test]
    fn sources_of_partial_registers_disagree() {
        let cpu = Cpu::by_name("pentiumpro").unwrap();
        assert_eq!([false, true].map(|cleared| cpu.partial(cleared)), [7, 0]);
        assert_eq!(Cpu::GENERIC.partial(false), 0);
    }
}
