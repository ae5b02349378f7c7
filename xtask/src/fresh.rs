//! `cargo xtask fresh`: the README's two commands, and how faces are installed, on a machine that has Rust and nothing
//! else.
//!
//! The machine is a root of this system's release, made by `mmdebstrap` and entered by `chroot` in
//! namespaces of its own. It has Rust's toolchain, what that needs (a linker), this repository's last
//! commit, and this machine's way into the network. So a package that somebody installed by hand, and
//! that `setup` forgets, is missed here.

use crate::process::{output, program, root, run, shown, succeeds};
use crate::sources::apt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a machine with Rust has: Rust needs a linker and C's start-up code, rustup certificates.
const WITH_RUST: &str = "gcc,libc6-dev,ca-certificates";

/// What says how the network is reached; where there is none of a name, none is copied.
const NETWORK: [&str; 4] =
    ["/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt", "/etc/pip.conf"];

/// Variables of the same kind, by parts of their names.
const VARIABLES: [&str; 7] = ["PROXY", "proxy", "SSL_CERT", "CA_BUNDLE", "PIP_", "RUSTUP_", "CI"];

/// Where the repository and Rust lie in the new root.
const PROJECT: &str = "/cipherloom";
const CARGO_HOME: &str = "/usr/local/cargo";
const RUSTUP_HOME: &str = "/usr/local/rustup";

/// Pages of faces that are installed, by the commands with which they begin; and the package of Debian's that each
/// page asks for.
const INSTALLED: [(&str, &str); 3] = [
    ("docs/C-API.md", "pkg-config"),
    ("docs/OPENSSL-PROVIDER.md", "openssl"),
    ("docs/PYTHON.md", "python3-venv"),
];

/// Makes a root, runs the demo in it, installs the faces, and runs the tests; `args` go to `cargo xtask test`. With
/// `--installed` the faces alone.
///
/// # Errors
/// This is no Debian, or not root's session; the root cannot be made; a command fails in it.
pub(crate) fn try_out(args: &[&str]) -> crate::failure::Result {
    if output(program("id").arg("-u")).is_none_or(|id| id.trim() != "0") {
        return Err("only root can enter another root; use sudo".to_owned().into());
    }
    let place = root().join("target/fresh");
    println!("==> a root with Rust, in {}", place.display());
    make(&place)?;
    let xtask = |words: &[&str]| {
        println!("\n==> cargo xtask {}", words.join(" "));
        run(within(&place).args(["cargo", "xtask"]).args(words))
    };
    if args == ["--installed"] {
        install_faces(&place)?;
    } else {
        xtask(&["demo"])?;
        install_faces(&place)?;
        xtask(&[&["test"], args].concat())?;
    }
    // Gigabytes; after a failure they stay for a look.
    Ok(std::fs::remove_dir_all(&place).map_err(|error| error.to_string())?)
}

/// Runs the commands with which each face's page begins.
fn install_faces(place: &Path) -> Result<(), String> {
    let project = inside(place, Path::new(PROJECT));
    run(within(place).args(["apt-get", "-qq", "update"]))?;
    for (page, package) in INSTALLED {
        println!("\n==> {page}");
        let install = ["apt-get", "-qq", "install", "--yes", "--no-install-recommends", package];
        run(within(place).env("DEBIAN_FRONTEND", "noninteractive").args(install))?;
        let text =
            std::fs::read_to_string(project.join(page)).map_err(|error| error.to_string())?;
        let block = |language| first_block(&text, language);
        if let Some(program) = block("c") {
            std::fs::write(project.join("program.c"), program)
                .map_err(|error| error.to_string())?;
        }
        let commands = block("sh").ok_or_else(|| format!("{page} has no commands"))?;
        run(within(place).args(["sh", "-exc", commands]))?;
    }
    Ok(())
}

/// The first block of a document that is in a language.
fn first_block<'t>(text: &'t str, language: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("```{language}\n"))?;
    Some(rest.split_once("```")?.0)
}

