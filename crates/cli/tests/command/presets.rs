//! `what`, `dec --preset` and `records --preset`, by the known answers of the presets.

use std::fmt::Write;

use cipherloom_formats::Cipher;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Charset, Given, Preset, SecretKind};

use crate::common::{Folder, feed, ok, says};

/// Presets; cipher; encoding; secret; salt; IV; value; plaintext.
fn known() -> Vec<[&'static str; 8]> {
    let lines = include_str!("../../../formats/tests/presets/known.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rows: Vec<_> = lines
        .map(|line| {
            let columns: Vec<_> = line.split(" |").map(str::trim).collect();
            <[&str; 8]>::try_from(columns).unwrap_or_else(|_| panic!("{line}"))
        })
        .collect();
    assert!(rows.len() > 50, "{} known answers", rows.len());
    rows
}

/// The options for a known answer.
fn options(row: &[&str; 8]) -> Vec<String> {
    let [preset, cipher, encoding, secret, salt, iv, ..] = *row;
    let mut words = vec!["--preset".to_owned(), preset.to_owned()];
    let mut add = |option: &str, value: &str| words.extend([option.to_owned(), value.to_owned()]);
    let preset = Preset::find(preset).unwrap();
    match (preset.secret, secret.strip_prefix("hex:")) {
        (SecretKind::None, _) => {}
        (SecretKind::Password(_), _) => add("-k", secret),
        (SecretKind::Key(..), None) => add("-K", secret),
        (SecretKind::Key(..), Some(digits)) => {
            add("-K", digits);
            add("--key-encoding", "hex");
        }
    }
    if !salt.is_empty() && preset.takes_salt() {
        add("-S", salt);
    }
    if !iv.is_empty() {
        add("--iv", iv);
    }
    if !cipher.is_empty() && preset.choice().is_none_or(|names| !names.is_empty()) {
        add("--cipher", cipher);
    }
    match encoding {
        "" => {}
        "hex" => words.push("--hex".to_owned()),
        _ => words.push("-a".to_owned()),
    }
    words
}

/// What the command writes for a known plaintext, text as UTF-8.
fn expected(row: &[&str; 8]) -> Vec<u8> {
    let preset = Preset::find(row[0]).unwrap();
    match row[7].split_once(':') {
        Some(("utf16", text)) => text.as_bytes().to_vec(),
        // A PIN's field: the PIN.
        Some(("hex", digits)) if preset.charset == Charset::Pin => {
            let len = usize::from_str_radix(&digits[1..2], 16).unwrap();
            digits.as_bytes()[2..2 + len].to_vec()
        }
        Some(("hex", digits)) => {
            let mut bytes = Vec::new();
            Encoding::Hex.decode(digits.as_bytes(), &mut bytes).unwrap();
            bytes
        }
        _ => row[7].as_bytes().to_vec(),
    }
}

/// Every known answer, from a file, as text and as bytes; and with a wrong secret nothing is written where
/// padding or magic tell.
#[test]
fn every_known_answer_is_opened() {
    let folder = Folder::new();
    for row in known() {
        folder.file("value", format!("{}\n", row[6]));
        let run = |options: &[String], output: &str| {
            let mut command = folder.command("dec -in value -out");
            command.arg(output).args(options);
            feed(command, b"")
        };
        let options = options(&row);
        ok(run(&options, "plain"));
        let plain = folder.read("plain");
        // Zeros may be a part of the plaintext.
        let end = plain.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1);
        let wanted = expected(&row);
        assert!(plain == wanted || plain[..end] == wanted, "{row:?}");
        std::fs::remove_file(folder.path().join("plain")).unwrap();

        let preset = Preset::find(row[0]).unwrap();
        let wrong: Vec<String> = options
            .iter()
            .map(|word| if *word == row[3] { "wrong secret" } else { word }.to_owned())
            .collect();
        if matches!(preset.secret, SecretKind::Password(_))
            && preset.shown_by().starts_with("a magic")
        {
            let output = run(&wrong, "wrong");
            assert_eq!(output.status.code(), Some(1), "{row:?}");
            assert!(says(&output).contains("wrong key"), "{}", says(&output));
            assert_eq!(folder.names(), ["value"]);
        }
    }
}

