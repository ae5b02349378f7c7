//! Files whose header names all: as people paste them, of other ciphers, and damaged.

use cipherloom_formats::preset::{Fault, Given, Outcome, Preset, Witness};
use cipherloom_formats::recognise::recognise;

use crate::known::hex;

/// OpenSSL 3.0.19: openssl pkcs8 -topk8 -v2 des3.
const PKCS8: &str = "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGKME4GCSqGSIb3DQEFDTBBMCkGCSqGSIb3DQEFDDAcBAjsa23fFMtoEQICCAAw
DAYIKoZIhvcNAgkFADAUBggqhkiG9w0DBwQIZa98IHbnHG0EOMrPFN9iVvYmqBPN
k6MvHQklP4UIz+ODwDD04LTg19dETkzjN/QilbH+hqMTkOcXt+EJLU0dFmD4
-----END ENCRYPTED PRIVATE KEY-----
";

/// The same program: openssl pkey -traditional -des.
const PEM: &str = "-----BEGIN EC PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: DES-CBC,CD12961FB60A5B6E

Qh5/5+0/D4xAU6UZEULbD1nDJbkYeCnFBhqmyD1Abo9p3oUhQZ58W3O+qQX0ISsZ
tHDl77EYvfA1d1uVrJsdha35qKizrf0BbW1FhIlqQp6BI6pMELTw+u58cY+Oi5Xh
MSFk7KBWjEXFsahwpm0vPI8eUk5nd5xNCygtwtgfgSE=
-----END EC PRIVATE KEY-----
";

fn open(preset: &str, value: &[u8]) -> Outcome {
    Preset::find(preset).unwrap().open(&Given::secret(b"Passw0rd"), value).unwrap()
}

#[test]
fn pem_is_recognised_and_opened_as_it_is_pasted() {
    for (text, name) in [(PKCS8, "pkcs8"), (PEM, "pem")] {
        let plain = open(name, text.as_bytes());
        assert!(matches!(&plain, Outcome::Decrypted(text) if text.witness == Witness::Structure));
        let windows = text.replace('\n', "\r\n");
        let indented = text.replace('\n', "\n    ");
        let among = format!("# a key\nAttributes: none\n{text}\nand a word behind it");
        for pasted in [windows.as_str(), &indented, text.trim_end(), &among] {
            assert_eq!(open(name, pasted.as_bytes()), plain, "{pasted}");
            let guesses = recognise(pasted.as_bytes());
            assert_eq!(guesses[0].preset.map(|preset| preset.name), Some(name), "{pasted}");
            assert!(guesses.iter().all(|guess| guess.preset.is_some()), "{guesses:?}");
        }
    }
}

#[test]
fn keys_of_other_kinds_say_what_they_are() {
    assert!(matches!(open("pem", PKCS8.as_bytes()), Outcome::Other("pkcs8", _)));
    assert!(matches!(open("pkcs8", PEM.as_bytes()), Outcome::Other("pem", _)));
    let aes = PEM.replace("DES-CBC,", "AES-128-CBC,0011223344556677");
    assert!(matches!(open("pem", aes.as_bytes()), Outcome::Other("", _)));
    let plain = "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----";
    for name in ["pem", "pkcs8"] {
        assert!(matches!(open(name, plain.as_bytes()), Outcome::PassedThrough(_)));
        assert!(matches!(open(name, b"no key"), Outcome::Damaged(_)));
    }
    // AES-256-CBC in place of des-EDE3-CBC, and scrypt in place of PBKDF2.
    let der = "308187304b06092a864886f70d01050d303e302906092a864886f70d01050c301c0408350ffbfb840a3c\
        9702020800300c06082a864886f70d02090500301106052b0e0302070408f23c9d4e587c5b9d043883048e\
        9afb659e2c860ea17f35ec1d0b91bf0befcdeac406433af79d3388a1f05d99cb28dfc40ccab6d773fbed94\
        e8dc6d28c9c13aef0ba8";
    let der = hex(&der.replace(' ', ""));
    assert!(matches!(open("pkcs8", &der), Outcome::Decrypted(_)));
    let with = |from: &[u8], to: &[u8]| {
        let at = der.windows(from.len()).position(|part| part == from).unwrap();
        let mut changed = der.clone();
        changed[at..at + to.len()].copy_from_slice(to);
        open("pkcs8", &changed)
    };
    let [des, other] = [[0x2b, 0x0e, 0x03, 0x02, 0x07], [0x2b, 0x0e, 0x03, 0x02, 0x1a]];
    assert!(matches!(with(&des, &other), Outcome::Other("", _)));
    // A count of nobody's, and of nothing.
    assert_eq!(with(&[2, 2, 8, 0], &[2, 2, 0, 0]), Outcome::Damaged(Fault::Structure));
    assert_eq!(with(&[2, 2, 8, 0], &[2, 2, 8, 1]), Outcome::WrongKey);
    let mut long = hex("301f301b06092a864886f70d010503300e0406aabbccddeeff02047fffffff04");
    long.extend([0]);
    assert_eq!(open("pkcs8", &long), Outcome::Damaged(Fault::Count { count: 0x7fff_ffff }));
}

#[test]
fn files_of_mcrypt_say_what_is_not_here() {
    let file = |names: &str| {
        let names = names.replace(' ', "\0");
        [
            b"\0m\x03\x40",
            names.as_bytes(),
            b"\0\x18\0cbc\0mcrypt-sha1\0\x09saltsaltsha1\0",
            &[7; 48],
        ]
        .concat()
    };
    assert_eq!(open("mcrypt", &file("tripledes")), Outcome::WrongKey);
    let other = open("mcrypt", &file("rijndael-128"));
    assert!(matches!(other, Outcome::Other("", _)), "{other}");
    assert!(recognise(&file("rijndael-128"))[0].why.contains("mcrypt"));
    let mut old = file("tripledes");
    old[2] = 2;
    assert_eq!(open("mcrypt", &old), Outcome::Damaged(Fault::Header));
    // Its algorithm has no end, and a flag nobody knows.
    assert_eq!(open("mcrypt", b"\0m\x03\x40tripledes"), Outcome::Damaged(Fault::Structure));
    assert_eq!(open("mcrypt", b"\0m\x03\x41des\0"), Outcome::Damaged(Fault::Structure));
}
