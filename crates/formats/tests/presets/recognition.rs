//! Every known answer is recognised, and a plain text is not taken for one.

use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Evidence, Given, Preset, Sign, Text};
use cipherloom_formats::recognise::{recognise, recognise_start};

use crate::known::known;

#[test]
fn known_answers_are_recognised() {
    for known in known() {
        let name = known.preset.name;
        let (raw, given) = known.raw();
        let guesses = recognise(known.value.as_bytes());
        let guess = guesses.iter().find(|guess| guess.preset == Some(known.preset));
        let guess = guess.unwrap_or_else(|| panic!("{name}: {guesses:?}"));
        // What the guess says of the text is what opens it.
        let given = Given { text: Some(guess.text), ..given };
        let opened = known.preset.open(&given, known.value.as_bytes()).unwrap();
        assert_eq!(opened.plaintext(), Some(&*known.plaintext), "{name}: {guess}");
        // Magic numbers are seen in raw bytes, too, and stand before what only fits.
        if known.preset.fits(&raw) == Some(Sign::Magic) {
            let raw = recognise(&raw);
            assert!(raw.iter().any(|guess| guess.preset == Some(known.preset)), "{name}");
            assert_eq!(raw[0].sign, Sign::Magic, "{name}");
        }
    }
}

#[test]
fn the_best_guess_is_first() {
    for (value, name) in [
        ("01000000AA959FFB3A8E4B06B734051437E198C8B72000A058ACE91D617123DA102287EB", "sqlserver"),
        ("ENC(VIYeyCyD9/55Hhd1IajXmA==)", "jasypt"),
        ("FF8F7777B28C7A459A", "mysql"),
        ("0527C290B40C41D71139B5E7A4446E94D7678359087249A463", "sqldeveloper-3"),
        ("U2FsdGVkX18BAgMEBQYHCCW9ysQrHm2v9a1hJLW+7I3q", "cryptojs-rc4"),
        ("Yjaqhc7RFds=", "dotnet-md5"),
    ] {
        let first = &recognise(value.as_bytes())[0];
        let names = |guess: &Preset| guess.name == name || guess.name.starts_with("openssl");
        assert!(first.preset.is_some_and(names), "{value}: {first}");
    }
}

#[test]
fn what_others_open_is_named_and_text_is_nothing() {
    for (value, what) in [
        (&b"\x00m\x03\x40tripledes\0"[..], "mcrypt"),
        (b"%PDF-1.4 ...", "PDF"),
        (b"-----BEGIN RSA PRIVATE KEY-----\n", "PEM"),
    ] {
        let guesses = recognise(value);
        assert!(guesses[0].preset.is_none() && guesses[0].why.contains(what), "{guesses:?}");
    }
    for text in ["", "Where is the key?", "gr\u{fc}n und blau, 24 Byte."] {
        let guesses = recognise(text.as_bytes());
        assert!(guesses.is_empty(), "{text}: {guesses:?}");
    }
}

#[test]
fn the_document_has_every_row() {
    let place = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/FORMATS.md");
    let document = std::fs::read_to_string(place).unwrap();
    let lines: Vec<String> = Preset::all()
        .map(|preset| {
            let Preset { name, written_by, source, .. } = preset;
            let evidence = match preset.evidence {
                Evidence::Checked => "yes",
                Evidence::Sources => "no",
            };
            let shown_by = preset.shown_by();
            format!("| `{name}` | {written_by} | {source} | {evidence} | {shown_by} |")
        })
        .collect();
    let missing: Vec<_> = lines.iter().filter(|line| !document.contains(*line)).collect();
    assert!(missing.is_empty(), "docs/FORMATS.md lacks these rows: {missing:#?}");
    assert_eq!(document.matches("\n| `").count(), lines.len(), "rows of no preset");
    let (_, whole) = document.split_once("\nOpened whole, ").unwrap();
    let whole: Vec<_> = whole.split(';').next().unwrap().split('`').skip(1).step_by(2).collect();
    let mut wanted: Vec<_> = Preset::all().filter(|preset| !preset.is_of_any_length()).collect();
    wanted.sort_by_key(|preset| preset.name);
    assert_eq!(whole, wanted.iter().map(|preset| preset.name).collect::<Vec<_>>());
}

/// What the first guess says, of a value that no preset opens.
fn foreign(value: &[u8]) -> String {
    let guesses = recognise(value);
    let first = guesses.first().unwrap_or_else(|| panic!("{value:?} is unknown"));
    assert!(first.preset.is_none() && guesses.len() == 1, "{guesses:?}");
    first.why.clone()
}

