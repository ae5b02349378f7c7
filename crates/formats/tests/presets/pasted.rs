//! Values as people paste them are opened as those that the programs wrote.

use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Fault, Given, Outcome, Preset, Text};
use cipherloom_formats::recognise::recognise;

const MYSQL: &str = "FF8F7777B28C7A459A";
const JASYPT: &str = "VIYeyCyD9/55Hhd1IajXmA==";

fn open(name: &str, secret: &str, value: &str) -> Outcome {
    Preset::find(name).unwrap().open(&Given::secret(secret.as_bytes()), value.as_bytes()).unwrap()
}

#[test]
fn quotes_and_separators_change_nothing() {
    let plain = open("mysql", "sabakala", MYSQL);
    assert_eq!(plain.plaintext(), Some(&b"dog"[..]));
    let spaced = |mark: &str| {
        MYSQL
            .as_bytes()
            .chunks(2)
            .map(|two| str::from_utf8(two).unwrap())
            .collect::<Vec<_>>()
            .join(mark)
    };
    for value in [
        format!("\u{feff}{MYSQL}"),
        format!("'{MYSQL}',"),
        format!("\"{MYSQL}\""),
        format!("X'{MYSQL}';"),
        format!("'\\x{MYSQL}'"),
        spaced(" "),
        spaced(":"),
        spaced("-"),
        spaced("\n"),
    ] {
        assert_eq!(open("mysql", "sabakala", &value), plain, "{value}");
        let first = &recognise(value.as_bytes())[0];
        assert_eq!(first.preset.map(|preset| preset.name), Some("mysql"), "{value}: {first}");
        assert!(first.why.starts_with("hex of 9 bytes"), "{value}: {first}");
    }
    // What is no hex stays damaged.
    for value in ["2024-01-01", "12:30:00"] {
        let outcome = open("mysql", "sabakala", value);
        assert!(matches!(outcome, Outcome::Damaged(Fault::Text(_))), "{value}: {outcome}");
    }
}

#[test]
fn base64_of_addresses_is_base64() {
    let plain = open("jasypt", "password", &format!("ENC({JASYPT})"));
    let url = JASYPT.replace('/', "_").replace('+', "-").replace('=', "");
    let percent = JASYPT.replace('/', "%2F").replace('+', "%2b").replace('=', "%3D");
    for inside in [JASYPT, &url, &percent] {
        for value in [
            format!("ENC({inside})"),
            format!("enc({inside})"),
            format!("jdbc.password=ENC({inside})"),
            format!("  password: \"ENC({inside})\","),
        ] {
            assert_eq!(open("jasypt", "password", &value), plain, "{value}");
            let first = &recognise(value.as_bytes())[0];
            assert_eq!(first.preset.map(|preset| preset.name), Some("jasypt"), "{value}: {first}");
        }
        let text = Some(Text::As(Encoding::Base64));
        let given = Given { text, ..Given::secret(b"password") };
        let preset = Preset::find("jasypt").unwrap();
        assert_eq!(preset.open(&given, format!("'{inside}'").as_bytes()).unwrap(), plain);
    }
}

#[test]
fn a_missing_parenthesis_is_named() {
    let value = format!("p=ENC({JASYPT}");
    let outcome = open("jasypt", "password", &value);
    assert_eq!(outcome.to_string(), "damaged: the closing parenthesis is missing");
    let guesses = recognise(value.as_bytes());
    assert!(guesses[0].why.contains("closing parenthesis is missing"), "{guesses:?}");
}
