//! Nothing in a column, and words that only look like it.

use super::{ONE_KEY, hex, sealed, text};
use crate::common::{Folder, ok, says};

/// What stands for nothing stays so, and what only looks like it does not.
#[test]
fn nothing_stays_nothing() {
    let folder = Folder::new();
    let [null, empty] = [b"NULL", &b""[..]].map(|plain| hex(&sealed([0; 8], plain)));
    let input = format!(
        "c,i\nNULL,NULL\n{null},{i}\n\"NULL\",{i}\n{empty},{i}\n{null},NULL\n",
        i = "00".repeat(8)
    );
    let line = format!("records -d {ONE_KEY} --iv-column i --data-column c --null NULL");
    let output = folder.run_with(&line, input.as_bytes());
    assert!(
        says(&output).contains("5 records: 2 decrypted, 1 null, 2 with an error"),
        "{output:?}"
    );
    let out = text(output.stdout);
    let results: Vec<&str> =
        out.lines().skip(1).map(|line| line.splitn(3, ',').nth(2).unwrap()).collect();
    assert_eq!(results[0], "NULL,");
    assert_eq!(results[1], "\"NULL\",");
    assert!(results[2].contains("no hex digit"), "{out}");
    assert_eq!(results[3..], [",", ",the IV is null"]);

    // In other forms nothing is nothing, and no word is.
    let jsonl = format!("{{\"c\":null}}\n{{\"c\":\"{null}\"}}\n");
    let line = format!("records -d {ONE_KEY} -iv 0000000000000000 --data-column c");
    let out = text(ok(folder.run_with(&line, jsonl.as_bytes())));
    assert_eq!(
        out,
        format!("{{\"c\":null,\"result\":null}}\n{{\"c\":\"{null}\",\"result\":\"NULL\"}}\n")
    );
    let output = folder.run_with(&format!("{line} --null NULL"), jsonl.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    assert!(says(&output).contains("--null is for CSV"), "{output:?}");

    // An empty word; an encryption.
    let line = format!("records -e {ONE_KEY} -iv 0000000000000000 --data-column c --no-header");
    let line = format!("{} --null=", line.replace("column c", "column 1"));
    let out = text(ok(folder.run_with(&line, b",x\n\"\",x\n")));
    assert_eq!(out, format!(",x,,\n\"\",x,{empty},\n"));
}
