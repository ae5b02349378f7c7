//! docs/C-API.md has every function of this machine's OpenSSL headers, its quick start works, and
//! what it calls done is there.

use crate::support::{Program, here, scratch, succeed};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

const DOCUMENT: &str = include_str!("../../../../docs/C-API.md");

/// The names that stand before a parenthesis in what the preprocessor makes of OpenSSL's headers,
/// and their macros that are other functions' names.
fn functions_of_openssl() -> BTreeSet<String> {
    let source = scratch().join("headers.c");
    fs::write(&source, "#include <openssl/des.h>\n#include <openssl/rc4.h>\n").expect("a new file");
    let text = succeed(Command::new("cc").args(["-E", "-dD"]).arg(&source));
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_ours = |name: &str| name.starts_with("DES_") || name.starts_with("RC4");
    let mut names = BTreeSet::new();
    for line in text.lines() {
        for (at, _) in line.match_indices('(') {
            let name = line[..at].rsplit(|c| !is_word(c)).next().unwrap_or_default();
            names.insert(name.to_owned());
        }
        if let Some(["#define", name, value]) = line.split(' ').collect::<Vec<_>>().first_chunk()
            && is_ours(value)
            && !name.contains('(')
        {
            names.insert((*name).to_owned());
        }
    }
    names.retain(|name| is_ours(name));
    names
}

/// The table's names, and whether they are done.
fn table() -> Vec<(String, bool)> {
    let rows = DOCUMENT.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| {
        let (name, rest) = row.split_once("` | ")?;
        let (state, reason) = rest.split_once(" |")?;
        match state {
            "done" => Some((name.to_owned(), true)),
            "declined" if reason.len() > 10 => Some((name.to_owned(), false)),
            _ => None,
        }
    })
    .collect()
}

#[test]
fn the_table_has_every_function_of_openssl() {
    let names: BTreeSet<String> = table().into_iter().map(|(name, _)| name).collect();
    let theirs = functions_of_openssl();
    assert!(theirs.len() > 35, "{theirs:?}");
    assert_eq!(names, theirs);
}

/// A program with only our headers takes the address of each, or calls it if it is a macro.
#[test]
fn what_is_done_can_be_linked() {
    let mut source = "#include <openssl/des.h>\n#include <openssl/rc4.h>\n".to_owned();
    source += "typedef void (*function)(void);\nfunction functions[] = {\n";
    for (name, _) in table().iter().filter(|(_, done)| *done) {
        let is_macro = DOCUMENT.contains(&format!("| `{name}` | done | a macro, as in OpenSSL |"));
        if is_macro {
            source = format!("{source}#ifndef {name}\n#error \"{name} is missing\"\n#endif\n");
        } else {
            source += &format!("(function){name},\n");
        }
    }
    source += "};\nint main(void) { return sizeof functions == 0; }\n";
    let path = scratch().join("linked.c");
    fs::write(&path, source).expect("a new file");
    Program::new(&path.to_string_lossy()).compat().build().run(&[]);
}

#[test]
fn the_quick_start_works() {
    let source = DOCUMENT.split("```c\n").nth(1).and_then(|rest| rest.split("```").next());
    let path = scratch().join("quick_start.c");
    fs::write(&path, source.expect("a program")).expect("a new file");
    assert_eq!(Program::new(&path.to_string_lossy()).build().run(&[]), "an old secret\n");
}

/// `cl_*` functions in the headers, and in the library.
#[test]
fn every_function_of_the_headers_is_exported_and_no_other() {
    let mut declared = BTreeSet::new();
    for header in ["cipherloom.h", "cipherloom/des.h", "cipherloom/rc4.h"] {
        let text = fs::read_to_string(here().join("include").join(header)).expect("a header");
        let code =
            text.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, code)| code));
        for piece in code.collect::<String>().split('(') {
            let name = piece.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
            declared.extend(name.filter(|name| name.starts_with("cl_")).map(str::to_owned));
        }
    }
    let library = crate::support::libraries().join("libcipherloom.so");
    let symbols = succeed(Command::new("nm").args(["-D", "--defined-only"]).arg(library));
    let exported: BTreeSet<String> =
        symbols.lines().filter_map(|line| line.split(' ').nth(2)).map(str::to_owned).collect();
    assert_eq!(declared, exported);
}
