//! What instructions cost on the processor at hand, measured, beside what a cost model says.
//!
//! | file | subject |
//! |---|---|
//! | `code.rs` | from a probe to loops of machine code: chains, and floods of what waits for nothing |
//! | `timing.rs` | these loops timed; work after a pause |
//! | `findings.rs` | what was measured of each probe, beside the model |
//! | `model.rs` | a model of what was measured, and its file |
//!
//! Which instructions, the instruction sets say (`Isa::probes`): nothing here knows one of them.

mod code;
mod findings;
mod model;
mod timing;

pub use code::{Coded, Loop, Question, Set, set};
pub use findings::{Finding, Measured};
pub use model::source;
pub use timing::{Figure, Timer, Waking};
