//! Every row of docs/ERRORS.md, as it is written there.

mod cases;
mod damage;

use std::collections::BTreeMap;
use std::process::Output;

use crate::common::{Folder, LEFT_OUT, code, on_windows};
use cases::CASES;

/// Rows of what Windows does not have, or Wine cannot show; the others are as on Unix.
const NOT_ON_WINDOWS: [(&str, &str); 6] = [
    ("output-disk", "Wine shows block devices of Unix as files"),
    ("disk-full", "Wine's server opens the files, outside the name space of the small disk"),
    ("device-full", "Windows has no such device"),
    ("size-limit", "Windows has no such limit"),
    ("input-grows", "Wine's server would wait for the named pipe that makes the command wait"),
    ("input-shrinks", "Wine's server would wait for the named pipe that makes the command wait"),
];

#[test]
fn every_row_is_as_it_is_written() {
    let mut rows = rows();
    let mut wrong = Vec::new();
    for (name, case) in CASES {
        let (says, code) =
            rows.remove(*name).unwrap_or_else(|| panic!("docs/ERRORS.md has no row {name}"));
        if let Some((_, why)) = NOT_ON_WINDOWS.iter().find(|(row, _)| on_windows() && row == name) {
            eprintln!("{LEFT_OUT}row {name} of docs/ERRORS.md: {why}");
            continue;
        }
        let folder = Folder::new();
        let output = case(&folder);
        if let Err(what) = check(&folder, &output, &says, code) {
            wrong.push(format!("{name}: {what}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(rows.is_empty(), "rows without a test: {:?}", rows.keys());
}

/// Compares what a case did with its row.
fn check(folder: &Folder, output: &Output, says: &str, wanted: i32) -> Result<(), String> {
    let text = crate::common::says(output).replace('\r', "");
    let got = code(output.status);
    if got != Some(wanted) {
        return Err(format!("exit code {got:?}, not {wanted}; it said: {text}"));
    }
    let expected = if says.is_empty() { String::new() } else { format!("cipherloom: {says}\n") };
    if !fits(&text, &expected) {
        return Err(format!("\n says {text} not  {expected}"));
    }
    match folder.names().iter().find(|name| *name == "new" || name.ends_with(".partial")) {
        Some(left) => Err(format!("{left} is left behind")),
        None => Ok(()),
    }
}

/// The table: name of the row, what the command says, exit code.
fn rows() -> BTreeMap<String, (String, i32)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ERRORS.md");
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [name, _, says, code] = cells[..] else { panic!("not four cells: {line}") };
        (name.to_owned(), (says.trim_matches('`').to_owned(), code.parse().expect(line)))
    })
    .collect()
}

/// Whether a line is a pattern's, in which `…` stands for anything.
fn fits(line: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.split_once(part) {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    rest.ends_with(last)
}
