//! Columns are mixed: what becomes of values that the preset did not write, or that a key file belongs to.

use std::num::NonZeroU32;

use cipherloom_formats::derivation::Digest;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::key_file::KeyFile;
use cipherloom_formats::looks::Looks;
use cipherloom_formats::preset::{
    Charset, Ciphers, Error, Fill, Given, IvFrom, KeyFit, Outcome, Preset, Secret, SecretKind,
    Text, Witness,
};

use crate::known::hex;

fn preset(name: &str) -> &'static Preset {
    Preset::find(name).unwrap()
}

#[test]
fn mysql_returns_what_it_did_not_write() {
    let given = Given::secret(b"sabakala");
    for value in ["", "68656c6c6f", "FF8F7777B28C7A45", "7F8F7777B28C7A459A", "FF"] {
        let outcome = preset("mysql").open(&given, value.as_bytes()).unwrap();
        assert!(matches!(outcome, Outcome::PassedThrough(_)), "{value}: {outcome}");
    }
}

#[test]
fn mysqls_key_file_is_used_by_number() {
    let file = KeyFile::parse(b"# the file of MariaDB's tests\n5 default_password\n").unwrap();
    let given = Given { secret: Secret::KeyFile(&file), ..Given::default() };
    let open = |value: &str| preset("mysql").open(&given, value.as_bytes()).unwrap();
    assert_eq!(open("85D6DC8859F9759BBB").plaintext(), Some(&b"hello"[..]));
    assert_eq!(open("84D6DC8859F9759BBB"), Outcome::NoKey(4));
    assert_eq!(open("FF8F7777B28C7A459A"), Outcome::NoKey(127));
    assert_eq!(preset("mysql").seal(&given, b"hello").unwrap(), b"85d6dc8859f9759bbb");
    // Only MySQL has one.
    assert_eq!(preset("pgcrypto").open(&given, b"00"), Err(Error::Secret));
}

#[test]
fn sqlserver_says_which_version() {
    let given = Given { iv: Some(&[7; 16]), ..Given::secret(b"hello") };
    let (old, new) = (preset("sqlserver"), preset("sqlserver-2017"));
    let value = new.seal(&given, b"world").unwrap();
    assert!(value.starts_with(b"02000000"));
    assert!(matches!(old.open(&given, &value), Ok(Outcome::Other("sqlserver-2017", _))));
    let opened = new.open(&given, &value).unwrap();
    assert!(matches!(&opened, Outcome::Decrypted(text) if text.witness == Witness::Magic));
    let old_value = b"01000000AA959FFB3A8E4B06B734051437E198C8B72000A058ACE91D617123DA102287EB";
    assert!(matches!(new.open(&given, old_value), Ok(Outcome::Other("sqlserver", _))));
    let by_key = preset("sqlserver-key");
    let key = hex("0123456789abcdeffedcba98765432100011223344556677");
    let with_key = Given { salt: Some(&[0x5a; 16]), iv: Some(&[7; 8]), ..Given::secret(&key) };
    let value = by_key.seal(&with_key, b"world").unwrap();
    assert!(matches!(old.open(&given, &value), Ok(Outcome::Other("sqlserver-key", _))));
    let opened = by_key.open(&with_key, &value).unwrap();
    assert!(matches!(&opened, Outcome::Decrypted(text) if text.witness == Witness::Magic));
    let wrong = [&key[1..], &key[..1]].concat();
    assert_eq!(by_key.open(&Given::secret(&wrong), &value), Ok(Outcome::WrongKey));
    // The magic number is right and the end is not: the key is not to blame.
    let mut damaged =
        hex("01000000AA959FFB3A8E4B06B734051437E198C8B72000A058ACE91D617123DA102287EB");
    *damaged.last_mut().unwrap() ^= 1;
    let digits: String = damaged.iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(matches!(old.open(&given, digits.as_bytes()), Ok(Outcome::Damaged(_))));
}

#[test]
fn properties_without_parentheses_pass() {
    let given = Given::secret(b"password");
    for value in ["jdbc:oracle:thin:@db", "plain", "testtest", ""] {
        let outcome = preset("jasypt").open(&given, value.as_bytes()).unwrap();
        assert!(matches!(outcome, Outcome::PassedThrough(_)), "{value}: {outcome}");
    }
    for value in ["ENC(testtest)", "ENC(VIYeyCyD9/55Hhd1IajXmA==", "ENC()", "ENC(?)"] {
        let outcome = preset("jasypt").open(&given, value.as_bytes()).unwrap();
        assert!(matches!(outcome, Outcome::Damaged(_)), "{value}: {outcome}");
    }
}

