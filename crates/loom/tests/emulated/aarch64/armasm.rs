//! A reader of armasm64's syntax, as no such assembler is to be had here: it takes the lines that the
//! dialect may print, refuses all others, and makes GNU's of them.

use std::fmt::Write as _;

/// The same program in GNU's syntax, for COFF.
///
/// # Panics
/// If a line is none of armasm64's.
pub(super) fn to_gnu(text: &str) -> String {
    let mut lines = Vec::new();
    let mut has_ended = false;
    for line in text.lines() {
        let (line, _) = line.split_once(';').unwrap_or((line, ""));
        if !line.trim().is_empty() {
            assert!(!has_ended, "behind END: {line}");
            has_ended = line.trim() == "END";
            lines.push(line.trim_end());
        }
    }
    assert!(has_ended, "no END");
    lines.pop();
    let mut gnu = String::new();
    for line in lines {
        writeln!(gnu, "{}", one(line)).expect("a string");
    }
    gnu
}

fn is_name(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn one(line: &str) -> String {
    // What begins in the first column is a name, and only that.
    if !line.starts_with(' ') {
        let (name, is_function) = match line.strip_suffix(" PROC") {
            Some(name) => (name, true),
            None => (line, false),
        };
        assert!(is_name(name), "no label: {line}");
        let function = if is_function { ".p2align 2\n" } else { "" };
        return format!("{function}{name}:");
    }
    let line = line.trim_start();
    let (word, operands) = line.split_once(' ').unwrap_or((line, ""));
    let operands = operands.trim_start();
    let number = || operands.parse::<u32>().expect("a number");
    let data = |directive: &str| format!("{directive} {operands}");
    match word {
        "AREA" => match operands {
            "|.text|, CODE, READONLY, ALIGN=6, CODEALIGN" => ".text".to_owned(),
            "|.rdata|, DATA, READONLY, ALIGN=6" => ".section .rdata,\"dr\"".to_owned(),
            _ => panic!("another area: {operands}"),
        },
        "EXPORT" => data(".globl"),
        "ALIGN" => format!(".balign {}", number()),
        "SPACE" => format!(".skip {}, 0", number()),
        "DCB" => data(".byte"),
        "DCW" => data(".short"),
        "DCD" => data(".long"),
        "DCQ" => data(".quad"),
        "ENDP" => String::new(),
        _ => {
            let is_mnemonic = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
            assert!(word.chars().all(|letter| is_mnemonic(letter) || letter == '.'), "{line}");
            instruction(word, operands)
        }
    }
}

fn instruction(mnemonic: &str, operands: &str) -> String {
    let last = operands.rsplit(", ").next().expect("words");
    match mnemonic {
        "ext8" => format!("ext {operands}"),
        "ext" => panic!("not every version knows it"),
        // The low bits of an address.
        "add" if is_name(last) && !last.starts_with(['x', 'w', 'v']) => {
            let (registers, symbol) = operands.rsplit_once(' ').expect("words");
            format!("add {registers} :lo12:{symbol}")
        }
        "add" | "sub" if last.starts_with('#') => {
            let constant: u32 = last[1..].parse().expect("a number");
            assert!(constant < 4096, "no version shifts it: {operands}");
            format!("{mnemonic} {operands}")
        }
        _ => format!("{mnemonic} {operands}"),
    }
}
