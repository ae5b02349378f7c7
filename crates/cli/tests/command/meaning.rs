//! One command line, two meanings: what other versions of OpenSSL, and other programs, wrote is
//! read, or both meanings are named; never wrong bytes with exit code 0.

use crate::common::{Folder, noise, ok, says};

const TEXT: &[u8] = b"attack at dawn, attack at dawn";

/// What `openssl enc OPTIONS` made of [`TEXT`] on standard input: Debian 11's 1.1.1w, and Debian
/// 13's 3.5.7 with `-provider legacy -provider default` before the options.
struct Answer {
    options: &'static str,
    data: &'static str,
}

/// 1.1.1w; LibreSSL and all older versions write the header with -S, too.
const HEADER_AND_SALT: Answer = Answer {
    options: "-des3 -md md5 -k pw -S 0102030405060708",
    data: "53616c7465645f5f0102030405060708\
           346cb31be61eeda5a28b9795580c8f527caa684d93475cede2b0b4905c34a34d",
};
/// 1.1.1w
const RC4_HEADER_AND_SALT: Answer = Answer {
    options: "-rc4 -md sha256 -k pw -S 0102030405060708",
    data: "53616c7465645f5f0102030405060708\
           57fbf6a2893e8011a2dd0e1b588c6f623e4c2d3ea4b891ad30696d235160",
};
/// 3.5.7
const SALT_LENGTHS: [Answer; 5] = [
    Answer {
        options: "-des3 -k pw -pbkdf2 -saltlen 16",
        data: "53616c7465645f5f9e19839ee9dcfd176cf4261b336aa1e4\
               3be8a898068d0d8bc637b4f4a354735d56b66e3824d89c093871983b897fce2f",
    },
    Answer {
        options: "-des3 -k pw -pbkdf2 -saltlen 5",
        data: "53616c7465645f5fd382cc8878\
               62ac5793f49a5017630eb5adbf7112a5f5f6f497495aea100714104f2441e7f5",
    },
    Answer {
        options: "-des3 -k pw -pbkdf2 -saltlen 1",
        data: "53616c7465645f5f6a\
               ddebd23d68ca7108a2d686389d193bb75cbcf6cec9cb25d6b12d5b4c8208e962",
    },
    Answer {
        options: "-des3 -k pw -pbkdf2 -saltlen 16 -S 000102030405060708090a0b0c0d0e0f",
        data: "8ee526366320cb4390a9bb0cf0060c2728a98ddbc7bd9d2c0f38733a92b5fb2d",
    },
    Answer {
        options: "-des3 -k pw -pbkdf2 -saltlen 16 -S 0001 -pad-like-openssl",
        data: "0a02900a224218d09ae0bb612b8fa5202418efffdcfc8a67e81909e655dace03",
    },
];
/// 1.1.1w, 3.0.19 and 3.5.7, without -pad-like-openssl.
const PADDED: [Answer; 5] = [
    Answer {
        options: "-rc4 -K 0102 -pad-like-openssl",
        data: "db7245089116bdda37e958229575f41cff1902f34daab36e728ae2f9197b",
    },
    Answer {
        options: "-rc4 -K 000102030405060708090a0b0c0d0e0f1011 -pad-like-openssl",
        data: "88e83498248939ad72fbf3a779b3066fb205f53e91dc628ffbbec1b88e59",
    },
    Answer {
        options: "-rc4-40 -K 0102 -pad-like-openssl",
        data: "770e8e20ad1b7fb5523f5c3ea39bb4d92e2d0ee9a9a39a409c39c308fcb7",
    },
    Answer {
        options: "-des-cbc -K 0123 -iv 0 -pad-like-openssl",
        data: "ae7c5c88ce6962f03e6ce9aa277f97c27e6d789457666d9c7943dedd0cea0c79",
    },
    Answer {
        options: "-des3 -k pw -S 010203040506070809 -md sha256 -pad-like-openssl",
        data: "79d8f81a2558de6be10d910c320652ac562cec111814077e68a1388d1bbaa5e4",
    },
];

impl Answer {
    fn bytes(&self) -> Vec<u8> {
        let byte = |at| u8::from_str_radix(&self.data[at..at + 2], 16).unwrap();
        (0..self.data.len()).step_by(2).map(byte).collect()
    }
}

/// Key and IV of [`HEADER_AND_SALT`], as OpenSSL prints them.
fn raw_key(folder: &Folder) -> String {
    let printed = ok(folder.openssl("-des3 -k pw -S 0102030405060708 -md md5 -P", b""));
    let printed = String::from_utf8(printed).unwrap();
    let value = |name: &str| printed.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    format!("-K {} -iv {}", value("key="), value("iv ="))
}

