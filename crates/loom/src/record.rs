//! A kernel's record: what a caller, a test or a proof must know of it. Declarations, headers and
//! tests are made from it.

use sha2::{Digest, Sha256};

use crate::ir::{Kernel, Param, Type};
use crate::isa::RegSet;
use crate::isa::frame::Abi;

/// What is known of one finished kernel.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name, a label everywhere.
    pub name: String,
    /// What it computes.
    pub doc: String,
    /// How it is called.
    pub abi: &'static Abi,
    /// Parameters in order, with what each pointer may read and write, and how far.
    pub params: Vec<Param>,
    /// Processor features beyond the baseline, by their usual names.
    pub features: Vec<&'static str>,
    /// Whether no address and no branch depends on a secret.
    pub constant_time: bool,
    /// Bytes of constant tables.
    pub table_bytes: usize,
    /// Bytes of stack beyond the return address.
    pub stack_bytes: u32,
    /// Whether values were kept on the stack; they are wiped at the end.
    pub spills: bool,
    /// Registers that it writes; those that the ABI wants back are restored.
    pub written: RegSet,
    /// A hash of the description: SHA-256 of the kernel as the IR's printer prints it.
    pub description: String,
}

impl Record {
    /// The name of the parameter that says how often the kernel's unit of work is done, if any.
    #[must_use]
    pub fn count(&self) -> Option<&Param> {
        self.params.iter().find(|param| param.memory.is_none() && param.ty == Type::W64)
    }
}

/// The hash of a kernel's description, in hexadecimal.
#[must_use]
pub fn description(kernel: &Kernel) -> String {
    let mut text = kernel.to_string();
    // The printer names tables; what they hold is part of the description too.
    for table in &kernel.tables {
        text += &format!("{} {} {:x?}\n", table.name, table.entry_bytes, table.entries);
    }
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
