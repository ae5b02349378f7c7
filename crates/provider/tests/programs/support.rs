//! OpenSSL of this machine, and that of Debian 13, each with a folder of modules that ours is in.

use cipherloom_testkit::peers::left_out;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Where tests may write.
pub(crate) fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// This crate's folder.
pub(crate) fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The provider, as plain `cargo build` makes it.
fn provider() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let target = scratch().parent().expect("a folder of the target folder");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--package", env!("CARGO_PKG_NAME")]);
        succeed(cargo.arg("--target-dir").arg(target).current_dir(here()));
        target.join("debug/libcipherloom_provider.so")
    })
}

/// An OpenSSL.
pub(crate) struct System {
    /// Libraries of another system, with its loader.
    libraries: Option<PathBuf>,
    openssl: PathBuf,
    /// Providers: ours, and this OpenSSL's legacy one.
    pub(crate) modules: PathBuf,
}

/// The one of this machine.
pub(crate) fn here_s() -> &'static System {
    static SYSTEM: OnceLock<System> = OnceLock::new();
    SYSTEM.get_or_init(|| {
        let openssl = std::env::var_os("CIPHERLOOM_OPENSSL").unwrap_or_else(|| "openssl".into());
        let said = succeed(Command::new(&openssl).args(["version", "-m"]));
        let modules = said.split('"').nth(1).expect("MODULESDIR: \"…\"");
        System {
            libraries: None,
            openssl: openssl.into(),
            modules: folder("modules", Some(Path::new(modules))),
        }
    })
}

/// OpenSSL 3.5, with its C library, out of Debian 13. `None` only if the user asked to do without.
pub(crate) fn debian_13_s() -> Option<&'static System> {
    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools/debian-13/usr");
    static SYSTEM: OnceLock<System> = OnceLock::new();
    if left_out("openssl-3.5") {
        return None;
    }
    Some(SYSTEM.get_or_init(|| {
        let libraries = Path::new(ROOT).join("lib/x86_64-linux-gnu");
        assert!(libraries.exists(), "`cargo xtask setup` unpacks OpenSSL 3.5 into {ROOT}");
        System {
            modules: folder("modules-3.5", Some(&libraries.join("ossl-modules"))),
            openssl: Path::new(ROOT).join("bin/openssl"),
            libraries: Some(libraries),
        }
    }))
}

/// Where `cargo xtask setup` puts the OpenSSL that it builds, with the data of its tests.
pub(crate) const BUILT: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools/openssl-built");

/// An OpenSSL built from its sources, as one program, its legacy provider inside. `None` only if the user asked to do
/// without.
pub(crate) fn built() -> Option<&'static System> {
    static SYSTEM: OnceLock<System> = OnceLock::new();
    if left_out("openssl-built") {
        return None;
    }
    Some(SYSTEM.get_or_init(|| {
        let openssl = Path::new(BUILT).join("openssl");
        assert!(openssl.exists(), "`cargo xtask setup` builds {}", openssl.display());
        System { libraries: None, openssl, modules: folder("modules-built", None) }
    }))
}

/// A folder with our provider, beside the legacy one of another.
fn folder(name: &str, others: Option<&Path>) -> PathBuf {
    let folder = scratch().join(name);
    fs::create_dir_all(&folder).expect("a place for modules");
    let legacy = others.map(|others| (others.join("legacy.so"), "legacy.so"));
    for (from, name) in [(provider().to_owned(), "cipherloom.so")].into_iter().chain(legacy) {
        // Another test may be using the one that is there.
        let new = folder.join(format!("{name}.{}", std::process::id()));
        fs::copy(&from, &new).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
        fs::rename(new, folder.join(name)).expect("a file of ours");
    }
    folder
}

impl System {
    /// A program, run with this OpenSSL.
    pub(crate) fn program(&self, program: &Path) -> Command {
        self.program_by(None, program)
    }

    /// The same under another program, valgrind.
    pub(crate) fn program_by(&self, tool: Option<&[&str]>, program: &Path) -> Command {
        let mut words: Vec<&OsStr> = tool.into_iter().flatten().map(OsStr::new).collect();
        let loader = self.libraries.as_ref().map(|folder| folder.join("ld-linux-x86-64.so.2"));
        if let (Some(loader), Some(libraries)) = (&loader, &self.libraries) {
            words.extend([loader.as_os_str(), "--library-path".as_ref(), libraries.as_os_str()]);
        }
        words.push(program.as_os_str());
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).env("OPENSSL_MODULES", &self.modules);
        command
    }

    /// The `openssl` command, with OpenSSL's own providers alone.
    pub(crate) fn theirs(&self) -> Command {
        let mut command = self.program(&self.openssl);
        command.env("OPENSSL_CONF", "/dev/null");
        command
    }

    /// The same with ours, as the configuration that we give to users has it: without the legacy provider.
    pub(crate) fn ours(&self) -> Command {
        let mut command = self.program(&self.openssl);
        command.env("OPENSSL_CONF", here().join("openssl.cnf"));
        command
    }
}

/// Runs a command that must succeed; gives its standard output.
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("cannot run {}: {error}", command.get_program().display()));
    let [stdout, stderr] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{command:?}: {}\n{stdout}{stderr}", output.status);
    stdout.into_owned()
}

/// A C program of this crate, compiled once, every warning an error: tests that run it side by side share it, and a
/// file that runs cannot be written.
pub(crate) fn compiled(name: &'static str) -> PathBuf {
    static COMPILED: Mutex<BTreeMap<&str, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut programs = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    programs.entry(name).or_insert_with(|| compile(name)).clone()
}

fn compile(name: &str) -> PathBuf {
    let program = scratch().join(format!("provider-{name}-{}", std::process::id()));
    let mut cc = Command::new("cc");
    cc.args(["-Wall", "-Wextra", "-Werror", "-std=c11", "-O1", "-g", "-fno-builtin", "-rdynamic"]);
    cc.arg(here().join(format!("tests/c/{name}.c"))).arg("-o").arg(&program);
    succeed(cc.args(["-lcrypto", "-pthread"]));
    program
}