/// Asserts a failure without output, with these words.
#[track_caller]
fn refused(folder: &Folder, line: &str, code: i32, words: &[&str]) {
    let output = folder.run(&format!("{line} -out new"));
    assert_eq!(output.status.code(), Some(code), "{line}: {}", says(&output));
    for word in words {
        assert!(says(&output).contains(word), "{line}: {}", says(&output));
    }
    assert!(!folder.path().join("new").exists());
}

#[test]
fn a_header_with_the_given_salt_is_left_out() {
    for answer in [HEADER_AND_SALT, RC4_HEADER_AND_SALT] {
        let folder = Folder::new();
        folder.file("in", answer.bytes());
        let output = folder.run(&format!("dec {} -in in", answer.options));
        assert!(says(&output).contains("the header was left out"), "{}", says(&output));
        assert_eq!(ok(output), TEXT);
        let piped = folder.run_with(&format!("dec {}", answer.options), &answer.bytes());
        assert_eq!(ok(piped), TEXT);
    }
    let folder = Folder::new();
    folder.file("in", HEADER_AND_SALT.bytes());
    folder.file("pw", "new");
    let migrate = "migrate in new.age --passphrase-file pw -des3 -k pw -S 0102030405060708";
    let output = folder.run(migrate);
    assert!(says(&output).contains("the header was left out"), "{}", says(&output));
    let account = String::from_utf8(ok(output)).unwrap();
    assert!(account.contains("decrypted 30 bytes"), "{account}");
}

/// OpenSSL 3 decrypts the header with the rest, and ends with exit code 0: the first blocks are
/// noise.
#[test]
fn where_openssl_decrypts_the_header_both_meanings_are_named() {
    let folder = Folder::new();
    folder.file("in", HEADER_AND_SALT.bytes());
    for (command, options, word) in [
        ("enc -d", "-md md5 -k pw -S 0102030405060708", "leave -S out"),
        ("enc -d", "-md md5 -k pw -S 0102030405060709", "the salt 0102030405060708, but -S gives"),
        ("dec", "-md md5 -k pw -S 0102030405060709", "the salt 0102030405060708, but -S gives"),
        ("dec", "-md md5 -k pw -nosalt", "leave -nosalt out"),
        ("enc -d", "-md md5 -k pw -nosalt", "leave -nosalt out"),
        ("enc -d", &format!("-K {} -iv 0000000000000000", "01".repeat(24)), "use dec"),
    ] {
        let line = format!("{command} -des3 {options} -in in");
        refused(&folder, &line, 1, &[word, "--header-is-data", "nothing was written"]);
        // With the flag it is OpenSSL's meaning, with OpenSSL's bytes.
        let ours = folder.run(&format!("{line} -nopad --header-is-data"));
        assert!(ok(ours) == ok(folder.openssl(&format!("-d -des3 {options} -nopad -in in"), b"")));
    }
    // -P wants no data, so it waits for none, and the data changes nothing.
    let line = "-d -des3 -md md5 -k pw -S 0102030405060709 -in in -P";
    assert_eq!(ok(folder.run(&format!("enc {line}"))), ok(folder.openssl(line, b"")));
}

#[test]
fn an_option_on_the_header_is_refused_where_it_would_change_nothing() {
    let folder = Folder::new();
    folder.file("in", HEADER_AND_SALT.bytes());
    for line in ["dec -des3 -k pw", "enc -des3 -k pw -nosalt", "dec -des3 -k pw -K 00"] {
        refused(
            &folder,
            &format!("{line} --header-is-data -in in"),
            2,
            &["is for decryption with"],
        );
    }
}

#[test]
fn with_a_raw_key_dec_leaves_the_header_out() {
    let folder = Folder::new();
    let key = raw_key(&folder);
    folder.file("in", HEADER_AND_SALT.bytes());
    let output = folder.run(&format!("dec -des3 {key} -in in"));
    assert!(says(&output).contains("the header was left out"), "{}", says(&output));
    assert_eq!(ok(output), TEXT);
}

#[test]
fn salts_of_other_lengths_are_read_and_written_as_openssl_does() {
    let folder = Folder::new();
    for answer in &SALT_LENGTHS {
        for command in ["dec", "enc -d"] {
            let line = format!("{command} {}", answer.options);
            let line = if command == "dec" { format!("{line} -md sha256") } else { line };
            assert_eq!(ok(folder.run_with(&line, &answer.bytes())), TEXT, "{line}");
        }
        let ours = ok(folder.run_with(&format!("enc {}", answer.options), TEXT));
        if answer.options.contains("-S") {
            assert_eq!(ours, answer.bytes());
        }
        assert_eq!(ours.len(), answer.bytes().len());
        assert_eq!(ok(folder.run_with(&format!("enc -d {}", answer.options), &ours)), TEXT);
    }
    // The digest is found out all the same.
    folder.file("in", SALT_LENGTHS[0].bytes());
    assert_eq!(ok(folder.run("dec -des3 -k pw -pbkdf2 -saltlen 16 -in in")), TEXT);
    refused(&folder, "enc -des3 -k pw -saltlen 16", 2, &["-saltlen counts for PBKDF2 only"]);
    refused(&folder, "enc -des3 -k pw -pbkdf2 -saltlen 17", 2, &["1 to 16"]);
    refused(&folder, "enc -des3 -k pw -pbkdf2 -saltlen 16 -S 0001", 2, &["16 bytes"]);
}

