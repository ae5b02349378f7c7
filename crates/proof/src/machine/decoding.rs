//! From bytes to instructions of each set, and which of them co-simulation covers.

use super::instruction::Instruction;
use super::state::Machine;
use super::{aarch64, x86};
use crate::Result;
use crate::domain::Domain;
use crate::isa::{Convention, Isa};

impl Isa {
    /// What its kernels find, and what they must leave.
    pub fn convention(self) -> &'static Convention {
        match self {
            Self::X86_64 => &x86::CONVENTION,
            Self::AArch64 => &aarch64::CONVENTION,
        }
    }

    /// The instruction that some bytes begin with.
    ///
    /// # Errors
    /// If there is none that the prover knows.
    pub fn decode(self, bytes: &[u8], address: u64) -> Result<Instruction> {
        Ok(match self {
            Self::X86_64 => Instruction::X86(x86::decode(bytes, address)?),
            Self::AArch64 => Instruction::AArch64(aarch64::decode(bytes, address)?),
        })
    }

    /// All instructions of some code, one after the other.
    ///
    /// # Errors
    /// If there is something between them.
    pub fn decode_all(self, code: &[u8], start: u64) -> Result<Vec<Instruction>> {
        let (mut all, mut at) = (Vec::new(), 0);
        while at < code.len() {
            let i = self.decode(&code[at..], start + at as u64);
            let i = i.map_err(|error| format!("at {at:#x}: {error}"))?;
            at = (i.end() - start) as usize;
            all.push(i);
        }
        Ok(all)
    }
}

impl Instruction {
    /// Its form, as the list of those has it that co-simulation covers.
    pub fn form(&self) -> String {
        match self {
            Self::X86(i) => x86::form(i),
            Self::AArch64(i) => i.form(),
        }
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
