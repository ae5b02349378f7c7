//! Bytes as text, in a stream: base64 (`-a`) or hex (`--hex`).

use super::{base64, hex};
use crate::errors::Result;

/// Reads one of the forms.
#[derive(Debug)]
pub(crate) enum Decoder {
    /// As `openssl enc -a`.
    Base64(base64::Decoder),
    /// Two digits a byte.
    Hex(hex::Decoder),
}

impl Decoder {
    /// Decodes the next piece of text onto `out`.
    ///
    /// # Errors
    /// A failure that names the place of what does not belong there.
    pub(crate) fn decode(&mut self, text: &[u8], out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Base64(decoder) => decoder.decode(text, out),
            Self::Hex(decoder) => decoder.decode(text, out),
        }
    }

    /// Decodes what is left at the end of the text.
    ///
    /// # Errors
    /// A failure if the text ends within a byte or group.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Base64(decoder) => decoder.finish(out),
            Self::Hex(decoder) => decoder.finish(),
        }
    }

    /// Forgets everything: the text comes again from its start.
    pub(crate) fn restart(&mut self) {
        match self {
            Self::Base64(decoder) => decoder.restart(),
            Self::Hex(decoder) => *decoder = hex::Decoder::default(),
        }
    }

    /// What salvage left out or filled up so far, a line each.
    pub(crate) fn damage(&self) -> Vec<String> {
        match self {
            Self::Base64(decoder) => decoder.damage(),
            Self::Hex(_) => Vec::new(),
        }
    }
}

/// The form of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Armor {
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
    pub(crate) fn decoder(self, salvage: bool) -> Decoder {
        match self {
            Self::Base64 { .. } => Decoder::Base64(base64::Decoder::new(salvage)),
            Self::Hex => Decoder::Hex(hex::Decoder::default()),
        }
    }
}

/// Writes one of the forms.
#[derive(Debug)]
pub(crate) enum Encoder {
    /// As `openssl enc -a`.
    Base64(base64::Encoder),
    /// Two digits a byte.
    Hex(hex::Encoder),
}

impl Encoder {
    /// An encoder at its start.
    pub(crate) fn new(armor: Armor) -> Self {
        match armor {
            Armor::Base64 { one_line } => Self::Base64(base64::Encoder::new(one_line)),
            Armor::Hex => Self::Hex(hex::Encoder::default()),
        }
    }

    /// Encodes the next bytes onto `out`.
    pub(crate) fn encode(&mut self, bytes: &[u8], out: &mut String) {
        match self {
            Self::Base64(encoder) => encoder.encode(bytes, out),
            Self::Hex(encoder) => encoder.encode(bytes, out),
        }
    }

    /// Encodes what is left, and ends the text.
    pub(crate) fn finish(&mut self, out: &mut String) {
        match self {
            Self::Base64(encoder) => encoder.finish(out),
            Self::Hex(encoder) => encoder.finish(out),
        }
    }
}
