//! Figures of earlier code, published or handed down, to hold ours against.

use crate::isa::costs::Cpu;
use crate::isa::{Features, registry};
use crate::variant::KernelVariant;

/// A figure of earlier code.
#[derive(Clone, Copy, Debug)]
pub struct Baseline {
    /// What it was, where and when.
    pub what: &'static str,
    /// Where the figure comes from, if not from the code's own description.
    pub from: &'static str,
    /// Cycles a block or byte.
    pub cycles: f64,
    /// Instructions for the same, if known.
    pub instructions: Option<u32>,
    /// Our kernel for the same work: its strategy.
    ours: &'static str,
    /// The cost model of the processor that it ran on, and our kernel there, where there is one.
    there: Option<(&'static str, &'static str)>,
}

impl Baseline {
    /// Our kernel for the same work: with `features`, or for the processor that the code was for.
    ///
    /// # Panics
    /// Never: the names here are those of kernels, which a test sees to.
    #[must_use]
    pub fn ours(&self, features: Features) -> KernelVariant {
        let plain: KernelVariant = self.ours.parse().expect("a kernel's name");
        match plain.target == registry::plain() {
            true => KernelVariant::new(plain.strategy, features),
            false => plain,
        }
    }
}

/// The figure of the same work on a processor, if there is one.
#[must_use]
pub fn on(cpu: &Cpu, variant: &KernelVariant) -> Option<&'static Baseline> {
    let there = (cpu.name, format!("{}/{}", variant.target, variant.strategy.plain_name()));
    let same =
        |one: &&Baseline| one.there.is_some_and(|(cpu, name)| (cpu, name.to_owned()) == there);
    ALL.iter().find(same)
}

/// The figures, oldest first.
pub static ALL: [Baseline; 5] = [
    Baseline {
        what: "DES block, assembly for the 486 (1994)",
        from: "38,373 blocks/s at 50 MHz",
        cycles: 1303.0,
        instructions: None,
        ours: "des_encrypt_table64",
        there: Some(("486", "x86/des_encrypt_table32")),
    },
    Baseline {
        what: "DES block, libdes for the Pentium (1997)",
        from: "281,000 blocks/s at 100 MHz",
        cycles: 356.0,
        instructions: None,
        ours: "des_encrypt_table64",
        there: Some(("pentium", "x86/des_encrypt_table32")),
    },
    Baseline {
        what: "DES CBC block, HP's PA-RISC 2.0 code (2000)",
        from: "clocks as published",
        cycles: 192.0,
        instructions: Some(270),
        ours: "pa-risc-2.0/des_encrypt_paired12_chain",
        there: None,
    },
    Baseline {
        what: "3DES CBC block, HP's PA-RISC 2.0 code (2000)",
        from: "clocks as published",
        cycles: 471.0,
        instructions: None,
        ours: "pa-risc-2.0/tdes_encrypt_paired12_chain",
        there: None,
    },
    Baseline {
        what: "RC4 byte, the 14-instruction loop on a Core 2",
        from: "cycles as published",
        cycles: 7.2,
        instructions: Some(14),
        ours: "rc4_apply_s8",
        there: None,
    },
];

/// What instruction choice and order gained by hand, libdes on a Pentium, 1997: 203,000 to 281,000
/// DES blocks a second.
pub const GAIN: f64 = 1.38;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_follow_from_what_they_come_from() {
        assert_eq!((100e6 / 281_000f64).round(), ALL[1].cycles);
        assert_eq!((50e6 / 38_373f64).round(), ALL[0].cycles);
        assert_eq!((281_000f64 / 203_000.0 * 100.0).round() / 100.0, GAIN);
        for baselines in ALL {
            assert_eq!(baselines.ours(Features::default()).to_string(), baselines.ours);
        }
    }
}
