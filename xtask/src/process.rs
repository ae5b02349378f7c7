//! Running other programs.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Names the peers that tests shall do without; if it is not set, a missing peer fails its tests.
pub(crate) const WITHOUT_PEERS: &str = "CIPHERLOOM_WITHOUT_PEERS";

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in a folder of the root")
}

/// A program by name, to be run in the root of the repository.
pub(crate) fn program(name: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// The cargo that runs this program.
pub(crate) fn cargo<'a>(args: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args);
    command
}

/// The target folder that this program was built in.
pub(crate) fn target_folder() -> std::io::Result<PathBuf> {
    let xtask = std::env::current_exe()?;
    Ok(xtask.parent().and_then(Path::parent).unwrap_or(root()).to_owned())
}

/// The release build of the command, in the same folder.
pub(crate) fn built_command() -> std::io::Result<PathBuf> {
    Ok(target_folder()?.join("release").join(format!("cipherloom{}", std::env::consts::EXE_SUFFIX)))
}

/// The features of lints, documentation and tests.
pub(crate) const FEATURES: &str = "--features cipherloom/cipher";

/// A program of the workspace, built as the tests build it, so that both are one build (`crates/testkit/Cargo.toml`).
///
/// # Errors
/// It cannot be built.
pub(crate) fn built(name: &str) -> Result<Command, String> {
    let words = format!("build --quiet --workspace {FEATURES} --bin {name}");
    run(&mut cargo(words.split(' ')))?;
    let folder = target_folder().map_err(|error| error.to_string())?.join("debug");
    Ok(program(folder.join(name).with_extension(std::env::consts::EXE_EXTENSION)))
}

/// Runs with the terminal's streams.
///
/// # Errors
/// The program cannot be started, or ends with a failure.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|e| not_started(command, &e))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed: {status}", shown(command))) }
}

/// Whether it starts and succeeds, without a word and without input.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let silent = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    silent.status().is_ok_and(|status| status.success())
}

/// What it prints on standard output, if it starts and succeeds.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a C compiler makes a program of the smallest source that needs headers and a library.
pub(crate) fn compiles(compiler: &mut Command) -> bool {
    const SOURCE: &str = "#include <stdio.h>\nint main() { return puts(\"\") < 0; }\n";
    let folder = root().join("target/compiles").join(std::process::id().to_string());
    let source = folder.join("smallest.c");
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&source, SOURCE));
    let compiled =
        written.is_ok() && succeeds(compiler.arg("-o").arg(folder.join("smallest")).arg(&source));
    // What is left would be a few kilobytes of the target folder.
    let _ = std::fs::remove_dir_all(&folder);
    compiled
}

/// The line for "cannot start".
pub(crate) fn not_started(command: &Command, error: &dyn Display) -> String {
    format!("cannot start `{}`: {error}", command.get_program().display())
}

/// The command line as one would type it; a program given by its path is shown by its name.
pub(crate) fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let mut line = quoted(&name.to_string_lossy());
    for arg in command.get_args() {
        line.push(' ');
        line.push_str(&quoted(&arg.to_string_lossy()));
    }
    line
}

fn quoted(arg: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@".contains(c);
    if !arg.is_empty() && arg.chars().all(plain) {
        arg.to_owned()
    } else {
        format!("'{}'", arg.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// The features of each package below others, by edges of these kinds.
    fn features(of: &str, edges: &str) -> BTreeMap<String, BTreeSet<String>> {
        let words = format!("tree --offline {of} --edges {edges} --prefix none --format");
        let mut command = cargo(words.split(' '));
        let text = output(command.arg("{p}|{f}|")).expect("a tree");
        let mut features = BTreeMap::<_, BTreeSet<_>>::new();
        for line in text.lines() {
            let mut parts = line.split('|');
            let (package, has) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
            features
                .entry(package.to_owned())
                .or_default()
                .extend(has.split(',').map(str::to_owned));
        }
        features
    }

    #[test]
    fn a_program_that_is_built_alone_is_the_one_that_tests_have() {
        let built = features("-p cipherloom-loom -p cipherloom-proof", "normal");
        let workspace = format!("--workspace {FEATURES}");
        let (alone, tests) = (features(&workspace, "normal"), features(&workspace, "normal,dev"));
        assert!(built.len() > 20, "{built:?}");
        for package in built.keys() {
            assert_eq!(alone[package], tests[package], "of {package}: crates/testkit/Cargo.toml");
        }
    }

    #[test]
    fn command_lines_are_shown_as_typed() {
        let mut command = Command::new("/a/b/cargo");
        command.args(["test", "-k", "two words", "it's", ""]);
        assert_eq!(shown(&command), r"cargo test -k 'two words' 'it'\''s' ''");
    }
}
