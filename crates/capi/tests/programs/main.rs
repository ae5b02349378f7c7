//! The C face, as C programs use it: each is compiled with every warning an error, linked with what
//! plain `cargo build` makes, and run.
#![cfg(target_os = "linux")]

mod backends;
mod differential;
mod examples;
mod face;
mod install;
mod laws;
mod support;
mod table;
