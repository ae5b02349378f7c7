//! Java: JCE's encryption by password, as Jasypt writes it, and tools made with it.

use crate::derivation::Digest;
use crate::encoding::Encoding;
use crate::preset::row::{
    Charset, Ciphers, Container, Evidence, IvFrom, KeyFit, KeyFrom, PLAIN, PasswordAs, Preset,
    SecretKind, Text,
};

/// Jasypt's count by default.
const COUNT: u32 = 1000;

const JASYPT: Preset = Preset {
    source: "Jasypt and OpenJDK 17; sergueik/springboot_study",
    evidence: Evidence::Checked,
    text: Text::Wrapped("ENC(", ")", Encoding::Base64),
    container: Container::Salt,
    iv: IvFrom::Derived,
    charset: Charset::Utf8,
    ..PLAIN
};

const PKCS12: Preset = Preset {
    secret: SecretKind::Password(PasswordAs::Utf16BeNul),
    key: KeyFrom::Pkcs12(COUNT),
    ..JASYPT
};

const COLDFUSION: Preset = Preset {
    source: "stackoverflow 2817407, node-cf-encrypt, Lucee 5.4",
    evidence: Evidence::Checked,
    text: Text::As(Encoding::Uu),
    secret: SecretKind::Key(Encoding::Base64, KeyFit::LeadingTwoKeys),
    charset: Charset::Utf8,
    ..PLAIN
};

pub(super) static ROWS: [Preset; 9] = [
    Preset {
        name: "jasypt",
        written_by: "Jasypt by default, Java's PBEWithMD5AndDES",
        key: KeyFrom::Pbkdf1(Digest::Md5, COUNT),
        ciphers: Ciphers::Of(&["des-cbc"]),
        ..JASYPT
    },
    Preset {
        name: "jasypt-3des",
        written_by: "Jasypt with Java's PBEWithMD5AndTripleDES",
        key: KeyFrom::JasyptHalves(COUNT),
        ciphers: Ciphers::Of(&["des-ede3-cbc"]),
        ..JASYPT
    },
    Preset {
        name: "jasypt-sha1-3des",
        written_by: "Jasypt with Java's PBEWithSHA1AndDESede",
        ciphers: Ciphers::Of(&["des-ede3-cbc"]),
        ..PKCS12
    },
    Preset {
        name: "jasypt-rc4-128",
        written_by: "Jasypt with Java's PBEWithSHA1AndRC4_128",
        ciphers: Ciphers::Of(&["rc4"]),
        ..PKCS12
    },
    Preset {
        name: "jasypt-rc4-40",
        written_by: "Jasypt with Java's PBEWithSHA1AndRC4_40",
        ciphers: Ciphers::Of(&["rc4-40"]),
        ..PKCS12
    },
    Preset {
        name: "sqldeveloper-3",
        written_by: "Oracle SQL Developer until 3, passwords of connections",
        source: "known values on many pages",
        evidence: Evidence::Checked,
        text: Text::As(Encoding::Hex),
        container: Container::SqlDeveloper,
        secret: SecretKind::None,
        key: KeyFrom::Container,
        ciphers: Ciphers::Of(&["des-cbc"]),
        charset: Charset::Utf8,
        ..PLAIN
    },
    Preset {
        name: "coldfusion-desede",
        written_by: "ColdFusion's Encrypt with DESEDE",
        ciphers: Ciphers::Of(&["des-ede3-ecb"]),
        ..COLDFUSION
    },
    Preset {
        name: "coldfusion-des",
        written_by: "ColdFusion's Encrypt with DES",
        ciphers: Ciphers::Of(&["des-ecb"]),
        ..COLDFUSION
    },
    Preset {
        name: "coldfusion",
        written_by: "ColdFusion's Encrypt with CFMX_COMPAT, its default",
        secret: SecretKind::Password(PasswordAs::Bytes),
        ciphers: Ciphers::CfmxCompat,
        ..COLDFUSION
    },
];
