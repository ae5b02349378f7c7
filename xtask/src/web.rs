//! `cargo xtask web`: the page that opens old data in a browser, built and tested.

use crate::failure::Failure;
use crate::process::{self, cargo, output, program, root, shown, succeeds};
use crate::sources::{apt, python, rustup};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How `setup` calls the compiler of the page, and what runs it.
pub(crate) const RUST: &str = "the page's Rust";
pub(crate) const NODE: &str = "node";
pub(crate) const BROWSER: &str = "chromium";

/// The compiler that the committed page was made by: another one makes other bytes.
const TOOLCHAIN: &str = "1.95.0";

/// On PyPI: the rules for pages that all can read, in JavaScript. What runs them there is not needed.
const AXE: (&str, &str) = ("axe-playwright-python==0.1.8", "axe_playwright_python/axe.min.js");

const PAGE: &str = "web/cipherloom.html";

/// Builds the page and writes it into its place.
///
/// # Errors
/// It cannot be built or written.
pub(crate) fn write() -> crate::failure::Result {
    make(&root().join(PAGE))?;
    println!("{PAGE}");
    Ok(())
}

/// Builds the page, and compares it with the one that is committed.
///
/// # Errors
/// It cannot be built, or it has other bytes.
pub(crate) fn check() -> crate::failure::Result {
    let made = folder().join("cipherloom.html");
    make(&made)?;
    let read = |path: &Path| std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()));
    if read(&made)? != read(&root().join(PAGE))? {
        return Err(format!("{PAGE} is not what these sources make: run `cargo xtask web`").into());
    }
    println!("{PAGE} is what these sources make");
    Ok(())
}

/// Calls the library that is in the page, without a browser.
///
/// # Errors
/// An answer is wrong.
pub(crate) fn node() -> crate::failure::Result {
    script("web/tests/known.mjs", &[])
}

/// Uses the page in a browser.
///
/// # Errors
/// Something is not as it should be.
pub(crate) fn browser() -> crate::failure::Result {
    let axe = find_axe().ok_or_else(|| "axe is missing: run `cargo xtask setup`".to_owned())?;
    script("web/tests/browser.mjs", &[("CIPHERLOOM_AXE", axe)])
}

/// `cargo xtask web` with words.
///
/// # Errors
/// Those of the above, and words that mean nothing.
pub(crate) fn run(words: &[&str]) -> crate::failure::Result {
    match words {
        [] => write(),
        ["--check"] => check(),
        ["--node"] => node(),
        ["--browser"] => browser(),
        _ => Err(Failure::Usage("web takes one of --check, --node, --browser, or nothing".into())),
    }
}

fn script(path: &str, variables: &[(&str, String)]) -> crate::failure::Result {
    let mut command = program("node");
    command.arg(path).envs(variables.iter().cloned());
    println!("$ {}", shown(&command));
    Ok(process::run(&mut command)?)
}

fn folder() -> PathBuf {
    root().join("target/web")
}

fn make(page: &Path) -> Result<(), String> {
    let words = "build --quiet --locked --package cipherloom-web --lib --profile web --target";
    let mut build = toolchain("cargo");
    build.args(words.split(' ').chain([rustup::WEB])).arg("--target-dir").arg(folder());
    // Nothing of this machine is in the bytes: no path, and no option of somebody's settings.
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let home = home.ok_or("neither CARGO_HOME nor HOME says where cargo keeps crates")?;
    let flags = [
        "-Ctarget-feature=+simd128".to_owned(),
        format!("--remap-path-prefix={}=.", root().display()),
        format!("--remap-path-prefix={}=cargo", home.display()),
    ];
    build.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    process::run(&mut build)?;
    let wasm = folder().join(rustup::WEB).join("web/cipherloom_web.wasm");
    let words = "run --quiet --locked --package cipherloom-web --bin cipherloom-page --";
    let mut put_together = cargo(words.split(' ').chain(["web"]));
    process::run(put_together.arg(wasm).arg(page))
}

/// Whether the Rust in use is the page's.
fn is_in_use() -> bool {
    let version = output(program("rustc").arg("--version")).unwrap_or_default();
    version.starts_with(&format!("rustc {TOOLCHAIN} "))
}

/// A program of the page's Rust.
fn toolchain(name: &str) -> Command {
    let is_in_use = is_in_use();
    let mut command = program(if is_in_use { name } else { "rustup" });
    if !is_in_use {
        command.args(["run", TOOLCHAIN, name]);
    }
    // What the cargo that runs this program has set is for other builds.
    for ours in ["CARGO", "RUSTC", "RUSTDOC", "RUSTFLAGS", "CARGO_TARGET_DIR"] {
        command.env_remove(ours);
    }
    command
}

/// Says which compiler is there, with the target.
pub(crate) fn find_rust() -> Option<String> {
    let args = ["--print", "target-libdir", "--target", rustup::WEB];
    let folder = output(toolchain("rustc").args(args))?;
    Path::new(folder.trim()).is_dir().then(|| format!("Rust {TOOLCHAIN} for {}", rustup::WEB))
}

/// Installs it beside the one in use, if that is another.
///
/// # Errors
/// There is no rustup, or it cannot be had.
pub(crate) fn install_rust() -> Result<(), String> {
    if is_in_use() {
        return rustup::install(rustup::WEB);
    }
    let words = ["--quiet", "toolchain", "install", TOOLCHAIN, "--profile", "minimal"];
    let target = ["--no-self-update", "--target", rustup::WEB];
    process::run(program("rustup").args(words).args(target))
}

/// Says which node is there; the first with what the tests need is 18.
pub(crate) fn find_node() -> Option<String> {
    let version = output(program("node").arg("--version"))?.trim().to_owned();
    let major: u32 = version.strip_prefix('v')?.split('.').next()?.parse().ok()?;
    (major >= 18).then(|| format!("node {version}"))
}

/// Installs it.
///
/// # Errors
/// apt's.
pub(crate) fn install_node() -> Result<(), String> {
    apt::install(&["nodejs"])
}

/// Says which browser is there, if the rules for pages are, too.
pub(crate) fn find_browser() -> Option<String> {
    find_axe()?;
    Some(format!("{}, axe", output(program("chromium").arg("--version"))?.trim()))
}

/// Installs both.
///
/// # Errors
/// apt's, pip's.
pub(crate) fn install_browser() -> Result<(), String> {
    if !succeeds(program("chromium").arg("--version")) {
        apt::install(&["chromium"])?;
    }
    python::install_alone(AXE.0)
}

/// Where the rules lie.
fn find_axe() -> Option<String> {
    let script = "import sysconfig; print(sysconfig.get_path('purelib'))";
    let folder = output(program(python::interpreter()).args(["-c", script]))?;
    let file = Path::new(folder.trim()).join(AXE.1);
    file.is_file().then(|| file.display().to_string())
}
