//! Inputs that are damaged, and disks that are full.

use std::io::Write;
use std::os::unix::fs::FileTypeExt;
use std::process::{Command, Output, Stdio};

use crate::common::{CIPHERLOOM, Folder, feed, noise, ok};

pub(super) const KEY: &str =
    "-K 0123456789abcdef23456789abcdef01456789abcdef0123 -iv 0011223344556677";
pub(super) const TEXT: &[u8] = b"Some text that everyone can read, and some more of it.";

pub(super) fn with_input(folder: &Folder, line: &str) -> Output {
    folder.file("in", TEXT);
    folder.run(&format!("{line} -in in"))
}

/// Where a wrong password is tried, options say `-nosalt`: with a random salt the padding would be
/// right by chance in one run of 256.
pub(super) fn file_by_openssl(folder: &Folder, options: &str) {
    let data = ok(folder.openssl(options, TEXT));
    folder.file("in", data);
}

/// Decrypts a file made with a raw key, after some damage.
pub(super) fn damaged(folder: &Folder, damage: fn(&mut Vec<u8>)) -> Output {
    let mut data = ok(folder.openssl(&format!("-des3 {KEY}"), TEXT));
    damage(&mut data);
    folder.file("in", data);
    folder.run(&format!("dec -des3 {KEY} -in in -out new"))
}

/// Decrypts a file made with a password, after damage to its header.
pub(super) fn header(folder: &Folder, damage: fn(&mut Vec<u8>)) -> Output {
    let mut data = ok(folder.openssl("-des3 -k pw -S 0102030405060708", TEXT));
    data.splice(..0, *b"Salted__\x01\x02\x03\x04\x05\x06\x07\x08");
    damage(&mut data);
    folder.file("in", data);
    folder.run("dec -des3 -k pw -in in -out new")
}

/// A block device: one that leads nowhere where it may be made, or any that there is.
pub(super) fn disk(folder: &Folder) -> String {
    let made = folder.path().join("disk");
    let made_it =
        Command::new("mknod").arg(&made).args(["b", "240", "255"]).stderr(Stdio::null()).status();
    if made_it.is_ok_and(|status| status.success()) {
        return made.to_str().unwrap().to_owned();
    }
    let mut entries = std::fs::read_dir("/dev").unwrap().flatten();
    let disk = entries.find(|entry| entry.file_type().is_ok_and(|kind| kind.is_block_device()));
    disk.expect("a block device, or the right to make one").path().to_str().unwrap().to_owned()
}

pub(super) fn shell(folder: &Folder, script: &str, input: &[u8]) -> Output {
    let mut command = Command::new("sh");
    command.current_dir(folder.path()).args(["-c", script]);
    feed(command, input)
}

/// A file system of 64 KiB in a name space of its own; where the machine allows none, the device
/// that is always full stands in, and a line says so.
pub(super) fn disk_full(folder: &Folder) -> Output {
    std::fs::create_dir(folder.path().join("small")).unwrap();
    let mount = "mount -t tmpfs -o size=64k none small";
    let run = format!("{CIPHERLOOM} enc -des3 -k pw -quiet -out small/new");
    for unshare in ["unshare -m", "unshare -rm"] {
        if shell(folder, &format!("{unshare} sh -c '{mount}'"), b"").status.success() {
            let check = "left=$(ls -A small); test -z \"$left\" || echo left behind: $left >&2";
            let script = format!("{unshare} sh -c '{mount}; {run}; code=$?; {check}; exit $code'");
            return shell(folder, &script, &noise(1_000_000));
        }
    }
    eprintln!("disk-full: no file system can be mounted here; /dev/full stands in");
    folder.run_with("enc -des3 -k pw -quiet -out /dev/full", TEXT)
}

/// The command opens its input, then waits for the password; meanwhile the input changes.
pub(super) fn change_input(folder: &Folder, change: fn(&mut std::fs::File)) -> Output {
    folder.file("in", TEXT);
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let child = folder
        .command("enc -des3 -pass file:fifo -quiet -in in -out new")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // This returns when the command has opened the other end.
    let mut password = std::fs::OpenOptions::new().write(true).open(&fifo).unwrap();
    let mut file = std::fs::OpenOptions::new().append(true).open(folder.path().join("in")).unwrap();
    change(&mut file);
    password.write_all(b"pw\n").unwrap();
    drop(password);
    child.wait_with_output().unwrap()
}
