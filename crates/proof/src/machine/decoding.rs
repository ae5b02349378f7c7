//! From bytes to instructions of each set, and which of them co-simulation covers.

use super::instruction::Instruction;
use super::state::Machine;
use super::{aarch64, hppa, x86};
use crate::Result;
use crate::domain::Domain;
use crate::isa::{Convention, Isa};

impl Isa {
    /// What its kernels find, and what they must leave: the usual way, then others.
    pub fn conventions(self) -> &'static [Convention] {
        match self {
            Self::X86_64 => &[x86::CONVENTION, x86::WIN64],
            Self::X86_32 => &[x86::CDECL],
            Self::X86_16 => &[x86::NEAR16, x86::FAR16],
            Self::AArch64 => &[aarch64::CONVENTION],
            Self::Hppa => &[hppa::HPPA, hppa::HPPA64],
        }
    }

    /// The usual way.
    pub fn convention(self) -> &'static Convention {
        &self.conventions()[0]
    }

    /// The instruction that some bytes begin with.
    ///
    /// # Errors
    /// If there is none that the prover knows.
    pub fn decode(self, bytes: &[u8], address: u64) -> Result<Instruction> {
        Ok(match self {
            Self::X86_64 => Instruction::X86(x86::decode(bytes, address, 64)?),
            Self::X86_32 => Instruction::X86(x86::decode(bytes, address, 32)?),
            Self::X86_16 => Instruction::X86(x86::decode(bytes, address, 16)?),
            Self::AArch64 => Instruction::AArch64(aarch64::decode(bytes, address)?),
            Self::Hppa => Instruction::Hppa(hppa::decode(bytes, address)?),
        })
    }
}

impl<D: Domain> Machine<'_, D> {
    /// The instruction at an address of the kernel.
    pub(super) fn fetch(&mut self, address: u64) -> Result<Instruction> {
        if let Some(instruction) = self.decoded.get(&address) {
            return Ok(*instruction);
        }
        if !self.code.contains(&address) {
            return Err("it leaves its own code".into());
        }
        let at = (address - self.code.start) as usize;
        let i = self.image.isa.decode(&self.image.code(&self.code)[at..], address);
        let i = i.map_err(|error| format!("at {at:#x}: {error}"))?;
        if i.end() > self.code.end {
            return Err(format!("no instruction at {at:#x}"));
        }
        let form = i.form();
        if !self.covered.contains(&form) {
            return Err(format!("`{i}`, {form}, is not covered by co-simulation"));
        }
        self.decoded.insert(address, i);
        Ok(i)
    }
}
