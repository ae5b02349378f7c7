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

    #[test]
    fn command_lines_are_shown_as_typed() {
        let mut command = Command::new("/a/b/cargo");
        command.args(["test", "-k", "two words", "it's", ""]);
        assert_eq!(shown(&command), r"cargo test -k 'two words' 'it'\''s' ''");
    }
}
