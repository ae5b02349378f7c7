//! A value made by a row, as the program would have made it: for tests, and for those who must answer such a
//! program.

use cipherloom::Direction;
use zeroize::Zeroizing;

use super::given::{Error, Given, Secret};
use super::key::worker;
use super::row::{Inner, Preset, Text};
use crate::encoding::Encoding;

impl Preset {
    /// Bytes of salt and of IV that a new value has for itself, and [`seal`](Self::seal) takes: random ones, but
    /// for [`Container::SqlServerKey`](super::Container::SqlServerKey), whose salt is the GUID of the key.
    #[must_use]
    pub fn own_lens(&self) -> (usize, usize) {
        match (self.container.lens(), self.inner) {
            ((0, iv), Inner::Salt(salt)) => (salt, iv),
            (lens, _) => lens,
        }
    }

    /// Encrypts one value. A new random salt or IV for the container is the caller's to give.
    ///
    /// # Errors
    /// What the caller gave cannot be used: a cipher, a length of key, IV, salt or plaintext.
    pub fn seal(&self, given: &Given<'_>, plaintext: &[u8]) -> Result<Vec<u8>, Error> {
        let number = match given.secret {
            Secret::KeyFile(file) => Some(file.first().ok_or(Error::Secret)?),
            _ => None,
        };
        let parts = self.container.parts(given.salt, given.iv, number)?;
        let worker = worker(self, given, &parts)?.map_err(|_| Error::Secret)?;
        let salt = given.salt.unwrap_or_default();
        let mut message = Zeroizing::new(Vec::with_capacity(salt.len() + plaintext.len() + 32));
        self.inner.wrap(salt, plaintext, &mut message)?;
        let block = worker.block_len();
        if block > 0 {
            given.fill.unwrap_or(self.fill).append(&mut message, block).ok_or(Error::Plaintext)?;
        }
        let ciphertext = worker.run(Direction::Encrypt, &message)?;
        let bytes = self.container.join(&parts, &ciphertext);
        let (prefix, suffix, encoding) = match given.text.unwrap_or(self.text) {
            Text::As(Encoding::Text) => return Ok(bytes),
            Text::As(encoding) => ("", "", encoding),
            Text::Wrapped(prefix, suffix, encoding) => (prefix, suffix, encoding),
        };
        let mut value = prefix.as_bytes().to_vec();
        // Bytes as text were returned above, and all other encodings write all bytes.
        let _ = encoding.encode(&bytes, &mut value);
        value.extend_from_slice(suffix.as_bytes());
        Ok(value)
    }
}
