//! Options for data that a program wrote in its own way.

use std::path::PathBuf;

use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Charset, Preset};
use clap::{Args, ValueEnum};

use crate::ciphers::nearest;

/// Which program, and what its row leaves open.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Preset")]
pub(crate) struct PresetArgs {
    /// Data as a program wrote it: sqlserver, mysql, jasypt, ... (`cipherloom what --list` shows all)
    #[arg(long, value_name = "NAME", value_parser = by_name)]
    pub(crate) preset: Option<&'static Preset>,

    /// File with the key for --preset; for mysql, its key file (des_key_file)
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,

    /// Encoding of the key of --preset [default: as that program's users write it]
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) key_encoding: Option<EncodingName>,

    /// What the plaintext of --preset is; text comes out as UTF-8 [default: as the preset says]
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) charset: Option<CharsetName>,
}

/// How a column or a key writes bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EncodingName {
    /// Two digits a byte, also with `0x` or `\x` in front, as databases print it
    Hex,
    /// Standard base64 (RFC 4648 section 4), also in lines and without `=` at the end
    Base64,
    /// Uuencoding without its first and last line
    Uu,
    /// The bytes themselves; results must be UTF-8
    Text,
}

/// Kinds of plaintext.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CharsetName {
    /// Bytes, as they are
    Bytes,
    /// Text in UTF-8
    #[value(name = "utf-8", alias = "utf8")]
    Utf8,
    /// Text in UTF-16, low byte first, as Windows and SQL Server have it
    #[value(name = "utf-16le", alias = "utf16", alias = "utf16le", alias = "utf-16")]
    Utf16Le,
}

impl From<EncodingName> for Encoding {
    fn from(name: EncodingName) -> Self {
        match name {
            EncodingName::Hex => Self::Hex,
            EncodingName::Base64 => Self::Base64,
            EncodingName::Uu => Self::Uu,
            EncodingName::Text => Self::Text,
        }
    }
}

impl From<CharsetName> for Charset {
    fn from(name: CharsetName) -> Self {
        match name {
            CharsetName::Bytes => Self::Bytes,
            CharsetName::Utf8 => Self::Utf8,
            CharsetName::Utf16Le => Self::Utf16Le,
        }
    }
}

/// The preset of this name.
///
/// # Errors
/// There is none; which names are near.
fn by_name(name: &str) -> Result<&'static Preset, String> {
    Preset::find(&name.to_ascii_lowercase()).ok_or_else(|| {
        let near = nearest(name, Preset::all().map(|preset| preset.name.to_owned()).collect());
        format!("the nearest names are {}; `cipherloom what --list` shows all", near.join(", "))
    })
}
