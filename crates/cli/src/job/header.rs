//! The salt: from an option, from the header of the input, or by chance.

use cipherloom::Direction;
use cipherloom_formats::Damage;
use cipherloom_formats::salted::{self, Unexpected};

use super::purpose::Purpose;
use crate::advice;
use crate::args::key::PasswordArgs;
use crate::errors::{Error, Result};
use crate::io::notes::Notes;
use crate::io::source::Source;

/// What is looked at for a header.
pub(super) struct Header<'a> {
    pub(super) args: &'a PasswordArgs,
    pub(super) purpose: Purpose,
    pub(super) source: &'a mut Source,
    pub(super) notes: &'a Notes,
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) salt: Option<Vec<u8>>,
    /// Bytes of the input that were read.
    pub(super) len: usize,
    /// What the output starts with.
    pub(super) to_write: Option<Vec<u8>>,
    pub(super) damage: Option<Damage>,
}

impl Header<'_> {
    /// The salt for a password; `given` is that of the options.
    pub(super) fn salt(&mut self, given: Option<&[u8]>) -> Result<Found> {
        match (given, self.purpose.direction) {
            _ if self.args.nosalt => self.leave_out(Unexpected::NoSalt),
            (Some(salt), _) => {
                let found = self.leave_out(Unexpected::GivenSalt(salt))?;
                Ok(Found { salt: Some(salt.to_vec()), ..found })
            }
            (None, Direction::Encrypt) => {
                let mut salt = vec![0; self.args.salt_len()];
                getrandom::fill(&mut salt).map_err(|error| {
                    Error::failure(format!("the system gives no random bytes: {error}"))
                })?;
                let to_write = Some(salted::header(&salt));
                Ok(Found { salt: Some(salt), to_write, ..Found::default() })
            }
            (None, Direction::Decrypt) => self.read(),
        }
    }

    /// Reads past a header that is there although an option says that there is none; its salt is not
    /// used.
    ///
    /// # Errors
    /// Those of [`advice::header_left_out`], and a header that is damaged or cut.
    pub(super) fn leave_out(&mut self, unexpected: Unexpected<'_>) -> Result<Found> {
        let is_data = self.purpose.direction == Direction::Encrypt
            || self.args.header_is_data
            || self.purpose.key_only;
        if is_data || !salted::is_header(&self.source.start(salted::MAGIC.len())?) {
            return Ok(Found::default());
        }
        let mut found = self.read()?;
        let salt = found.salt.take().unwrap_or_default();
        self.notes.say(&advice::header_left_out(unexpected, &salt, !self.purpose.auto)?);
        Ok(found)
    }

    fn read(&mut self) -> Result<Found> {
        let salt_len = self.args.salt_len();
        let start = self.source.read_exactly(salted::MAGIC.len() + salt_len)?;
        let (salt, damage) = match self.purpose.salvage {
            true => salted::salvage(&start, salt_len)?,
            false => (salted::parse(&start, salt_len)?, None),
        };
        Ok(Found { salt: Some(salt), len: start.len(), to_write: None, damage })
    }
}
