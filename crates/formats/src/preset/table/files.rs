//! Files whose header says how they are encrypted.

use crate::preset::row::{
    Charset, Ciphers, Container, Evidence, Fill, Inner, IvFrom, KeyFrom, PLAIN, Preset,
};

const FILE: Preset = Preset {
    evidence: Evidence::Checked,
    key: KeyFrom::Named,
    ciphers: Ciphers::Named,
    iv: IvFrom::Container,
    ..PLAIN
};

pub(super) static ROWS: [Preset; 3] = [
    Preset {
        name: "pem",
        written_by: "OpenSSL and OpenSSH, private keys in PEM with DEK-Info",
        source: "RFC 1421, OpenSSL's crypto/pem, OpenSSL 3.0",
        container: Container::Pem,
        charset: Charset::Der,
        ..FILE
    },
    Preset {
        name: "pkcs8",
        written_by: "OpenSSL, Java and others, private keys of PKCS#8 with PBES1, PBES2 or PKCS#12's way",
        source: "RFC 5958, RFC 8018, RFC 7292, OpenSSL 3.0",
        container: Container::Pkcs8,
        iv: IvFrom::Derived,
        charset: Charset::Der,
        ..FILE
    },
    Preset {
        name: "mcrypt",
        written_by: "the command mcrypt since 2.4, its .nc files",
        source: "mcrypt 2.6.8 and mhash 0.9.9.9",
        container: Container::Mcrypt,
        fill: Fill::Mcrypt,
        inner: Inner::Digest,
        ..FILE
    },
];
