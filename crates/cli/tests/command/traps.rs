//! `records` on input that nobody was nice to: what it means must be defined, nothing of it may be
//! lost, and no memory may grow with it.

use std::io::Write;

use crate::common::{Folder, ok, says};
use cipherloom::Rc4;

/// Encrypts any text; the column's name comes next.
const RC4: &str = "records -e -rc4 --key-as-given -K 00 --quiet --data-column";

fn run(line: &str, input: impl AsRef<[u8]>) -> (i32, String, String) {
    let output = Folder::new().run_with(line, input.as_ref());
    let code = output.status.code().unwrap();
    let said = says(&output);
    (code, String::from_utf8(output.stdout).unwrap(), said)
}

/// What becomes of a column's text, which is no bad usage.
fn seal(options: &str, input: impl AsRef<[u8]>) -> (i32, String) {
    let (code, out, said) = run(&format!("{RC4} {options}"), input);
    assert!(code != 2, "{said}");
    (code, out)
}

#[test]
fn rows_of_csv_stay_byte_for_byte() {
    for (input, rows) in [
        // Quotes that need not be there, and quotes inside fields and behind quoted ones.
        ("a,c\n\"1\",x\n1\"2,x\n\"1\"2\"3,x\n", vec!["\"1\",x", "1\"2,x", "\"1\"2\"3,x"]),
        // Blanks, NUL bytes, line ends in quotes, nothing.
        ("a,c\n 1 , x\n\0,\0\n", vec![" 1 , x", "\0,\0"]),
        ("a,c\n\"1\r\n2\n3\r\",x\n", vec!["\"1\r\n2\n3\r\",x"]),
        ("a,c\n,\n\"\",\"\"\n", vec![",", "\"\",\"\""]),
    ] {
        let (code, out) = seal("c", input);
        assert_eq!(code, 0, "{input}");
        let mut rest = out.strip_prefix("a,c,result,error\n").unwrap();
        for row in rows {
            rest = rest.strip_prefix(row).unwrap_or_else(|| panic!("{input:?}: {rest:?}"));
            assert!(rest.starts_with(','), "{rest:?}");
            rest = rest.split_once('\n').unwrap().1;
        }
        assert_eq!(rest, "");
    }
    let output = Folder::new().run_with(&format!("{RC4} 2 --no-header"), b"\xe9\xff,\xe9\n");
    assert!(ok(output).starts_with(b"\xe9\xff,\xe9,"));
}

#[test]
fn every_line_end_is_one() {
    for end in ["\n", "\r\n", "\r"] {
        let input = ["a,c", "1,x", "", "2,x", ""].join(end);
        let (code, out) = seal("c", &input);
        let rows: Vec<_> = out.split(end).collect();
        assert_eq!((code, rows.len(), rows[0]), (0, 4, "a,c,result,error"), "{out:?}");
        assert!(rows[1].starts_with("1,x,") && rows[2].starts_with("2,x,"), "{out:?}");
        // No line end behind the last row.
        let (_, same) = seal("c", input.trim_end_matches(end));
        assert_eq!(same, out);
        // The number of a line counts each end once, and those inside quotes.
        let input = format!("{input}\"1{end}2\",x{end}{end}3,x,y{end}");
        let (code, _, said) = run(&format!("{RC4} c --stop-on-error"), &input);
        let line = if end == "\r" { 7 } else { 8 };
        assert_eq!(code, 1);
        assert!(said.contains(&format!("(line {line})")), "{end:?}: {said}");
    }
    // The first line's end counts, also behind a quoted line end of another kind.
    let (_, out) = seal("c", "\"a\nb\",c\r\n1,x\r\n");
    assert_eq!(out.matches("\r\n").count(), 2, "{out:?}");
}

#[test]
fn a_quote_left_open_is_an_error_and_swallows_nothing() {
    // The last column of the last row, or of one before it, which then has all the others in it.
    for input in
        ["c,a\nx,\"1", "c,a\nx,\"1\nx,2\nx,3\n", "c,a\nx,\"1\"\"\n", "c,a\n\"x", "c,a\nx,1,\"2"]
    {
        let (code, out) = seal("c", input);
        assert_eq!(code, 1, "{input:?}: {out:?}");
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(out.as_bytes());
        let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 1, "{out:?}");
        assert_eq!(&rows[0][2], "");
        assert!(rows[0][3].contains("quote that is never closed"), "{out:?}");
        let text = input.split_once('\n').unwrap().1;
        assert!(text.split(",\"").all(|piece| out.contains(piece)), "{out:?}");
    }
    let (code, out, said) = run(&format!("{RC4} c"), "a,\"c\n1,2\n");
    assert_eq!((code, &*out), (1, ""));
    assert!(said.contains("quote"), "{said}");
}