/// brix/crypto-js issue 147: the same key of 16 bytes, by K1 K2 K1. No row of it has no padding, so the
/// pieces are named here.
#[test]
fn keys_of_two_are_completed_or_refused() {
    let key = hex("CB3A28103B71AA2464A478750664EDB4");
    let value = b"160BBF7C2F7813659B50A084360F27BF";
    let zeros = preset("php-mcrypt");
    let cipher = cipherloom_formats::Cipher::find("des-ede3-ecb").unwrap();
    let given = Given { cipher: Some(&cipher), ..Given::secret(&key) };
    assert_eq!(
        zeros.open(&given, value).unwrap().plaintext(),
        Some(&hex("bbec09c0296a2e9454a16822de3cd934")[..])
    );
    let long = [&key[..], &key[..8]].concat();
    let given = Given { secret: Secret::Bytes(&long), ..given };
    assert_eq!(
        zeros.open(&given, value).unwrap().plaintext(),
        Some(&hex("ae160f0d00442be1207917f35eee2aa5")[..])
    );
    let made = |name: &str, key: &[u8]| {
        let given = Given { salt: Some(&[3; 16]), ..Given::secret(key) };
        preset(name).seal(&given, b"a\0b\0")
    };
    assert_eq!(made("aspnet-membership", &key), made("aspnet-membership", &long));
    assert_eq!(
        made("coldfusion-desede", &[&key[..], &[1, 2]].concat()),
        made("coldfusion-desede", &long)
    );
    assert_eq!(made("aspnet-membership", &key[..15]), Err(Error::KeyLength { got: 15, want: 24 }));
    assert_eq!(made("redsys", &key), Err(Error::KeyLength { got: 16, want: 24 }));
}

#[test]
fn what_the_caller_forgot_is_said() {
    let none = Given::default();
    assert_eq!(preset("mysql").open(&none, b"FF8F7777B28C7A459A"), Err(Error::Secret));
    let key = Given::secret(&[7; 16]);
    let no_ksn = preset("dukpt").open(&key, b"8F7777B28C7A459A");
    let words = no_ksn.unwrap_err().to_string();
    assert_eq!(words, "the KSN is missing; it has 10 bytes");
    let short = Given { salt: Some(&[7; 8]), ..key };
    let no_ksn = preset("dukpt").open(&short, b"8F7777B28C7A459A").unwrap_err();
    assert_eq!(no_ksn.to_string(), "the KSN has 8 bytes in place of 10");
    let no_iv =
        preset("dukpt-pin").open(&Given { salt: Some(&[7; 10]), ..key }, b"8F7777B28C7A459A");
    assert_eq!(no_iv, Err(Error::IvLength { got: 0, want: 8 }));
    assert_eq!(no_iv.unwrap_err().to_string(), "the IV is missing; it has 8 bytes");
    let salted = b"Salted__12345678abcdefgh";
    assert_eq!(preset("openssl-1.0").open(&key, salted), Err(Error::Cipher));
    let rc4 = cipherloom_formats::Cipher::find("rc4");
    let given = Given { cipher: rc4.as_ref(), ..key };
    assert_eq!(preset("dotnet-md5").open(&given, b"Yjaqhc7RFds="), Err(Error::Cipher));
    let latin = Given { iv: Some(&[1; 8]), ..Given::secret(b"gr\xfcn") };
    assert_eq!(preset("sqlserver").seal(&latin, b"x"), Err(Error::Password));
    assert_eq!(preset("oracle-des").seal(&key, b"x"), Err(Error::Plaintext));
    assert_eq!(preset("jasypt").seal(&key, b"x"), Err(Error::SaltLength { got: 0, want: 8 }));
}

