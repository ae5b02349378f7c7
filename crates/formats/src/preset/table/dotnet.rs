//! .NET, CryptoAPI and what stands on them.

use crate::derivation::Digest;
use crate::encoding::Encoding;
use crate::preset::row::{
    Charset, Ciphers, Evidence, Inner, IvFrom, KeyFit, KeyFrom, PLAIN, Preset, SecretKind, Text,
};

const DOTNET: Preset = Preset { text: Text::As(Encoding::Base64), ..PLAIN };

/// nopCommerce's: a key of ASCII characters, and the IV among them.
const NOP: Preset = Preset {
    source: "nopCommerce's EncryptionService; called alike in Mono 6.8",
    evidence: Evidence::Checked,
    iv: IvFrom::Secret(8..16),
    charset: Charset::Utf16Le,
    ..DOTNET
};

/// Passwords of users, behind a salt of 16 bytes.
const MEMBERSHIP: Preset = Preset {
    secret: SecretKind::Key(Encoding::Hex, KeyFit::TwoKeys),
    ciphers: Ciphers::Of(&["des-ede3-cbc", "des-cbc"]),
    inner: Inner::Salt(16),
    charset: Charset::Utf16Le,
    ..DOTNET
};

pub(super) static ROWS: [Preset; 8] = [
    Preset {
        name: "dotnet-md5",
        written_by: ".NET programs with the snippet that takes MD5 of a password as a key",
        source: "the snippet, on many pages; Mono 6.8",
        evidence: Evidence::Checked,
        key: KeyFrom::Hash(Digest::Md5),
        ciphers: Ciphers::Of(&["des-ede-ecb", "des-ede-cbc"]),
        charset: Charset::Utf8,
        ..DOTNET
    },
    Preset {
        name: "dotnet-password",
        written_by: ".NET programs with PasswordDeriveBytes and GetBytes, by its defaults",
        source: "stackoverflow 13402856, Mono's tests, Mono 6.8",
        evidence: Evidence::Checked,
        key: KeyFrom::PasswordDeriveBytes(Digest::Sha1, 100),
        ciphers: Ciphers::Of(&["des-ede3-cbc", "des-ede-cbc", "des-cbc"]),
        iv: IvFrom::Derived,
        ..DOTNET
    },
    Preset {
        name: "cryptoapi-sha1",
        written_by: "CryptoAPI's CryptDeriveKey with SHA-1: .NET, VB6, Delphi",
        source: "stackoverflow 13402856, Mono's tests; Wine 8.0",
        evidence: Evidence::Checked,
        key: KeyFrom::CryptDeriveKey(Digest::Sha1),
        ciphers: Ciphers::Of(&["des-ede3-cbc", "des-cbc", "rc4"]),
        ..DOTNET
    },
    Preset {
        name: "cryptoapi-md5",
        written_by: "CryptoAPI's CryptDeriveKey with MD5: VB6, Delphi",
        source: "as cryptoapi-sha1, with the other digest; Wine 8.0",
        evidence: Evidence::Checked,
        key: KeyFrom::CryptDeriveKey(Digest::Md5),
        ciphers: Ciphers::Of(&["des-ede3-cbc", "des-cbc", "rc4"]),
        ..DOTNET
    },
    Preset {
        name: "nopcommerce",
        written_by: "nopCommerce and shops made from it",
        secret: SecretKind::Key(Encoding::Text, KeyFit::Leading),
        ciphers: Ciphers::Of(&["des-ede-cbc"]),
        ..NOP
    },
    Preset {
        name: "grandnode",
        written_by: "GrandNode",
        secret: SecretKind::Key(Encoding::Text, KeyFit::Leading),
        ciphers: Ciphers::Of(&["des-ede3-cbc"]),
        iv: IvFrom::Secret(16..24),
        ..NOP
    },
    Preset {
        name: "aspnet-membership",
        written_by: "ASP.NET Membership and DotNetNuke, passwordFormat=2",
        source: "ASP.NET's sources: SqlMembershipProvider, MembershipAdapter",
        ..MEMBERSHIP
    },
    Preset {
        name: "aspnet-membership-mono",
        written_by: "ASP.NET Membership in Mono, passwordFormat=2",
        source: "Mono 6.8",
        evidence: Evidence::Checked,
        // An IV comes first: by another one, it is a block of noise.
        inner: Inner::Salt(8 + 16),
        ..MEMBERSHIP
    },
];
