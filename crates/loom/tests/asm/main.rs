//! What is emitted is assembled by the real assemblers, compared with the encoder byte for byte,
//! and run.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod abi;
mod assembler;
mod call;
mod cases;
mod cet;
mod image;
mod kernels;
mod modules;
mod objects;
mod pairs;
mod run;
mod shipped;
mod texts;
mod unwind;
mod watch_32;
