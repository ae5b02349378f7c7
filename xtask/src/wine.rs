//! `cargo xtask windows`: the command and the library as they are built for Windows, run by Wine.

use crate::failure::Failure;
use crate::process::{
    self, WITHOUT_PEERS, cargo, output, program, root, shown, succeeds, target_folder,
};
use crate::processors;
use crate::report::{Counts, Ran, ran};
use crate::sources::apt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Programs for Windows that Debian's tools can link.
pub(crate) const TARGET: &str = "x86_64-pc-windows-gnu";

/// What the summary calls it.
const SYSTEM: &str = "Windows";

/// How `setup` calls Wine and the linker.
pub(crate) const NAME: &str = "wine";

/// Where they run.
pub(crate) const RUNS: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

const COMPILER: &str = "x86_64-w64-mingw32-gcc";

/// The command's tests that say nothing of a command for Windows, and why.
const LEFT_OUT: [(&str, &str); 21] = [
    (
        "measuring::slow_speed_gives",
        "it runs every backend for some time, as the library's tests do",
    ),
    ("measuring::slow_selftest", "it runs every backend, as the library's tests do"),
    ("measuring::slow_speed_compares", "there is no OpenSSL among the programs for Windows"),
    ("openssl::slow_base64", "base64 has the same letters on every system"),
    ("memory::", "Wine's own memory counts, too"),
    ("migrate::memory_does", "Wine's own memory counts, too"),
    ("records::streams::slow_memory_does", "Wine's own memory counts, too"),
    (
        "terminal::slow_long_work",
        "a console paints what stands there at times, and may miss the bar",
    ),
    (
        "meaning::a_password_and",
        "Wine knows no file that a stream of Unix is; `windows.rs` shows it",
    ),
    ("passwords::", "Windows hands on no descriptors by number, and the command says so"),
    (
        "prompt::",
        "bytes, echo and stops of a terminal of Unix; `terminal::` has prompts on a console",
    ),
    ("replace::a_new_file", "Windows has no modes, owners and access lists of Unix"),
    ("replace::attributes_and", "Windows has no modes, owners and access lists of Unix"),
    ("replace::what_speaks", "Windows has no modes, owners and access lists of Unix"),
    ("replace::mode_owner", "Windows has no modes, owners and access lists of Unix"),
    ("replace::other_names", "the note is for Unix alone"),
    ("shown::names_in_errors", "the name has a colon, and that is a stream's on Windows"),
    ("traps::the_output_is", "Wine knows no file that a stream of Unix is; `windows.rs` shows it"),
    ("secrets::", "they search a process of Linux for secrets"),
    ("presets::rare_mixed_columns", "a million rows are the same rows on every system"),
    ("parsers::", "they run no command; they are among the tests built for Windows"),
];

/// How many tests may fail of those that start the command by Wine, if they pass alone: twice, in some ten
/// runs, one did, and never again; of the one that was seen, the command had failed and said nothing. The same
/// tests have no second chance on this system. More are a failure at once.
const FEW: usize = 2;

/// What starts a line by which a test says what it left out.
const SAYS_LEFT_OUT: &str = "left out: ";

/// Says which ones are there.
pub(crate) fn find() -> Option<String> {
    let wine = wine()?;
    let version = output(program(&wine).arg("--version"))?;
    succeeds(program(COMPILER).arg("--version")).then(|| format!("{}, {COMPILER}", version.trim()))
}

/// Installs them.
///
/// # Errors
/// As [`apt::install`].
pub(crate) fn install() -> Result<(), String> {
    apt::install(&["gcc-mingw-w64-x86-64", "wine64"])
}

/// The one for 64-bit programs, as Debian and others call it.
fn wine() -> Option<PathBuf> {
    let named = std::env::var_os("CIPHERLOOM_WINE").map(PathBuf::from);
    let known = ["/usr/lib/wine/wine64", "wine64", "wine"].map(PathBuf::from);
    let mut all = named.map_or(known.to_vec(), |one| vec![one]).into_iter();
    all.find(|wine| succeeds(program(wine).arg("--version")))
}

/// Runs the tests built for Windows, those of the command with the peers of this system, those of the
/// library, and a C program with its C face. What follows `--` goes to the command's tests; these do without
/// the peers that are named.
///
/// # Errors
/// Something cannot be built or made ready, or a test fails.
pub(crate) fn run(args: &[&str], without: &str) -> Ran {
    let args = match args {
        [] => args,
        ["--", args @ ..] => args,
        _ => {
            return Err(Failure::Usage("the tests' arguments stand behind --".into()));
        }
    };
    let installation = Installation::make()?;
    let _awake = installation.stay_awake()?;
    Ok(vec![
        installation.tests("formats", "cipherloom-formats", &[])?,
        installation.tests("command, units", "cipherloom-cli --lib", &[])?,
        installation.tests(
            "command's own tests",
            "cipherloom-cli --test command",
            &["windows::", "parsers::"],
        )?,
        installation.command_beside_peers(args, without)?,
        processors::windows(|command| installation.set(command))?,
        installation.c_program()?,
    ])
}

