//! The most memory a command took.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Runs a command on the pieces of its standard input, and returns its exit success, the length of
/// its output, and the most memory it took, in KiB (from `/proc`, whenever output comes, and when all
/// input was taken: what it takes behind its last output is not seen). Pages of the program's own file do not
/// count: of a build with more features, without optimisation, they are many MiB.
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
    let id = child.id();
    let reader = std::thread::spawn(move || {
        let (mut total, mut most, mut piece) = (0, 0, vec![0; 1 << 16]);
        loop {
            match stdout.read(&mut piece).unwrap() {
                0 => return (total, most),
                count => total += count,
            }
            most = most.max(so_far(id).unwrap_or(0));
        }
    });
    for piece in pieces {
        stdin.write_all(&piece).unwrap();
    }
    let fed = so_far(id).unwrap();
    drop(stdin);
    let success = child.wait().unwrap().success();
    let (len, most) = reader.join().unwrap();
    (success, len, most.max(fed))
}

/// The most memory that a process took so far, in KiB, unless it has ended.
fn so_far(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let field = |name: &str| -> Option<u64> {
        let field = status.lines().find_map(|line| line.strip_prefix(name))?;
        field.trim().trim_end_matches(" kB").parse().ok()
    };
    Some(field("VmHWM:")?.saturating_sub(field("RssFile:")?))
}

#[test]
fn a_long_stream_takes_little() {
    const MIB: usize = 96;
    let folder = crate::common::Folder::new();
    let key = "-K 0123456789abcdef23456789abcdef01456789abcdef0123 -iv 0011223344556677 -quiet";
    for line in [
        format!("dec -des3 -nopad {key}"),
        format!("dec -des3 -nopad {key} --spool"),
        format!("enc -des-ede3-ctr {key} -T 64"),
        "enc -rc4 -k pw -nosalt -quiet".to_owned(),
        "dec --preset php-mcrypt -K 123456789012345678901234 -quiet".to_owned(),
    ] {
        // No text, which might be hex or base64.
        let pieces = std::iter::repeat_n(vec![0xfa; 1 << 20], MIB);
        let (success, len, peak) = peak(&mut folder.command(&line), pieces);
        assert!(success && len == MIB << 20, "{line}: {len} bytes");
        assert!(peak < 64 * 1024, "{line}: {peak} KiB");
    }
}
