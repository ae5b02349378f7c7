//! Bytes as text, in a stream: base64 (`-a`) or hex (`--hex`).

use super::{StreamError, base64, hex};
use crate::damage::Damage;

/// Reads one of the forms, from text that comes in pieces.
#[derive(Debug)]
pub struct Decoder(Reads);

#[derive(Debug)]
enum Reads {
    /// As `openssl enc -a`.
    Base64(base64::Decoder),
    /// Two digits a byte.
    Hex(hex::Decoder),
}

impl Decoder {
    /// Decodes the next piece of text onto `out`.
    ///
    /// # Errors
    /// What does not belong there, and its place.
    pub fn decode(&mut self, text: &[u8], out: &mut Vec<u8>) -> Result<(), StreamError> {
        match &mut self.0 {
            Reads::Base64(decoder) => decoder.decode(text, out),
            Reads::Hex(decoder) => decoder.decode(text, out),
        }
    }

    /// Decodes what is left at the end of the text.
    ///
    /// # Errors
    /// The text ends within a byte or group.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), StreamError> {
        match &mut self.0 {
            Reads::Base64(decoder) => decoder.finish(out),
            Reads::Hex(decoder) => decoder.finish(),
        }
    }

    /// Forgets everything: the text comes again from its start.
    pub fn restart(&mut self) {
        match &mut self.0 {
            Reads::Base64(decoder) => decoder.restart(),
            Reads::Hex(decoder) => *decoder = hex::Decoder::default(),
        }
    }

    /// What salvage left out or filled up so far.
    #[must_use]
    pub fn damage(&self) -> Vec<Damage> {
        match &self.0 {
            Reads::Base64(decoder) => decoder.damage(),
            Reads::Hex(_) => Vec::new(),
        }
    }
}

/// The form of an output.
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

impl Armor {
    /// A decoder of this form; for base64, one that salvages what is damaged if so asked.
    #[must_use]
    pub fn decoder(self, salvage: bool) -> Decoder {
        match self {
            Self::Base64 { .. } => Decoder(Reads::Base64(base64::Decoder::new(salvage))),
            Self::Hex => Decoder(Reads::Hex(hex::Decoder::default())),
        }
    }
}

/// Writes one of the forms, from bytes that come in pieces.
#[derive(Debug)]
pub struct Encoder(Writes);

#[derive(Debug)]
enum Writes {
    /// As `openssl enc -a`.
    Base64(base64::Encoder),
    /// Two digits a byte.
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
