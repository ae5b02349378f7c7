//! Streams: bytes as text that comes in pieces, base64 (`openssl enc -a`) or hex.

use super::{StreamError, base64, hex};
use crate::damage::Damage;

/// How a stream is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Armor {
    /// Base64 in lines of 64 characters, or in one line.
    Base64 {
        /// One line (`-A`).
        one_line: bool,
    },
    /// Hex in lines of 64 digits.
    Hex,
}

/// Reads text that comes in pieces.
#[derive(Debug)]
pub struct Decoder(Reads);

#[derive(Debug)]
enum Reads {
    /// Base64, up to the first thing that is wrong.
    Strict(base64::Strict),
    /// Base64, of which all is kept at its place that can be kept.
    Salvage(base64::Salvage),
    Hex(hex::Decoder),
}

impl Decoder {
    /// For text that is written so; of base64 that is damaged, one with `salvage` keeps what it can.
    #[must_use]
    pub fn new(armor: Armor, salvage: bool) -> Self {
        Self(match armor {
            Armor::Base64 { .. } if salvage => Reads::Salvage(base64::Salvage::default()),
            Armor::Base64 { .. } => Reads::Strict(base64::Strict::default()),
            Armor::Hex => Reads::Hex(hex::Decoder::default()),
        })
    }

    /// Decodes the next piece of text onto `out`.
    ///
    /// # Errors
    /// What does not belong there, and its place.
    pub fn decode(&mut self, text: &[u8], out: &mut Vec<u8>) -> Result<(), StreamError> {
        match &mut self.0 {
            Reads::Strict(decoder) => decoder.decode(text, out)?,
            Reads::Salvage(decoder) => decoder.decode(text, out),
            Reads::Hex(decoder) => decoder.decode(text, out)?,
        }
        Ok(())
    }

    /// Decodes what is left at the end of the text.
    ///
    /// # Errors
    /// The text ends within a byte or group.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), StreamError> {
        match &mut self.0 {
            Reads::Strict(decoder) => decoder.finish(out)?,
            Reads::Salvage(decoder) => decoder.finish(out),
            Reads::Hex(decoder) => decoder.finish()?,
        }
        Ok(())
    }

    /// Forgets everything: the text comes again from its start.
    pub fn restart(&mut self) {
        match &mut self.0 {
            Reads::Strict(decoder) => *decoder = Default::default(),
            Reads::Salvage(decoder) => *decoder = Default::default(),
            Reads::Hex(decoder) => *decoder = Default::default(),
        }
    }

    /// What salvage left out or filled up so far.
    #[must_use]
    pub fn damage(&self) -> Vec<Damage> {
        match &self.0 {
            Reads::Salvage(decoder) => decoder.damage(),
            Reads::Strict(_) | Reads::Hex(_) => Vec::new(),
        }
    }
}

/// Writes bytes that come in pieces.
#[derive(Debug)]
pub struct Encoder(Writes);

#[derive(Debug)]
enum Writes {
    Base64(base64::Encoder),
    Hex(hex::Encoder),
}

impl Encoder {
    /// An encoder at its start.
    #[must_use]
    pub fn new(armor: Armor) -> Self {
        Self(match armor {
            Armor::Base64 { one_line } => Writes::Base64(base64::Encoder::new(one_line)),
            Armor::Hex => Writes::Hex(hex::Encoder::default()),
        })
    }

    /// Encodes the next bytes onto `out`.
    pub fn encode(&mut self, bytes: &[u8], out: &mut String) {
        match &mut self.0 {
            Writes::Base64(encoder) => encoder.encode(bytes, out),
            Writes::Hex(encoder) => encoder.encode(bytes, out),
        }
    }

    /// Encodes what is left, and ends the text.
    pub fn finish(&mut self, out: &mut String) {
        match &mut self.0 {
            Writes::Base64(encoder) => encoder.finish(out),
            Writes::Hex(encoder) => encoder.finish(out),
        }
    }
}
