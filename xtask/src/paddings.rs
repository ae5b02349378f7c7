//! `cargo xtask paddings`: what a wrong padding costs beside a right one.

use crate::process::{self, cargo, root};

/// Builds the shared library, and has the benchmark compare the ways to decrypt, or those
/// whose rows have all of `words` in them.
///
/// # Errors
/// Something cannot be built, or a padding is judged wrongly.
pub(crate) fn run(words: &[&str]) -> crate::failure::Result {
    process::run(&mut cargo(["build", "--quiet", "--release", "--package", "cipherloom-capi"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), Into::into);
    let name =
        format!("{}cipherloom{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let mut bench =
        cargo(["bench", "--quiet", "--package", "cipherloom-capi", "--bench", "paddings", "--"]);
    bench.args(words).env("CIPHERLOOM_SHARED_LIBRARY", target.join("release").join(name));
    Ok(process::run(&mut bench)?)
}
