//! Test support: vectors, random input, guard pages, stacks, peers.
//!
//! Everything here panics with a message that names the file and line, or says what to install,
//! when something is not as it should be: a test kit that carried on would hide tests that did
//! not run.

pub mod checks;
pub mod extra;
pub mod faces;
pub mod fuzz;
#[cfg(unix)]
pub mod guard;
pub mod imports;
#[cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]
pub mod indirect;
pub mod laws;
pub mod nist;
pub mod oracle;
pub mod peers;
pub mod records;
pub mod rfc6229;
pub mod rng;
pub mod rsp;
#[cfg(all(target_os = "linux", not(miri)))]
pub mod stack;
#[cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]
pub mod valgrind;
pub mod ways;

use std::path::PathBuf;

/// A file or folder below the project's `vectors/`.
pub fn vectors(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors")).join(path)
}

/// The text of a file below `vectors/`.
///
/// # Panics
/// If it cannot be read.
pub fn vector_text(path: &str) -> String {
    let path = vectors(path);
    std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}
