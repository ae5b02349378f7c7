//! What stands around a ciphertext: taken apart, and put around it.

use super::given::Error;
use super::outcome::{Fault, Outcome};
use super::row::Container;
use crate::salted;

/// A value taken apart.
#[derive(Default)]
pub(super) struct Parts<'a> {
    pub(super) salt: Option<&'a [u8]>,
    pub(super) iv: Option<&'a [u8]>,
    /// The number of MySQL's key.
    pub(super) number: Option<u8>,
    pub(super) ciphertext: &'a [u8],
}

const RANDOM_IV: &[u8] = b"RandomIV";

/// MySQL's first byte where a password was used.
const MYSQL_PASSWORD: u8 = 0xff;

const SQLSERVER_BY_KEY: &str = "SQL Server's EncryptByKey: only the server has its keys";

impl Container {
    /// Takes a value apart.
    ///
    /// # Errors
    /// What became of a value that this is not.
    pub(super) fn split(self, value: &[u8]) -> Result<Parts<'_>, Outcome> {
        let cut = |need| Outcome::Damaged(Fault::Cut { len: value.len(), need });
        let head = |len| value.split_at_checked(len).ok_or(cut(len));
        Ok(match self {
            Self::None => Parts { ciphertext: value, ..Parts::default() },
            Self::Salted => {
                salted::parse(value, salted::SALT_LEN)
                    .map_err(|error| Outcome::Damaged(Fault::Salted(error)))?;
                let (head, ciphertext) = head(salted::MAGIC.len() + salted::SALT_LEN)?;
                Parts { salt: Some(&head[salted::MAGIC.len()..]), ciphertext, ..Parts::default() }
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
                Parts { iv: Some(iv), ciphertext, ..Parts::default() }
            }
            Self::Salt => {
                let (salt, ciphertext) = head(8)?;
                Parts { salt: Some(salt), ciphertext, ..Parts::default() }
            }
            Self::SqlServer(version) => {
                let (head, rest) = head(4)?;
                match *head {
                    [found, 0, 0, 0] if found == version => {}
                    [1, 0, 0, 0] => return Err(Outcome::Other("sqlserver", "version 1: 3DES")),
                    [2, 0, 0, 0] => return Err(Outcome::Other("sqlserver-2017", "version 2: AES")),
                    _ if value.get(16..20).is_some_and(|at| matches!(at, [1 | 2, 0, 0, 0])) => {
                        return Err(Outcome::Other("", SQLSERVER_BY_KEY));
                    }
                    _ => return Err(Outcome::Damaged(Fault::Header)),
                }
                let iv_len = 8 * usize::from(version);
                let (iv, ciphertext) = rest.split_at_checked(iv_len).ok_or(cut(4 + iv_len))?;
                Parts { iv: Some(iv), ciphertext, ..Parts::default() }
            }
            Self::MySql => match value {
                [first, ciphertext @ ..]
                    if first & 0x80 != 0
                        && !ciphertext.is_empty()
                        && ciphertext.len().is_multiple_of(8) =>
                {
                    Parts { number: Some(first & 0x7f), ciphertext, ..Parts::default() }
                }
                _ => return Err(Outcome::PassedThrough("it has not the form of DES_ENCRYPT's")),
            },
            Self::SqlDeveloper => {
                let (head, ciphertext) = head(9)?;
                match head {
                    [5, key @ ..] => Parts { salt: Some(key), ciphertext, ..Parts::default() },
                    _ => return Err(Outcome::Damaged(Fault::Header)),
                }
            }
        })
    }

    /// Bytes of salt and IV that it has.
    fn lens(self) -> (usize, usize) {
        match self {
            Self::None | Self::MySql => (0, 0),
            Self::Salted | Self::Salt | Self::SqlDeveloper => (8, 0),
            Self::RandomIv => (0, 8),
            Self::SqlServer(version) => (0, 8 * usize::from(version)),
        }
    }

    /// Salt and IV as the caller gives them for a new value, and the number of a key.
    pub(super) fn parts<'a>(
        self,
        salt: Option<&'a [u8]>,
        iv: Option<&'a [u8]>,
        number: Option<u8>,
    ) -> Result<Parts<'a>, Error> {
        let (salt_len, iv_len) = self.lens();
        let (salt, iv) = ((salt_len > 0).then_some(salt), (iv_len > 0).then_some(iv));
        let got = |part: Option<Option<&[u8]>>| part.flatten().map_or(0, <[u8]>::len);
        match (got(salt), got(iv)) {
            (got, _) if got != salt_len => Err(Error::SaltLength { got, want: salt_len }),
            (_, got) if got != iv_len => Err(Error::IvLength { got, want: iv_len }),
            _ => Ok(Parts { salt: salt.flatten(), iv: iv.flatten(), number, ciphertext: &[] }),
        }
    }

    /// The value: what stands before the ciphertext, and that.
    pub(super) fn join(self, parts: &Parts<'_>, ciphertext: &[u8]) -> Vec<u8> {
        let (magic, number);
        let start: &[u8] = match self {
            Self::None | Self::Salt => &[],
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
        [start, parts.salt.unwrap_or_default(), parts.iv.unwrap_or_default(), ciphertext].concat()
    }
}
