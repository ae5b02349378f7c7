//! Every known answer is recognised, and a plain text is not taken for one.

use cipherloom_formats::preset::{Evidence, Given, Preset, Sign};
use cipherloom_formats::recognise::recognise;

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
}
