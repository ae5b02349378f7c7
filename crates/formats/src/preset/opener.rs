//! Many values opened by a row: what does not depend on the value is done once.

use super::given::{Error, Given, Secret};
use super::outcome::Outcome;
use super::row::{Container, IvFrom, Preset};
use super::work::Worker;

/// A row and what the caller gives, for many values ([`Preset::opener`]).
pub struct Opener<'a> {
    preset: &'a Preset,
    given: Given<'a>,
    /// Whether all values have the same key.
    is_fixed: bool,
    worker: Option<Worker>,
}

impl Preset {
    /// Opens value after value as [`open`](Self::open) does, with the same outcomes; where neither a salt nor a
    /// number in the value takes part in the key, it is derived once.
    #[must_use]
    pub fn opener<'a>(&'a self, given: Given<'a>) -> Opener<'a> {
        let is_fixed = match self.container {
            Container::None => true,
            Container::MySql => !matches!(given.secret, Secret::KeyFile(_)),
            Container::RandomIv | Container::SqlServer(_) | Container::SqlServerKey => {
                self.iv == IvFrom::Container
            }
            Container::Salted
            | Container::Salt
            | Container::SqlDeveloper
            | Container::Pem
            | Container::Pkcs8
            | Container::Mcrypt => false,
        };
        Opener { preset: self, given, is_fixed, worker: None }
    }
}

impl Opener<'_> {
    /// Decrypts one value, container and all.
    ///
    /// # Errors
    /// As [`Preset::open`].
    pub fn open(&mut self, value: &[u8]) -> Result<Outcome, Error> {
        if !self.is_fixed {
            self.worker = None;
        }
        self.preset.open_by(&self.given, &mut self.worker, value)
    }
}
