//! A value opened by a row.

use std::borrow::Cow;

use cipherloom::Direction;
use zeroize::Zeroizing;

use super::container::Trailer;
use super::given::{Error, Given};
use super::inner::{SQLSERVER, looks_like};
use super::judge::{SURE_PADDING, Shown};
use super::key::worker;
use super::outcome::{Fault, Outcome, Plaintext};
use super::row::{Charset, Fill, Inner, Preset, Text};
use super::work::Worker;
use crate::encoding::Encoding;
use crate::encoding::pasted::{self, Wrapped};
use crate::looks;

const NOT_WRAPPED: &str = "it has neither the parentheses nor the form of an encrypted value";

impl Preset {
    /// Decrypts one value, container and all.
    ///
    /// # Errors
    /// What the caller gave cannot be used, whatever the value is. What is wrong with the value, the
    /// [`Outcome`] says.
    pub fn open(&self, given: &Given<'_>, value: &[u8]) -> Result<Outcome, Error> {
        self.open_by(given, &mut None, value)
    }

    /// The same with the worker that was `kept` of another value, or that this value leaves.
    pub(super) fn open_by(
        &self,
        given: &Given<'_>,
        kept: &mut Option<Worker>,
        value: &[u8],
    ) -> Result<Outcome, Error> {
        let (bytes, is_bare) = match self.bytes(given.text.unwrap_or(self.text), value) {
            Ok(read) => read,
            Err(outcome) => return Ok(outcome),
        };
        Ok(match self.open_bytes(given, kept, &bytes)? {
            // Where encrypted values have parentheses, a plain word may be base64, too.
            Outcome::Damaged(_) if is_bare => Outcome::PassedThrough(NOT_WRAPPED),
            outcome => outcome,
        })
    }

    /// The same for a file of which nobody said how it is written: if it is not the usual text, other ways to
    /// write bytes are tried, and its bytes as they are.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_file(&self, given: &Given<'_>, file: &[u8]) -> Result<Outcome, Error> {
        let outcome = self.open(given, file)?;
        if given.text.is_some() || !matches!(outcome, Outcome::Damaged(Fault::Text(_))) {
            return Ok(outcome);
        }
        let encodings: &[_] = match looks::is_text(file) {
            true => &[Encoding::Hex, Encoding::Base64],
            false => &[Encoding::Text],
        };
        for &encoding in encodings {
            let other = Given { text: Some(Text::As(encoding)), ..*given };
            match self.open(&other, file)? {
                Outcome::Damaged(_) => {}
                told => return Ok(told),
            }
        }
        Ok(outcome)
    }

    /// The plaintext of a value that is [passed through](Outcome::PassedThrough): the bytes that it stands for, or the
    /// value where encrypted ones have parentheses.
    #[must_use]
    pub fn passed_through<'v>(&self, given: &Given<'_>, value: &'v [u8]) -> Cow<'v, [u8]> {
        match self.bytes(given.text.unwrap_or(self.text), value) {
            Ok((bytes, false)) => bytes,
            Ok((_, true)) | Err(_) => Cow::Borrowed(value),
        }
    }

    /// The bytes that a value stands for, and whether it may have a wrapper and has none.
    fn bytes<'v>(&self, text: Text, value: &'v [u8]) -> Result<(Cow<'v, [u8]>, bool), Outcome> {
        let (encoding, value, is_bare) = match text {
            Text::As(Encoding::Text) => return Ok((Cow::Borrowed(value), false)),
            Text::As(encoding) => (encoding, value, false),
            Text::Wrapped(prefix, suffix, encoding) => {
                match pasted::unwrap(value, prefix, suffix) {
                    Wrapped::Inside(inside) => (encoding, inside, false),
                    Wrapped::Unclosed => return Err(Outcome::Damaged(Fault::Unclosed)),
                    Wrapped::Bare(bare) => (encoding, bare, true),
                }
            }
        };
        let mut bytes = Vec::new();
        let result = match is_bare {
            // Of words with hyphens, none is to be taken for base64.
            true => encoding.decode(value, &mut bytes),
            false => encoding.decode_pasted(value, &mut bytes),
        };
        match result {
            Ok(()) => Ok((Cow::Owned(bytes), is_bare)),
            Err(_) if is_bare => Err(Outcome::PassedThrough(NOT_WRAPPED)),
            Err(error) => Err(Outcome::Damaged(Fault::Text(error))),
        }
    }

    fn open_bytes(
        &self,
        given: &Given<'_>,
        kept: &mut Option<Worker>,
        value: &[u8],
    ) -> Result<Outcome, Error> {
        let parts = match self.container.split(value) {
            Ok(parts) => parts,
            Err(outcome) => return Ok(outcome),
        };
        let again = match (kept.as_mut(), parts.iv.as_deref()) {
            (Some(worker), Some(iv)) => worker.with_iv(iv),
            (worker, _) => worker,
        };
        if again.is_none() {
            match worker(self, given, &parts)? {
                Ok(worker) => *kept = Some(worker),
                Err(outcome) => return Ok(outcome),
            }
        }
        let Some(worker) = kept else { return Err(Error::Secret) };
        let (ciphertext, block) = (&*parts.ciphertext, worker.block_len());
        let len = ciphertext.len();
        let fill = if block > 0 { given.fill.unwrap_or(self.fill) } else { Fill::None };
        if block > 0 && !len.is_multiple_of(block) || fill.is_always() && len == 0 {
            return Ok(Outcome::Damaged(Fault::Length { len }));
        }
        let message = match worker.run(Direction::Decrypt, ciphertext) {
            Ok(message) => message,
            // Of modes that steal ciphertext.
            Err(error) => return Fault::of_length(error).map(Outcome::Damaged).ok_or(error.into()),
        };
        let charset = given.charset.unwrap_or(self.charset);
        let trailer = parts.named.and_then(|named| named.trailer);
        Ok(self.judge(message, fill, charset, block, trailer))
    }

    /// Whether a decrypted message shows a right key, and its plaintext.
    fn judge(
        &self,
        mut message: Zeroizing<Vec<u8>>,
        fill: Fill,
        charset: Charset,
        block: usize,
        trailer: Option<Trailer>,
    ) -> Outcome {
        let has_magic = self.inner == Inner::SqlServer;
        if has_magic && !message.starts_with(&SQLSERVER) {
            return Outcome::WrongKey;
        }
        let Some(count) = fill.count(&message, block) else {
            return if has_magic { Outcome::Damaged(Fault::Inner) } else { Outcome::WrongKey };
        };
        let padding = if matches!(fill, Fill::Pkcs7 | Fill::Stars) { count } else { 0 };
        let own = message.len() - count;
        message.truncate(own);
        let plaintext = match self.inner.strip(&message, trailer) {
            Ok(plaintext) => plaintext,
            Err(_) if !has_magic && padding < SURE_PADDING => return Outcome::WrongKey,
            Err(fault) => return Outcome::Damaged(fault),
        };
        let shown = Shown {
            has_magic,
            has_digest: trailer.is_some_and(|trailer| trailer.is_readable(plaintext.len() as u64)),
            padding,
            is_right: charset.holds(plaintext),
        };
        let Some(witness) = shown.witness(charset, || looks_like(charset, plaintext)) else {
            return Outcome::WrongKey;
        };
        let bytes = match plaintext.len() == message.len() {
            true => message,
            false => Zeroizing::new(plaintext.to_vec()),
        };
        Outcome::Decrypted(Plaintext { bytes, witness })
    }
}