/// Programs choose counts, digests and paddings, too. OpenJDK 17 with a count of 5,000; Mono 6.8 with
/// `PasswordDeriveBytes(password, salt, "MD5", 2)`.
#[test]
fn counts_digests_and_paddings_are_the_callers_to_change() {
    let answer = Some(&b"Cipherloom test 1"[..]);
    let given = Given { count: NonZeroU32::new(5000), ..Given::secret(b"password") };
    for (name, value) in [
        ("jasypt", "AQIDBAUGBwhXj7ej0htz85rWl4tWmKyiCNoisfZQK54="),
        ("jasypt-3des", "AQIDBAUGBwggczMO9w3NXs8sVEyhNd8/UR3xIuGTwzA="),
        ("jasypt-rc4-128", "AQIDBAUGBwjgATWsu3zLk+X/mpHM8zf43Q=="),
    ] {
        let opened = preset(name).open(&given, value.as_bytes()).unwrap();
        assert_eq!(opened.plaintext(), answer, "{name}");
        let usual = preset(name).open(&Given::secret(b"password"), value.as_bytes()).unwrap();
        assert_eq!(usual, Outcome::WrongKey, "{name}");
    }
    let given = Given {
        salt: Some(&[9, 5, 5, 5, 1, 2, 1, 2]),
        digest: Some(Digest::Md5),
        count: NonZeroU32::new(2),
        ..Given::secret(b"PasswordGoesHere")
    };
    let opened = preset("dotnet-password").open(&given, b"+cp0OTSgbwD0nVckLu6CJJXCVPPXDZ3/");
    assert_eq!(opened.unwrap().plaintext(), answer);

    // PHP programs often brought PKCS#7 themselves.
    let given = Given { fill: Some(Fill::Pkcs7), ..Given::secret(b"0123456789abcdefghijklmn") };
    let value = preset("php-mcrypt").seal(&given, b"eight by").unwrap();
    assert_eq!(value.len(), 32);
    let opened = preset("php-mcrypt").open(&given, &value).unwrap();
    assert!(matches!(&opened, Outcome::Decrypted(text) if text.witness == Witness::Padding(8)));
    let wrong = Given { digest: Some(Digest::Md5), ..Given::secret(b"x") };
    let given = Given { iv: Some(&[7; 16]), ..wrong };
    let short = Err(Error::KeyLength { got: 16, want: 32 });
    assert_eq!(preset("sqlserver-2017").seal(&given, b"x"), short);
}

/// A byte of padding is right under one wrong key in 256: then looks count.
#[test]
fn short_paddings_are_believed_of_what_looks_like_something() {
    let witness = |name: &str, plaintext: &[u8]| {
        let given = Given::secret(b"0123456789abcdef");
        let value = preset(name).seal(&given, plaintext).unwrap();
        match preset(name).open(&given, &value).unwrap() {
            Outcome::Decrypted(opened) => opened.witness,
            other => panic!("{other}"),
        }
    };
    assert_eq!(witness("pgcrypto", b"7 bytes"), Witness::PaddingAndLooks(1, Looks::Text));
    assert_eq!(witness("pgcrypto", b"\xff\xfe\xf0 ..."), Witness::Padding(1));
    assert_eq!(
        witness("pgcrypto", b"\x1f\x8b\x08\0\0\0\0"),
        Witness::PaddingAndLooks(1, Looks::File("gz"))
    );
    assert_eq!(witness("pgcrypto", b"\xff"), Witness::Padding(7));
    assert_eq!(witness("dotnet-md5", "größer".as_bytes()), Witness::Padding(8));
    assert_eq!(witness("dotnet-md5", b"gr\xf6\xdf"), Witness::PaddingAlone(4));
    let weak = [Witness::Padding(1), Witness::PaddingAlone(4), Witness::Nothing];
    assert!(weak.iter().all(|witness| witness.is_weak()) && !Witness::Padding(2).is_weak());
}

