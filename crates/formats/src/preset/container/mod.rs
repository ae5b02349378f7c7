//! What stands around a ciphertext: taken apart, and put around it.

mod mcrypt;
mod parts;
mod pem;
mod pkcs8;

use std::borrow::Cow;

use super::given::Error;
use super::outcome::{Fault, Outcome};
use super::row::Container;
use crate::salted;
pub(super) use parts::{Parts, Trailer};

const RANDOM_IV: &[u8] = b"RandomIV";

/// MySQL's first byte where a password was used.
const MYSQL_PASSWORD: u8 = 0xff;

const GUID_LEN: usize = 16;

impl Container {
    /// Takes a value apart.
    ///
    /// # Errors
    /// What became of a value that this is not.
    pub(super) fn split(self, value: &[u8]) -> Result<Parts<'_>, Outcome> {
        let cut = |need| Outcome::Damaged(Fault::Cut { len: value.len(), need });
        let head = |len| value.split_at_checked(len).ok_or(cut(len));
        Ok(match self {
            Self::None => Parts { ciphertext: value.into(), ..Parts::default() },
            Self::Salted => {
                salted::parse(value, salted::SALT_LEN)
                    .map_err(|error| Outcome::Damaged(Fault::Salted(error)))?;
                let (head, ciphertext) = head(salted::MAGIC.len() + salted::SALT_LEN)?;
                salted_parts(&head[salted::MAGIC.len()..], ciphertext)
            }
            Self::RandomIv => {
                if value.starts_with(&salted::MAGIC) {
                    return Err(Outcome::Other(
                        "openssl-1.0",
                        "the header of Crypt::CBC since 2.17",
                    ));
                }
                let (head, ciphertext) = head(RANDOM_IV.len() + 8)?;
                let (magic, iv) = head.split_at(RANDOM_IV.len());
                if magic != RANDOM_IV {
                    return Err(Outcome::Damaged(Fault::Header));
                }
                Parts { iv: Some(iv.into()), ciphertext: ciphertext.into(), ..Parts::default() }
            }
            Self::Salt => {
                let (salt, ciphertext) = head(8)?;
                salted_parts(salt, ciphertext)
            }
            Self::SqlServer(version) => {
                let (head, rest) = head(4)?;
                match *head {
                    [found, 0, 0, 0] if found == version => {}
                    [1, 0, 0, 0] => return Err(Outcome::Other("sqlserver", "version 1: 3DES")),
                    [2, 0, 0, 0] => return Err(Outcome::Other("sqlserver-2017", "version 2: AES")),
                    _ if Self::SqlServerKey.split(value).is_ok() => {
                        return Err(Outcome::Other("sqlserver-key", "EncryptByKey"));
                    }
                    _ => return Err(Outcome::Damaged(Fault::Header)),
                }
                let iv_len = 8 * usize::from(version);
                let (iv, ciphertext) = rest.split_at_checked(iv_len).ok_or(cut(4 + iv_len))?;
                Parts { iv: Some(iv.into()), ciphertext: ciphertext.into(), ..Parts::default() }
            }
            Self::SqlServerKey => {
                let (guid, rest) = head(GUID_LEN)?;
                let ([1 | 2, 0, 0, 0], rest) = rest.split_at_checked(4).ok_or(cut(GUID_LEN + 4))?
                else {
                    return Err(Outcome::Damaged(Fault::Header));
                };
                let (iv, ciphertext) = rest.split_at_checked(8).ok_or(cut(GUID_LEN + 12))?;
                Parts { iv: Some(iv.into()), ..salted_parts(guid, ciphertext) }
            }
            Self::MySql => match value {
                [first, ciphertext @ ..]
                    if first & 0x80 != 0
                        && !ciphertext.is_empty()
                        && ciphertext.len().is_multiple_of(8) =>
                {
                    Parts {
                        number: Some(first & 0x7f),
                        ciphertext: ciphertext.into(),
                        ..Parts::default()
                    }
                }
                _ => return Err(Outcome::PassedThrough("it has not the form of DES_ENCRYPT's")),
            },
            Self::SqlDeveloper => {
                let (head, ciphertext) = head(9)?;
                match head {
                    [5, key @ ..] => salted_parts(key, ciphertext),
                    _ => return Err(Outcome::Damaged(Fault::Header)),
                }
            }
            Self::Pem => pem::split(value)?,
            Self::Pkcs8 => pkcs8::split(value)?,
            Self::Mcrypt => mcrypt::split(value)?,
        })
    }

    /// Whether it names cipher and derivation itself, which no other program then chooses.
    pub(super) fn names_all(self) -> bool {
        matches!(self, Self::Pem | Self::Pkcs8 | Self::Mcrypt)
    }

    /// Bytes of salt and IV that it has.
    pub(super) fn lens(self) -> (usize, usize) {
        match self {
            Self::None | Self::MySql | Self::Pem | Self::Pkcs8 | Self::Mcrypt => (0, 0),
            Self::Salted | Self::Salt | Self::SqlDeveloper => (8, 0),
            Self::RandomIv => (0, 8),
            Self::SqlServerKey => (GUID_LEN, 8),
            Self::SqlServer(version) => (0, 8 * usize::from(version)),
        }
    }

    /// Salt and IV as the caller gives them for a new value, and the number of a key.
    ///
    /// # Errors
    /// They have other lengths, or values with this container are only opened.
    pub(super) fn parts<'a>(
        self,
        salt: Option<&'a [u8]>,
        iv: Option<&'a [u8]>,
        number: Option<u8>,
    ) -> Result<Parts<'a>, Error> {
        if self.names_all() {
            return Err(Error::OnlyOpened);
        }
        let (salt_len, iv_len) = self.lens();
        let (salt, iv) = ((salt_len > 0).then_some(salt), (iv_len > 0).then_some(iv));
        let got = |part: Option<Option<&[u8]>>| part.flatten().map_or(0, <[u8]>::len);
        match (got(salt), got(iv)) {
            (got, _) if got != salt_len => Err(Error::SaltLength { got, want: salt_len }),
            (_, got) if got != iv_len => Err(Error::IvLength { got, want: iv_len }),
            _ => Ok(Parts {
                salt: salt.flatten().map(Cow::Borrowed),
                iv: iv.flatten().map(Cow::Borrowed),
                number,
                ..Parts::default()
            }),
        }
    }

    /// The value: what stands before the ciphertext, and that.
    pub(super) fn join(self, parts: &Parts<'_>, ciphertext: &[u8]) -> Vec<u8> {
        let (magic, number);
        let start: &[u8] = match self {
            // The GUID comes before its version.
            Self::SqlServerKey => {
                let [guid, iv] =
                    [&parts.salt, &parts.iv].map(|part| part.as_deref().unwrap_or_default());
                return [guid, &[1, 0, 0, 0], iv, ciphertext].concat();
            }
            Self::None | Self::Salt | Self::Pem | Self::Pkcs8 | Self::Mcrypt => &[],
            Self::Salted => &salted::MAGIC,
            Self::RandomIv => RANDOM_IV,
            Self::SqlServer(version) => {
                magic = [version, 0, 0, 0];
                &magic
            }
            Self::MySql => {
                number = [parts.number.map_or(MYSQL_PASSWORD, |number| 0x80 | number)];
                &number
            }
            Self::SqlDeveloper => &[5],
        };
        let part = |part: &Option<Cow<'_, [u8]>>| part.as_deref().unwrap_or_default().to_vec();
        [start, &part(&parts.salt), &part(&parts.iv), ciphertext].concat()
    }
}

fn salted_parts<'a>(salt: &'a [u8], ciphertext: &'a [u8]) -> Parts<'a> {
    Parts { salt: Some(salt.into()), ciphertext: ciphertext.into(), ..Parts::default() }
}
