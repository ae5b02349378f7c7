//! Private keys that OpenSSL wrote, with headers in PEM and as PKCS#8.

use cipherloom_formats::preset::{Given, Outcome, Preset, Witness};
use cipherloom_formats::recognise::recognise;
use cipherloom_testkit::peers::{self, Openssl};
use cipherloom_testkit::rng::Rng;

/// Of several lengths.
const KEYS: [&[&str]; 4] = [
    &["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
    &["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp521r1"],
    &["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"],
    &["genpkey", "-algorithm", "ED25519"],
];

const PEM: [&str; 6] = ["-des", "-des3", "-des-ede-cbc", "-des-ede3-cfb", "-des-ofb", "-desx-cbc"];

/// PBES1 and PKCS#12's ways; PBES2 with its ciphers, digests and counts.
const PKCS8: [&[&str]; 13] = [
    &["-v1", "PBE-MD5-DES"],
    &["-v1", "PBE-SHA1-DES"],
    &["-v1", "PBE-SHA1-3DES"],
    &["-v1", "PBE-SHA1-2DES"],
    &["-v1", "PBE-SHA1-RC4-128"],
    &["-v1", "PBE-SHA1-RC4-40"],
    &["-v2", "des"],
    &["-v2", "des3"],
    &["-v2", "rc4"],
    &["-v2", "des3", "-v2prf", "hmacWithSHA1", "-iter", "1"],
    &["-v2", "des3", "-v2prf", "hmacWithMD5", "-iter", "1000"],
    &["-v2", "des3", "-v2prf", "hmacWithSHA512", "-iter", "5000"],
    &["-v2", "des", "-v2prf", "hmacWithSHA224", "-iter", "300"],
];

const PROVIDERS: [&str; 4] = ["-provider", "legacy", "-provider", "default"];

fn run(openssl: &Openssl, words: &[&str], input: &[u8]) -> Vec<u8> {
    openssl
        .run(&[words, &PROVIDERS].concat(), input)
        .unwrap_or_else(|wrong| panic!("{words:?}: {wrong}"))
}

/// The file is recognised, opened, and not opened with another password.
fn opens(preset: &'static str, file: &[u8], password: &str, expected: &[u8], told: &str) {
    let row = Preset::find(preset).unwrap();
    let opened = row.open(&Given::secret(password.as_bytes()), file).unwrap();
    let Outcome::Decrypted(plaintext) = &opened else { panic!("{told}: {opened}") };
    assert_eq!(*plaintext.bytes, expected, "{told}");
    assert_eq!(plaintext.witness, Witness::Structure, "{told}");
    let wrong = row.open(&Given::secret(b"another"), file).unwrap();
    assert_eq!(wrong, Outcome::WrongKey, "{told}");
    let first = recognise(file).into_iter().next().and_then(|guess| guess.preset);
    assert_eq!(first.map(|preset| preset.name), Some(preset), "{told}");
}

#[test]
fn rare_openssl() {
    let Some(openssl) = peers::openssl() else { return };
    let mut rng = Rng::new(0x5eed);
    let mut count = 0;
    for key in KEYS {
        let key = run(openssl, key, b"");
        let passwords = ["x", "Gr\u{fc}n \u{20ac} 12", "a longer password with spaces in it"];
        let mut password = || *rng.choose(&passwords);
        let traditional = ["pkey", "-traditional"];
        let is_ed25519 = key.len() < 150;
        for cipher in PEM.into_iter().filter(|_| !is_ed25519) {
            let password = password();
            let pass = format!("pass:{password}");
            let file =
                run(openssl, &[&traditional[..], &[cipher, "-passout", &pass]].concat(), &key);
            let plain = run(openssl, &[&traditional[..], &["-outform", "DER"]].concat(), &key);
            opens("pem", &file, password, &plain, cipher);
            count += 1;
        }
        let plain = run(openssl, &["pkcs8", "-topk8", "-nocrypt", "-outform", "DER"], &key);
        for way in PKCS8 {
            for form in ["PEM", "DER"] {
                let password = password();
                let pass = format!("pass:{password}");
                let words =
                    [&["pkcs8", "-topk8", "-outform", form, "-passout", &pass], way].concat();
                let file = run(openssl, &words, &key);
                opens("pkcs8", &file, password, &plain, &way.join(" "));
                count += 1;
            }
        }
    }
    println!("{count} keys opened");
}
