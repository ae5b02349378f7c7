//! Search for the order and the choices that run fastest on the processor at hand.

pub mod clock;
mod inputs;
mod jit;
mod subject;

pub use inputs::inputs;
pub use jit::Jit;
pub use subject::{Answers, Subject};
