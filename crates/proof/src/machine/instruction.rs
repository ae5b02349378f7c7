//! An instruction of any set.

use super::fields::{aarch64, hppa, x86};
use std::fmt;

/// An instruction of one of them.
#[derive(Clone, Copy, Debug)]
pub enum Instruction {
    /// x86, of 64 or of 32 bits.
    X86(iced_x86::Instruction),
    /// Arm of 64 bits.
    AArch64(aarch64::Instruction),
    /// PA-RISC.
    Hppa(hppa::Instruction),
}

impl Instruction {
    /// The address behind it.
    pub fn end(&self) -> u64 {
        match self {
            Self::X86(i) => i.next_ip(),
            Self::AArch64(aarch64::Instruction { address, .. })
            | Self::Hppa(hppa::Instruction { address, .. }) => address + 4,
        }
    }

    /// Its form, as the list of those has it that co-simulation covers.
    pub fn form(&self) -> String {
        match self {
            Self::X86(i) => x86::form(i),
            Self::AArch64(i) => i.form(),
            Self::Hppa(i) => i.form(),
        }
    }

    /// Where it leads, if it is a branch back that is not always taken.
    pub fn loop_head(&self) -> Option<u64> {
        match self {
            Self::X86(i) => {
                let is_back = i.is_jcc_short_or_near() && i.near_branch_target() < i.ip();
                is_back.then(|| i.near_branch_target())
            }
            Self::AArch64(i) => i.choice().filter(|&target| target < i.address),
            Self::Hppa(i) => i.choice().filter(|&target| target < i.address),
        }
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::X86(i) => i.fmt(f),
            Self::AArch64(i) => i.fmt(f),
            Self::Hppa(i) => i.fmt(f),
        }
    }
}
