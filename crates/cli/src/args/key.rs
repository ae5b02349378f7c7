//! Options that say which cipher and which key; shared by all commands that open old data.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cipherloom_formats::salted;
use clap::{Args, ValueEnum};

use super::numbers;
use super::raw::RawArgs;

/// Cipher and key.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Cipher and key")]
pub(crate) struct KeyArgs {
    /// Cipher and mode; the name can also be a flag: -des3, -des-ede3-cbc, -rc4 (--list shows all)
    #[arg(long, value_name = "NAME")]
    pub(crate) cipher: Option<String>,

    /// Key in hex, as long as the cipher's keys (see also --key-as-given, --pad-like-openssl); with --preset,
    /// as that program's users write it (--key-encoding)
    #[arg(short = 'K', alias = "K", value_name = "HEX")]
    pub(crate) raw_key: Option<OsString>,

    /// IV in hex, 8 bytes (for CTR, the first counter)
    #[arg(long, value_name = "HEX")]
    pub(crate) iv: Option<OsString>,

    #[command(flatten)]
    pub(crate) raw: RawArgs,

    /// No padding: the message must have whole 8-byte blocks
    #[arg(long)]
    pub(crate) nopad: bool,

    /// Padding of ECB and CBC
    #[arg(long, value_name = "KIND", value_enum, conflicts_with = "nopad")]
    pub(crate) padding: Option<PaddingName>,

    /// Refuse weak, semi-weak and degenerate keys instead of warning
    #[arg(long)]
    pub(crate) strict_keys: bool,

    #[command(flatten)]
    pub(crate) password: PasswordArgs,
}

/// Where the password comes from, and how key and IV are made of it.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Password")]
pub(crate) struct PasswordArgs {
    #[command(flatten)]
    pub(crate) source: PasswordSource,

    /// Digest of the key derivation (sha256, md5, ...); auto finds the one that fits
    #[arg(long, value_name = "DIGEST")]
    pub(crate) md: Option<String>,

    /// Derive key and IV with PBKDF2
    #[arg(long)]
    pub(crate) pbkdf2: bool,

    /// Use PBKDF2 with this iteration count [default: 10000]
    #[arg(long, value_name = "COUNT", value_parser = numbers::positive, allow_negative_numbers = true)]
    pub(crate) iter: Option<u32>,

    /// Salt in hex, 8 bytes or as -saltlen says; encryption then writes no Salted__ header
    #[arg(short = 'S', alias = "S", value_name = "HEX")]
    pub(crate) salt_hex: Option<OsString>,

    /// Length of the salt in bytes, 1 to 16, for PBKDF2 [default: 8]
    #[arg(long, value_name = "BYTES", value_parser = numbers::salt_len)]
    pub(crate) saltlen: Option<usize>,

    /// Decrypt a Salted__ header as data, where -S, -nosalt or -K says that there is none
    #[arg(long)]
    pub(crate) header_is_data: bool,

    /// Use a salt (the default)
    #[arg(long, overrides_with = "nosalt")]
    pub(crate) salt: bool,

    /// Use no salt and no header
    #[arg(long, overrides_with = "salt")]
    pub(crate) nosalt: bool,
}

/// Where the password comes from.
#[derive(Args, Clone, Debug)]
pub(crate) struct PasswordSource {
    /// Password (other users of this machine may see it)
    #[arg(short = 'k', alias = "k", value_name = "PASSWORD", overrides_with = "kfile")]
    pub(crate) k: Option<OsString>,

    /// File whose first line is the password
    #[arg(long, value_name = "FILE", overrides_with = "k")]
    pub(crate) kfile: Option<PathBuf>,

    /// Password from pass:PASSWORD, env:VARIABLE, file:FILE, fd:NUMBER or stdin
    #[arg(long, value_name = "SOURCE")]
    pub(crate) pass: Option<OsString>,
}

/// Paddings by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PaddingName {
    /// RFC 5652, what OpenSSL does (the default)
    Pkcs7,
    /// ISO/IEC 7816-4: 80, then zeros
    Iso7816,
    /// Zeros up to the next whole block
    Zero,
    /// None, as -nopad
    None,
}

impl PasswordSource {
    /// Whether there is one.
    pub(crate) fn is_given(&self) -> bool {
        self.k.is_some() || self.kfile.is_some() || self.pass.is_some()
    }

    /// The files from which it is read.
    pub(crate) fn files(&self) -> [Option<&Path>; 2] {
        let pass = self.pass.as_ref().and_then(|pass| pass.to_str());
        let file = pass.and_then(|pass| pass.strip_prefix("file:"));
        [self.kfile.as_deref(), file.map(Path::new)]
    }
}

impl KeyArgs {
    /// The padding that the options ask for.
    pub(crate) fn padding(&self) -> cipherloom::Padding {
        match self.padding {
            _ if self.nopad => cipherloom::Padding::None,
            name => name.unwrap_or(PaddingName::Pkcs7).into(),
        }
    }
}

impl PasswordArgs {
    /// Bytes of salt.
    pub(crate) fn salt_len(&self) -> usize {
        self.saltlen.unwrap_or(salted::SALT_LEN)
    }
}

impl From<PaddingName> for cipherloom::Padding {
    fn from(name: PaddingName) -> Self {
        match name {
            PaddingName::Pkcs7 => Self::Pkcs7,
            PaddingName::Iso7816 => Self::Iso7816,
            PaddingName::Zero => Self::Zero,
            PaddingName::None => Self::None,
        }
    }
}
