//! What x86's instructions cost: its scheduling classes, and a file of data for each processor.

mod class;
mod generic;
mod golden_cove;
mod i386;
mod i486;
mod ice_lake;
mod in_order;
mod milan;
mod pentium;
mod pentium_pro;
mod sapphire_rapids;
mod skylake;
mod turin;
mod zen2;
mod zen3;
mod zen4;
mod zen5;

pub use class::SchedulingClass;
pub use in_order::InOrderClass;

use crate::isa::costs::Cpu;

/// The processor that stands for many.
pub const GENERIC: &Cpu = &generic::CPU;

/// The processors, the one that stands for many first.
pub const ALL: [&Cpu; 11] = [
    GENERIC,
    &skylake::CPU,
    &ice_lake::CPU,
    &golden_cove::CPU,
    &sapphire_rapids::CPU,
    &zen2::CPU,
    &zen3::CPU,
    &milan::CPU,
    &zen4::CPU,
    &zen5::CPU,
    &turin::CPU,
];

/// The costs of the processor at hand. Of Intel's what they have decides, as virtual machines make up their
/// numbers.
#[cfg(target_arch = "x86_64")]
pub fn here() -> Option<&'static Cpu> {
    use std::arch::is_x86_feature_detected as has;
    let processor = cipherloom_measure::Processor::detect();
    let is_amd = processor.label().contains("AMD");
    match cipherloom_measure::model() {
        Some((0x17, _)) if is_amd => Some(&zen2::CPU),
        Some((0x19, _)) if is_amd && !has!("avx512f") => Some(&milan::CPU),
        Some((0x19, _)) if is_amd => Some(&zen4::CPU),
        Some((0x1a, _)) if is_amd => Some(&turin::CPU),
        _ if !processor.label().contains("Intel") || !has!("avx2") => None,
        _ if has!("avx512fp16") => Some(&sapphire_rapids::CPU),
        _ if has!("avx512vbmi2") => Some(&ice_lake::CPU),
        _ => Some(&skylake::CPU),
    }
}

/// The costs of the processor at hand: it is none of x86.
#[cfg(not(target_arch = "x86_64"))]
pub fn here() -> Option<&'static Cpu> {
    None
}

/// Processors that have 32-bit code only, and no vectors: rows for general registers.
pub const OLD: [&Cpu; 4] = [&i386::CPU, &i486::CPU, &pentium::CPU, &pentium_pro::CPU];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Model;
    use crate::isa::costs::Pipeline;
    use crate::isa::x86::features::BSWAP;

    #[test]
    fn every_processor_has_every_row_once() {
        for cpu in ALL {
            for class in SchedulingClass::ALL {
                let rows = cpu.rows.iter().filter(|row| row.class == class.class()).count();
                assert_eq!(rows, 1, "{}: {class:?}", cpu.name);
            }
        }
    }

    #[test]
    fn old_processors_have_every_row_of_general_registers_once() {
        use SchedulingClass::{
            Address, Copy, Extend, High, Load, Logic, Low, Select, Shift, Store, Swap,
        };
        for cpu in OLD {
            for kind in [Logic, Shift, Copy, Low, Extend, High, Swap, Address, Load, Store, Select]
            {
                let rows = cpu.rows.iter().filter(|row| row.class == kind.class()).count();
                assert_eq!(rows, 1, "{}: {kind:?}", cpu.name);
            }
            let model = Model::by_name(cpu.name).expect("a processor of this name");
            for form in InOrderClass::ALL {
                let Some(costs) = cpu.in_order() else { continue };
                let rows = costs.forms.iter().filter(|row| row.form == form.class()).count();
                let has = form != InOrderClass::Swap || model.features.include(BSWAP);
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
            let forms = costs.forms.iter().map(|row| {
                (format!("{:?}", InOrderClass::ALL[usize::from(row.form.0)]), row.source)
            });
            let penalties = [
                ("address", costs.address),
                ("partial", costs.partial),
                ("index", costs.index),
                ("scaled", costs.scaled),
                ("prefix", costs.prefix),
                ("escape", costs.escape),
                ("constant and displacement", costs.constant_and_displacement),
                ("taken", costs.taken),
            ]
            .map(|(name, penalty)| (name.to_owned(), penalty.source));
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
