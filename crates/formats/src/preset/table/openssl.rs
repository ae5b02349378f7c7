//! `openssl enc`, and what writes like it.

use crate::derivation::{DEFAULT_COUNT, Derivation, Digest, Method};
use crate::preset::row::{Container, Evidence, IvFrom, KeyFrom, PLAIN, Preset};

const SALTED: Preset = Preset {
    source: "OpenSSL's apps/enc.c and its changelog",
    evidence: Evidence::Checked,
    container: Container::Salted,
    iv: IvFrom::Derived,
    ..PLAIN
};

const fn bytes_to_key(digest: Digest) -> KeyFrom {
    KeyFrom::OpenSsl(Derivation { digest, method: Method::BytesToKey })
}

pub(super) static ROWS: [Preset; 4] = [
    Preset {
        name: "openssl-1.0",
        written_by: "openssl enc until 1.0.2, by default; Crypt::CBC since 2.17",
        key: bytes_to_key(Digest::Md5),
        ..SALTED
    },
    Preset {
        name: "openssl-1.1",
        written_by: "openssl enc since 1.1.0 (2016), by default",
        key: bytes_to_key(Digest::Sha256),
        ..SALTED
    },
    Preset {
        name: "openssl-sha1",
        written_by: "openssl enc -md sha1",
        key: bytes_to_key(Digest::Sha1),
        ..SALTED
    },
    Preset {
        name: "openssl-pbkdf2",
        written_by: "openssl enc -pbkdf2, since 1.1.1 (2018)",
        key: KeyFrom::OpenSsl(Derivation {
            digest: Digest::Sha256,
            method: Method::Pbkdf2(DEFAULT_COUNT),
        }),
        ..SALTED
    },
];
