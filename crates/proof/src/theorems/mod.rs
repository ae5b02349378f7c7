//! What each kernel is to do. Which statement is a kernel's follows from its name; what the statement
//! says is what the code below builds: a call, and what memory holds when it returns.

mod bitslice;
mod blocks;
mod heads;
mod kernel;
mod libdes;
mod rc4;
mod rounds;
pub mod schedules;

use crate::Result;
use crate::machine::Leaks;
use kernel::CONSTANT;

pub use kernel::{Call, Kernel, Lanes, Proof};
pub use rc4::WHOLE;

impl Kernel<'_> {
    /// Proves what it is to do.
    ///
    /// # Errors
    /// If it does something else, or may.
    pub fn prove(&self) -> Result<Proof> {
        let name = self.name();
        let words: Vec<&str> = name.split('_').collect();
        let proof = match words[..] {
            ["des" | "tdes", "encrypt" | "decrypt", ..] => blocks::prove(self, &words),
            ["des", "encrypt1" | "encrypt2" | "encrypt3" | "decrypt3", ..] => libdes::prove(self),
            ["des" | "tdes", slices, ..] if slices.starts_with("bitslice") => {
                rounds::prove(self, &words)
            }
            [slices, ..] if slices.starts_with("bitslice") => bitslice::prove(self, &words),
            ["rc4", "apply" | "keystreams", ..] => rc4::prove_keystream(self, &words),
            ["rc4", "setup", ..] => rc4::prove_setup(self, &words),
            _ => Err("no theorem says what it is to do".into()),
        }?;
        if proof.statement.contains(CONSTANT) && proof.leaks != Leaks::default() {
            return Err(format!("its time is not constant: {:?}", proof.leaks));
        }
        Ok(proof)
    }
}
