//! Running the command, and OpenSSL's, in a directory of the test's own.

use std::ffi::OsStr;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

/// The command under test.
pub(crate) const CIPHERLOOM: Program = Program;

/// A program's path, for shells and for [`Command`].
#[derive(Clone, Copy)]
pub(crate) struct Program;

impl Program {
    /// What Cargo built, or what runs the command for Windows here ([`on_windows`]).
    pub(crate) fn path(self) -> &'static str {
        WINDOWS.as_deref().unwrap_or(env!("CARGO_BIN_EXE_cipherloom"))
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path())
    }
}

impl AsRef<OsStr> for Program {
    fn as_ref(&self) -> &OsStr {
        self.path().as_ref()
    }
}

/// A program, by its path, that runs the command as it was built for Windows: `cargo xtask windows`
/// has these tests run it by Wine, while they and all peers run on this system.
static WINDOWS: LazyLock<Option<String>> =
    LazyLock::new(|| std::env::var("CIPHERLOOM_WINDOWS_COMMAND").ok());

/// A variable that both commands can take a password from.
const PASSWORD: (&str, &str) = ("TEST_PASSWORD", "kept: in the environment");

/// Whether the command under test is one for Windows.
pub(crate) fn on_windows() -> bool {
    cfg!(windows) || WINDOWS.is_some()
}

/// How a command ended: its exit code, or 128 and the signal that ended it. Of Windows' code for
/// Ctrl-C, 0xC000013A, Wine's caller sees the last byte.
#[cfg(unix)]
pub(crate) fn code(status: std::process::ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    match status.code() {
        Some(0x3a) if on_windows() => Some(130),
        code => code.or(status.signal().map(|signal| 128 + signal)),
    }
}

/// A temporary directory with a way to run things in it.
pub(crate) struct Folder {
    dir: tempfile::TempDir,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).unwrap()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// What is there when an interrupt has ended a process. What was removed while it was open is there until Wine's
    /// server sees the end, which is later than its parent does.
    #[cfg(unix)]
    pub(crate) fn names_after_interrupt(&self) -> Vec<String> {
        if on_windows() {
            wait_for(|| !self.names().iter().any(|name| name.ends_with(".partial")));
        }
        self.names()
    }

    /// The command with a line of arguments, split at spaces.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(CIPHERLOOM);
        command.current_dir(self.path()).args(line.split(' ').filter(|word| !word.is_empty()));
        command.env(PASSWORD.0, PASSWORD.1);
        command
    }

    /// The same, ended by signals even where whoever runs the tests ignores them, as shells make
    /// their background jobs do.
    #[cfg(unix)]
    pub(crate) fn command_for_signals(&self, line: &str) -> Command {
        let mut command = Command::new("env");
        command.current_dir(self.path()).args(["--default-signal=INT,TERM,HUP", CIPHERLOOM.path()]);
        command.args(line.split(' ').filter(|word| !word.is_empty()));
        command
    }

    /// Runs the command with nothing on standard input.
    pub(crate) fn run(&self, line: &str) -> Output {
        self.run_with(line, b"")
    }

    /// Runs the command with bytes on standard input.
    pub(crate) fn run_with(&self, line: &str, input: &[u8]) -> Output {
        feed(self.command(line), input)
    }

    /// What `openssl enc` makes with a password, under a salt that is always the same: under a random one, what a
    /// wrong derivation gives looks like something in one run of some hundred.
    pub(crate) fn salted_by_openssl(&self, line: &str, input: &[u8]) -> Vec<u8> {
        // OpenSSL 3 writes no header then.
        let body = ok(self.openssl(&format!("{line} -S 0102030405060708"), input));
        [&b"Salted__\x01\x02\x03\x04\x05\x06\x07\x08"[..], &body].concat()
    }

    /// Runs `openssl enc` with both providers.
    pub(crate) fn openssl(&self, line: &str, input: &[u8]) -> Output {
        let mut command = Command::new("openssl");
        command
            .current_dir(self.path())
            .env(PASSWORD.0, PASSWORD.1)
            .args(["enc", "-provider", "legacy", "-provider", "default"])
            .args(line.split(' ').filter(|word| !word.is_empty()));
        feed(command, input)
    }
}

/// Runs a command that may end before it has read its input.
pub(crate) fn feed(mut command: Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

/// What starts a line that says what was not tested, and why; `cargo xtask windows` shows them.
#[cfg(unix)]
pub(crate) const LEFT_OUT: &str = "left out: ";

/// What a terminal shows. Windows' console paints it: spaces may come as a way to the right, and
/// each piece hides the cursor before, and shows it after.
#[cfg(unix)]
pub(crate) fn plain(shown: &[u8]) -> String {
    let mut shown = String::from_utf8_lossy(shown).into_owned();
    if on_windows() {
        for code in ["\x1b[?25l", "\x1b[?25h", "\x1b[K"] {
            shown = shown.replace(code, "");
        }
        for count in 1..100 {
            shown = shown.replace(&format!("\x1b[{count}C"), &" ".repeat(count));
        }
    }
    shown
}

/// Standard error as text.
pub(crate) fn says(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Asserts success, and gives standard output.
#[track_caller]
pub(crate) fn ok(output: Output) -> Vec<u8> {
    assert!(output.status.success(), "{}: {}", output.status, says(&output));
    output.stdout
}

/// Bytes that look random and are the same in every run. (Some tests need just these.)
pub(crate) fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let bytes = std::iter::repeat_with(|| {
        // A step of xorshift64 (Marsaglia 2003).
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    });
    bytes.take(len).collect()
}

#[cfg(unix)]
pub(crate) fn wait_for(mut condition: impl FnMut() -> bool) {
    for _ in 0..12_000 {
        if condition() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("waited for two minutes");
}
