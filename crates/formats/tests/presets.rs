//! Every preset opens what the programs wrote that it names, and nothing else in silence.

use cipherloom_formats::Cipher;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Error, PRESETS, Preset};

/// Preset, cipher, password, ciphertext in base64, plaintext.
const KNOWN: [&str; 5] = [
    // OpenSSL 3.0.19: `openssl enc -des-ede3-cbc -k Passw0rd -a`, with -md md5, sha256, sha1, -pbkdf2.
    "openssl-1.0 des3 Passw0rd U2FsdGVkX1/I4fdUFnmemxXiEmuE26tB/dqhhHaf0dPQrO6eB35Cqw== thread by thread",
    "openssl-1.1 des3 Passw0rd U2FsdGVkX182FuO5IvnsX2R0h+PIpMtswGx0nlC00NNC+DgoWctzgA== thread by thread",
    "openssl-sha1 des3 Passw0rd U2FsdGVkX19iuREKZY8mqz7Ef/qWLdzZvVhKBtZaQD6QPs7sWwCTtQ== thread by thread",
    "openssl-pbkdf2 des3 Passw0rd U2FsdGVkX1/nM9C9StxNSUFhF4uRbQCXi3uh/Wf7TQw7D3vhWD9meg== thread by thread",
    // CryptoJS, as CyberChef's tests have it.
    "openssl-1.0 des3 Passw0rd U2FsdGVkX1/nUTg3g7ER0/BpYJtEI3ceu1KkVrSgF/E= HelloWorld!",
];

fn known() -> impl Iterator<Item = [&'static str; 5]> {
    KNOWN.iter().map(|line| {
        let words: Vec<_> = line.splitn(5, ' ').collect();
        words.try_into().unwrap()
    })
}

#[test]
fn known_answers_are_opened_and_wrong_keys_are_seen() {
    for [name, cipher, password, text, plaintext] in known() {
        let cipher = Cipher::find(cipher).unwrap();
        let mut data = Vec::new();
        Encoding::Base64.decode(text.as_bytes(), &mut data).unwrap();
        let preset = Preset::find(name).unwrap();
        let opened = preset.open(&cipher, password.as_bytes(), &data).unwrap();
        assert_eq!(*opened, plaintext.as_bytes(), "{name}");

        let wrong_padding = Err(Error::Cipher(cipherloom::Error::Padding));
        assert_eq!(preset.open(&cipher, b"another", &data), wrong_padding, "{name}");
        for other in PRESETS.iter().filter(|other| other.name != name) {
            assert_eq!(other.open(&cipher, password.as_bytes(), &data), wrong_padding, "{name}");
        }
        let cut = preset.open(&cipher, password.as_bytes(), &data[..data.len() - 1]);
        assert!(matches!(cut, Err(Error::Cipher(_))), "{name}: {cut:?}");
        let bare = preset.open(&cipher, password.as_bytes(), &data[16..]);
        assert!(matches!(bare, Err(Error::Container(_))), "{name}: {bare:?}");
    }
}

#[test]
fn every_preset_has_a_known_answer() {
    for preset in &PRESETS {
        assert!(known().any(|known| known[0] == preset.name), "{}", preset.name);
    }
}