#[test]
fn columns_are_named_once_and_each_for_one_thing() {
    for (line, input, what) in [
        ("c", "c,\"c\"\n", "more than one column c"),
        ("c", "\"c\",result\n", "a column result already"),
        ("c", "\"c\",\"result\"\n", "a column result already"),
        ("c --error-column c", "c\n", "the same column"),
        ("c --error-column result", "c\n", "the same column"),
        ("c --result-column c", "{\"c\":\"\"}\n", "the same column"),
        ("c --key-column c", "c\n", "the same column"),
        ("0 --no-header", "1,2\n", "from 1 to 2"),
        ("3 --no-header", "1,2\n", "from 1 to 2"),
        ("-1 --no-header", "1,2\n", "from 1 to 2"),
        ("1", "a,b\n", "no column 1"),
        ("c --error-column line", "{\"c\":\"\"}\n", "another with --error-column"),
        ("c --no-header", "{\"c\":\"\"}\n", "--no-header is for CSV"),
        ("c --escape-formulas --result-encoding text", "{\"c\":\"\"}\n", "is for CSV"),
        ("c --escape-formulas", "c\n", "results that are text"),
    ] {
        let key = if line.contains("--key") { "" } else { "-K 00" };
        let (code, out, said) = run(
            &format!("records -e -rc4 --key-as-given {key} --quiet --data-column={line}"),
            input,
        );
        assert_eq!((code, &*out), (2, ""), "{line}: {said}");
        assert!(said.contains(what), "{line}: {said}");
    }
    // A name is what stands in the header, not how it is written; and numbers may be names.
    assert_eq!(seal("c", "\"c\",d\n").0, 0);
    assert_eq!(seal("c\"", "\"c\"\"\",d\n").0, 0);
    assert_eq!(seal("2", "2,1\n").0, 0);
    // A message is no longer than a message, whatever the header.
    let (code, _, said) = run(&format!("{RC4} x"), "a,".repeat(1 << 20));
    assert!(code == 2 && said.len() < 2000, "{}", said.len());
}

