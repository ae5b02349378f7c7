//! NIST's CAVP vectors: known answers and multi-block messages, in the direction of each file's
//! part and in the other one.

use cipherloom_spec::bits;
use cipherloom_spec::modes::{cbc, cfb, ecb, ofb};
use cipherloom_spec::tdea::Tdea;
use cipherloom_testkit::rsp::{self, Mode, Vector};

fn encrypt(vector: &Vector, cipher: &Tdea) -> Vec<u8> {
    let text = &vector.plaintext[..];
    match (vector.mode, vector.iv) {
        (Mode::Ecb, None) => ecb::encrypt(cipher, text),
        (Mode::Cbc, Some(iv)) => cbc::encrypt(cipher, iv, text),
        (Mode::Cfb1, Some(iv)) => {
            bits::to_bytes(&cfb::encrypt_1(cipher, iv, &bits::from_bytes(text)[..vector.bit_len]))
        }
        (Mode::Cfb8, Some(iv)) => cfb::encrypt_8(cipher, iv, text),
        (Mode::Cfb64, Some(iv)) => cfb::encrypt_64(cipher, iv, text),
        (Mode::Ofb, Some(iv)) => ofb::crypt(cipher, iv, text),
        other => panic!("{}: {other:?}", vector.place),
    }
}

fn decrypt(vector: &Vector, cipher: &Tdea) -> Vec<u8> {
    let text = &vector.ciphertext[..];
    match (vector.mode, vector.iv) {
        (Mode::Ecb, None) => ecb::decrypt(cipher, text),
        (Mode::Cbc, Some(iv)) => cbc::decrypt(cipher, iv, text),
        (Mode::Cfb1, Some(iv)) => {
            bits::to_bytes(&cfb::decrypt_1(cipher, iv, &bits::from_bytes(text)[..vector.bit_len]))
        }
        (Mode::Cfb8, Some(iv)) => cfb::decrypt_8(cipher, iv, text),
        (Mode::Cfb64, Some(iv)) => cfb::decrypt_64(cipher, iv, text),
        (Mode::Ofb, Some(iv)) => ofb::crypt(cipher, iv, text),
        other => panic!("{}: {other:?}", vector.place),
    }
}

fn check(vectors: &[Vector]) -> usize {
    for vector in vectors {
        let [key1, key2, key3] = vector.keys;
        let cipher = Tdea::option1(key1, key2, key3);
        assert_eq!(encrypt(vector, &cipher), vector.ciphertext, "{}", vector.place);
        assert_eq!(decrypt(vector, &cipher), vector.plaintext, "{}", vector.place);
    }
    vectors.len()
}

#[test]
fn known_answers() {
    // 235 in each direction of each of 6 modes.
    assert_eq!(check(&rsp::known_answers()), 2 * 6 * 235);
}

#[test]
fn known_answers_with_keying_option_3_are_those_of_des() {
    use cipherloom_spec::des::Des;
    let vectors = rsp::known_answers();
    let mut count = 0;
    for vector in vectors.iter().filter(|vector| vector.mode == Mode::Ecb) {
        let [key, key2, key3] = vector.keys;
        assert!(key == key2 && key == key3, "{}", vector.place);
        for ciphertext in [
            ecb::encrypt(&Des::new(key), &vector.plaintext),
            ecb::encrypt(&Tdea::option3(key), &vector.plaintext),
            ecb::encrypt(&Tdea::option2(key, key), &vector.plaintext),
        ] {
            assert_eq!(ciphertext, vector.ciphertext, "{}", vector.place);
        }
        count += 1;
    }
    assert_eq!(count, 2 * 235);
}

#[test]
fn multi_block_messages() {
    // 10 in each direction of each of 6 modes, for two keying options.
    assert_eq!(check(&rsp::multi_block_messages()), 2 * 2 * 6 * 10);
}
