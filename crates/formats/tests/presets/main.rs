//! Every preset opens what the programs wrote that it names, and nothing else in silence.

mod files;
mod known;
mod long;
mod pasted;
mod recognition;
mod statuses;

use cipherloom_formats::Cipher;
use cipherloom_formats::preset::{
    Charset, Ciphers, Container, Error, Fault, Given, Inner, IvFrom, KeyFit, KeyFrom, Outcome,
    Preset, Secret, SecretKind, Witness,
};
use known::known;

#[test]
fn known_answers_are_opened() {
    for known in known() {
        let name = known.preset.name;
        let opened = known.preset.open(&known.given(), known.value.as_bytes()).unwrap();
        assert_eq!(opened.plaintext(), Some(&*known.plaintext), "{name}: {opened}");
        let (bytes, given) = known.raw();
        assert_eq!(known.preset.open(&given, &bytes).unwrap(), opened, "{name}, raw");
    }
}

/// Value after value, with damaged and other ones between, each has the outcome that it has alone.
#[test]
fn an_opener_has_the_same_outcomes() {
    let all = known();
    for known in &all {
        let given = known.given();
        let mut opener = known.preset.opener(given);
        let own = known.value.as_bytes();
        let values = [own, &own[..own.len() / 2], b"68656c6c6f", b"plain", own];
        let others = all.iter().filter(|other| other.preset.name == known.preset.name);
        for value in
            values.into_iter().chain(others.map(|other| other.value.as_bytes())).chain([own])
        {
            assert_eq!(
                opener.open(value),
                known.preset.open(&given, value),
                "{}",
                known.preset.name
            );
        }
    }
}

/// The salt before a plaintext, by a preset that takes it for a part of that.
fn salt_inside(known: &known::Known, value: &[u8]) -> Option<Vec<u8>> {
    let Inner::Salt(len) = known.preset.inner else { return None };
    let given = known.raw().1;
    let is_single = given.cipher.is_some_and(|cipher| cipher.name == "des-cbc");
    let name = if is_single { "pgcrypto-des" } else { "pgcrypto" };
    let all = Preset::find(name).unwrap().open(&Given { cipher: None, ..given }, value).unwrap();
    Some(all.plaintext().unwrap()[..len].to_vec())
}

#[test]
fn known_answers_are_made() {
    for known in known() {
        let (value, given) = known.raw();
        // Salt and IV as the value has them.
        let (salt, iv) = match known.preset.container {
            Container::Salted => (8..16, 0..0),
            Container::Salt => (0..8, 0..0),
            Container::RandomIv => (0..0, 8..16),
            Container::SqlServer(_) => (0..0, 4..12),
            Container::SqlDeveloper => (1..9, 0..0),
            _ => (0..0, 0..0),
        };
        let part =
            |range: std::ops::Range<usize>| Some(&value[range]).filter(|part| !part.is_empty());
        let salted = salt_inside(&known, &value);
        let salt = given.salt.or(part(salt)).or(salted.as_deref());
        let iv = given.iv.or(part(iv));
        let sealed = known.preset.seal(&Given { salt, iv, ..given }, &known.plaintext);
        if known.preset.key == KeyFrom::Named {
            assert_eq!(sealed, Err(Error::OnlyOpened), "{}", known.preset.name);
            continue;
        }
        let sealed = sealed.unwrap();
        // A number of a key is made with a key file only.
        let start = usize::from(known.preset.container == Container::MySql);
        assert_eq!(sealed[start..], value[start..], "{}", known.preset.name);
    }
}

#[test]
fn wrong_keys_give_no_plaintext_in_silence() {
    for known in known() {
        let name = known.preset.name;
        if matches!(known.preset.secret, SecretKind::None) {
            continue;
        }
        for wrong in 0..64u8 {
            let mut given = known.given();
            let secret: Vec<u8> = (0..24).map(|at| wrong.wrapping_mul(41) ^ (at * 2)).collect();
            // Text, so that no encoding of passwords refuses it; a key of each length that is taken.
            let secret: Vec<u8> = secret.iter().map(|byte| b'A' + byte % 26).collect();
            let len = match (known.preset.secret, known.preset.ciphers) {
                (SecretKind::Key(_, KeyFit::Bytes(len)), _) => len,
                (_, Ciphers::Of(names)) => {
                    let usual = Cipher::find(names[0]);
                    given.cipher.or(usual.as_ref()).unwrap().derived_key_len()
                }
                _ => secret.len(),
            };
            given.secret = Secret::Bytes(&secret[..len]);
            match known.preset.open(&given, known.value.as_bytes()).unwrap() {
                Outcome::WrongKey => {}
                Outcome::Decrypted(plaintext) => {
                    let told = matches!(plaintext.witness, Witness::Nothing | Witness::Text)
                        || matches!(plaintext.witness, Witness::Padding(1));
                    assert!(told, "{name}: {:?}", plaintext);
                    assert_ne!(*plaintext.bytes, known.plaintext, "{name}");
                }
                other => panic!("{name}: {other}"),
            }
        }
    }
}

