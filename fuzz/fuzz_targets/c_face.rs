#![no_main]

/// The C face is a library for C programs, which Rust cannot name: it becomes a part of this one.
#[path = "../../crates/capi/src/lib.rs"]
mod capi;

libfuzzer_sys::fuzz_target!(|data: &[u8]| capi::sequence::run(data));
