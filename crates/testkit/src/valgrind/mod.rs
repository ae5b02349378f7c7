//! Constant time by valgrind's memcheck: a program makes its secrets *undefined*, and every
//! branch and every address that depends on one is reported.
//!
//! (The method is Adam Langley's `ctgrind` of 2010; an unmodified memcheck can do it since it has
//! requests for undefined memory.)

mod requests;

pub use requests::{is_running, make_defined, make_undefined};

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::peers;

/// Ends a program of which memcheck reported something.
const REPORTED: i32 = 99;

/// Valgrind, found and tried.
#[derive(Clone, Debug)]
pub struct Valgrind {
    /// As it says itself.
    pub version: String,
}

/// A branch or an address that depends on undefined memory, or anything else that memcheck reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is, in valgrind's words.
    pub what: String,
    /// Where: the function, and who called it, the innermost first.
    pub frames: Vec<Frame>,
}

/// A function that was running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// In valgrind's words, `function (file:line)`.
    pub text: String,
    /// The source file; empty if it is not known.
    pub file: PathBuf,
    /// The line in it, from 1; 0 if it is not known.
    pub line: usize,
}

/// What became of a program.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What memcheck reported, each place once.
    pub findings: Vec<Finding>,
    /// What the program wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

/// Valgrind. `None` only if the user asked to do without ([`peers::WITHOUT`]).
///
/// # Panics
/// If it is missing.
pub fn valgrind() -> Option<&'static Valgrind> {
    static FOUND: OnceLock<Valgrind> = OnceLock::new();
    if peers::left_out("valgrind") {
        return None;
    }
    Some(FOUND.get_or_init(|| {
        let output = Command::new("valgrind").arg("--version").output();
        let found = output.ok().filter(|output| output.status.success());
        let found = found.unwrap_or_else(|| {
            panic!(
                "cannot run valgrind: install it (Debian: `apt-get install valgrind`), or set \
                 {}=valgrind",
                peers::WITHOUT
            )
        });
        Valgrind { version: String::from_utf8_lossy(&found.stdout).trim().to_owned() }
    }))
}

impl Valgrind {
    /// Runs this very test program again, only the test `name` of it, with `variable` set to
    /// `value`.
    ///
    /// # Panics
    /// If the test fails or does not run, or valgrind itself fails: what it says then is no
    /// finding.
    pub fn run_test(&self, name: &str, variable: &str, value: &str) -> Outcome {
        let mut command = Command::new("valgrind");
        command
            .args(["--quiet", "--tool=memcheck", "--leak-check=no", "--error-limit=no"])
            .args(["--expensive-definedness-checks=yes", "--num-callers=20"])
            // Whole paths of source files.
            .arg("--fullpath-after=")
            .arg(format!("--error-exitcode={REPORTED}"))
            .arg(std::env::current_exe().expect("this test's own path"))
            .args(["--exact", name, "--nocapture", "--test-threads=1"])
            .env(variable, value);
        let output = command.output().expect("valgrind was run before");
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        let all = format!("{value}: {}\n{stdout}{stderr}", output.status);
        let findings = findings(&stderr);
        let expected = if findings.is_empty() { 0 } else { REPORTED };
        assert_eq!(output.status.code(), Some(expected), "{all}");
        assert!(stdout.contains("1 passed"), "{all}");
        Outcome { findings, stdout, stderr }
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.what)?;
        // The standard library's own lines, and what started the program, say nothing.
        let ours = self.frames.iter().filter(|frame| !frame.file.starts_with("/rustc"));
        ours.take(8).try_for_each(|frame| write!(f, "\n    {}", frame.text))
    }
}

impl Finding {
    /// The innermost line of the files in a folder of this project.
    pub fn innermost(&self, folder: &str) -> Option<&Frame> {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(folder);
        let folder = folder.canonicalize().unwrap_or(folder);
        self.frames.iter().find(|frame| frame.file.starts_with(&folder))
    }
}

impl Frame {
    fn new(text: &str) -> Self {
        let place = text.rsplit_once(" (").and_then(|(_, place)| place.strip_suffix(')'));
        let place = place.and_then(|place| place.rsplit_once(':'));
        let place = place.and_then(|(file, line)| Some((file, line.parse().ok()?)));
        let (file, line) = place.unwrap_or_default();
        Self { text: text.to_owned(), file: file.into(), line }
    }

    /// What stands in the source file at this place, without indentation.
    ///
    /// # Panics
    /// If the file cannot be read or has no such line.
    pub fn source(&self) -> String {
        let text = std::fs::read_to_string(&self.file);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", self.file.display()));
        let line = self.line.checked_sub(1).and_then(|n| text.lines().nth(n));
        line.unwrap_or_else(|| panic!("no such line: {}", self.text)).trim().to_owned()
    }
}

/// Takes valgrind's report apart: `==PID== what`, then `==PID==    at 0xADDRESS: frame` and `by`.
fn findings(stderr: &str) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let lines = stderr.lines().filter_map(|line| line.strip_prefix("==")?.split_once("== "));
    for (_, line) in lines {
        // Empty lines, and who is meant by what follows.
        if line.trim().is_empty() || line.starts_with("Thread ") {
            continue;
        }
        let frame = line.trim_start().strip_prefix("at ").or(line.trim_start().strip_prefix("by "));
        match (frame.and_then(|frame| frame.split_once(": ")), findings.last_mut()) {
            (Some((_, frame)), Some(finding)) => finding.frames.push(Frame::new(frame)),
            _ => findings.push(Finding { what: line.trim().to_owned(), frames: Vec::new() }),
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_taken_apart() {
        let text = "\
running\n\
==7== Thread 2 child:\n\
==7== Conditional jump or move depends on uninitialised value(s)\n\
==7==    at 0x12: a::b (/d/c.rs:1)\n\
==7==    by 0x13: main (in /x: y)\n\
==7== \n\
==7== Use of uninitialised value of size 8\n\
==7==    at 0x14: d\n";
        let findings = findings(text);
        let whats: Vec<&str> = findings.iter().map(|finding| &finding.what[..]).collect();
        let jump = "Conditional jump or move depends on uninitialised value(s)";
        assert_eq!(whats, [jump, "Use of uninitialised value of size 8"]);
        let places: Vec<_> =
            findings[0].frames.iter().map(|frame| (frame.file.to_str(), frame.line)).collect();
        assert_eq!(places, [(Some("/d/c.rs"), 1), (Some(""), 0)]);
        assert_eq!(findings[1].frames[0].text, "d");
    }

    #[test]
    fn sources_are_found() {
        let text = concat!("f (", env!("CARGO_MANIFEST_DIR"), "/src/valgrind/requests.rs:1)");
        let frame = Frame::new(text);
        assert_eq!(frame.source(), "//! What a program can ask of the valgrind that runs it.");
        let finding = Finding { what: String::new(), frames: vec![frame.clone()] };
        assert_eq!(finding.innermost("crates/testkit"), Some(&frame));
        assert_eq!(finding.innermost("crates/cipherloom/src"), None);
    }

    #[test]
    fn a_request_without_valgrind_changes_nothing() {
        let mut bytes = [1, 2, 3];
        make_undefined(&mut bytes);
        assert_eq!(bytes, [1, 2, 3]);
        make_defined(&mut bytes);
        assert_eq!((bytes, is_running()), ([1, 2, 3], false));
    }
}