#[test]
fn hex_of_another_length_is_padded_or_cut_on_request() {
    let folder = Folder::new();
    for answer in &PADDED {
        let ours = ok(folder.run_with(&format!("enc {}", answer.options), TEXT));
        assert_eq!(ours, answer.bytes(), "{}", answer.options);
        let back = ok(folder.run_with(&format!("dec {}", answer.options), &ours));
        assert_eq!(back, TEXT, "{}", answer.options);
    }
}

/// RFC 6229, 40-bit key 0102030405: the keystream starts with b2396305f03dc027.
#[test]
fn an_rc4_key_of_another_length_needs_a_flag() {
    let folder = Folder::new();
    folder.file("in", [0; 8]);
    for command in ["enc", "enc -d", "dec"] {
        let line = format!("{command} -rc4 -K 0102030405 -in in -quiet");
        let flags = ["has 5 bytes", "--pad-like-openssl", "--key-as-given"];
        refused(&folder, &line, 2, &flags);
        let given = ok(folder.run(&format!("{line} -key-as-given")));
        assert_eq!(given, *b"\xb2\x39\x63\x05\xf0\x3d\xc0\x27");
        let padded = ok(folder.run(&format!("{line} -pad-like-openssl")));
        assert_eq!(padded, ok(folder.openssl("-rc4 -K 0102030405 -in in", b"")));
    }
    // Where only OpenSSL knows a meaning, it is named, too.
    for key in [String::new(), "012".to_owned(), "01".repeat(257)] {
        let line = format!("enc -rc4 -K={key} -in in");
        refused(&folder, &line, 2, &["--pad-like-openssl does so too"]);
        ok(folder.run(&format!("{line} -pad-like-openssl")));
    }
    refused(&folder, "enc -des-cbc -K 0102 -key-as-given -in in", 2, &["is for RC4"]);
    let both = "enc -rc4 -K 01 -key-as-given -pad-like-openssl -in in";
    refused(&folder, both, 2, &["cannot be used with"]);
    // No message shows a key.
    let output = folder.run("enc -rc4 -K C0FFEE -in in");
    assert!(!says(&output).to_uppercase().contains("C0FFEE"), "{}", says(&output));
    // Keys of columns and files are the data of some program, and are taken as they are.
    let table = folder.file("table", "k,d\n0102030405,0000000000000000\n");
    folder.file("key", "0102030405");
    let records = "records -d -rc4 --data-column d --result-encoding hex -quiet -in";
    for (key, result) in [
        ("--key-column k", "b2396305f03dc027"),
        ("--key-file key", "b2396305f03dc027"),
        ("-K 0102030405 --key-as-given", "b2396305f03dc027"),
        ("--key-column k --pad-like-openssl", "ee5441e6b38c2d5a"),
        ("--key-file key --pad-like-openssl", "ee5441e6b38c2d5a"),
        ("-K 0102030405 --pad-like-openssl", "ee5441e6b38c2d5a"),
    ] {
        let output = folder.run(&format!("{records} {} {key}", table.display()));
        let text = String::from_utf8(ok(output)).unwrap();
        assert!(text.ends_with(&format!("{result},\n")), "{key}: {text}");
    }
    let line = format!("{records} {} -K 0102030405", table.display());
    refused(&folder, &line, 2, &["--pad-like-openssl", "--key-as-given"]);
}

#[test]
fn records_leave_a_header_out_and_say_so() {
    let folder = Folder::new();
    let salted = HEADER_AND_SALT.data;
    let plain = &salted[32..];
    folder.file("in", format!("d\n{salted}\n{plain}\n53616c7465645f5f01\n"));
    let key = raw_key(&folder);
    let output = folder.run(&format!("records -d -des3 {key} --data-column d -in in -out out"));
    assert_eq!(output.status.code(), Some(1));
    assert!(says(&output).contains("1 record began with Salted__"), "{}", says(&output));
    let text = String::from_utf8(folder.read("out")).unwrap();
    assert_eq!(text.matches("attack at dawn, attack at dawn").count(), 2, "{text}");
    assert!(text.contains("the input ends within the 16-byte Salted__ header"), "{text}");

    // The other meaning is OpenSSL 3's, with its bytes.
    folder.file("one", format!("d\n{salted}\n"));
    folder.file("bytes", HEADER_AND_SALT.bytes());
    let form = "--padding none --result-encoding hex --header-is-data --data-column d -quiet";
    let table =
        String::from_utf8(ok(folder.run(&format!("records -d -des3 {key} {form} -in one"))));
    let bytes = ok(folder.openssl(&format!("-d -des3 {key} -nopad -in bytes"), b""));
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(table.unwrap(), format!("d,result,error\n{salted},{hex},\n"));
}

