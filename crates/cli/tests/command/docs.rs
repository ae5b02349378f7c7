//! Runs the examples of a page in `docs/`.

use std::path::Path;
use std::process::Command;

use crate::common::{CIPHERLOOM, Folder};

/// Runs every `$` line of the page's `console` blocks in a shell, and compares what it prints on
/// standard output and standard error with what the page says, where `[..]` stands for anything in a
/// line. Returns how many there were.
///
/// # Panics
/// If the page cannot be read, or a command prints something else.
pub(crate) fn run(folder: &Folder, page: &str) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut count = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for example in format!("\n{block}").split("\n$ ").skip(1) {
            let (command, expected) = example.split_once('\n').unwrap_or((example, ""));
            let printed = shell(folder, command);
            assert!(
                is_like(printed.trim_end(), expected.trim_end()),
                "{page}: {command}\nprinted:\n{printed}\nthe page says:\n{expected}"
            );
            count += 1;
        }
    }
    count
}

fn is_like(printed: &str, expected: &str) -> bool {
    let (printed, expected): (Vec<_>, Vec<_>) =
        (printed.lines().collect(), expected.lines().collect());
    printed.len() == expected.len()
        && printed.iter().zip(expected).all(|(line, pattern)| {
            let (start, rest) = pattern.split_once("[..]").unwrap_or((pattern, ""));
            let end = rest.rsplit("[..]").next().unwrap_or_default();
            match pattern.contains("[..]") {
                true => {
                    line.len() >= start.len() + end.len()
                        && line.starts_with(start)
                        && line.ends_with(end)
                }
                false => *line == pattern,
            }
        })
}

fn shell(folder: &Folder, command: &str) -> String {
    let bin = Path::new(CIPHERLOOM.path()).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder.path())
        .env("PATH", path)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}