/// Where Wine keeps its files, and scripts that call it.
struct Installation {
    folder: PathBuf,
}

impl Installation {
    /// Makes it ready, if it is not.
    fn make() -> Result<Self, String> {
        let wine = wine().ok_or("there is no Wine here; `cargo xtask setup` installs it")?;
        let installation = Self { folder: root().join("target/wine") };
        let failed = |error: std::io::Error| format!("{}: {error}", installation.folder.display());
        std::fs::create_dir_all(&installation.folder).map_err(failed)?;
        let exe = target_folder().map_err(failed)?.join(TARGET).join("debug/cipherloom.exe");
        installation.script("run", &[&wine])?;
        installation.script("cipherloom", &[&wine, &exe])?;
        let system = installation.folder.join("prefix/drive_c/windows/system32");
        if !system.join("kernel32.dll").exists() {
            let mut boot = program(installation.folder.join("run"));
            process::run(boot.args(["wineboot", "--init"]).stdin(Stdio::null()))?;
        }
        let random = system.join("bcryptprimitives.dll");
        if !random.exists() {
            let mut compiler = program(COMPILER);
            compiler.args(["-Wall", "-Wextra", "-Werror", "-O2", "-s", "-shared", "-nostdlib"]);
            compiler.args(["-Wl,--entry,0", "xtask/wine/bcryptprimitives.c", "-ladvapi32", "-o"]);
            process::run(compiler.arg(random))?;
        }
        Ok(installation)
    }

    /// Starts a program that waits until its input ends, here: while one runs, Wine's server and
    /// services do, too, and need not start again for the next.
    fn stay_awake(&self) -> Result<impl Drop, String> {
        struct Waiting(Child);
        impl Drop for Waiting {
            fn drop(&mut self) {
                drop(self.0.stdin.take());
                let _ = self.0.wait();
            }
        }
        let mut command = program(self.folder.join("run"));
        command.args(["cmd", "/c", "set /p end="]).stdin(Stdio::piped());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().map_err(|error| process::not_started(&command, &error))?;
        Ok(Waiting(child))
    }

    /// A script that runs a program by Wine, silently and with its own files.
    fn script(&self, name: &str, words: &[&Path]) -> Result<(), String> {
        let quoted = |path: &Path| format!("'{}'", path.display());
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        let prefix = quoted(&self.folder.join("prefix"));
        let text = format!(
            "#!/bin/sh\nexport WINEPREFIX={prefix} WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml=\n\
             exec {} \"$@\"\n",
            words.join(" ")
        );
        let path = self.folder.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        process::run(program("chmod").arg("+x").arg(&path))
    }

    /// Has Cargo build for Windows, and run what it built by Wine.
    fn set(&self, command: &mut Command) {
        let runner = "CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER";
        build(command.env(runner, self.folder.join("run")));
    }

    /// Tests that are programs for Windows themselves; gives a line about them.
    fn tests(&self, what: &str, which: &str, filters: &[&str]) -> Result<String, String> {
        let words = format!("test --package {which}");
        let mut command = cargo(words.split(' '));
        self.set(&mut command);
        let counts = passed(command.arg("--").args(filters))?;
        Ok(ran(SYSTEM, what, counts))
    }

    /// What a C program says of each backend, as a program for Windows and as one for this system, must be
    /// the same; gives a line that says so.
    fn c_program(&self) -> Result<String, String> {
        let target = target_folder().map_err(|error| error.to_string())?;
        let builds = [(Some(TARGET), target.join(TARGET)), (None, target)];
        let mut said = Vec::new();
        for ((for_target, folder), (compiler, system)) in builds.into_iter().zip(SYSTEMS) {
            process::run(&mut match for_target {
                Some(_) => command_and_library(),
                None => cargo(["build", "--package", "cipherloom-capi"]),
            })?;
            let exe =
                self.folder.join(if for_target.is_some() { "backends.exe" } else { "backends" });
            let mut compile = program(compiler);
            compile.args(["-Wall", "-Wextra", "-Werror", "-std=c99", "-O1", "-static-libgcc"]);
            compile.args(["-Icrates/capi/include", "crates/capi/tests/c/backends.c", "-o"]);
            compile.arg(&exe).arg(folder.join("debug/libcipherloom.a"));
            process::run(compile.args(system.split(' ')))?;
            let mut run = match for_target {
                Some(_) => program(self.folder.join("run")),
                None => program(&exe),
            };
            if for_target.is_some() {
                run.arg(&exe);
            }
            said.push(output(&mut run).ok_or_else(|| format!("`{}` failed", shown(&run)))?);
        }
        let [windows, here] = &said[..] else { unreachable!("two systems") };
        let windows = windows.replace('\r', "");
        print!("{windows}");
        if windows != *here {
            return Err(format!("a C program says something else here:\n{here}"));
        }
        Ok(ran(SYSTEM, "a C program", "says the same as here"))
    }

