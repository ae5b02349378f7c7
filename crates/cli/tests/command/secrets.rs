//! What the command's memory holds of secrets when its work is done.
//!
//! Its last words are an error; as their reader does not read, it waits there for ever, and all its
//! memory can be searched.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

use crate::common::wait_for;
use crate::common::{Folder, ok};

const PASSWORD: &str = "nobody-else-says-this";
const PLAINTEXT: &str = "this sentence stands in the plaintext alone";
/// A key, and the letters for it.
const KEY: [u8; 24] = *b"\x91key of 24 bytes a test\x92";

/// The command does not let others look into its memory, and leaves no core dump.
#[test]
fn memory_is_nobodys_business() {
    let folder = Folder::new();
    let line = "enc -rc4 -k pw -quiet";
    let mut child =
        folder.command(line).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let id = child.id().to_string();
    wait_for(|| {
        let limits = fs::read_to_string(format!("/proc/{id}/limits")).unwrap();
        let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
        core.split_whitespace().collect::<Vec<_>>()[4..6] == ["0", "0"]
    });
    // What is not dumpable belongs to root, and is closed to its own user.
    let owner = || fs::metadata(format!("/proc/{id}/mem")).unwrap().uid();
    wait_for(|| owner() == 0);
    if !is_root() {
        assert!(File::open(format!("/proc/{id}/mem")).is_err());
    }
    let status = Command::new("kill").args(["-s", "ABRT", &id]).status();
    assert!(status.unwrap().success());
    let status = child.wait().unwrap();
    assert!(!status.core_dumped(), "{status}");
}

