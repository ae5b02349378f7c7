//! What is emitted is assembled by the real assemblers, compared with the encoder byte for byte,
//! and run.

mod assembler;
mod gnu;