    /// The tests of this system, with the command for Windows; gives a line about them.
    fn command_beside_peers(&self, args: &[&str], without: &str) -> Result<String, String> {
        process::run(&mut command_and_library())?;
        let tests = || {
            let mut tests = cargo("test --package cipherloom-cli --test command --".split(' '));
            tests.env("CIPHERLOOM_WINDOWS_COMMAND", self.folder.join("cipherloom"));
            tests.env(WITHOUT_PEERS, without);
            tests
        };
        let names = output(tests().arg("--list")).ok_or("the tests have no list")?;
        for (name, why) in LEFT_OUT {
            if !names.contains(name) {
                return Err(format!("there is no test {name} that could be left out"));
            }
            println!("{SAYS_LEFT_OUT}{}: {why}", name.trim_end_matches("::"));
        }
        let skip = LEFT_OUT.iter().flat_map(|(name, _)| ["--skip", name]);
        let mut all = tests();
        let (succeeded, said) = listened(all.arg("--show-output").args(skip).args(args))?;
        let mut summary = Counts::of(&said).to_string();
        if !succeeded {
            let failed = failed(&said);
            if failed.is_empty() || failed.len() > FEW {
                return Err(format!("`{}` failed", shown(&all)));
            }
            passed(tests().args(["--test-threads", "1", "--exact"]).args(&failed))?;
            let failed = failed.join(", ");
            println!("failed beside others, and passed when run again alone: {failed}");
            summary += ", and passed when run again alone";
        }
        said.lines().filter(|line| line.starts_with(SAYS_LEFT_OUT)).for_each(|l| println!("{l}"));
        Ok(ran(SYSTEM, "command beside peers", summary))
    }
}

/// Has Cargo build the command and the C library for Windows, at once: so what both are built of is built once.
fn command_and_library() -> Command {
    let words = "build --package cipherloom-cli --package cipherloom-capi";
    let mut command = cargo(words.split(' '));
    build(&mut command);
    command
}

/// Has Cargo build for Windows; warnings are errors.
fn build(command: &mut Command) -> &mut Command {
    command.args(["--target", TARGET]);
    command.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUSTFLAGS", "--deny warnings")
}

/// What a C program needs of the system with `libcipherloom.a`, for Windows and here.
const SYSTEMS: [(&str, &str); 2] = [
    (COMPILER, "-lws2_32 -luserenv -lntdll -lbcrypt"),
    ("cc", "-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc"),
];

/// Runs tests that must pass, as [`listened`]; gives their number.
fn passed(command: &mut Command) -> Result<Counts, String> {
    let (succeeded, said) = listened(command)?;
    let counts = Counts::of(&said);
    if succeeded && counts.passed > 0 {
        Ok(counts)
    } else {
        Err(format!("`{}` failed, or ran no test", shown(command)))
    }
}

/// Runs tests without a terminal, which Wine would paint on, and prints the results, or all that they say if they
/// fail; gives whether they passed, and what they say.
fn listened(command: &mut Command) -> Result<(bool, String), String> {
    println!("$ {}", shown(command));
    let done = command.stdin(Stdio::null()).output();
    let done = done.map_err(|error| process::not_started(command, &error))?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    if done.status.success() {
        said.lines().filter(|line| line.starts_with("test result: ")).for_each(|l| println!("{l}"));
    } else {
        println!("{said}{}", String::from_utf8_lossy(&done.stderr));
    }
    Ok((done.status.success(), said))
}

/// The names that a run of tests lists at its end, of those that failed.
fn failed(said: &str) -> Vec<&str> {
    let list = said.rsplit_once("\nfailures:\n").map_or("", |(_, list)| list);
    let names = list.lines().map_while(|line| line.strip_prefix("    "));
    names.filter(|name| !name.is_empty() && !name.contains(' ')).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn failed_tests_are_read() {
        let said = "failures:\n\n---- a::b stdout ----\n    a c\n\nfailures:\n    a::b\n    d\n\ntest result: \
                    FAILED. 1 passed\n";
        assert_eq!(super::failed(said), ["a::b", "d"]);
        assert_eq!(super::failed("test result: ok"), [""; 0]);
    }
}