/// Makes the root at a place, of which nothing is left.
fn make(place: &Path) -> Result<(), String> {
    if !succeeds(program("mmdebstrap").arg("--version")) {
        apt::install(&["mmdebstrap"])?;
    }
    let io = |error: std::io::Error| format!("{}: {error}", place.display());
    if place.exists() {
        std::fs::remove_dir_all(place).map_err(io)?;
    }
    std::fs::create_dir_all(place).map_err(io)?;
    let release = apt::release()?;
    let (site, codename) = release.split_once(' ').ok_or("apt-get knows no release")?;
    let mut bootstrap = program("mmdebstrap");
    bootstrap.args(["--quiet", "--variant=minbase"]).arg(format!("--include={WITH_RUST}"));
    run(bootstrap.arg(codename).arg(place).arg(site))?;
    for file in NETWORK.map(Path::new) {
        if file.exists() {
            // Through a link: what it leads to is not there.
            std::fs::copy(file, inside(place, file)).map_err(io)?;
        }
    }
    rust(place)?;
    run(program("git")
        .args(["clone", "--quiet", "--no-hardlinks"])
        .arg(root())
        .arg(inside(place, Path::new(PROJECT))))?;
    forget_targets(place)
}

/// Takes away the targets that were added to the toolchain: `setup` adds them again, or they are missed.
fn forget_targets(place: &Path) -> Result<(), String> {
    let installed = output(program("rustup").args(["target", "list", "--installed"]));
    let own = output(program("rustc").args(["--print", "host-tuple"]));
    let (installed, own) = installed.zip(own).ok_or("rustup does not say which targets it has")?;
    let added: Vec<&str> = installed.lines().filter(|target| *target != own.trim()).collect();
    if added.is_empty() {
        return Ok(());
    }
    run(within(place).args(["rustup", "--quiet", "target", "remove"]).args(added))
}

/// Copies the toolchain of this project, and rustup.
fn rust(place: &Path) -> Result<(), String> {
    let io = |error: std::io::Error| format!("cannot copy Rust: {error}");
    let said = |words: &[&str]| {
        let mut command = program(words[0]);
        output(command.args(&words[1..])).ok_or_else(|| format!("`{}` failed", shown(&command)))
    };
    let sysroot = PathBuf::from(said(&["rustc", "--print", "sysroot"])?.trim());
    let home = PathBuf::from(said(&["rustup", "show", "home"])?.trim());
    let [cargo, rustup] = [CARGO_HOME, RUSTUP_HOME].map(|home| inside(place, Path::new(home)));
    let (bin, toolchains) = (cargo.join("bin"), rustup.join("toolchains"));
    for folder in [&bin, &toolchains] {
        std::fs::create_dir_all(folder).map_err(io)?;
    }
    run(program("cp").arg("-a").args([&sysroot, &toolchains]))?;
    std::fs::copy(home.join("settings.toml"), rustup.join("settings.toml")).map_err(io)?;
    let proxies = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let proxies = proxies.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let proxies = proxies.ok_or("where is rustup?")?.join("bin");
    for program in [
        "rustup",
        "cargo",
        "rustc",
        "rustdoc",
        "cargo-fmt",
        "cargo-clippy",
        "rustfmt",
        "clippy-driver",
    ] {
        let from = proxies.join(program);
        std::fs::copy(&from, bin.join(program))
            .map_err(|error| format!("{}: {error}", from.display()))?;
    }
    Ok(())
}

/// A command in the root: its words follow.
fn within(place: &Path) -> Command {
    // As a container has them: processes, devices and the like of its own.
    const ENTER: &str = "set -e; cd \"$0\"; mount -t proc proc proc; mount --rbind /dev dev; \
                         mount --rbind /sys sys; exec chroot . sh -c 'cd \"$0\" && exec \"$@\"' \"$@\"";
    let mut command = program("unshare");
    command.args(["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER]);
    command.arg(place).arg(PROJECT);
    let names = |name: &str| VARIABLES.iter().any(|part| name.contains(part));
    let kept: Vec<_> = std::env::vars().filter(|(name, _)| names(name)).collect();
    command.env_clear().envs(kept);
    command.env(
        "PATH",
        format!("{CARGO_HOME}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
    );
    command.envs([("CARGO_HOME", CARGO_HOME), ("RUSTUP_HOME", RUSTUP_HOME), ("HOME", "/root")]);
    command
}

/// A path of the root, as it is called out here.
fn inside(place: &Path, path: &Path) -> PathBuf {
    place.join(path.strip_prefix("/").unwrap_or(path))
}
