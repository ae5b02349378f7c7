//! Every row of docs/ERRORS.md, as it is written there.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::common::{CIPHERLOOM, LEFT_OUT, Room, code, feed, noise, ok, on_windows, plain};

/// What makes a row's error happen. Outputs are always called `new`.
type Case = fn(&Room) -> Output;

const KEY: &str = "-K 0123456789abcdef23456789abcdef01456789abcdef0123 -iv 0011223344556677";
const TEXT: &[u8] = b"Some text that everyone can read, and some more of it.";

const CASES: &[(&str, Case)] = &[
    ("missing-input", |room| room.run("dec -des3 -k pw -in none -out new")),
    ("input-directory", |room| room.run("dec -des3 -k pw -in . -out new")),
    ("output-directory", |room| with_input(room, "dec -des3 -k pw -out .")),
    ("output-exists", |room| {
        room.file("old", "old");
        let output = with_input(room, "dec -des3 -k pw -out old");
        assert_eq!(room.read("old"), b"old");
        output
    }),
    ("input-is-output", |room| {
        room.file("in", TEXT);
        std::fs::hard_link(room.path().join("in"), room.path().join("link")).unwrap();
        let output = room.run("enc -des3 -k pw -in in -out link --force");
        assert_eq!(room.read("in"), TEXT);
        output
    }),
    ("output-disk", |room| with_input(room, &format!("enc -des3 -k pw -out {}", disk(room)))),
    ("output-read-only", |room| {
        let directory = room.path().join("locked");
        std::fs::create_dir(&directory).unwrap();
        std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(0o555)).unwrap();
        // Root may write anywhere but into the kernel's own file systems.
        let is_root = std::fs::write(directory.join("x"), "").is_ok();
        let directory = if is_root { "/sys" } else { "locked" };
        room.run_with(&format!("enc -des3 -k pw -quiet -out {directory}/new"), TEXT)
    }),
    ("output-directory-missing", |room| {
        room.run_with("enc -des3 -k pw -quiet -out none/new", TEXT)
    }),
    ("disk-full", disk_full),
    ("device-full", |room| room.run_with("enc -des3 -k pw -quiet -out /dev/full", TEXT)),
    ("size-limit", |room| {
        let script = format!("ulimit -f 8; exec {CIPHERLOOM} enc -des3 -k pw -quiet -out new");
        shell(room, &script, &noise(1_000_000))
    }),
    ("broken-pipe", |room| {
        let mut child = room
            .command("enc -rc4 -k pw -quiet")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        // Standard input stays open and silent: the command must not wait for more of it.
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all(&noise(100));
        child.wait_with_output().unwrap()
    }),
    ("interrupt", |room| {
        // Windows knows none of the others.
        let signals = if on_windows() { &["INT"][..] } else { &["TERM", "HUP", "INT"] };
        for signal in signals {
            let mut child = room
                .command_for_signals("enc -rc4 -k pw -quiet -out new")
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            wait_for(|| room.names().iter().any(|name| name.ends_with(".partial")));
            let id = child.id().to_string();
            let kill = Command::new("kill").args(["-s", signal, &id]).status().unwrap();
            assert!(kill.success());
            let stdin = child.stdin.take();
            let output = child.wait_with_output().unwrap();
            drop(stdin);
            assert_eq!(room.names(), Vec::<String>::new(), "SIG{signal}");
            if *signal == "INT" {
                return output;
            }
        }
        unreachable!("the list of signals ends with INT")
    }),
    ("input-grows", |room| change_input(room, |file| file.write_all(b"more").unwrap())),
    ("input-shrinks", |room| change_input(room, |file| file.set_len(5).unwrap())),
    ("terminal", |room| {
        room.file("in", TEXT);
        let line = format!("stty cols 200; {CIPHERLOOM} enc -des3 -k pw -quiet -in in");
        let mut script = Command::new("script");
        script.current_dir(room.path()).args(["-qec", &line, "/dev/null"]);
        let mut output = feed(script, b"");
        // On a terminal both streams are one.
        output.stderr = plain(&output.stdout).into_bytes();
        output
    }),
    ("wrong-password", |room| {
        file_by_openssl(room, "-des3 -k pw -nosalt");
        room.run("dec -des3 -k other -nosalt -in in -out new")
    }),
    ("wrong-password-enc", |room| {
        // From a pipe, as a file shows which version made it.
        let data = ok(room.openssl("-des3 -k pw -md md5 -nosalt", TEXT));
        room.run_with("enc -d -des3 -k pw -nosalt -out new", &data)
    }),
    ("older-default", |room| {
        file_by_openssl(room, "-rc4 -k pw -md md5");
        room.run("enc -d -rc4 -k pw -in in -out new")
    }),
    ("header-and-salt", |room| {
        room.file("in", b"Salted__\x01\x02\x03\x04\x05\x06\x07\x08and more");
        room.run("enc -d -des3 -k pw -S 0102030405060708 -in in -out new")
    }),
    ("header-other-salt", |room| {
        room.file("in", b"Salted__\x01\x02\x03\x04\x05\x06\x07\x08and more");
        room.run("dec -des3 -k pw -S 0102030405060709 -in in -out new")
    }),
    ("header-nosalt", |room| {
        room.file("in", b"Salted__\x01\x02\x03\x04\x05\x06\x07\x08and more");
        room.run("dec -des3 -k pw -nosalt -in in -out new")
    }),
    ("header-and-key", |room| {
        room.file("in", b"Salted__\x01\x02\x03\x04\x05\x06\x07\x08and more");
        room.run("enc -d -rc4 -K 0123456789abcdef0123456789abcdef -in in -out new")
    }),
    ("wrong-password-md", |room| {
        file_by_openssl(room, "-des3 -k pw -nosalt");
        room.run("dec -des3 -k other -nosalt -md sha256 -in in -out new")
    }),
    ("wrong-key", |room| {
        file_by_openssl(room, &format!("-des3 {KEY}"));
        room.run(&format!("dec -des3 {} -in in -out new", KEY.replace("0123 -iv", "fedc -iv")))
    }),
    ("damaged-padding", |room| damaged(room, |data| *data.last_mut().unwrap() ^= 1)),
    ("damaged-padding-pipe", |room| {
        let mut data = ok(room.openssl(&format!("-des3 {KEY}"), TEXT));
        data.truncate(data.len() - 8);
        room.run_with(&format!("dec -des3 {KEY}"), &data)
    }),
    ("truncated", |room| damaged(room, |data| data.truncate(data.len() - 8))),
    ("not-whole-blocks", |room| damaged(room, |data| data.truncate(data.len() - 3))),
    ("no-ciphertext", |room| damaged(room, Vec::clear)),
    ("no-padding-length", |room| {
        room.run_with(&format!("enc -des3 {KEY} -nopad -quiet -out new"), b"abc")
    }),
    ("stealing-short", |room| {
        let line = "enc -des-cbc-cs3 -k pw -nosalt -quiet -out new";
        room.run_with(line, b"abc")
    }),
    ("damaged-header", |room| header(room, |data| data[2] = b'L')),
    ("truncated-header", |room| header(room, |data| data.truncate(12))),
    ("no-header", |room| header(room, |data| drop(data.drain(..16)))),
    ("base64-header", |room| {
        file_by_openssl(room, "-des3 -k pw -a");
        room.run("dec -des3 -k pw -in in -out new")
    }),
    ("damaged-base64", |room| {
        room.run_with("enc -d -rc4 -k pw -nosalt -a -out new", b"aGVs\nbG!=")
    }),
    ("no-base64", |room| room.run_with("enc -d -rc4 -k pw -nosalt -a -out new", b"\xff\xfe\n")),
    ("truncated-base64", |room| room.run_with("enc -d -rc4 -k pw -nosalt -a -out new", b"aGVsbG8")),
    ("salvaged", |room| {
        file_by_openssl(room, &format!("-des3 {KEY}"));
        let mut data = room.read("in");
        data.truncate(19);
        room.file("in", data);
        let output = room.run(&format!("dec -des3 {KEY} -in in -out kept --salvage"));
        assert_eq!(room.read("kept"), TEXT[..16]);
        output
    }),
    ("bad-hex", |room| room.run("enc -des-cbc -K 0x23456789abcdef -iv 0102030405060708 -out new")),
    ("odd-hex", |room| room.run("enc -des-cbc -K 0123456789abcde -iv 0102030405060708 -out new")),
    ("key-short", |room| room.run("enc -des-cbc -K 0123 -iv 0102030405060708 -out new")),
    ("key-long", |room| {
        room.run("enc -des-cbc -K 0123456789abcdef01 -iv 0102030405060708 -out new")
    }),
    ("iv-short", |room| room.run("enc -des-cbc -K 0123456789abcdef -iv 01 -out new")),
    ("iv-long", |room| {
        room.run("enc -des-cbc -K 0123456789abcdef -iv 010203040506070809 -out new")
    }),
    ("salt-short", |room| room.run("enc -des-cbc -k pw -S 0102 -out new")),
    ("iv-missing", |room| room.run("enc -des-cbc -K 0123456789abcdef -out new")),
    ("iv-for-ecb", |room| {
        room.run("enc -des-ecb -K 0123456789abcdef -iv 0102030405060708 -out new")
    }),
    ("rc4-key-length", |room| room.run("enc -rc4 -K 0102 -out new")),
    ("saltlen", |room| room.run("enc -des3 -k pw -saltlen 16 -out new")),
    ("rc4-key-long", |room| room.run(&format!("enc -rc4 -K {} -out new", "00".repeat(257)))),
    ("weak-key", |room| room.run("enc -des-ecb -K 0101010101010101 --strict-keys -quiet -out new")),
    ("unknown-cipher", |room| room.run("dec -des-ede4-cbc -k pw -out new")),
    ("declined-cipher", |room| room.run("dec -des3-wrap -k pw -out new")),
    ("no-cipher", |room| room.run("dec -k pw -out new")),
    ("unknown-option", |room| room.run("dec -des3 -iteer 5 -k pw -out new")),
    ("value-missing", |room| room.run("dec -des3 -out new -k pw -in")),
    ("unknown-digest", |room| room.run("dec -des3 -k pw -md sha257 -out new")),
    ("too-many-threads", |room| {
        for line in ["dec -des3 -k pw", "records -d -rc4 -K 00 -data-column 1", "migrate in new"] {
            let output = room.run(&format!("{line} -T 1000000"));
            assert_eq!(output.status.code(), Some(2), "{line}");
            assert!(crate::common::says(&output).contains("1 to 1024"), "{line}");
        }
        room.run("enc -des3 -k pw -T 1025 -out new")
    }),
    ("bad-count", |room| room.run("dec -des3 -k pw -iter 0 -out new")),
    ("no-password", |room| {
        // A session of its own has no terminal.
        let mut command = Command::new("setsid");
        command.current_dir(room.path()).args([
            "-w",
            CIPHERLOOM.path(),
            "dec",
            "-des3",
            "-out",
            "new",
        ]);
        feed(command, b"")
    }),
    ("bad-source", |room| room.run("dec -des3 -pass secret -out new")),
    ("no-variable", |room| room.run("dec -des3 -pass env:CIPHERLOOM_NONE -out new")),
    ("empty-kfile", |room| {
        room.file("empty", "");
        room.run("dec -des3 -kfile empty -out new")
    }),
    ("auto-pipe", |room| {
        let data = ok(room.openssl("-des3 -k pw", TEXT));
        room.run_with("dec -des3 -k pw -out new", &data)
    }),
    ("auto-no-padding", |room| {
        file_by_openssl(room, "-rc4 -k pw");
        room.run("dec -rc4 -k pw -in in -out new")
    }),
    ("auto-ambiguous", |room| {
        // See `where_two_ways_fit_nothing_is_written` for the password.
        let data = ok(room.openssl("-des-ecb -k pw171 -nosalt -md md5", &noise(23)));
        room.file("in", data);
        room.run("dec -des-ecb -k pw171 -nosalt -in in -out new")
    }),
    ("auto-encrypt", |room| room.run("enc -des3 -k pw -md auto -out new")),
    ("salvage-no-file", |room| room.run("dec -des3 -k pw --salvage")),
];

