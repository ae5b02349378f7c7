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

#[test]
fn a_long_stream_takes_little() {
    const MIB: usize = 96;
    let room = crate::common::Room::new();
    let key = "-K 0123456789abcdef23456789abcdef01456789abcdef0123 -iv 0011223344556677 -quiet";
    for line in [
        format!("dec -des3 -nopad {key}"),
        format!("dec -des3 -nopad {key} --spool"),
        format!("enc -des-ede3-ctr {key} -T 64"),
        "enc -rc4 -k pw -nosalt -quiet".to_owned(),
    ] {
        let pieces = std::iter::repeat_n(vec![0x5a; 1 << 20], MIB);
        let (success, len, peak) = peak(&mut room.command(&line), pieces);
        assert!(success && len == MIB << 20, "{line}: {len} bytes");
        assert!(peak < 64 * 1024, "{line}: {peak} KiB");
    }
}
