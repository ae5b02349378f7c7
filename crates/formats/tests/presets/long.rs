//! Values in pieces of any size have the outcomes that they have whole.

use cipherloom_formats::Cipher;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{
    Begun, Charset, Fault, Fill, Given, Outcome, Plaintext, Preset, Secret, Text, Witness,
};
use cipherloom_testkit::rng::Rng;

use crate::known::known;

/// Opens a value in pieces of a size; `None` where it can only be opened whole.
fn in_pieces(preset: &Preset, given: Given<'_>, value: &[u8], size: usize) -> Option<Outcome> {
    let start = |bytes: &[u8]| bytes[..bytes.len().min(4096)].to_vec();
    let long = preset.long(given, &start(value))?;
    let mut bytes = Vec::new();
    match long.decoder() {
        None => bytes.extend_from_slice(value),
        Some(mut decoder) => {
            value.chunks(size).for_each(|piece| decoder.decode(piece, &mut bytes).unwrap());
            decoder.finish(&mut bytes).unwrap();
        }
    }
    let Begun { header, mut engine, mut judge } = match long.begin(&start(&bytes)).unwrap() {
        Ok(begun) => begun,
        Err(outcome) => return Some(outcome),
    };
    let mut plaintext = Vec::new();
    for piece in bytes[header..].chunks(size) {
        let mut decrypted = Vec::new();
        engine.update(piece, &mut decrypted).unwrap();
        judge.feed(&decrypted, &mut plaintext);
    }
    let mut last = Vec::new();
    if let Err(error) = engine.finish(&mut last) {
        return Some(Outcome::Damaged(Fault::of_length(error).unwrap()));
    }
    judge.feed(&last, &mut plaintext);
    Some(match judge.finish(&mut plaintext) {
        Ok(witness) => Outcome::Decrypted(Plaintext { bytes: plaintext.into(), witness }),
        Err(outcome) => outcome,
    })
}

/// What a value comes to whole, where it is as long as it is in pieces.
fn whole(preset: &Preset, given: &Given<'_>, value: &[u8]) -> Outcome {
    preset.open(given, value).unwrap()
}

#[test]
fn known_answers_and_damaged_ones_are_opened_alike() {
    let mut seen: Vec<&str> = Vec::new();
    for known in known() {
        let (preset, name) = (known.preset, known.preset.name);
        let (bytes, given) = known.raw();
        if in_pieces(preset, given, &bytes, 1).is_none() {
            assert!(!preset.is_of_any_length(), "{name}");
            continue;
        }
        assert!(preset.is_of_any_length(), "{name}");
        seen.push(name);
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 1;
        let longer = [&bytes[..], &bytes[bytes.len().saturating_sub(8)..]].concat();
        let cuts = (0..bytes.len()).step_by(3).map(|len| bytes[..len].to_vec());
        let wrong = Given { secret: Secret::Bytes(b"another secret of 24 byt"), ..given };
        for value in cuts.chain([damaged, longer, bytes.clone()]) {
            for given in [given, wrong] {
                if preset.open(&given, &value).is_err() {
                    continue;
                }
                let outcome = whole(preset, &given, &value);
                for size in [1, 8, 1000] {
                    let found = in_pieces(preset, given, &value, size).unwrap();
                    assert_eq!(found, outcome, "{name}, {} bytes in pieces of {size}", value.len());
                }
            }
        }
        // As text.
        if let Some(found) = in_pieces(preset, known.given(), known.value.as_bytes(), 5) {
            assert_eq!(found, whole(preset, &known.given(), known.value.as_bytes()), "{name}");
        }
    }
    for name in ["mcrypt", "openssl-1.0", "crypt-cbc-randomiv", "php-mcrypt", "dotnet-password"] {
        assert!(seen.contains(&name), "{name} goes through in pieces");
    }
}

/// Characters of several bytes at any place of a piece, every length of padding, and what is no text.
#[test]
fn long_texts_are_judged_alike() {
    let mut rng = Rng::new(0x10_06);
    let text: String = (0..2_000).map(|_| *rng.choose(&['a', 'ß', '€', '😀'])).collect();
    let cipher = Cipher::find("des-ede3-cbc").unwrap();
    for name in ["cryptojs", "cryptojs-rc4", "jasypt", "ruby"] {
        let preset = Preset::find(name).unwrap();
        let raw = Some(Text::As(Encoding::Text));
        let given = Given {
            cipher: (name == "ruby").then_some(&cipher),
            salt: Some(b"saltsalt"),
            text: raw,
            ..Given::secret(b"Passw0rd")
        };
        for cut in 0..10 {
            // Of a character that is cut, too.
            let plaintext = &text.as_bytes()[..text.len() - cut];
            for plaintext in [plaintext, &[plaintext, b"\xff", plaintext].concat()] {
                let value = preset.seal(&given, plaintext).unwrap();
                let outcome = whole(preset, &given, &value);
                for size in [1, 11, 4096] {
                    assert_eq!(in_pieces(preset, given, &value, size).unwrap(), outcome, "{name}");
                }
            }
        }
    }
}

/// Where zeros fill the last block, at most 7 are taken off a long value: none that may be its own.
#[test]
fn zeros_of_a_long_value_stay() {
    let preset = Preset::find("php-mcrypt").unwrap();
    let given = Given {
        text: Some(Text::As(Encoding::Text)),
        ..Given::secret(b"123456789012345678901234")
    };
    for (plaintext, kept) in
        [(&b"text"[..], 4), (b"a block\0", 7), (b"blocks!!\0\0\0\0\0\0\0\0", 9), (b"", 0)]
    {
        let value = preset.seal(&given, plaintext).unwrap();
        let found = in_pieces(preset, given, &value, 3).unwrap();
        let Outcome::Decrypted(opened) = found else { panic!("{found}") };
        assert_eq!(
            (&*opened.bytes, opened.witness),
            (&plaintext[..kept].to_vec(), Witness::Nothing)
        );
    }
}

#[test]
fn what_can_only_be_opened_whole_is_refused() {
    let long = |name: &str, given: Given<'_>, start: &[u8]| {
        Preset::find(name).unwrap().long(given, start).is_some()
    };
    let secret = Given::secret(b"Passw0rd");
    for (name, start) in
        [("mysql", &b"ff8f"[..]), ("sqlserver", b"01000000"), ("pem", b"-----BEGIN")]
    {
        assert!(!long(name, secret, start), "{name}");
    }
    // Of Jasypt a file is, and a string is not.
    assert!(long("jasypt", secret, &[0xff; 64]));
    assert!(!long("jasypt", secret, b"ENC(VIYeyCyD9/55Hhd1IajXmA==)"));
    // Text that is made anew.
    let utf16 = Given { charset: Some(Charset::Utf16Le), ..secret };
    assert!(!long("mcrypt", utf16, b"\0m\x03"));
    let uu = Given { text: Some(Text::As(Encoding::Uu)), ..secret };
    assert!(!long("mcrypt", uu, b"\0m\x03"));
    assert!(long("mcrypt", Given { fill: Some(Fill::None), ..secret }, b"\0m\x03"));
}
