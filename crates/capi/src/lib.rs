//! The C face of the library. What the functions do stands in `include/`; a function here has only
//! what a reader of its code needs.
//!
//! | file | subject |
//! |---|---|
//! | `code.rs` | errors as numbers with a text; panics end here |
//! | `memory.rs` | from C's pointers and lengths to slices |
//! | `names.rs` | C's numbers for ciphers, modes, paddings, policies; names of backends |
//! | `keys.rs` `modes.rs` `incremental.rs` `macs.rs` `rc4.rs` `batch.rs` `backends.rs` | `cl_*` |
//! | `header.rs` | for tests: what the header declares |
//! | `sequence/` | for tests and fuzzing: any calls in any order, judged |
//! | `openssl/` | the functions of OpenSSL's `des.h` and `rc4.h` |
//!
//! Paths begin with `super`: `fuzz/` takes these files in as a module of a program.
//!
//! Handles are boxes, and null pointers `None`: `Option<Box<T>>` and `Option<&T>` are C's `T *`
//! (<https://doc.rust-lang.org/std/boxed/#memory-layout>), so that most functions are safe Rust.
//! Where a function takes memory by address and length, or memory that its caller has not
//! initialised, C's promises stand in the place of the compiler's.
#![allow(unsafe_code, reason = "a foreign-function face: pointers come from C")]

mod backends;
mod batch;
mod code;
#[cfg(test)]
mod header;
mod incremental;
mod keys;
mod macs;
mod memory;
mod modes;
mod names;
mod openssl;
mod rc4;
#[cfg(any(test, fuzzing))]
pub(crate) mod sequence;