#[test]
fn the_start_of_the_input_is_known_however_it_comes() {
    let slowly = |line: &str, input: &[u8]| {
        let folder = Folder::new();
        let mut command = folder.command(line);
        let pipe = std::process::Stdio::piped;
        let mut child = command.stdin(pipe()).stdout(pipe()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        for byte in input {
            stdin.write_all(&[*byte]).unwrap();
            // Time to read each byte alone; the result is the same if that does not come to pass.
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        drop(stdin);
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let line = format!("{RC4} c");
    for input in ["\u{feff}c,a\r\nx,1\r\n", "\u{feff} \n{\"c\":\"x\"}\n", "c,a\rx,1\r"] {
        let whole = run(&line, input).1;
        assert!(!whole.is_empty() && !whole.contains('\u{feff}'), "{whole:?}");
        assert_eq!(slowly(&line, input.as_bytes()), whole);
    }
    for input in [&b"\xff\xfec\0\n\0"[..], b"\xfe\xff\0c\0\n"] {
        let (code, out, said) = run(&line, input);
        assert_eq!((code, &*out), (1, ""));
        assert!(said.contains("UTF-16"), "{said}");
    }
}

#[test]
fn a_name_that_is_there_twice_is_an_error() {
    let line = "records -e -rc4 --quiet --data-column c --key-column k";
    for (input, error) in [
        (r#"{"c":"x","k":"00","c":"y"}"#, "more than one field c"),
        (r#"{"c":"x","k":"00","\u0063":"y"}"#, "more than one field c"),
        (r#"{"c":"x","k":"00","k":null}"#, "more than one field k"),
        (r#"{"c":"x","k":"00","\u0072esult":1}"#, "a field result already"),
        (r#"{"c":"x","k":"00","error":1}"#, "a field error already"),
        (r#"{"c":"x","k":"00"} {"c":"x","k":"00"}"#, "no JSON object"),
        (r#"{"c":"x","k":"00"}}"#, "no JSON object"),
        (r#"{"c":1e999,"k":"00"}"#, "c is no string"),
        (r#"{"c":{"c":"x"},"k":"00"}"#, "c is no string"),
        (r#"{"c":"\ud800","k":"00"}"#, "c is no text"),
        (r#"{"d":{"c":"x"},"k":"00"}"#, "no field c"),
        ("{\"c\":\"x\u{1}\",\"k\":\"00\"}", "no JSON object"),
    ] {
        let (code, out, _) = run(line, input);
        assert_eq!(code, 1, "{input}");
        assert!(out.contains(error) && !out.contains("\"result\":\""), "{input}: {out}");
        let written: std::collections::HashMap<String, serde::de::IgnoredAny> =
            serde_json::from_str(&out).unwrap_or_else(|error| panic!("{out}: {error}"));
        assert!(written.contains_key("error"));
    }
    // Other names may be there as often as they like: the line stays as it is.
    let input = r#"{"a":1,"a":2, "c" : "x\u0041\/","k":"00" }"#;
    let (code, out, _) = run(line, input);
    assert_eq!(code, 0);
    assert!(out.starts_with(input.trim_end_matches([' ', '}'])), "{out}");
}

#[test]
fn lines_of_json_are_never_lost() {
    let folder = Folder::new();
    let line = format!("{RC4} c --format jsonl");
    let output = folder.run_with(&line, b"{\"c\":\"\xe9\"}\n[\"c\"]\n");
    assert_eq!(output.status.code(), Some(1));
    let out = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows[0]["line_base64"], "eyJjIjoi6SJ9");
    assert!(rows[0]["error"].as_str().unwrap().contains("no UTF-8"));
    assert_eq!(rows[1]["line"], "[\"c\"]");
}

#[test]
fn depth_costs_nothing() {
    const DEPTH: usize = 1 << 20;
    let (open, close) = ("[".repeat(DEPTH), "]".repeat(DEPTH));
    let line = format!("{RC4} c");
    // Beside the column, in it, in place of the object; and not closed.
    let input = format!("{{\"x\":{open}{close},\"c\":\"x\"}}\n");
    let (code, out, _) = run(&line, &input);
    assert!(code == 0 && out.starts_with(input.trim_end().trim_end_matches('}')));
    let input = format!("{{\"c\":{open}{close}}}\n{{\"c\":{open}\n{open}{close}\n{open}\n");
    let (code, out, _) = run(&line, &input);
    assert_eq!((code, out.lines().count()), (1, 4));
    for (line, error) in
        out.lines().zip(["c is no string", "no JSON object", "but no object", "no JSON object"])
    {
        assert!(line.contains(error), "{}", &line[line.len() - 200..]);
    }
}

#[test]
fn formulas_are_escaped_where_that_is_asked_for() {
    let input = "c\n=1+1\n+1\n-1\n@x\n\"\t=1\"\n\"\r=1\"\n'x\n\"=\"\"a\"\",1\"\n\u{ff1d}1\nx=1\n\n";
    let line = "records -e -rc4 --key-as-given -K 00 --quiet --data-column c --result-column s";
    let sealed = run(line, input).1;
    let line = "records -d -rc4 --key-as-given -K 00 --quiet --data-column s --error-column error2";
    let (code, plain, _) = run(line, &sealed);
    assert_eq!(code, 0);
    let (code, escaped, _) = run(&format!("{line} --escape-formulas"), &sealed);
    assert_eq!(code, 0);
    let results = |text: &str| -> Vec<String> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        reader.records().map(|row| row.unwrap()[3].to_owned()).collect()
    };
    let (plain, escaped) = (results(&plain), results(&escaped));
    assert_eq!(plain[0], "=1+1");
    assert_eq!(plain.len(), 10);
    for (plain, escaped) in plain.iter().zip(&escaped) {
        assert_eq!(escaped.strip_prefix('\''), (plain != "x=1").then_some(&**plain), "{plain}");
    }
    assert_eq!(escaped[9], "x=1");
    // Where the apostrophe is the delimiter it is quoted.
    let data: String = rc4(b"=1").iter().map(|byte| format!("{byte:02x}")).collect();
    let line =
        "records -d -rc4 --key-as-given -K 00 --quiet --data-column 1 --no-header --delimiter '";
    assert_eq!(run(&format!("{line} --escape-formulas"), &data).1, format!("{data}'\"'=1\"'\n"));
}

fn rc4(text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    Rc4::from_slice(&[0]).unwrap().apply(&mut bytes).unwrap();
    bytes
}

/// `>>` to the input's file would have the command read what it writes.
#[cfg(unix)]
#[test]
fn the_output_is_never_the_input() {
    let folder = Folder::new();
    let text = "c\nx\n";
    let path = folder.file("in.csv", text);
    let append = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    std::os::unix::fs::symlink(&path, folder.path().join("link.csv")).unwrap();
    std::fs::hard_link(&path, folder.path().join("hard.csv")).unwrap();
    for options in
        ["", "-out in.csv", "-out ./in.csv", "-out link.csv --force", "-out hard.csv --force"]
    {
        let mut command = folder.command(&format!("{RC4} c -in in.csv {options}"));
        if options.is_empty() {
            command.stdout(append.try_clone().unwrap());
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{options}");
        assert!(says(&output).contains("the input itself"), "{}", says(&output));
        assert_eq!(folder.read("in.csv"), text.as_bytes());
    }
}

/// The reader of the output goes away: an error, and no panic.
#[test]
fn a_broken_pipe_is_an_error() {
    let folder = Folder::new();
    let pipe = std::process::Stdio::piped;
    let mut command = folder.command(&format!("{RC4} c"));
    let mut child = command.stdin(pipe()).stdout(pipe()).stderr(pipe()).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // It may end before it has read all of it.
    let _ = stdin.write_all("c\n".repeat(1 << 20).as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(says(&output).contains("went away"), "{}", says(&output));
}

/// Whatever the rows are, memory stays below a bound, and does not grow with their number.
#[cfg(target_os = "linux")]
mod memory {
    use super::{Folder, RC4};

    const MIB: usize = 1 << 20;

    /// The most memory for a header and `count` pieces, in KiB.
    fn peak(line: &str, header: &[u8], count: usize, piece: impl Fn(usize) -> Vec<u8>) -> u64 {
        let folder = Folder::new();
        let mut command = folder.command(line);
        let pieces = std::iter::once(header.to_vec()).chain((0..count).map(piece));
        crate::memory::peak(&mut command, pieces).2
    }

    fn row(len: usize) -> Vec<u8> {
        let mut row = vec![b'x'; len];
        row.push(b'\n');
        row
    }

    /// No row keeps memory of its own, which would become as large as the largest row at its place.
    #[test]
    fn slow_large_rows_among_small_ones() {
        let line = format!("{RC4} c -T 2");
        // Each large row stands behind another number of small ones.
        let piece = |n: usize| [b"x\n".repeat(61 * n), row(MIB / 2)].concat();
        let peak = peak(&line, b"c\n", 200, piece);
        assert!(peak < 80 * 1024, "{peak} KiB for 200 large rows of half a MiB");
    }

    /// Many threads do not hold a row of 16 MiB each.
    #[test]
    fn slow_rows_of_16_mib_in_many_threads() {
        let line = format!("{RC4} c -T 16 --result-encoding base64");
        let peak = peak(&line, b"c\n", 5, |_| row(16 * MIB - 1));
        assert!(peak < 200 * 1024, "{peak} KiB");
    }

    /// A short row is filled up with as many fields as the header has.
    #[test]
    fn short_rows_of_a_wide_table() {
        let header = [b"c".to_vec(), b",".repeat(MIB), b"\n".to_vec()].concat();
        let peak = peak(&format!("{RC4} c -T 2"), &header, 60, |_| b"x\n".to_vec());
        assert!(peak < 32 * 1024, "{peak} KiB");
    }

    /// A line of JSON does not become a tree of values.
    #[test]
    fn slow_lines_of_many_values() {
        let line = [&b"{\"c\":\"x\",\"x\":["[..], &b"1,".repeat(7 * MIB), b"1]}\n"].concat();
        let peak = peak(&format!("{RC4} c -T 2"), b"", 3, |_| line.clone());
        assert!(peak < 128 * 1024, "{peak} KiB");
    }
}
