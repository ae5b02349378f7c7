//! What a preset is: a row that says all that a program fixes. The caller gives the rest
//! ([`Given`](super::Given)).

use std::ops::Range;

use crate::derivation::{Derivation, Digest, KeyMode, Variant};
use crate::encoding::Encoding;

/// A way in which a program wrote data.
#[derive(Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// The program that writes so, and since when or until when.
    pub written_by: &'static str,
    /// Where the definition comes from.
    pub source: &'static str,
    /// How sure the definition is.
    pub evidence: Evidence,
    /// How a value is written, unless the caller says otherwise.
    pub text: Text,
    /// What stands around the ciphertext.
    pub container: Container,
    /// What the caller gives as the secret.
    pub secret: SecretKind,
    /// From the secret to the key.
    pub key: KeyFrom,
    /// The ciphers that it may be.
    pub ciphers: Ciphers,
    /// Where the IV comes from, if the mode has one.
    pub iv: IvFrom,
    /// How ECB and CBC fill the last block.
    pub fill: Fill,
    /// What stands around the plaintext, inside the encryption.
    pub inner: Inner,
    /// What the plaintext is.
    pub charset: Charset,
}

/// How sure a definition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// What the real software wrote is opened by a test.
    Checked,
    /// Written down from sources that were read; no value of the real software was at hand.
    Sources,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// As text, or [`Encoding::Text`]: the bytes themselves.
    As(Encoding),
    /// As text, with these around it or without. What has neither them nor the form of such a text is
    /// not encrypted.
    Wrapped(&'static str, &'static str, Encoding),
}

/// What stands around a ciphertext.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// Nothing.
    None,
    /// `Salted__` and a salt before it: [`salted`](crate::salted).
    Salted,
    /// `RandomIV` and an IV of 8 bytes before it.
    RandomIv,
    /// A salt of 8 bytes before it.
    Salt,
    /// SQL Server's version, 1 or 2, as 4 bytes, and an IV of a block.
    SqlServer(u8),
    /// A GUID, SQL Server's version as 4 bytes, and an IV of 8.
    SqlServerKey,
    /// MySQL's first byte: 80 and the number of a key, or FF.
    MySql,
    /// SQL Developer's 05 and a key of 8 bytes.
    SqlDeveloper,
    /// PEM whose header `DEK-Info` names cipher and IV.
    Pem,
    /// PKCS#8's structure, in PEM or DER, which names all.
    Pkcs8,
    /// The header of mcrypt's files, which names all.
    Mcrypt,
}

/// What the caller gives as the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    /// Nothing: the key is known.
    None,
    /// A password in UTF-8, or bytes where it is not to be turned into another encoding.
    Password(PasswordAs),
    /// A key, as it is usually written.
    Key(Encoding, KeyFit),
}

/// How a password is turned into bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordAs {
    /// As it is given.
    Bytes,
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first, and a NUL.
    Utf16BeNul,
}

/// What is done with a key of another length than the cipher's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFit {
    /// It is an error.
    Exact,
    /// 16 bytes for Triple-DES with three keys are K1 K2 K1. Others are an error.
    TwoKeys,
    /// As many bytes as the cipher takes, and the rest is ignored. Fewer are an error.
    Leading,
    /// The same, and 16 to 23 bytes for three keys are K1 K2 K1.
    LeadingTwoKeys,
    /// Zeros fill it up, or it is cut.
    ZeroPadded,
    /// So many bytes, whatever the cipher takes: the key is derived from them.
    Bytes(usize),
}

