//! A guard page really kills, and the buffer between guard pages really works.
#![cfg(unix)]

use cipherloom_testkit::guard::GuardedBuf;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

/// Says to a child, which is this test again, what to read.
const PROBE: &str = "CIPHERLOOM_GUARD_PROBE";
const LEN: usize = 100;

/// Runs in the children only: reads the byte that the parent names.
#[test]
fn probe() {
    let Ok(probe) = std::env::var(PROBE) else { return };
    let (side, distance) = probe.rsplit_once(' ').expect("side and distance");
    let buf = match side {
        "end" => GuardedBuf::ending_at_guard(LEN),
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        "low end" => GuardedBuf::low_ending_at_guard(LEN),
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        "low begin" => GuardedBuf::low_beginning_after_guard(LEN),
        _ => GuardedBuf::beginning_after_guard(LEN),
    };
    assert_eq!(buf.probe(distance.parse().expect("a distance")), 0);
}

/// The signal that ends a child which reads there, if one does.
fn signal(side: &str, distance: isize) -> Option<i32> {
    let status = Command::new(std::env::current_exe().expect("this test's own path"))
        .args(["--exact", "probe"])
        .env(PROBE, format!("{side} {distance}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the test runs itself");
    assert!(status.success() || status.signal().is_some(), "{side} {distance}: {status}");
    status.signal()
}

#[test]
fn guard_pages_kill() {
    let both = [("end", "begin"), ("low end", "low begin")];
    let known = if cfg!(all(target_os = "linux", target_arch = "x86_64")) { 2 } else { 1 };
    for (end, begin) in both.into_iter().take(known) {
        each_side_kills(end, begin);
    }
}

fn each_side_kills(end: &str, begin: &str) {
    let len = LEN as isize;
    for (side, distance, dies) in [
        (end, 0, false),
        (end, len - 1, false),
        (end, len, true),
        (end, len + 7, true),
        (begin, 0, false),
        (begin, len - 1, false),
        (begin, -1, true),
        (begin, -8, true),
    ] {
        let signal = signal(side, distance);
        let fault = matches!(signal, Some(libc::SIGSEGV | libc::SIGBUS));
        assert_eq!(fault, dies, "{side} {distance}: {signal:?}");
    }
}

#[test]
fn every_length_holds_its_bytes() {
    for len in [0, 1, 7, 8, 4095, 4096, 4097, 70_000] {
        let bytes: Vec<u8> = (0..len).map(|n| n as u8).collect();
        assert_eq!(GuardedBuf::copy_ending_at_guard(&bytes).as_slice(), bytes);
        assert_eq!(GuardedBuf::copy_beginning_after_guard(&bytes).as_slice(), bytes);
    }
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn low_buffers_have_addresses_of_32_bits() {
    for len in [0, 1, 4096, 70_000] {
        for buf in
            [GuardedBuf::low_ending_at_guard(len), GuardedBuf::low_beginning_after_guard(len)]
        {
            assert_eq!(buf.as_slice().len(), len);
            assert!((buf.as_slice().as_ptr() as usize + len) < 1 << 31);
        }
    }
}
