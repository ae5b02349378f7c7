//! The secret of a preset: a password, a key as that program's users write it, or MySQL's key file.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use cipherloom_formats::encoding::{BOM, Encoding};
use cipherloom_formats::key_file::KeyFile;
use cipherloom_formats::preset::{self, Preset, SecretKind};
use zeroize::Zeroizing;

use super::words::encoding_name;
use crate::errors::{Error, Result};
use crate::io::notes::Notes;
use crate::keying::password::{self, Password};

/// Most bytes of a key file that are read: far more than any has.
const KEY_FILE_LIMIT: u64 = 64 * 1024;

/// Where the options have it.
pub(crate) struct Source<'a> {
    /// `-K`
    pub(crate) key: Option<&'a OsStr>,
    /// `--key-file`
    pub(crate) key_file: Option<&'a Path>,
    /// `--key-encoding`
    pub(crate) key_encoding: Option<Encoding>,
    /// `-k`, `-kfile` or `-pass`
    pub(crate) password: Option<Password>,
}

/// The secret, held.
pub(crate) enum Held {
    None,
    Bytes(Zeroizing<Vec<u8>>),
    KeyFile(Box<KeyFile>),
}

impl Source<'_> {
    /// The secret; asked for on the terminal where no option gives it.
    ///
    /// # Errors
    /// Bad usage: another kind than the preset's. A file that cannot be read.
    pub(super) fn held(self, preset: &Preset, notes: &Notes) -> Result<Held> {
        let name = preset.name;
        match preset.secret {
            SecretKind::None => Ok(Held::None),
            SecretKind::Password(_) => match (self.key_file, self.password) {
                (None, Some(password)) => Ok(Held::Bytes(password.into())),
                (Some(path), None) => {
                    let file = KeyFile::parse(&read(path)?).map_err(|error| {
                        Error::failure(format!("key file {}: {error}", path.display()))
                    })?;
                    Ok(Held::KeyFile(Box::new(file)))
                }
                (None, None) => {
                    let no_terminal = format!(
                        "preset {name} needs a password, and there is no terminal to ask on; give -k, \
                         -kfile or -pass"
                    );
                    Ok(Held::Bytes(password::ask("Password", false, &no_terminal)?.into()))
                }
                (Some(_), Some(_)) => Err(Error::usage(format!(
                    "preset {name} takes a password or a key file, and not both"
                ))),
            },
            SecretKind::Key(usual, _) => {
                let encoding = self.key_encoding.unwrap_or(usual);
                let text = match (self.key, self.key_file) {
                    (Some(key), None) => Zeroizing::new(key.as_encoded_bytes().to_vec()),
                    (None, Some(path)) => {
                        let text = read(path)?;
                        let text = text.strip_prefix(BOM).unwrap_or(&text);
                        Zeroizing::new(text.trim_ascii_end().to_vec())
                    }
                    (None, None) => {
                        let no_terminal = format!(
                            "preset {name} needs a key ({}), and there is no terminal to ask on; give \
                             -K or --key-file",
                            encoding_name(encoding)
                        );
                        password::ask("Key", false, &no_terminal)?.into()
                    }
                    (Some(_), Some(_)) => {
                        return Err(Error::usage(format!(
                            "preset {name} takes one key; give it by -K or by --key-file"
                        )));
                    }
                };
                let mut bytes = Zeroizing::new(Vec::with_capacity(text.len() + 3));
                encoding.decode(&text, &mut bytes).map_err(|error| {
                    Error::usage(format!(
                        "the key is read as {}: {error} (--key-encoding says otherwise)",
                        encoding_name(encoding)
                    ))
                })?;
                // As people write DES keys in hex: 16, 32 or 48 digits.
                let is_like_hex =
                    matches!(text.len(), 16 | 32 | 48) && text.iter().all(u8::is_ascii_hexdigit);
                if self.key_encoding.is_none() && encoding == Encoding::Text && is_like_hex {
                    notes.say(&format!(
                        "the key is read as characters, as is usual for {name}; if it is hex, add \
                         --key-encoding hex"
                    ));
                }
                Ok(Held::Bytes(bytes))
            }
        }
    }
}

impl Held {
    /// As the preset takes it.
    pub(super) fn lend(&self) -> preset::Secret<'_> {
        match self {
            Self::None => preset::Secret::None,
            Self::Bytes(bytes) => preset::Secret::Bytes(bytes),
            Self::KeyFile(file) => preset::Secret::KeyFile(file),
        }
    }
}

fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>> {
    let mut text = Zeroizing::new(Vec::with_capacity(4096));
    File::open(path)
        .and_then(|file| file.take(KEY_FILE_LIMIT).read_to_end(&mut text))
        .map_err(|error| Error::file("cannot read the key file", path, &error))?;
    Ok(text)
}