#[test]
fn nothing_is_left_when_the_work_is_done() {
    // Only root may look.
    if !is_root() {
        let me = std::env::current_exe().unwrap();
        let name = "secrets::nothing_is_left_when_the_work_is_done";
        let status = Command::new("unshare").arg("-r").arg(me).args(["--exact", name]).status();
        return assert!(status.unwrap().success());
    }
    let folder = Folder::new();
    let text = format!("{PLAINTEXT} {}", "and more of it. ".repeat(10_000) + "x");
    folder.file("plain", &text);
    folder.file("pw", format!("{PASSWORD}\n"));
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let key = format!("-K {} -iv 0102030405060708", hex(&KEY));

    let derive = "-des3 -pass file:pw -md md5 -nosalt";
    let derived = String::from_utf8(ok(folder.openssl(&format!("{derive} -P"), b""))).unwrap();
    let derived = derived.lines().find_map(|line| line.strip_prefix("key=")).unwrap();
    let digits = derived.as_bytes().as_chunks::<2>().0.iter();
    let derived: Vec<u8> = digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect();
    let mut secrets: Vec<(&str, &[u8])> = vec![
        ("password", PASSWORD.as_bytes()),
        ("plaintext", PLAINTEXT.as_bytes()),
        ("plaintext", b"of it. and more of it."),
    ];
    secrets.extend(KEY.chunks(8).map(|part| ("key", part)));
    secrets.extend(derived.chunks(8).map(|part| ("derived key", part)));

    // The last block is missing, which --salvage says at the end.
    for (name, options) in [("by-password", derive), ("by-key", &*format!("-des3 {key}"))] {
        let mut data = ok(folder.openssl(&format!("{options} -in plain"), b""));
        data.truncate(data.len() - 8);
        folder.file(name, data);
    }
    // The last record is wrong, which the account at the end says.
    let secret =
        ok(folder.openssl(&format!("-des-ede3-ecb -K {}", hex(&KEY)), PLAINTEXT.as_bytes()));
    folder.file("table", format!("n,secret\n1,{}\n2,00\n", hex(&secret)));
    folder.file("lines", format!("{{\"secret\":\"{}\"}}\n{{\"secret\":\"00\"}}\n", hex(&secret)));
    folder.file("key", hex(&KEY));
    let records = "records -d -des-ede3-ecb -data-column secret -quiet";
    let mut found = Vec::new();
    for line in [
        "dec -des3 -nosalt -pass file:pw -in by-password -out out1 --salvage -quiet".to_owned(),
        "dec -des3 -nosalt -kfile pw -md md5 -in by-password -out out2 --salvage -quiet".to_owned(),
        format!("dec -des3 -nosalt -k {PASSWORD} -in by-password -out out3 --salvage -quiet"),
        format!("dec -des3 {key} -in by-key -out out4 --salvage -quiet"),
        format!("{records} -K {} -in table -out out7", hex(&KEY)),
        format!("{records} -key-file key -in lines -out out8"),
        // Encryption: what has no whole blocks is found out at the end.
        "enc -des3 -nosalt -kfile pw -md md5 -in plain -out out5 -nopad -quiet".to_owned(),
        "enc -des-ecb -nosalt -kfile pw -md md5 -in plain -out out6 -nopad -quiet".to_owned(),
    ] {
        found.extend(Waiting::start(&folder, &line).search(&line, &secrets));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// A command that waits with its last words.
struct Waiting {
    child: Child,
    /// What it writes to, which is full.
    _pipe: std::io::PipeReader,
}

impl Waiting {
    fn start(folder: &Folder, line: &str) -> Self {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let size = rustix::pipe::fcntl_getpipe_size(&writer).unwrap();
        writer.write_all(&vec![0; size]).unwrap();
        let child = folder.command(line).stdin(Stdio::null()).stderr(writer).spawn().unwrap();
        let this = Self { child, _pipe: reader };
        // A call of the system with 2 as its first argument: to write there.
        wait_for(|| {
            let call = fs::read_to_string(this.file("syscall")).unwrap();
            call.split(' ').nth(1) == Some("0x2")
        });
        this
    }

    fn file(&self, name: &str) -> String {
        format!("/proc/{}/{name}", self.child.id())
    }

    /// Says where secrets were found.
    fn search(&self, line: &str, secrets: &[(&str, &[u8])]) -> Vec<String> {
        let given = self.given();
        let memory = File::open(self.file("mem")).unwrap();
        let mut found = Vec::new();
        let mut seen = 0;
        for map in fs::read_to_string(self.file("maps")).unwrap().lines() {
            let words: Vec<&str> = map.split_whitespace().collect();
            let (range, kind) = (words[0], words.get(5).copied().unwrap_or("unnamed"));
            if !words[1].starts_with("rw") || kind.starts_with("[v") {
                continue;
            }
            let (start, end) = range.split_once('-').unwrap();
            let [start, end] = [start, end].map(|text| u64::from_str_radix(text, 16).unwrap());
            let mut bytes = vec![0; (end - start) as usize];
            memory.read_exact_at(&mut bytes, start).unwrap();
            seen += bytes.len();
            for &(name, secret) in secrets {
                for place in places(&bytes, secret) {
                    let place = start + place as u64;
                    if !given.contains(&place) {
                        found.push(format!("{line}: {name} in {kind} at {place:#x}"));
                    }
                }
            }
        }
        assert!(seen > 100_000, "nothing was searched");
        found
    }

    /// Where the system put the command line and the environment.
    fn given(&self) -> std::ops::Range<u64> {
        let stat = fs::read_to_string(self.file("stat")).unwrap();
        // The name in brackets is the second field; the areas are fields 48 to 51.
        let fields: Vec<&str> = stat[stat.rfind(')').unwrap() + 2..].split(' ').collect();
        let field = |number: usize| fields[number - 3].parse::<u64>().unwrap();
        let (start, end) = (field(48), field(51));
        assert!(start < end);
        start..end
    }
}

/// Where `secret`, which is shorter than a page, begins in `bytes`. Most pages are zero.
fn places(bytes: &[u8], secret: &[u8]) -> Vec<usize> {
    const PAGE: usize = 4096;
    let mut places = Vec::new();
    for start in (0..bytes.len()).step_by(PAGE) {
        let page = &bytes[start..bytes.len().min(start + PAGE)];
        if *page != [0; PAGE][..page.len()] {
            let reach = &bytes[start..bytes.len().min(start + PAGE + secret.len() - 1)];
            let windows = reach.windows(secret.len()).enumerate();
            places.extend(windows.filter(|(_, it)| *it == secret).map(|(place, _)| start + place));
        }
    }
    places
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
