//! `records`: columns made by OpenSSL and by the library, bad records.

mod nothing;
mod streams;

use std::fmt::Write;

use crate::common::{Folder, ok, says};
use cipherloom::{Algorithm, BlockKey, Mode, Padding, Rc4};
use cipherloom_testkit::peers;
use cipherloom_testkit::rng::Rng;

const KEY: &str = "0123456789abcdeffedcba98765432100011223344556677";
const ONE_KEY: &str = "-des-ede3-cbc -K 0123456789abcdeffedcba98765432100011223344556677";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn key() -> BlockKey {
    let bytes: Vec<u8> = (0..KEY.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&KEY[at..at + 2], 16).unwrap())
        .collect();
    BlockKey::new(Algorithm::TdesEde3, &bytes).unwrap()
}

/// A text under the key above, CBC, PKCS#7.
fn sealed(iv: [u8; 8], text: &[u8]) -> Vec<u8> {
    let mut output = vec![0; text.len() + 8];
    Mode::cbc(iv, Padding::Pkcs7).encrypt(&key(), text, &mut output).unwrap().to_vec()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn columns_made_by_openssl_are_read() {
    let Some(openssl) = peers::openssl() else { return };
    let mut rng = Rng::new(1);
    for (cipher, key_len, has_iv) in [
        ("des-cbc", 8, true),
        ("des-ecb", 8, false),
        ("des-ede-cbc", 16, true),
        ("des-ede3-cbc", 24, true),
        ("des-ede3-ecb", 24, false),
        ("desx-cbc", 24, true),
        ("rc4", 16, false),
    ] {
        let mut csv = String::from("n,k,v,c\n");
        let mut want = Vec::new();
        for n in 0..5 {
            let plain: String = "The quick brown fox, \"jumps\"\n".repeat(n)[n..].to_owned();
            let (key, iv) = (hex(&rng.bytes(key_len)), hex(&rng.bytes(8)));
            let name = format!("-{}", cipher.replace("ede3-ecb", "ede3"));
            let mut args = vec![&*name, "-K", &key];
            if has_iv {
                args.extend(["-iv", &*iv]);
            }
            let ciphertext = openssl.enc(&args, plain.as_bytes()).unwrap();
            writeln!(csv, "{n},{key},{iv},{}", hex(&ciphertext)).unwrap();
            want.push(plain);
        }
        let iv = if has_iv { "--iv-column v" } else { "" };
        let folder = Folder::new();
        let line = format!("records -d -{cipher} --key-column k {iv} --data-column c -T 2");
        let out = ok(folder.run_with(&line, csv.as_bytes()));
        let rows: Vec<_> = csv::Reader::from_reader(&*out)
            .into_records()
            .map(|row| row.unwrap()[4].to_owned())
            .collect();
        assert_eq!(rows, want, "{cipher}");
    }
}

#[test]
fn what_is_encrypted_decrypts_in_every_cipher_padding_and_form() {
    let mut rng = Rng::new(2);
    for cipher in [
        "des-cbc",
        "desx-ecb",
        "des-ede-ctr",
        "des-eee3-cbc",
        "des-ede3-ctr",
        "rc4",
        "desx-cfb",
        "des-ede3-cfb1",
        "des-ede3-cfb8",
        "desx-ofb",
    ] {
        let paddings: &[&str] = match cipher {
            "des-cbc" | "desx-ecb" | "des-eee3-cbc" => {
                &["--padding pkcs7", "--padding iso7816", "--padding zero"]
            }
            _ => &[""],
        };
        let (key_len, has_iv) = match cipher {
            "des-cbc" => (8, true),
            "desx-ecb" => (24, false),
            "des-ede-ctr" => (16, true),
            "rc4" => (0, false),
            _ => (24, true),
        };
        for padding in paddings {
            for (iv, encoding) in [
                ("--iv-column v", "hex"),
                ("--iv-prefix", "base64"),
                ("--iv 0011223344556677", "hex"),
            ] {
                let iv = if has_iv { iv } else { "" };
                let mut input = String::new();
                for n in 0..70usize {
                    let len = if key_len == 0 { 1 + n * 3 } else { key_len };
                    let (key, v) = (hex(&rng.bytes(len)), hex(&rng.bytes(8)));
                    writeln!(
                        input,
                        r#"{{"n":{n},"k":"{key}","v":"{v}","p":"{}é"}}"#,
                        "x".repeat(n)
                    )
                    .unwrap();
                }
                let folder = Folder::new();
                let common = format!("-{cipher} --key-column k {iv} {padding} --quiet");
                let sealed = ok(folder.run_with(
                    &format!(
                        "records -e {common} --data-column p --result-column c \
                         --result-encoding {encoding}"
                    ),
                    input.as_bytes(),
                ));
                let opened = ok(folder.run_with(
                    &format!("records -d {common} --data-column c --data-encoding {encoding}"),
                    &sealed,
                ));
                for (n, line) in text(opened).lines().enumerate() {
                    let row: serde_json::Value = serde_json::from_str(line).unwrap();
                    assert_eq!(row["result"], row["p"], "{cipher} {padding} {iv} {n}");
                    assert_eq!(row["n"], n);
                }
            }
        }
    }
}

#[test]
fn ctr_and_rc4_agree_with_the_library() {
    let folder = Folder::new();
    let mut counter = b"attack at dawn".to_vec();
    let len = counter.len();
    Mode::ctr([9; 8]).encrypt_in_place(&key(), &mut counter, len).unwrap();
    let mut stream = b"attack at dawn".to_vec();
    Rc4::from_slice(&[7; 256]).unwrap().apply(&mut stream).unwrap();
    let csv = format!("{}\n", hex(&counter));
    let line = format!("records -d -des-ede3-ctr -K {KEY} -iv 0909090909090909 --data-column 1");
    let out = ok(folder.run_with(&format!("{line} --no-header"), csv.as_bytes()));
    assert_eq!(text(out), format!("{},attack at dawn,\n", hex(&counter)));
    let csv = format!("{}\n", hex(&stream));
    let line =
        format!("records -d -rc4 -key-as-given -K {} --data-column 1 --no-header", hex(&[7; 256]));
    let out = ok(folder.run_with(&line, csv.as_bytes()));
    assert_eq!(text(out), format!("{},attack at dawn,\n", hex(&stream)));
}

#[test]
fn bad_records_have_errors_and_the_others_results() {
    let iv = [3; 8];
    let good = hex(&sealed(iv, b"good"));
    let mut wrong = sealed(iv, b"good");
    wrong[0] ^= 1;
    let binary = hex(&sealed(iv, &[0xff, 0xfe]));
    let v = hex(&iv);
    let k = KEY;
    let rows = [
        (format!("{k},{v},{good}"), ""),
        (format!("{k},{v},{good}00"), "the data has 9 bytes, which is no multiple of 8"),
        (format!("{k},{v},{}", hex(&wrong)), "wrong padding"),
        (format!("{k},{v},"), "the data is empty"),
        (format!("{k},{v},{}z", &good[1..]), "data: character 16 (z) is no hex digit"),
        (format!("{k},{v},{}", &good[1..]), "data: odd number of hex digits, 15"),
        (format!("{},{v},{good}", &k[2..]), "the key has 23 bytes, and des-ede3-cbc takes 24"),
        (format!("{k}é,{v},{good}"), "key: character 49"),
        (format!("{k},{},{good}", &v[2..]), "the IV has 7 bytes"),
        (format!("{k},{v}-,{good}"), "IV: character 17 (-)"),
        (format!("{k},{v},{binary}"), "the result is no UTF-8 text"),
        (format!("{k},{v}"), "the row has 2 fields in place of 3"),
        (format!("{k},{v},{good},more"), "the row has 4 fields in place of 3"),
        (format!("{k},{v},{good}"), ""),
    ];
    let mut input = "k,v,c\n".to_owned();
    for (row, _) in &rows {
        writeln!(input, "{row}").unwrap();
    }
    let folder = Folder::new();
    let line = "records -d -des-ede3-cbc --key-column k --iv-column v --data-column c -out out.csv";
    let output = folder.run_with(line, input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(says(&output).contains("14 records: 2 decrypted, 12 with an error"), "{output:?}");
    let bytes = folder.read("out.csv");
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(&*bytes);
    let mut count = 0;
    for (row, (_, error)) in reader.records().zip(&rows) {
        let row = row.unwrap();
        assert_eq!(&row[3], if error.is_empty() { "good" } else { "" }, "{error}");
        assert!(row[4].starts_with(error) && row[4].is_empty() == error.is_empty(), "{row:?}");
        count += 1;
    }
    assert_eq!(count, rows.len());

    // Stopping leaves no file, and writes what stands before to a pipe.
    let folder = Folder::new();
    let output = folder.run_with(&format!("{line} --stop-on-error"), input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(says(&output).contains("record 2 (line 3): the data has 9 bytes"), "{output:?}");
    assert_eq!(folder.names(), [""; 0]);
    let line = line.replace("-out out.csv", "--stop-on-error");
    let output = folder.run_with(&line, input.as_bytes());
    assert_eq!(text(output.stdout).lines().count(), 2);
}

#[test]
fn json_lines_stay_as_they_are() {
    let c = hex(&sealed([0; 8], b"a \"b\"\n"));
    let input = format!(
        "\u{feff}{{ \"n\" : 1.500e1, \"c\":\"{c}\" , \"big\":123456789012345678901234567890 }}\r\n\
         \n{{}}\n{{\"c\":1}}\n{{\"c\":null}}\n[\"{c}\"]\n{{\"c\":\"{c}\"\n{{\"c\":\"{c}\",\"result\":1}}"
    );
    let folder = Folder::new();
    let line = format!("records -d {ONE_KEY} -iv 0000000000000000 --data-column c");
    let output = folder.run_with(&line, input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let out = text(output.stdout);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[0],
        format!(
            "{{ \"n\" : 1.500e1, \"c\":\"{c}\" , \"big\":123456789012345678901234567890,\
             \"result\":\"a \\\"b\\\"\\n\"}}"
        )
    );
    assert_eq!(lines[1], r#"{"error":"the record has no field c"}"#);
    assert_eq!(lines[2], r#"{"c":1,"error":"the field c is no string"}"#);
    assert_eq!(lines[3], r#"{"c":null,"result":null}"#);
    for (line, error) in
        [(4, "JSON but no object"), (5, "no JSON object"), (6, "a field result already")]
    {
        let row: serde_json::Value = serde_json::from_str(lines[line]).unwrap();
        assert!(row["line"].as_str().unwrap().contains(&c), "{row}");
        assert!(row["error"].as_str().unwrap().contains(error), "{row}");
    }
    assert_eq!(lines.len(), 7);
}

#[test]
fn delimiters_line_ends_and_marks_are_kept_or_known() {
    let folder = Folder::new();
    let c = hex(&sealed([0; 8], b"x;y"));
    let line = format!("records -d {ONE_KEY} -iv 0000000000000000 --data-column c --delimiter");
    let input = format!("\u{feff}c;name\r\n{c};\"a;b\"\r\n\r\n{c};\r\n");
    let out = ok(folder.run_with(&format!("{line} ;"), input.as_bytes()));
    let want = format!("c;name;result;error\r\n{c};\"a;b\";\"x;y\";\r\n{c};;\"x;y\";\r\n");
    assert_eq!(text(out), want);
    let out = ok(folder.run_with(&format!("{line} \\t"), format!("c\tn\n{c}\t\n").as_bytes()));
    assert_eq!(text(out), format!("c\tn\tresult\terror\n{c}\t\tx;y\t\n"));
}

#[test]
fn bad_usage_is_exit_code_2_and_says_what_to_do() {
    let folder = Folder::new();
    folder.file("in.csv", "c,v,d,d\n00,00,1,2\n");
    folder.file("short.key", "0011\n");
    for (line, code, what) in [
        ("-des3 -K 00 --data-column c --iv-column v", 2, "-d"),
        ("-d -des4 -K 00 --data-column c", 2, "des3"),
        ("-d -des3 -K 00 --data-column c --iv-column v", 2, "too short"),
        ("-d -des3 --data-column c --iv-column v", 2, "--key-column COLUMN"),
        ("-d -des3 -K 00 --key-column k --data-column c --iv-column v", 2, "cannot be used with"),
        ("-d -des-cbc -K 0123456789abcdef --data-column c", 2, "takes an IV"),
        ("-d -des-ecb -K 0123456789abcdef --data-column c --iv-prefix", 2, "has no IV"),
        ("-d -des-cbc -K 0123456789abcdef --data-column c -iv 00", 2, "too short"),
        ("-d -rc4 -key-as-given -K 00 --data-column c --padding zero", 2, "for ECB and CBC"),
        ("-d -rc4 -key-as-given -K 00 --data-column x", 2, "its columns are c, v, d, d"),
        ("-d -rc4 -key-as-given -K 00 --data-column d", 2, "more than one column d"),
        ("-d -rc4 -key-as-given -K 00 --data-column c --result-column v", 2, "a column v already"),
        ("-d -rc4 -key-as-given -K 00 --data-column c --result-column error", 2, "the same column"),
        ("-d -rc4 -key-as-given -K 00 --data-column 5 --no-header", 2, "from 1 to 4"),
        ("-d -rc4 -key-as-given -K 00 --data-column c --delimiter ab", 2, "one ASCII character"),
        ("-d -rc4 --key-column v --data-column c --key-encoding text", 2, "hex or base64"),
        ("-d -rc4 -key-as-given -K 00 --data-column c -out in.csv", 2, "the input itself"),
        ("-d -des-cbc --key-file short.key --data-column c --iv-column v", 1, "has 2 bytes"),
        ("-d -des-cbc --key-file no.key --data-column c --iv-column v", 1, "no such file"),
        ("-d -des-cbc -K 0101010101010101 --strict-keys --data-column c --iv-column v", 1, "weak"),
        ("-d -rc4 -key-as-given -K 00 --data-column c -out short.key", 1, "exists already"),
    ] {
        let output = folder.run(&format!("records -in in.csv {line}"));
        assert_eq!(output.status.code(), Some(code), "{line}: {}", says(&output));
        assert!(says(&output).contains(what), "{line}: {}", says(&output));
        assert_eq!(folder.names(), ["in.csv", "short.key"], "{line}");
    }
    let output = folder.run("records -d -rc4 -key-as-given -K 00 --data-column c -in none.csv");
    assert!(says(&output).contains("none.csv"), "{output:?}");
    let output = folder.run("records -d -rc4 -key-as-given -K 00 --data-column c");
    assert!(says(&output).contains("the input is empty"), "{output:?}");
}

#[test]
fn a_csv_that_starts_with_a_brace_is_told_its_option() {
    let folder = Folder::new();
    let line = "records -d -des-ecb -K 0123456789abcdef --padding none --data-column d";
    let table = b"{k},d\nx,0000000000000000,\nx\n";
    let output = folder.run_with(line, table);
    assert!(says(&output).contains("a CSV needs --format csv"), "{output:?}");
    let output = folder.run_with(&format!("{line} --format csv --result-encoding hex"), table);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("the row has 1 field in place of 2"), "{text}");
    assert!(text.contains("the row has 3 fields in place of 2"), "{text}");
}

#[test]
fn a_key_file_is_a_key_and_weak_keys_are_counted() {
    let folder = Folder::new();
    folder.file("key", format!("\u{feff}{KEY}\n"));
    let c = hex(&sealed([0; 8], b"text"));
    let line = "records -d -des3 --key-file key -iv 0000000000000000 --data-column c";
    let out = ok(folder.run_with(line, format!("c\n{c}\n").as_bytes()));
    assert_eq!(text(out), format!("c,result,error\n{c},text,\n"));

    let input = "k,c\n0101010101010101,00\n0123456789abcdef,00\n01fe01fe01fe01fe,00\n";
    let line = "records -e -des-ecb --key-column k --data-column c";
    let output = folder.run_with(line, input.as_bytes());
    assert!(says(&output).contains("2 records have a weak"), "{output:?}");
    assert!(says(&output).contains("withdrawn"));
    let output = folder.run_with(&format!("{line} --strict-keys"), input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(output.stdout).matches("refused key: a").count(), 2);
    let line = "records -e -rc4 -key-as-given -K 00 --data-column c";
    assert!(says(&folder.run_with(line, input.as_bytes())).contains("same keystream"));
}

#[test]
fn random_ivs_differ() {
    let folder = Folder::new();
    let line = format!("records -e {ONE_KEY} --iv-prefix --data-column 1 --no-header");
    let out = text(ok(folder.run_with(&line, "same\n".repeat(100).as_bytes())));
    let mut results: Vec<_> = out.lines().collect();
    results.sort_unstable();
    results.dedup();
    assert_eq!(results.len(), 100);
}

#[cfg(unix)]
#[test]
fn the_examples_of_the_page_are_true() {
    let folder = Folder::new();
    folder.file(
        "accounts.csv",
        "id,name,secret,iv\n\
         1,\"Doe, Jane\",bef70852a3d18fff155e7f44fec46f0a,0102030405060708\n\
         2,Roe,bef70852,0102030405060708\n\
         3,Poe,0xbef70852a3d18fff155e7f44fec46f0a,0102030405060708\n",
    );
    folder.file(
        "payments.jsonl",
        "{\"amount\": 1.50, \"key\": \"AAECAwQ\", \"message\": \"lnhnX4s=\"}\n\
         {\"amount\": 2.00, \"key\": \"\", \"message\": \"lnhnX4s=\"}\n",
    );
    let cards = "id,card\n1,FF8F7777B28C7A459A\n2,68656c6c6f\n3,FF8F7777B28C7A459B\n4,none\n";
    folder.file("cards.csv", cards);
    folder.file("dump.csv", "1,FF8F7777B28C7A459A\n2,\\N\n3,\\xFF8F7777B28C7A459A\n");
    assert_eq!(crate::docs::run(&folder, "RECORDS.md"), 11);
}
