//! The specification against OpenSSL's command, over lengths around one and two blocks.
//!
//! OpenSSL's `cfb1` command works on whole bytes, all 8 bits of each, as CFB-1 of a bit string
//! whose length is a multiple of 8.

use cipherloom_spec::des::Des;
use cipherloom_spec::desx::Desx;
use cipherloom_spec::modes::{cbc, cfb, ecb, ofb};
use cipherloom_spec::padding::pad_pkcs7;
use cipherloom_spec::rc4::Rc4;
use cipherloom_spec::tdea::Tdea;
use cipherloom_spec::{Block, BlockCipher, bits};
use cipherloom_testkit::peers::{self, Openssl};
use cipherloom_testkit::rng::Rng;

const LENGTHS: [usize; 7] = [0, 1, 7, 8, 9, 16, 45];

/// The ciphertext that OpenSSL makes.
fn peer(openssl: &Openssl, cipher: &str, key: &[u8], iv: Block, text: &[u8]) -> Vec<u8> {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let name = format!("-{cipher}");
    let mut options = vec![name.as_str(), "-K"];
    let (key, iv) = (hex(key), hex(&iv));
    options.push(&key);
    if !["des-ecb", "des-ede", "des-ede3", "rc4"].contains(&cipher) {
        options.extend(["-iv", &iv]);
    }
    openssl.enc(&options, text).unwrap_or_else(|wrong| panic!("{cipher}: {wrong}"))
}

/// Every mode that OpenSSL has of one cipher; `ecb` is its name in ECB, `name` that in the others.
fn check_modes(openssl: &Openssl, rng: &mut Rng, ecb: &str, name: &str, key_len: usize) -> usize {
    let mut count = 0;
    for len in LENGTHS {
        let (key, iv, text) = (rng.bytes(key_len), rng.array(), rng.bytes(len));
        let (keys, _) = key.as_chunks::<8>();
        let cipher = match *keys {
            [key] => Tdea::option3(key),
            [key1, key2] => Tdea::option2(key1, key2),
            [key1, key2, key3] => Tdea::option1(key1, key2, key3),
            _ => unreachable!("keys have 8, 16 or 24 bytes"),
        };
        let c = &cipher;
        let cfb1 = bits::to_bytes(&cfb::encrypt_1(c, iv, &bits::from_bytes(&text)));
        let padded = pad_pkcs7(&text);
        let mut ours = vec![
            (ecb.to_string(), ecb::encrypt(c, &padded)),
            (format!("{name}-cbc"), cbc::encrypt(c, iv, &padded)),
            (format!("{name}-cfb"), cfb::encrypt_64(c, iv, &text)),
            (format!("{name}-ofb"), ofb::crypt(c, iv, &text)),
        ];
        // OpenSSL has CFB-1 and CFB-8 for one and three keys only.
        if key_len != 16 {
            ours.push((format!("{name}-cfb1"), cfb1));
            ours.push((format!("{name}-cfb8"), cfb::encrypt_8(c, iv, &text)));
        }
        for (cipher, ciphertext) in ours {
            let theirs = peer(openssl, &cipher, &key, iv, &text);
            assert_eq!(ciphertext, theirs, "{cipher}, {len} bytes, key {key:02x?}");
            count += 1;
        }
    }
    count
}

#[test]
fn des_and_tdea() {
    let Some(openssl) = peers::openssl() else { return };
    let mut rng = Rng::new(46);
    let count = check_modes(openssl, &mut rng, "des-ecb", "des", 8)
        + check_modes(openssl, &mut rng, "des-ede", "des-ede", 16)
        + check_modes(openssl, &mut rng, "des-ede3", "des-ede3", 24);
    assert_eq!(count, (6 + 4 + 6) * LENGTHS.len());
}

#[test]
fn desx_and_rc4() {
    let Some(openssl) = peers::openssl() else { return };
    let mut rng = Rng::new(6229);
    for len in LENGTHS {
        let (k, k1, k2) = (rng.array(), rng.array(), rng.array());
        let (iv, text) = (rng.array(), rng.bytes(len));
        let ours = cbc::encrypt(&Desx::new(k, k1, k2), iv, &pad_pkcs7(&text));
        assert_eq!(ours, peer(openssl, "desx-cbc", &[k, k1, k2].concat(), iv, &text));

        let key = rng.bytes(16);
        assert_eq!(Rc4::new(&key).crypt(&text), peer(openssl, "rc4", &key, iv, &text));
    }
}

#[test]
fn decryption_undoes_encryption() {
    let mut rng = Rng::new(80_067);
    for len in 0..50 {
        let (cipher, iv) = (Des::new(rng.array()), rng.array());
        let text = rng.bytes(len);
        let block = rng.array();
        assert_eq!(cipher.decrypt(cipher.encrypt(block)), block);
        assert_eq!(cfb::decrypt_64(&cipher, iv, &cfb::encrypt_64(&cipher, iv, &text)), text);
        assert_eq!(cfb::decrypt_8(&cipher, iv, &cfb::encrypt_8(&cipher, iv, &text)), text);
        let bits = &bits::from_bytes(&text)[..(8 * len).saturating_sub(len % 8)];
        assert_eq!(cfb::decrypt_1(&cipher, iv, &cfb::encrypt_1(&cipher, iv, bits)), bits);
    }
}
