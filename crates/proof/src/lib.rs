//! A prover: the machine code of a linked file computes what the standards say, for every key, every block
//! and every count.
//!
//! `docs/PROOF.md` explains the method, `docs/SOUNDNESS.md` what must be trusted.
//!
//! | module | subject | trusted |
//! |---|---|---|
//! | [`bits`], [`bytes`], [`domain`] | expressions in a normal form | yes |
//! | [`machine`] | what instructions do, and the calling convention | yes; co-simulated |
//! | [`memory`] | regions, and what may be done to them | yes |
//! | [`induction`] | loops; its search for invariants need not be | yes |
//! | [`isa`] | instruction sets | yes |
//! | [`image`] | linked files | yes; compared with memory |
//! | [`theorems`] | what each kernel is to do | read them |
//! | [`link`], [`manifest`], [`report`] | files to link; hashes of what was proved; all kernels of a file | no |

#![forbid(unsafe_code)]

pub mod bits;
pub mod bytes;
pub mod domain;
pub mod image;
pub mod induction;
pub mod isa;
pub mod link;
pub mod machine;
pub mod manifest;
pub mod memory;
pub mod report;
pub mod theorems;

/// What was found, or why it was refused.
pub type Result<T> = std::result::Result<T, String>;

/// The forms of instructions of x86-64 that co-simulation covers.
pub fn covered() -> std::collections::BTreeSet<String> {
    isa::Isa::X86_64.covered()
}
