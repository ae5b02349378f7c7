//! Search for the order and the choices that run fastest on the processor at hand.

mod jit;

pub use jit::Jit;
