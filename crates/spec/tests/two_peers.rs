//! Ciphertext stealing, wrapping CTR, DESX and EEE: what two peers agree on.

use cipherloom_spec::BlockCipher;
use cipherloom_spec::des::Des;
use cipherloom_spec::desx::Desx;
use cipherloom_spec::modes::{cbc, cbc_cs, ctr, ecb};
use cipherloom_spec::tdea::{Tdea, TdeaEee};
use cipherloom_testkit::extra::{self, Cipher, CipherVector, Mode};

/// The cipher of a vector; its key must have as many blocks as the cipher takes.
fn cipher(vector: &CipherVector) -> Box<dyn BlockCipher> {
    let (keys, rest) = vector.key.as_chunks::<8>();
    assert!(rest.is_empty(), "{}", vector.place);
    match (vector.cipher, keys) {
        (Cipher::Des, &[key]) => Box::new(Des::new(key)),
        (Cipher::Tdea2, &[key1, key2]) => Box::new(Tdea::option2(key1, key2)),
        (Cipher::Tdea3, &[key1, key2, key3]) => Box::new(Tdea::option1(key1, key2, key3)),
        (Cipher::Eee2, &[key1, key2]) => Box::new(TdeaEee::eee2(key1, key2)),
        (Cipher::Eee3, &[key1, key2, key3]) => Box::new(TdeaEee::eee3(key1, key2, key3)),
        (Cipher::Desx, &[k, k1, k2]) => Box::new(Desx::new(k, k1, k2)),
        _ => panic!("{}: a key of another length", vector.place),
    }
}

fn encrypt(vector: &CipherVector, cipher: &impl BlockCipher) -> Vec<u8> {
    let text = &vector.plaintext[..];
    match (vector.mode, vector.iv) {
        (Mode::Ecb, None) => ecb::encrypt(cipher, text),
        (Mode::Cbc, Some(iv)) => cbc::encrypt(cipher, iv, text),
        (Mode::CbcCs1, Some(iv)) => cbc_cs::encrypt_cs1(cipher, iv, text),
        (Mode::CbcCs2, Some(iv)) => cbc_cs::encrypt_cs2(cipher, iv, text),
        (Mode::CbcCs3, Some(iv)) => cbc_cs::encrypt_cs3(cipher, iv, text),
        (Mode::Ctr, Some(iv)) => ctr::crypt(cipher, iv, text),
        other => panic!("{}: {other:?}", vector.place),
    }
}

fn decrypt(vector: &CipherVector, cipher: &impl BlockCipher) -> Vec<u8> {
    let text = &vector.ciphertext[..];
    match (vector.mode, vector.iv) {
        (Mode::Ecb, None) => ecb::decrypt(cipher, text),
        (Mode::Cbc, Some(iv)) => cbc::decrypt(cipher, iv, text),
        (Mode::CbcCs1, Some(iv)) => cbc_cs::decrypt_cs1(cipher, iv, text),
        (Mode::CbcCs2, Some(iv)) => cbc_cs::decrypt_cs2(cipher, iv, text),
        (Mode::CbcCs3, Some(iv)) => cbc_cs::decrypt_cs3(cipher, iv, text),
        (Mode::Ctr, Some(iv)) => ctr::crypt(cipher, iv, text),
        other => panic!("{}: {other:?}", vector.place),
    }
}

#[test]
fn ciphers_and_modes() {
    let vectors = extra::cipher_vectors();
    for vector in &vectors {
        let cipher = cipher(vector);
        assert_eq!(encrypt(vector, &cipher), vector.ciphertext, "{}", vector.place);
        assert_eq!(decrypt(vector, &cipher), vector.plaintext, "{}", vector.place);
    }
    let of = |mode| vectors.iter().filter(|vector| vector.mode == mode).count();
    let modes = [Mode::CbcCs1, Mode::CbcCs2, Mode::CbcCs3, Mode::Ctr, Mode::Cbc, Mode::Ecb];
    assert_eq!(modes.map(of), [42, 42, 42, 90, 15, 30]);
}