/// What `what` prints names the preset in full, or in its list; the command that it prints opens the value.
#[test]
fn what_knows_every_known_answer() {
    let folder = Folder::new();
    for row in known() {
        let mut command = folder.command("what --all");
        command.arg(row[6]);
        let said = String::from_utf8(ok(feed(command, b""))).unwrap();
        let is_openssl =
            row[0].starts_with("openssl-") && said.contains("openssl enc with a password");
        assert!(is_openssl || said.contains(row[0]), "{row:?}\n{said}");
    }
    let mut command = folder.command("what");
    command.arg("ENC(VIYeyCyD9/55Hhd1IajXmA==)");
    let said = String::from_utf8(ok(feed(command, b""))).unwrap();
    let line = said.lines().find_map(|line| line.trim().strip_prefix("open it  ")).unwrap();
    assert_eq!(
        line,
        r"printf '%s\n' 'ENC(VIYeyCyD9/55Hhd1IajXmA==)' | cipherloom dec --preset jasypt"
    );
    let opened =
        folder.run_with("dec --preset jasypt -k password", b"ENC(VIYeyCyD9/55Hhd1IajXmA==)\n");
    assert_eq!(ok(opened), b"test");
}

#[test]
fn what_reads_files_pipes_and_values() {
    let folder = Folder::new();
    folder.file("old file.bin", [b"Salted__12345678".as_slice(), &[7; 24]].concat());
    // Its first bytes tell, and its length, however long it is.
    let large = [b"Salted__12345678".as_slice(), &vec![7; 3 << 20]].concat();
    folder.file("large", large);
    for (line, wanted) in [
        ("what large", "cipherloom dec -des3 -in large"),
        ("what --list", "sqlserver-2017"),
        ("what nonsense!", "there is no file nonsense!, and as a value nothing here knows it"),
        ("what --lst", "unknown option --lst"),
    ] {
        let output = folder.run(line);
        let text = String::from_utf8(output.stdout.clone()).unwrap() + &says(&output);
        assert!(text.contains(wanted), "{line}: {text}");
    }
    let mut command = folder.command("what");
    command.arg("old file.bin");
    let said = String::from_utf8(ok(feed(command, b""))).unwrap();
    assert!(said.contains("cipherloom dec -des3 -in 'old file.bin'"), "{said}");
    let said = folder.run_with("what -", b"%PDF-1.4 and so on");
    assert!(String::from_utf8(ok(said)).unwrap().contains("qpdf"));
    let pem = "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: DES-CBC,CD12961FB60A5B6E\n\n\
               Qh5/5+0/D4w=\n-----END EC PRIVATE KEY-----";
    let mut command = folder.command("what");
    command.arg(pem);
    let said = String::from_utf8(ok(feed(command, b""))).unwrap();
    assert!(said.contains("cipherloom dec --preset pem"), "{said}");
    assert_eq!(folder.run("what nonsense!").status.code(), Some(1));
    assert_eq!(folder.run("what").status.code(), Some(2));
}

#[test]
fn mysqls_key_file_is_read() {
    let folder = Folder::new();
    folder.file("keys", "# of the server\n5 default_password\n");
    let opened = folder.run_with("dec --preset mysql --key-file keys", b"85D6DC8859F9759BBB");
    assert_eq!(ok(opened), b"hello");
    let other = folder.run_with("dec --preset mysql --key-file keys", b"81D6DC8859F9759BBB");
    assert_eq!(other.status.code(), Some(1));
    assert!(says(&other).contains("the key file has no key 1"), "{}", says(&other));
    folder.file("broken", "x\n");
    let broken = folder.run_with("dec --preset mysql --key-file broken", b"85D6DC8859F9759BBB");
    assert!(says(&broken).contains("line 1 of the key file"), "{}", says(&broken));
}

