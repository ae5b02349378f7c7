//! A made-up machine: the example of `docs/add-an-isa.md`, compiled for tests only.
//!
//! | file | subject |
//! |---|---|
//! | `inst.rs` | its instructions, and how the shared steps see them |
//! | `lower.rs` | from operations to instructions |
//! | `target.rs` | data |
//! | `machine.rs` | an interpreter of its programs |
//!
//! `src/tests.rs` has DES by tables compiled for it, and run.

mod inst;
mod lower;
pub(crate) mod machine;
mod target;

pub use inst::Toy;
pub use target::TOY;