/// Rows of what Windows does not have, or Wine cannot show; the others are as on Unix.
const NOT_ON_WINDOWS: [(&str, &str); 6] = [
    ("output-disk", "Wine shows block devices of Unix as files"),
    ("disk-full", "Wine's server opens the files, outside the name space of the small disk"),
    ("device-full", "Windows has no such device"),
    ("size-limit", "Windows has no such limit"),
    ("input-grows", "Wine's server would wait for the named pipe that makes the command wait"),
    ("input-shrinks", "Wine's server would wait for the named pipe that makes the command wait"),
];

#[test]
fn every_row_is_as_it_is_written() {
    let mut rows = rows();
    let mut wrong = Vec::new();
    for (name, case) in CASES {
        let (says, code) =
            rows.remove(*name).unwrap_or_else(|| panic!("docs/ERRORS.md has no row {name}"));
        if let Some((_, why)) = NOT_ON_WINDOWS.iter().find(|(row, _)| on_windows() && row == name) {
            eprintln!("{LEFT_OUT}row {name} of docs/ERRORS.md: {why}");
            continue;
        }
        let room = Room::new();
        let output = case(&room);
        if let Err(what) = check(&room, &output, &says, code) {
            wrong.push(format!("{name}: {what}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(rows.is_empty(), "rows without a test: {:?}", rows.keys());
}

/// Compares what a case did with its row.
fn check(room: &Room, output: &Output, says: &str, wanted: i32) -> Result<(), String> {
    let text = crate::common::says(output).replace('\r', "");
    let got = code(output.status);
    if got != Some(wanted) {
        return Err(format!("exit code {got:?}, not {wanted}; it said: {text}"));
    }
    let expected = if says.is_empty() { String::new() } else { format!("cipherloom: {says}\n") };
    if !fits(&text, &expected) {
        return Err(format!("\n says {text} not  {expected}"));
    }
    match room.names().iter().find(|name| *name == "new" || name.ends_with(".partial")) {
        Some(left) => Err(format!("{left} is left behind")),
        None => Ok(()),
    }
}

/// The table: name of the row, what the command says, exit code.
fn rows() -> BTreeMap<String, (String, i32)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ERRORS.md");
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [name, _, says, code] = cells[..] else { panic!("not four cells: {line}") };
        (name.to_owned(), (says.trim_matches('`').to_owned(), code.parse().expect(line)))
    })
    .collect()
}

/// Whether a line is a pattern's, in which `…` stands for anything.
fn fits(line: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.split_once(part) {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    rest.ends_with(last)
}

fn with_input(room: &Room, line: &str) -> Output {
    room.file("in", TEXT);
    room.run(&format!("{line} -in in"))
}

/// Where a wrong password is tried, options say `-nosalt`: with a random salt the padding would be
/// right by chance in one run of 256.
fn file_by_openssl(room: &Room, options: &str) {
    let data = ok(room.openssl(options, TEXT));
    room.file("in", data);
}

/// Decrypts a file made with a raw key, after some damage.
fn damaged(room: &Room, damage: fn(&mut Vec<u8>)) -> Output {
    let mut data = ok(room.openssl(&format!("-des3 {KEY}"), TEXT));
    damage(&mut data);
    room.file("in", data);
    room.run(&format!("dec -des3 {KEY} -in in -out new"))
}

/// Decrypts a file made with a password, after damage to its header.
fn header(room: &Room, damage: fn(&mut Vec<u8>)) -> Output {
    let mut data = ok(room.openssl("-des3 -k pw -S 0102030405060708", TEXT));
    data.splice(..0, *b"Salted__\x01\x02\x03\x04\x05\x06\x07\x08");
    damage(&mut data);
    room.file("in", data);
    room.run("dec -des3 -k pw -in in -out new")
}

/// A block device: one that leads nowhere where it may be made, or any that there is.
fn disk(room: &Room) -> String {
    let made = room.path().join("disk");
    let made_it =
        Command::new("mknod").arg(&made).args(["b", "240", "255"]).stderr(Stdio::null()).status();
    if made_it.is_ok_and(|status| status.success()) {
        return made.to_str().unwrap().to_owned();
    }
    let mut entries = std::fs::read_dir("/dev").unwrap().flatten();
    let disk = entries.find(|entry| entry.file_type().is_ok_and(|kind| kind.is_block_device()));
    disk.expect("a block device, or the right to make one").path().to_str().unwrap().to_owned()
}

fn shell(room: &Room, script: &str, input: &[u8]) -> Output {
    let mut command = Command::new("sh");
    command.current_dir(room.path()).args(["-c", script]);
    feed(command, input)
}

/// A file system of 64 KiB in a name space of its own; where the machine allows none, the device
/// that is always full stands in, and a line says so.
fn disk_full(room: &Room) -> Output {
    std::fs::create_dir(room.path().join("small")).unwrap();
    let mount = "mount -t tmpfs -o size=64k none small";
    let run = format!("{CIPHERLOOM} enc -des3 -k pw -quiet -out small/new");
    for unshare in ["unshare -m", "unshare -rm"] {
        if shell(room, &format!("{unshare} sh -c '{mount}'"), b"").status.success() {
            let check = "left=$(ls -A small); test -z \"$left\" || echo left behind: $left >&2";
            let script = format!("{unshare} sh -c '{mount}; {run}; code=$?; {check}; exit $code'");
            return shell(room, &script, &noise(1_000_000));
        }
    }
    eprintln!("disk-full: no file system can be mounted here; /dev/full stands in");
    room.run_with("enc -des3 -k pw -quiet -out /dev/full", TEXT)
}

/// The command opens its input, then waits for the password; meanwhile the input changes.
fn change_input(room: &Room, change: fn(&mut std::fs::File)) -> Output {
    room.file("in", TEXT);
    let fifo = room.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let child = room
        .command("enc -des3 -pass file:fifo -quiet -in in -out new")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // This returns when the command has opened the other end.
    let mut password = std::fs::OpenOptions::new().write(true).open(&fifo).unwrap();
    let mut file = std::fs::OpenOptions::new().append(true).open(room.path().join("in")).unwrap();
    change(&mut file);
    password.write_all(b"pw\n").unwrap();
    drop(password);
    child.wait_with_output().unwrap()
}

pub(crate) fn wait_for(mut condition: impl FnMut() -> bool) {
    for _ in 0..2000 {
        if condition() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("waited for 20 seconds");
}
