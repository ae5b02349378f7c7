//! Long streams of records, and a record without end.

use std::fmt::Write;

use super::{ONE_KEY, hex, sealed, text};
use crate::common::{Folder, says};

/// 200,000 records, in any number of threads, in order, and a bad one in between.
#[test]
fn slow_a_long_stream_comes_out_in_order_whatever_the_threads() {
    let mut input = "n,v,c\n".to_owned();
    for n in 0..200_000u64 {
        let iv = n.to_be_bytes();
        let mut data = sealed(iv, n.to_string().as_bytes());
        if n == 123_456 {
            data.pop();
        }
        writeln!(input, "{n},{},{}", hex(&iv), hex(&data)).unwrap();
    }
    let folder = Folder::new();
    for threads in [1, 2, 5] {
        let line = format!("records -d {ONE_KEY} --iv-column v --data-column c -T {threads}");
        let output = folder.run_with(&line, input.as_bytes());
        assert!(says(&output).contains("200000 records: 199999 decrypted, 1 with"), "{output:?}");
        let out = text(output.stdout);
        assert_eq!(out.lines().count(), 200_001);
        for (n, row) in out.lines().skip(1).enumerate() {
            let fields: Vec<_> = row.split(',').collect();
            assert_eq!(fields[0], n.to_string());
            assert_eq!(fields[3], if n == 123_456 { "" } else { fields[0] });
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn slow_memory_does_not_grow_with_the_stream() {
    let folder = Folder::new();
    let row =
        format!("{{\"v\":\"{}\",\"c\":\"{}\"}}\n", hex(&[0; 8]), hex(&sealed([0; 8], &[b'x'; 50])));
    let peak = |pieces| {
        let mut command =
            folder.command(&format!("records -d {ONE_KEY} --iv-column v --data-column c -T 2"));
        let (success, len, peak) = crate::memory::peak(
            &mut command,
            std::iter::repeat_n(row.repeat(1000).into_bytes(), pieces),
        );
        assert!(success);
        assert_eq!(len, (row.len() + 62) * 1000 * pieces);
        peak
    };
    let (short, long) = (peak(100), peak(300));
    assert!(long < 64 * 1024, "{long} KiB");
    assert!(long < short + short / 2, "{short} KiB for 100,000 records, {long} KiB for 300,000");
}

#[test]
fn a_record_without_end_is_an_error() {
    let folder = Folder::new();
    let mut input = b"a,c\n1,\"".to_vec();
    input.resize(18 << 20, b'x');
    let output = folder.run_with("records -d -rc4 -key-as-given -K 00 --data-column c", &input);
    assert_eq!(output.status.code(), Some(1));
    assert!(says(&output).contains("a quote may be left open"), "{}", says(&output));
}
