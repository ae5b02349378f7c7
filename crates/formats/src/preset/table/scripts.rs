//! PHP, JavaScript, Perl, Ruby, and one file.

use crate::derivation::{Derivation, Digest, Method};
use crate::encoding::Encoding;
use crate::preset::row::{
    Charset, Ciphers, Container, Evidence, Fill, IvFrom, KeyFit, KeyFrom, PLAIN, Preset,
    SecretKind, Text,
};

const MCRYPT: Preset = Preset {
    source: "phpseclib/mcrypt_compat; PHP 8.2 with mcrypt 1.0.5",
    evidence: Evidence::Checked,
    text: Text::As(Encoding::Hex),
    secret: SecretKind::Key(Encoding::Text, KeyFit::ZeroPadded),
    iv: IvFrom::GivenZeroPadded,
    fill: Fill::Zeros,
    ..PLAIN
};

const CRYPTOJS: Preset = Preset {
    source: "CryptoJS and CyberChef's tests",
    evidence: Evidence::Checked,
    text: Text::As(Encoding::Base64),
    container: Container::Salted,
    key: KeyFrom::OpenSsl(Derivation { digest: Digest::Md5, method: Method::BytesToKey }),
    iv: IvFrom::Derived,
    charset: Charset::Utf8,
    ..PLAIN
};

/// Bytes of key that CryptoJS derives for RC4.
const RC4_KEY: usize = 32;

/// 192 words of 4 bytes.
const DROPPED: u64 = 768;

/// What DES takes. VNC's sources have the bits of each byte in reverse order.
const VNC_KEY: &[u8] = &[0xe8, 0x4a, 0xd6, 0x60, 0xc4, 0x72, 0x1a, 0xe0];

/// A key in place of a password. The caller gives the IV.
const CRYPTOJS_KEY: Preset = Preset {
    source: "CryptoJS 4.2.0 and 3.1.9",
    evidence: Evidence::Checked,
    text: Text::As(Encoding::Base64),
    secret: SecretKind::Key(Encoding::Hex, KeyFit::LeadingTwoKeys),
    ciphers: Ciphers::Of(&["des-ede3-cbc", "des-cbc", "des-ede3-ecb", "des-ecb"]),
    iv: IvFrom::Given,
    charset: Charset::Utf8,
    ..PLAIN
};

pub(super) static ROWS: [Preset; 13] = [
    Preset {
        name: "php-mcrypt",
        written_by: "PHP's mcrypt with tripledes (cfb is des-ede3-cfb8, ncfb des-ede3-cfb, nofb des-ede3-ofb)",
        ciphers: Ciphers::Of(&[
            "des-ede3-cbc",
            "des-ede3-ecb",
            "des-ede3-cfb8",
            "des-ede3-cfb",
            "des-ede3-ofb",
        ]),
        ..MCRYPT
    },
    Preset {
        name: "php-mcrypt-des",
        written_by: "PHP's mcrypt with des",
        ciphers: Ciphers::Of(&["des-cbc", "des-ecb", "des-cfb8", "des-cfb", "des-ofb"]),
        ..MCRYPT
    },
    Preset {
        name: "php-mcrypt-rc4",
        written_by: "PHP's mcrypt with arcfour",
        iv: IvFrom::Zero,
        ciphers: Ciphers::Rc4 { key: RC4_KEY, drop: 0 },
        ..MCRYPT
    },
    Preset {
        name: "redsys",
        written_by: "shops that pay by Redsys: the key of an order",
        source: "bcurtu/django-sermepa",
        text: Text::As(Encoding::Base64),
        secret: SecretKind::Key(Encoding::Base64, KeyFit::Exact),
        ciphers: Ciphers::Of(&["des-ede3-cbc"]),
        iv: IvFrom::Zero,
        ..MCRYPT
    },
    Preset {
        name: "cryptojs",
        written_by: "CryptoJS with a password: TripleDES, DES",
        ciphers: Ciphers::Of(&["des-ede3-cbc", "des-cbc"]),
        ..CRYPTOJS
    },
    Preset {
        name: "cryptojs-rc4",
        written_by: "CryptoJS with a password: RC4",
        ciphers: Ciphers::Rc4 { key: RC4_KEY, drop: 0 },
        ..CRYPTOJS
    },
    Preset {
        name: "cryptojs-rc4drop",
        written_by: "CryptoJS with a password: RC4Drop",
        ciphers: Ciphers::Rc4 { key: RC4_KEY, drop: DROPPED },
        ..CRYPTOJS
    },
    Preset {
        name: "cryptojs-key",
        written_by: "CryptoJS since 4.0 with a key: TripleDES, DES",
        ..CRYPTOJS_KEY
    },
    Preset {
        name: "cryptojs-3-key",
        written_by: "CryptoJS until 3 with a key: TripleDES, DES",
        secret: SecretKind::Key(Encoding::Hex, KeyFit::ZeroPadded),
        ..CRYPTOJS_KEY
    },
    Preset {
        name: "cryptojs-key-rc4",
        written_by: "CryptoJS with a key: RC4",
        ciphers: Ciphers::Rc4 { key: RC4_KEY, drop: 0 },
        ..CRYPTOJS_KEY
    },
    Preset {
        name: "crypt-cbc-randomiv",
        evidence: Evidence::Checked,
        written_by: "Perl's Crypt::CBC until 2.16",
        source: "Crypt::CBC's Changes, Crypt::CBC 3.04",
        container: Container::RandomIv,
        key: KeyFrom::CryptCbc,
        ciphers: Ciphers::Of(&["des-cbc", "des-ede3-cbc"]),
        iv: IvFrom::Container,
        ..PLAIN
    },
    Preset {
        name: "ruby",
        evidence: Evidence::Checked,
        written_by: "Ruby's OpenSSL::Cipher with pkcs5_keyivgen",
        source: "Ruby's ext/openssl/ossl_cipher.c, Ruby 3.1",
        key: KeyFrom::BytesToKey(Digest::Md5, 2048),
        ciphers: Ciphers::Of(&["des-ede3-cbc", "des-cbc"]),
        iv: IvFrom::Derived,
        ..PLAIN
    },
    Preset {
        name: "vnc",
        written_by: "VNC servers, their password file",
        source: "pages on the file",
        evidence: Evidence::Checked,
        text: Text::As(Encoding::Hex),
        secret: SecretKind::None,
        key: KeyFrom::Constant(VNC_KEY),
        ciphers: Ciphers::Of(&["des-ecb"]),
        fill: Fill::Zeros,
        ..PLAIN
    },
];