/// The kinds of values that stand in one column, over and over: what is written, the plaintext, the status.
fn mixed(rows: usize) -> (String, Vec<(String, &'static str)>) {
    let mysql = Preset::find("mysql").unwrap();
    let seal = |secret: &[u8], text: &str| {
        String::from_utf8(mysql.seal(&Given::secret(secret), text.as_bytes()).unwrap()).unwrap()
    };
    let (mut csv, mut wanted) = (String::from("id,v\n"), Vec::new());
    for n in 0..rows {
        let text = format!("row {n}");
        let (value, result, status) = match n % 5 {
            0 | 1 => (seal(b"sabakala", &text), text.clone(), "decrypted"),
            2 => {
                (text.bytes().map(|b| format!("{b:02x}")).collect(), text.clone(), "passed through")
            }
            3 => {
                // A wrong key whose padding is wrong, too: nearly all are.
                let key = [n as u8, 1, 2];
                let value = seal(&key, &text);
                let outcome = mysql.open(&Given::secret(b"sabakala"), value.as_bytes()).unwrap();
                match outcome.plaintext() {
                    Some(_) => (seal(b"sabakala", &text), text.clone(), "decrypted"),
                    None => (value, String::new(), "wrong key"),
                }
            }
            _ => ("0x8".to_owned(), String::new(), "damaged"),
        };
        writeln!(csv, "{n},{value}").unwrap();
        wanted.push((result, status));
    }
    (csv, wanted)
}

fn check_mixed(rows: usize) {
    let (csv, wanted) = mixed(rows);
    let folder = Folder::new();
    let line = "records -d --preset mysql -k sabakala --data-column v -T 2";
    let output = folder.run_with(line, csv.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    for (n, row) in csv::Reader::from_reader(&*output.stdout).into_records().enumerate() {
        let row = row.unwrap();
        assert_eq!((&row[2], &row[3]), (&*wanted[n].0, wanted[n].1), "row {n}");
        assert_eq!(
            row[4].is_empty(),
            ["decrypted", "passed through"].contains(&&row[3]),
            "row {n}"
        );
    }
    let counts: Vec<String> = ["decrypted", "passed through", "wrong key", "damaged"]
        .map(|name| {
            let count = wanted.iter().filter(|(_, status)| *status == name).count();
            format!("{count} {name}")
        })
        .to_vec();
    let said = says(&output);
    assert!(said.contains(&format!("{rows} records: {}", counts.join(", "))), "{said}");
}

#[test]
fn mixed_columns_have_a_status_for_each_record() {
    check_mixed(3_000);
}

#[test]
fn rare_mixed_columns_may_have_a_million_rows() {
    check_mixed(1_000_000);
}

/// Salts, IVs and keys of each record, in JSON lines and CSV.
#[test]
fn records_may_have_salts_ivs_and_keys_of_their_own() {
    let folder = Folder::new();
    let rows: Vec<_> = known().into_iter().filter(|row| row[0] == "dukpt").collect();
    let mut jsonl = String::new();
    for row in &rows {
        writeln!(jsonl, r#"{{"ksn":"{}","track":"{}"}}"#, row[4], row[6]).unwrap();
    }
    let line = format!(
        "records -d --preset dukpt -K {} --salt-column ksn --data-column track",
        rows[0][3]
    );
    let text = String::from_utf8(ok(folder.run_with(&line, jsonl.as_bytes()))).unwrap();
    assert!(text.contains(r#""status":"decrypted""#), "{text}");
    assert!(text.contains("HOGAN/PAUL"), "{text}");

    let csv = "k,v\nsecretkey,518E77F112CD55A3FD5C\n";
    let line = "records -d --preset coldfusion --data-encoding hex --key-column k --data-column v";
    let text = String::from_utf8(ok(folder.run_with(line, csv.as_bytes()))).unwrap();
    assert!(text.ends_with("secretkey,518E77F112CD55A3FD5C,hello node,decrypted,\n"), "{text}");

    let pgcrypto = Preset::find("pgcrypto").unwrap();
    let mut csv = String::from("i,k,v\n");
    for n in 0..100u32 {
        let (iv, key) = (format!("{n:016x}"), format!("key {n}"));
        let mut bytes = Vec::new();
        Encoding::Hex.decode(iv.as_bytes(), &mut bytes).unwrap();
        let given = Given { iv: Some(&bytes), ..Given::secret(key.as_bytes()) };
        let value = pgcrypto.seal(&given, format!("text {n}").as_bytes()).unwrap();
        writeln!(csv, "{iv},{key},{}", String::from_utf8(value).unwrap()).unwrap();
    }
    let line = "records -d --preset pgcrypto --key-column k --iv-column i --data-column v --status-column s";
    let text = String::from_utf8(ok(folder.run_with(line, csv.as_bytes()))).unwrap();
    assert!(text.starts_with("i,k,v,result,s,error\n"), "{text}");
    for n in 0..100 {
        assert!(text.contains(&format!(",text {n},decrypted,\n")), "{text}");
    }
}

/// What speaks against a result is told where nothing else shows it.
#[test]
fn results_that_nothing_confirms_are_told() {
    let folder = Folder::new();
    let csv = "v\nC7E61EC9A68F8C02165CEC3E75635F5D\n";
    let output = folder.run_with(
        "records -d --preset oracle-des3 -K wrongwrongwrong1 --data-column v --result-encoding hex",
        csv.as_bytes(),
    );
    assert!(
        says(&output).contains("nothing shows whether the key is right for 1 record"),
        "{}",
        says(&output)
    );

    let mysql = Preset::find("mysql").unwrap();
    let mut csv = String::from("v\n");
    for n in 0..2_000u32 {
        let value = mysql.seal(&Given::secret(b"sabakala"), &n.to_le_bytes()).unwrap();
        writeln!(csv, "{}", String::from_utf8(value).unwrap()).unwrap();
    }
    let line = "records -d --preset mysql -k wrong --data-column v --result-encoding hex";
    let output = folder.run_with(line, csv.as_bytes());
    assert!(says(&output).contains("it is probably wrong for all"), "{}", says(&output));

    let known = "655EA628CF62585F20D3B8A6E657876B";
    let text = folder.run_with("dec --preset oracle-des -K 3131313131313131", known.as_bytes());
    assert!(says(&text).contains("if it is hex, add --key-encoding hex"), "{}", says(&text));
    let right = "dec --preset oracle-des -K 3131313131313131 --key-encoding hex";
    assert_eq!(ok(folder.run_with(right, known.as_bytes())), b"1111111111111111");

    let cryptojs = "U2FsdGVkX19ljwhL9WKU7LiLasEhFWjPbHea/cerzJJXYy6cZpr6VA==";
    let other = folder.run_with("dec --preset cryptojs -k password", cryptojs.as_bytes());
    assert!(says(&other).contains("another cipher (-des-cbc)"), "{}", says(&other));
    let iv = folder.run_with(
        "dec --preset php-mcrypt -K mysecretkey --iv 12345678",
        b"c6fed0af15d494e485af3597ad628cec",
    );
    assert!(says(&iv).contains("read as hex of 4 bytes"), "{}", says(&iv));
}

/// However a value is written, it is read, and a wrong password is told as one.
#[test]
fn values_in_another_encoding_are_read_all_the_same() {
    let folder = Folder::new();
    let mysql = Preset::find("mysql").unwrap();
    let given = Given {
        text: Some(cipherloom_formats::preset::Text::As(Encoding::Text)),
        ..Given::secret(b"sabakala")
    };
    let raw = mysql.seal(&given, b"dog").unwrap();
    let mut base64 = Vec::new();
    Encoding::Base64.encode(&raw, &mut base64).unwrap();
    for value in [&raw, &base64] {
        assert_eq!(ok(folder.run_with("dec --preset mysql -k sabakala", value)), b"dog");
        let wrong = folder.run_with("dec --preset mysql -k other", value);
        assert!(says(&wrong).contains("wrong key"), "{}", says(&wrong));
    }
}

/// UTF-16 becomes UTF-8, also where nobody says that it is text; then a note says so.
#[test]
fn text_in_utf_16_is_written_as_utf_8() {
    let folder = Folder::new();
    let value = "01000000AA959FFB3A8E4B06B734051437E198C8B72000A058ACE91D617123DA102287EB";
    let csv = format!("v\n{value}\n");
    let line = "records -d --preset sqlserver -k hello --data-column v";
    let told = folder.run_with(line, csv.as_bytes());
    assert!(says(&told).contains("1 record was UTF-16"), "{}", says(&told));
    assert!(String::from_utf8(ok(told)).unwrap().ends_with(",world,decrypted,\n"));
    let text = ok(folder.run_with(&format!("{line} --charset utf-16le"), csv.as_bytes()));
    assert!(String::from_utf8(text).unwrap().ends_with(",world,decrypted,\n"));
    let value = value.as_bytes();
    for charset in ["", "--charset utf-16le"] {
        let text = folder.run_with(&format!("dec --preset sqlserver -k hello {charset}"), value);
        assert_eq!(ok(text), b"world");
    }
    let raw = ok(folder.run_with("dec --preset sqlserver -k hello --charset bytes", value));
    assert_eq!(raw, *Charset::Utf16Le.write("world"));
}

/// Ciphers of a preset by name, as everywhere.
#[test]
fn a_preset_in_any_cipher_takes_its_name() {
    let folder = Folder::new();
    let preset = Preset::find("openssl-1.0").unwrap();
    let cipher = Cipher::find("desx-cbc").unwrap();
    let given = Given { cipher: Some(&cipher), salt: Some(b"saltsalt"), ..Given::secret(b"pw") };
    let value = preset.seal(&given, b"some text").unwrap();
    assert_eq!(ok(folder.run_with("dec --preset openssl-1.0 -desx -k pw", &value)), b"some text");
}

#[cfg(unix)]
#[test]
fn the_examples_of_the_page_are_true() {
    let folder = Folder::new();
    assert_eq!(crate::docs::run(&folder, "FORMATS.md"), 2);
}
