//! What x86's instructions cost: its scheduling classes, and a file of data for each processor.

mod generic;
mod i386;
mod i486;
mod ice_lake;
mod in_order;
mod pentium;
mod pentium_pro;
mod sapphire_rapids;
mod skylake;
mod zen2;
mod zen3;
mod zen4;
mod zen5;

pub use in_order::Form;

use crate::isa::costs::{Class, Clocks, Cpu, Partial, Pipeline, Row};

/// The processor that stands for many.
pub const GENERIC: &Cpu = &generic::CPU;

/// The processors, the one that stands for many first.
pub const ALL: [&Cpu; 8] = [
    GENERIC,
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

/// Scheduling classes of x86.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A load, from address to result.
    Load = Class::LOAD.0,
    /// A store.
    Store = Class::STORE.0,
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

impl Kind {
    /// Every class.
    pub const ALL: [Self; 26] = [
        Self::Load,
        Self::Store,
        Self::Logic,
        Self::Shift,
        Self::Copy,
        Self::Low,
        Self::High,
        Self::Swap,
        Self::Address,
        Self::Bits,
        Self::Select,
        Self::Vector,
        Self::VectorShift,
        Self::Wide,
        Self::Ternary,
        Self::WideTernary,
        Self::WideShift,
        Self::Splat,
        Self::Shuffle,
        Self::WideShuffle,
        Self::Across,
        Self::Pick,
        Self::PickTwo,
        Self::Matrix,
        Self::Distance,
        Self::Sign,
    ];

    /// Its number.
    #[must_use]
    pub const fn class(self) -> Class {
        Class(self as u8)
    }
}

const fn row(kind: Kind, latency: u32, ports: u16) -> Row {
    Row { class: kind.class(), latency, ports }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Model;
    use crate::isa::x86::features::BSWAP;

    #[test]
    fn every_processor_has_every_row_once() {
        for cpu in ALL {
            for kind in Kind::ALL {
                let rows = cpu.rows.iter().filter(|row| row.class == kind.class()).count();
                assert_eq!(rows, 1, "{}: {kind:?}", cpu.name);
            }
        }
    }

    #[test]
    fn old_processors_have_every_row_of_general_registers_once() {
        use Kind::{Address, Copy, High, Load, Logic, Low, Select, Shift, Store, Swap};
        for cpu in OLD {
            for kind in [Logic, Shift, Copy, Low, High, Swap, Address, Load, Store, Select] {
                let rows = cpu.rows.iter().filter(|row| row.class == kind.class()).count();
                assert_eq!(rows, 1, "{}: {kind:?}", cpu.name);
            }
            let model = Model::by_name(cpu.name).expect("a processor of this name");
            for form in Form::ALL {
                let Some(costs) = cpu.in_order() else { continue };
                let rows = costs.forms.iter().filter(|row| row.form == form.class()).count();
                let has = form != Form::Swap || model.features.include(BSWAP);
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
            let forms = costs
                .forms
                .iter()
                .map(|row| (format!("{:?}", Form::ALL[usize::from(row.form.0)]), row.source));
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
        assert_eq!(GENERIC.partial(false), 0);
    }
}
