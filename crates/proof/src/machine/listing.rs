//! Code as a list of instructions: for who looks at all of a kernel, and not at what it does.

use super::instruction::Instruction;
use crate::Result;
use crate::isa::Isa;

impl Isa {
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