/// Whatever a value is, there is an outcome: of random bytes, of bytes that begin as a format does, and of
/// these written as text.
#[test]
fn any_value_has_an_outcome() {
    let starts: [&[u8]; 11] = [
        b"",
        b"Salted__",
        b"RandomIV",
        &[1, 0, 0, 0],
        &[2, 0, 0, 0],
        &[0xff],
        &[0x85],
        &[5],
        b"\0m\x03\x40tripledes\0\x18\0cbc\0mcrypt-sha1\0\x09saltsaltsha1\0",
        b"-----BEGIN A KEY-----\nDEK-Info: DES-CBC,0011223344556677\n-----END A KEY-----",
        &[0x30, 0x2c],
    ];
    const LENS: [usize; 7] = [0, 1, 8, 11, 12, 16, 40];
    let noise = |len: usize| {
        let mut state = len as u32 ^ 0x1d87_2b41;
        let step = move |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        (0..len).map(step).collect::<Vec<u8>>()
    };
    let salt = [0x33; 16];
    // Its 10,000 rounds take longer than all others together; its container is openssl-1.1's.
    for preset in Preset::all().filter(|preset| preset.name != "openssl-pbkdf2") {
        let salt_len = if preset.name.starts_with("dukpt") { 10 } else { 8 };
        let cipher =
            cipherloom_formats::Cipher::find("des3").filter(|_| preset.ciphers == Ciphers::Any);
        let key = b"sixteen or more bytes: a key";
        let len = match preset.secret {
            SecretKind::Key(_, KeyFit::Bytes(len)) => len,
            SecretKind::Key(_, KeyFit::Exact | KeyFit::TwoKeys) => 24,
            _ => key.len(),
        };
        for (start, len_of_rest) in
            starts.iter().flat_map(|start| LENS.into_iter().map(move |len| (start, len)))
        {
            let bytes = [start, &noise(len_of_rest)[..]].concat();
            for encoding in [Encoding::Text, Encoding::Uu] {
                let mut value = Vec::new();
                let text = Some(Text::As(encoding));
                match encoding {
                    Encoding::Text => value.clone_from(&bytes),
                    _ => encoding.encode(&bytes, &mut value).unwrap(),
                }
                let given = Given {
                    cipher: cipher.as_ref(),
                    salt: Some(&salt[..salt_len]),
                    iv: (preset.iv == IvFrom::Given).then_some(&salt[..8]),
                    text,
                    ..Given::secret(&key[..len])
                };
                let outcome = preset.open(&given, &value).unwrap();
                assert!(!outcome.to_string().is_empty());
                if matches!(&outcome, Outcome::Decrypted(_)) && !bytes.is_empty() {
                    let is_seen = preset.fits(&bytes).is_some();
                    assert!(is_seen, "{}: opened, and not recognised", preset.name);
                }
            }
        }
    }
    for (start, len) in
        starts.iter().flat_map(|start| LENS.into_iter().map(move |len| (start, len)))
    {
        let bytes = [start, &noise(len)[..]].concat();
        for guess in cipherloom_formats::recognise::recognise(&bytes) {
            assert!(!guess.to_string().is_empty());
        }
    }
}

#[test]
fn text_is_told_by_each_value() {
    let read =
        |bytes: &[u8]| preset("sqlserver").read_text(None, bytes).map(|text| text.to_string());
    for text in [
        "hello",
        "M\u{fc}ller",
        "a",
        "\u{41f}\u{440}\u{438}\u{432}\u{435}\u{442}",
        "1,50 \u{20ac}",
        "",
    ] {
        let wide = Charset::Utf16Le.write(text);
        assert_eq!(read(text.as_bytes()).as_deref(), Some(text));
        assert_eq!(read(&wide).as_deref(), Some(text));
        // Who says what it is, is taken at his word.
        let said = preset("sqlserver").read_text(Some(Charset::Utf16Le), &wide);
        assert_eq!(said.as_deref().map(String::as_str), Some(text));
        assert_eq!(preset("sqlserver").read_text(Some(Charset::Bytes), &wide), None);
    }
    // Latin-1, half a character, half a pair, and noise.
    for bytes in [
        &b"M\xfcller"[..],
        b"M\xfcllers",
        b"h\0i\0\0",
        b"\0\xd8h\0",
        b"\x93\x28\xd5\x4f\x08\x7b\x7c\x67",
    ] {
        assert_eq!(read(bytes), None, "{bytes:?}");
    }
    let pin = preset("dukpt-pin").read_text(None, &hex("041234ffffffffff"));
    assert_eq!(pin.as_deref().map(String::as_str), Some("1234"));
    for field in
        ["041234fffffffff0", "0312345fffffffff", "04123affffffffff", "141234ffffffffff", ""]
    {
        assert_eq!(preset("dukpt-pin").read_text(None, &hex(field)), None, "{field}");
    }
}

#[test]
fn a_file_may_be_raw_and_a_text_is_text() {
    let mysql = preset("mysql");
    let given = Given::secret(b"sabakala");
    let open = |file: &[u8]| mysql.open_file(&given, file).unwrap();
    assert_eq!(open(&hex("FF8F7777B28C7A459A")).plaintext(), Some(&b"dog"[..]));
    assert_eq!(open(b"FF8F7777B28C7A459A").plaintext(), Some(&b"dog"[..]));
    assert_eq!(open(b"plain words").status(), "damaged");
    let text = Some(Text::As(Encoding::Hex));
    let outcome = mysql.open_file(&Given { text, ..given }, &hex("FF8F7777B28C7A459A"));
    assert_eq!(outcome.unwrap().status(), "damaged");

    assert_eq!(*mysql.passed_through(&given, b"68656c6c6f"), *b"hello");
    assert_eq!(open(b"68656c6c6f").status(), "passed through");
    assert_eq!(*preset("jasypt").passed_through(&given, b"testtest"), *b"testtest");
}
