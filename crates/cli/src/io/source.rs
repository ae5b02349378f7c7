//! The bytes of the message: the input, through base64 or hex where asked.

use std::time::Duration;

use cipherloom_formats::Damage;
use cipherloom_formats::derivation::search::{HEAD, Sample, TAIL};
use cipherloom_formats::encoding::Decoder;

use super::input::Input;
use crate::errors::{Error, Result};

/// Bytes of text read at a time.
const TEXT: usize = 64 * 1024;

/// An input with its decoder.
#[derive(Debug)]
pub(crate) struct Source {
    input: Input,
    decoder: Option<Decoder>,
    /// Read and not yet handed out.
    pending: Vec<u8>,
    ended: bool,
}

impl Source {
    /// The input as it is, or decoded.
    pub(crate) fn new(input: Input, decoder: Option<Decoder>) -> Self {
        Self { input, decoder, pending: Vec::new(), ended: false }
    }

    /// What base64 decoding had to leave out or fill up (in salvage).
    pub(crate) fn damage(&self) -> Vec<Damage> {
        self.decoder.as_ref().map(Decoder::damage).unwrap_or_default()
    }

    /// Bytes of the input in all, before any decoding, where that is known: regular files.
    pub(crate) fn len(&self) -> Option<u64> {
        self.input.len()
    }

    /// Bytes of the input that were read so far, header and all, before any decoding.
    pub(crate) fn read_in_all(&self) -> u64 {
        self.input.position()
    }

    /// Whether more of the input, or its end, comes within some time.
    pub(crate) fn is_ready(&self, within: Duration) -> bool {
        !self.pending.is_empty() || self.input.is_ready(within)
    }

    /// Reads what one call of the system gives, as far as `out` has room; 0 at the end.
    pub(crate) fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let Some(decoder) = &mut self.decoder else {
            if self.pending.is_empty() {
                return self.input.read(out);
            }
            return Ok(self.take_pending(out));
        };
        while self.pending.is_empty() && !self.ended {
            let mut text = [0; TEXT];
            let count = self.input.read(&mut text)?;
            if count == 0 {
                self.ended = true;
                decoder.finish(&mut self.pending)?;
            } else {
                decoder.decode(&text[..count], &mut self.pending)?;
            }
        }
        Ok(self.take_pending(out))
    }

    fn take_pending(&mut self, out: &mut [u8]) -> usize {
        let count = self.pending.len().min(out.len());
        out[..count].copy_from_slice(&self.pending[..count]);
        self.pending.drain(..count);
        count
    }

    /// Begins where the input stands now: before it was read, a password may have been taken from it.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn begin(&mut self) -> Result<()> {
        self.input.begin()
    }

    /// The first `count` bytes of the message, or fewer if it ends before; nothing is used up.
    pub(crate) fn start(&mut self, count: usize) -> Result<Vec<u8>> {
        let bytes = self.read_exactly(count)?;
        self.pending.splice(..0, bytes.iter().copied());
        Ok(bytes)
    }

    /// Reads `count` bytes, or fewer if the message ends before.
    pub(crate) fn read_exactly(&mut self, count: usize) -> Result<Vec<u8>> {
        let mut out = vec![0; count];
        let mut len = 0;
        while len < count {
            match self.read(&mut out[len..])? {
                0 => break,
                count => len += count,
            }
        }
        out.truncate(len);
        Ok(out)
    }

    /// Looks at the start of what is left of a regular file, of which nothing is used up; the sample has
    /// no tail.
    pub(crate) fn peek(&mut self) -> Result<Option<Sample>> {
        if self.input.len().is_none() {
            return Ok(None);
        }
        // A block more shows whether the message ends, with its padding, within them.
        let mut bytes = self.read_exactly(HEAD + 8)?;
        self.pending.splice(..0, bytes.iter().copied());
        let len = if bytes.len() < HEAD + 8 { bytes.len() as u64 } else { u64::MAX };
        bytes.truncate(HEAD);
        Ok(Some(Sample { head: bytes, tail: Vec::new(), len }))
    }

    /// Looks at the message behind its first `header` bytes, and goes back to where it was: `header`.
    ///
    /// # Errors
    /// Bad usage if the input is no regular file, as there is no way back.
    pub(crate) fn sample(&mut self, header: usize) -> Result<Sample> {
        let Some(len) = self.input.len() else {
            return Err(Error::usage(format!(
                "{} is no regular file, so the key derivation cannot be tried out first; say which \
                 it is (-md sha256 for OpenSSL 1.1.0 and later, -md md5 for older ones), or give a \
                 file",
                self.input.name()
            )));
        };
        let mut sample = Sample { head: Vec::new(), tail: Vec::new(), len: 0 };
        if self.decoder.is_none() {
            sample.head = self.read_exactly(HEAD)?;
            sample.len = len.saturating_sub(header as u64);
            let tail = sample.len.min(TAIL as u64);
            self.rewind(len - tail)?;
            sample.tail = self.read_exactly(tail as usize)?;
            self.rewind(header as u64)?;
        } else {
            let mut piece = [0; TEXT];
            loop {
                let count = self.read(&mut piece)?;
                if count == 0 {
                    break;
                }
                let missing = HEAD.saturating_sub(sample.head.len()).min(count);
                sample.head.extend_from_slice(&piece[..missing]);
                sample.len += count as u64;
                sample.tail.extend_from_slice(&piece[..count]);
                let old = sample.tail.len().saturating_sub(TAIL);
                sample.tail.drain(..old);
            }
            self.rewind(0)?;
            self.read_exactly(header)?;
        }
        Ok(sample)
    }

    fn rewind(&mut self, position: u64) -> Result<()> {
        self.input.seek(position)?;
        self.pending.clear();
        self.ended = false;
        if let Some(decoder) = &mut self.decoder {
            decoder.restart();
        }
        Ok(())
    }
}