/// From the secret to the key.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFrom {
    /// It is the key.
    Secret,
    /// Everybody's key.
    Constant(&'static [u8]),
    /// The container has it.
    Container,
    /// The container names the way.
    Named,
    /// The first bytes of the digest of the password.
    Hash(Digest),
    /// OpenSSL's ways; the IV follows the key.
    OpenSsl(Derivation),
    /// The same: `EVP_BytesToKey` with another count than 1.
    BytesToKey(Digest, u32),
    /// Of MySQL: `EVP_BytesToKey` with MD5, and of a key file the key that the value names.
    MySql,
    /// PBKDF1 with this count: 8 bytes of key, 8 of IV.
    Pbkdf1(Digest, u32),
    /// Sun's for Triple-DES, with this count: 24 bytes of key, 8 of IV.
    JasyptHalves(u32),
    /// PKCS#12's with SHA-1 and this count.
    Pkcs12(u32),
    /// .NET's `PasswordDeriveBytes` with this count: a call for the key, one for the IV.
    PasswordDeriveBytes(Digest, u32),
    /// CryptoAPI's.
    CryptDeriveKey(Digest),
    /// Of Crypt::CBC before 2.17.
    CryptCbc,
    /// Of the command mcrypt, and how many bytes: zeros fill up.
    Mcrypt(KeyMode, usize),
    /// DUKPT: the secret is the BDK, the salt the KSN.
    Dukpt(Variant),
}

/// The ciphers that data of a preset may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ciphers {
    /// Any that [`Cipher`](crate::Cipher) knows: the caller says which.
    Any,
    /// The container names it.
    Named,
    /// One of these, by name. The first is the one that the caller need not name.
    Of(&'static [&'static str]),
    /// RC4 with a key of so many bytes, after so many bytes of key stream that are not used.
    Rc4 {
        /// Bytes of key.
        key: usize,
        /// Bytes of key stream before the first that is used.
        drop: u64,
    },
    /// ColdFusion's `CFMX_COMPAT`, a stream: not ours, and in the same columns.
    CfmxCompat,
    /// AES with keys of 256 bits in CBC: not ours, and in the same columns.
    Aes256Cbc,
}

/// Where an IV comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IvFrom {
    /// It is zeros.
    Zero,
    /// It is the same for all.
    Constant([u8; 8]),
    /// The container has it.
    Container,
    /// It is derived with the key, unless the container has it.
    Derived,
    /// These bytes of the secret.
    Secret(Range<usize>),
    /// The caller gives it.
    Given,
    /// The caller gives it, or it is zeros; zeros fill it up, or it is cut.
    GivenZeroPadded,
}

/// How the last block is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// PKCS#7.
    Pkcs7,
    /// Zeros, as few as needed. What is removed are zeros, as many as there are.
    Zeros,
    /// MySQL's: `*`, and in the last byte how many were added, 1 to 8.
    Stars,
    /// mcrypt's: any bytes, 1 to 8, and in the last how many of its block are none of them.
    Mcrypt,
    /// Nothing: the message has whole blocks. Programs filled it up with what they liked.
    None,
}

/// What stands around a plaintext, inside the encryption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner {
    /// Nothing.
    None,
    /// SQL Server's magic number and lengths.
    SqlServer,
    /// So many bytes of salt before it.
    Salt(usize),
    /// Its digest behind it; the container names which.
    Digest,
}

/// What a plaintext is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Bytes: the program does not say.
    Bytes,
    /// Text in UTF-8.
    Utf8,
    /// Text in UTF-16, low byte first.
    Utf16Le,
    /// A structure in DER, a private key: its length is in its first bytes.
    Der,
    /// The PIN's part of a PIN block of format 0: 0, the number of digits, the digits, and F to fill up.
    Pin,
}

/// What most rows have.
pub(super) const PLAIN: Preset = Preset {
    name: "",
    written_by: "",
    source: "",
    evidence: Evidence::Sources,
    text: Text::As(Encoding::Text),
    container: Container::None,
    secret: SecretKind::Password(PasswordAs::Bytes),
    key: KeyFrom::Secret,
    ciphers: Ciphers::Any,
    iv: IvFrom::Zero,
    fill: Fill::Pkcs7,
    inner: Inner::None,
    charset: Charset::Bytes,
};
