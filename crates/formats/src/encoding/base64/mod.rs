//! Base64 in a stream, as `openssl enc -a` writes and reads it.

mod decode;
mod encode;
mod salvage;

pub(super) use encode::Encoder;

use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::StreamError;
use crate::damage::Damage;

/// RFC 4648 section 4; unused bits of a last group may be anything, as OpenSSL ignores them.
const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Decodes text that comes in pieces.
#[derive(Debug)]
pub(in crate::encoding) enum Decoder {
    /// Stops at the first thing that is wrong.
    Strict(decode::Strict),
    /// Keeps what can be kept at its place.
    Salvage(salvage::Salvage),
}

impl Decoder {
    /// A decoder at its start.
    pub(in crate::encoding) fn new(salvage: bool) -> Self {
        if salvage { Self::Salvage(Default::default()) } else { Self::Strict(Default::default()) }
    }

    /// Decodes the next piece of text onto `out`.
    pub(in crate::encoding) fn decode(
        &mut self,
        text: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), StreamError> {
        match self {
            Self::Strict(strict) => strict.decode(text, out),
            Self::Salvage(salvage) => {
                salvage.decode(text, out);
                Ok(())
            }
        }
    }

    /// Decodes what is left at the end of the text.
    pub(in crate::encoding) fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), StreamError> {
        match self {
            Self::Strict(strict) => strict.finish(out),
            Self::Salvage(salvage) => {
                salvage.finish(out);
                Ok(())
            }
        }
    }

    /// Forgets everything: the text comes again from its start.
    pub(in crate::encoding) fn restart(&mut self) {
        *self = Self::new(matches!(self, Self::Salvage(_)));
    }

    /// What salvage left out or filled up so far.
    pub(in crate::encoding) fn damage(&self) -> Vec<Damage> {
        match self {
            Self::Strict(_) => Vec::new(),
            Self::Salvage(salvage) => salvage.damage(),
        }
    }
}

/// Whether a byte belongs to base64 text, its `=` included.
fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}