/// In modes without padding the default derivation of another version shows in nothing but the
/// data.
#[test]
fn the_default_derivation_before_1_1_0_is_noticed() {
    let folder = Folder::new();
    let text = b"Some text that everyone can read.\n".repeat(200);
    for (name, plain) in [("text", &text[..]), ("short", &text[..30])] {
        for cipher in ["-rc4", "-des-ede3-cfb", "-des3"] {
            let file = format!("{name}{cipher}");
            ok(folder.openssl(&format!("{cipher} -k pw -md md5 -out {file}"), plain));
            let line = format!("enc -d {cipher} -k pw -in {file}");
            refused(&folder, &line, 1, &["-md md5", "-md sha256", "it looks like text"]);
            assert_eq!(ok(folder.run(&format!("{line} -md md5"))), plain);
            ok(folder.run(&format!("{line} -md sha256 -nopad")));
        }
    }
    // Nothing speaks against today's default: not what looks like something, not what looks like
    // nothing under either.
    for plain in [&text[..], &text[..15], &noise(5000), b""] {
        for form in ["", "-a"] {
            ok(folder.openssl(&format!("-rc4 -k pw {form} -out today"), plain));
            assert_eq!(ok(folder.run(&format!("enc -d -rc4 -k pw {form} -in today"))), plain);
            std::fs::remove_file(folder.path().join("today")).unwrap();
        }
    }
}

/// A header of which a byte is damaged is no data.
#[test]
fn a_damaged_header_is_not_decrypted_with_the_rest() {
    let folder = Folder::new();
    let options = "-des3 -md md5 -k pw -S 0102030405060708";
    let body = ok(folder.openssl(options, b"a text of some length, not short"));
    folder.file("damaged", [&b"Salted_X\x01\x02\x03\x04\x05\x06\x07\x08"[..], &body].concat());
    for line in [
        format!("dec {options} -in damaged -out new"),
        format!("enc -d {options} -in damaged -out new"),
        "dec -des3 -md md5 -k pw -nosalt -in damaged -out new".to_owned(),
    ] {
        let output = folder.run(&line);
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(!folder.path().join("new").exists(), "{line}");
    }
}

/// The first line of a file is the password, and the rest is the data.
#[test]
fn a_password_and_data_in_one_file_on_standard_input() {
    let folder = Folder::new();
    let data = ok(folder.openssl("-des3 -md md5 -k pw", b"what follows the password"));
    folder.file("both", [b"pw\n", &data[..]].concat());
    for command in ["dec", "dec -md md5", "enc -d -md md5"] {
        let file = std::fs::File::open(folder.path().join("both")).unwrap();
        let line = format!("{command} -des3 -pass stdin -quiet");
        let output = folder.command(&line).stdin(file).output().unwrap();
        assert_eq!(output.stdout, b"what follows the password", "{command}: {output:?}");
    }
}

/// Key and IV that are given leave nothing to be found out.
#[test]
fn what_is_derived_and_not_used_is_not_searched_for() {
    let folder = Folder::new();
    let key = "-K 0123456789abcdeffedcba98765432100011223344556677 -iv 0102030405060708";
    let data = ok(folder.openssl(&format!("-des3 {key}"), b"\x00\x01 short"));
    folder.file("data", [&b"Salted__saltsalt"[..], &data].concat());
    let output = folder.run(&format!("dec -des3 {key} -k pw -in data"));
    assert_eq!(output.stdout, b"\x00\x01 short", "{output:?}");
}

/// The file that a secret is read from is never the output.
#[test]
fn a_secret_is_not_overwritten() {
    let folder = Folder::new();
    folder.file("secret", "pw\n");
    folder.file("key", "0123456789abcdef");
    folder.file("data", ok(folder.openssl("-des3 -md md5 -k pw", b"text")));
    folder.file("table", "a\n00\n");
    for line in [
        "dec -des3 -kfile secret -in data -out secret --force",
        "dec -des3 -pass file:secret -in data -out ./secret --force",
        "records -d -des-ecb --key-file key --data-column a -in table -out key --force",
    ] {
        let output = folder.run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("is read from"), "{output:?}");
    }
    assert_eq!(std::fs::read(folder.path().join("secret")).unwrap(), b"pw\n");
    assert_eq!(std::fs::read(folder.path().join("key")).unwrap(), b"0123456789abcdef");
}
