//! Parts of the Rust toolchain.

use crate::process::{self, output, program};
use std::path::PathBuf;

/// A processor without an operating system: shows that the library is `no_std`.
pub(crate) const BARE: &str = "thumbv7m-none-eabi";
pub(crate) const MACOS: &str = "aarch64-apple-darwin";
pub(crate) const MACOS_X64: &str = "x86_64-apple-darwin";
pub(crate) const WINDOWS: &str = "x86_64-pc-windows-msvc";
pub(crate) const WINDOWS_ARM: &str = "aarch64-pc-windows-msvc";
/// WebAssembly with files and arguments: the library's tests need them.
pub(crate) const WASI: &str = "wasm32-wasip1";
pub(crate) const RISC_V: &str = "riscv64gc-unknown-linux-gnu";
pub(crate) const ARM: &str = "aarch64-unknown-linux-gnu";
/// A page in a browser: shows that the formats need no files, threads and processes.
pub(crate) const WEB: &str = "wasm32-unknown-unknown";

/// Whether Rust's standard library is there for a target.
pub(crate) fn find(name: &str) -> Option<String> {
    let args = ["--print", "target-libdir", "--target", name];
    let folder = PathBuf::from(output(program("rustc").args(args))?.trim());
    folder.is_dir().then(|| "the target's standard library".to_owned())
}

/// Adds a target to the Rust toolchain.
///
/// # Errors
/// There is no rustup, or it cannot have it.
pub(crate) fn install(name: &str) -> Result<(), String> {
    process::run(program("rustup").args(["--quiet", "target", "add", name]))
}

/// Adds a component to the toolchain.
///
/// # Errors
/// There is no rustup, or it cannot have it.
pub(crate) fn install_component(name: &str) -> Result<(), String> {
    process::run(program("rustup").args(["--quiet", "component", "add", name]))
}