#[test]
fn what_others_open_is_told_with_who_opens_it() {
    // 80 bytes, so that they are whole blocks as well.
    let padded = |start: &[u8]| {
        let mut bytes = start.to_vec();
        bytes.extend((0..80 - start.len() as u8).map(|at| at.wrapping_mul(89) | 0x80));
        bytes
    };
    for (start, what) in [
        (&b"\x1f\x8b\x08\0\0\0\0\0"[..], "gunzip"),
        (b"PK\x03\x04\x14\0", "zip"),
        (b"age-encryption.org/v1\n", "age decrypts"),
        (b"\x8c\x0d\x04\x03\x03\x02", "gpg"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "jpg"),
        (b"\x89PNG\r\n\x1a\n", "png"),
        (b"\x7fELF\x02\x01\x01\0", "elf"),
        (b"\x30\x82\x01\x00\x02\x01\x03\x30\x82\x00\x80", "PKCS#12"),
        (b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03", "CMS"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "msoffcrypto"),
    ] {
        let bytes = padded(start);
        let why = foreign(&bytes).to_lowercase();
        assert!(why.starts_with("80 bytes: ") && why.contains(&what.to_lowercase()), "{why}");
        let mut base64 = Vec::new();
        Encoding::Base64.encode(&bytes, &mut base64).unwrap();
        assert!(foreign(&base64).starts_with("base64 of 80 bytes: "));
    }
    let pem = |label: &str, headers: &str| {
        format!("-----BEGIN {label}-----\n{headers}AP+lAA==\n-----END {label}-----\n")
    };
    let aes = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\n";
    assert!(foreign(pem("RSA PRIVATE KEY", aes).as_bytes()).contains("PEM in AES"));
    assert!(foreign(pem("RSA PRIVATE KEY", "").as_bytes()).contains("not encrypted"));
    assert!(foreign(pem("PRIVATE KEY", "").as_bytes()).contains("not encrypted"));
    assert!(foreign(pem("PGP MESSAGE", "").as_bytes()).contains("gpg"));
    let nc =
        b"\x00m\x03\x40rijndael-128\0\x20\0cbc\0mcrypt-sha1\0\x15aaaaaaaaaaaaaaaaaaaasha1\0abcd";
    assert!(foreign(nc).contains("mcrypt in AES"));
    for utf16 in ["\u{feff}FF8F7777B28C7A459A", "FF8F7777B28C7A459A"] {
        let little: Vec<u8> = utf16.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = utf16.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert!(foreign(&little).contains("UTF-16") && foreign(&big).contains("UTF-16"));
    }
}

#[test]
fn words_are_no_base64() {
    for word in ["hunter22", "Password123", "Password1234", "correcthorsebatterystaple", "sabakala"]
    {
        let guesses = recognise(word.as_bytes());
        assert!(guesses.is_empty(), "{word}: {guesses:?}");
    }
}

#[test]
fn a_start_is_recognised_as_the_whole() {
    let mut bytes = b"Salted__".to_vec();
    bytes.extend((0..100_000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8));
    bytes.truncate(90_000);
    let raw = recognise_start(&bytes[..65_536], Some(bytes.len() as u64));
    assert!(!raw.is_column && raw.guesses[0].why.starts_with("90000 bytes: Salted__"), "{raw:?}");
    assert!(raw.guesses[0].why.contains("AES"));
    let mut base64 = Vec::new();
    Encoding::Base64.encode(&bytes, &mut base64).unwrap();
    // As `openssl enc -a`, `-A`, and lines that end within groups.
    for line in [64, base64.len(), 50] {
        let text = base64.chunks(line).collect::<Vec<_>>().join(&b'\n');
        for end in 65_500..65_564 {
            let seen = recognise_start(&text[..end], Some(text.len() as u64));
            let first = &seen.guesses[0];
            assert!(!seen.is_column, "lines of {line}, cut at {end}");
            assert_eq!((first.sign, first.text), (Sign::Magic, Text::As(Encoding::Base64)));
            let len: u64 = first.why.split(' ').nth(3).unwrap().parse().unwrap();
            assert!(
                first.why.starts_with("base64 of about ") && len.abs_diff(90_000) < 10,
                "{first}"
            );
        }
    }
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let seen = recognise_start(&hex.as_bytes()[..65_533], Some(hex.len() as u64));
    assert!(seen.guesses[0].why.starts_with("hex of about 90000 bytes: Salted__"), "{seen:?}");
    // Noise has no magic number, and what its length is cannot be known.
    let seen = recognise_start(&base64[100..1_000], Some(1_000_000));
    assert!(seen.guesses.is_empty(), "{seen:?}");
}

#[test]
fn columns_are_told_from_values_in_lines() {
    let nvarchar = "01000000AA959FFB3A8E4B06B734051437E198C8B72000A058ACE91D617123DA102287EB";
    let seen = |text: &str| recognise_start(text.as_bytes(), None);
    for column in [
        "Yjaqhc7RFds=\nYjaqhc7RFds=\n".to_owned(),
        "FF8F7777B28C7A459A\nFF8F7777B28C7A459A".to_owned(),
        format!("{nvarchar}\n{nvarchar}\n{nvarchar}"),
    ] {
        assert!(seen(&column).is_column, "{column}");
    }
    assert!(!seen("Yjaqhc7RFds=\n").is_column);
    let mixed = seen(&format!("nothing at all\n{nvarchar}\n'{nvarchar}',\r\n"));
    assert!(mixed.is_column && mixed.guesses[0].preset == Preset::find("sqlserver"), "{mixed:?}");
    let file = "# a file\nuser=me\npassword=ENC(VIYeyCyD9/55Hhd1IajXmA==)\nport=1\n";
    let properties = seen(file);
    assert!(properties.is_column && properties.guesses[0].preset == Preset::find("jasypt"));
    // The last line of a start is cut.
    let column = format!("{nvarchar}\n").repeat(10);
    let start = recognise_start(&column.as_bytes()[..400], Some(column.len() as u64));
    assert!(start.is_column && start.guesses[0].preset == Preset::find("sqlserver"), "{start:?}");
    // As `xxd -p`, of noise: one value, also where its end is not shown.
    let noise: String =
        (0..900u32).map(|at| format!("{:02x}", at.wrapping_mul(2_654_435_761) >> 24)).collect();
    let hex = noise.as_bytes().chunks(60).collect::<Vec<_>>().join(&b'\n');
    assert!(!recognise_start(&hex, None).is_column);
    assert!(!recognise_start(&hex[..777], Some(hex.len() as u64)).is_column);
    let key = "-----BEGIN PRIVATE KEY-----\nAP+lAA==\n-----END PRIVATE KEY-----\n";
    assert!(!seen(key).is_column);
}
