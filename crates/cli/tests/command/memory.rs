//! The most memory a command took.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Runs a command on the pieces of its standard input, and returns its exit success, the length of
/// its output, and the most memory it took until all input was taken, in KiB (from `/proc`).
///
/// # Panics
/// If the command does not take its input.
pub(crate) fn peak(
    command: &mut Command,
    pieces: impl Iterator<Item = Vec<u8>>,
) -> (bool, usize, u64) {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let (mut total, mut piece) = (0, vec![0; 1 << 16]);
        loop {
            match stdout.read(&mut piece).unwrap() {
                0 => return total,
                count => total += count,
            }
        }
    });
    for piece in pieces {
        stdin.write_all(&piece).unwrap();
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak = peak.trim().trim_end_matches(" kB").parse().unwrap();
    drop(stdin);
    let success = child.wait().unwrap().success();
    (success, reader.join().unwrap(), peak)
}