#[test]
fn wrong_lengths_are_errors() {
    for known in known() {
        let (value, given) = known.raw();
        let open = |value: &[u8]| known.preset.open(&given, value).unwrap();
        for len in 0..value.len() {
            let outcome = open(&value[..len]);
            let name = known.preset.name;
            let is_stream = matches!(
                known.preset.ciphers,
                Ciphers::Rc4 { .. } | Ciphers::CfmxCompat | Ciphers::Of(&["rc4" | "rc4-40"])
            );
            match outcome {
                Outcome::Damaged(_) | Outcome::WrongKey => {}
                Outcome::PassedThrough(_) => assert_eq!(name, "mysql"),
                Outcome::Decrypted(plaintext) => {
                    let is_part = known.plaintext.starts_with(&plaintext.bytes);
                    assert!(
                        is_stream
                            || plaintext.witness == Witness::Nothing && is_part
                            || plaintext.witness == Witness::Text && is_part
                            || plaintext.witness == Witness::Padding(1),
                        "{name}, {len}: {plaintext:?}"
                    );
                }
                other => panic!("{name}, {len}: {other}"),
            }
        }
    }
}

#[test]
fn damaged_text_is_an_error() {
    for known in known() {
        for at in 0..known.value.len() {
            let mut value = known.value.as_bytes().to_vec();
            value[at] = b'\x01';
            let outcome = known.preset.open(&known.given(), &value).unwrap();
            let is_error =
                matches!(
                    outcome,
                    Outcome::Damaged(Fault::Text(_) | Fault::Header | Fault::Unclosed)
                ) || matches!((&outcome, known.preset.key), (Outcome::PassedThrough(_), _))
                    && known.preset.name.starts_with("jasypt");
            assert!(is_error, "{}: {outcome}", known.preset.name);
        }
    }
}

/// Of a value that was copied wrong by a bit, nobody gets the right plaintext, and a magic number or a digest does
/// not call another one right.
#[test]
fn a_wrong_bit_never_goes_unseen_where_it_can_be_seen() {
    for known in known() {
        // Headers have bits that say nothing.
        let is_free = |at| match (known.preset.container, known.preset.inner) {
            (Container::MySql, _) => at == 0,
            // The block before the plaintext's changes that, too.
            (_, Inner::Salt(len)) => at < len - 8,
            _ => known.preset.key == KeyFrom::Named,
        };
        let (value, given) = known.raw();
        for at in 0..value.len() {
            let mut wrong = value.clone();
            // No bit of parity.
            wrong[at] ^= 0x10;
            let outcome = known.preset.open(&given, &wrong).unwrap();
            let Outcome::Decrypted(plaintext) = outcome else { continue };
            let is_same = *plaintext.bytes == known.plaintext;
            assert!(!is_same || is_free(at), "{}, byte {at}", known.preset.name);
            let is_digest = plaintext.witness == Witness::Digest;
            assert!(!is_digest || is_same, "{}, byte {at}", known.preset.name);
        }
    }
}

/// Rows without a known answer, too, open what they make: a salt, an IV and a secret of the lengths that they
/// want.
#[test]
fn every_preset_opens_what_it_makes() {
    for preset in Preset::all().filter(|preset| preset.key != KeyFrom::Named) {
        let names = match preset.ciphers {
            Ciphers::Of(names) => names,
            Ciphers::Any => &["des-ede3-cbc", "des-cbc", "rc4", "des-ede-ctr", "desx-cbc"],
            _ => &[""],
        };
        for name in names {
            let cipher = Cipher::find(name);
            let key_len = match preset.secret {
                SecretKind::Key(_, KeyFit::Bytes(len)) => len,
                _ => cipher.as_ref().map_or(16, Cipher::derived_key_len),
            };
            let secret: Vec<u8> = (0..key_len as u8).map(|at| b'a' + at).collect();
            let salt_len = match (preset.key, preset.inner) {
                // A GUID.
                _ if preset.container == Container::SqlServerKey => 16,
                (KeyFrom::Dukpt(_), _) => 10,
                (_, Inner::Salt(len)) => len,
                _ => 8,
            };
            let iv_len = if preset.ciphers == Ciphers::Aes256Cbc { 16 } else { 8 };
            let iv = (0x30..0x50).collect::<Vec<u8>>();
            let given = Given {
                secret: Secret::Bytes(&secret),
                cipher: cipher.as_ref(),
                salt: Some(&iv[..salt_len]),
                iv: Some(&iv[..iv_len]),
                ..Given::default()
            };
            let plaintext = match preset.charset {
                Charset::Bytes | Charset::Utf8 => preset.charset.write("16 bytes or 32: "),
                Charset::Utf16Le => preset.charset.write("grün 8"),
                Charset::Pin => vec![0x04, 0x12, 0x34, 0xff, 0xff, 0xff, 0xff, 0xff].into(),
                Charset::Der => unreachable!("only opened"),
            };
            let value = preset.seal(&given, &plaintext).unwrap();
            let opened = preset.open(&given, &value).unwrap();
            assert_eq!(opened.plaintext(), Some(&**plaintext), "{} {name}", preset.name);
            // The IV counts, where there is one.
            let other = Given { iv: Some(&[0x41; 8]), ..given };
            if preset.iv == IvFrom::GivenZeroPadded && !name.ends_with("ecb") {
                let outcome = preset.open(&other, &value).unwrap();
                assert_ne!(outcome, opened, "{} {name}", preset.name);
            }
        }
    }
}

#[test]
fn names_are_unique_and_rows_are_complete() {
    let mut names: Vec<_> = Preset::all().map(|preset| preset.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for preset in Preset::all() {
        assert!(!preset.written_by.is_empty() && !preset.source.is_empty(), "{}", preset.name);
        if let Ciphers::Of(names) = preset.ciphers {
            assert!(names.iter().all(|name| Cipher::find(name).is_some()), "{}", preset.name);
        }
    }
}
