//! A made-up machine: the example of `docs/add-an-isa.md`, compiled for tests only.
//!
//! | file | subject |
//! |---|---|
//! | `inst.rs` | its instructions, and how the shared steps see them |
//! | `lower.rs` | from operations to instructions |
//! | `target.rs` | data |
//! | `machine.rs` | an interpreter of its programs |
//! | `tests.rs` | DES by tables on it |

mod inst;
mod lower;
mod machine;
mod target;
mod tests;

pub use inst::Toy;
pub use target::TOY;
