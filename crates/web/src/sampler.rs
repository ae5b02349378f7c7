//! What is looked at of a file before it is decrypted: its start, its end and its length.

use cipherloom_formats::derivation::search::{HEAD, TAIL};
use cipherloom_formats::encoding::{Armor, Decoder, Encoding};
use cipherloom_formats::salted;

use crate::form::{Form, Way};
use crate::words;

/// A file that is looked at.
#[derive(Default)]
pub(crate) struct Sampler {
    decoder: Option<Decoder>,
    seen: Seen,
}

/// What was seen, header and all.
#[derive(Default)]
pub(crate) struct Seen {
    /// The first bytes.
    pub(crate) head: Vec<u8>,
    /// The last bytes, up to [`TAIL`].
    pub(crate) tail: Vec<u8>,
    /// Bytes in all.
    pub(crate) len: u64,
}

/// Reads the text of a file, where it is text.
pub(crate) fn decoder(form: &Form) -> Result<Option<Decoder>, String> {
    let armor = match form.encoding() {
        None | Some(Encoding::Text) => return Ok(None),
        Some(Encoding::Hex) => Armor::Hex,
        Some(Encoding::Base64) => Armor::Base64 { one_line: false },
        Some(Encoding::Uu) => return Err(words::NO_UU.to_owned()),
    };
    Ok(Some(Decoder::new(armor, form.salvage)))
}

impl Sampler {
    /// A sampler at the start of a file.
    pub(crate) fn new(form: &Form) -> Result<Self, String> {
        let decoder = match form.way() {
            // Values are read as their presets say.
            Ok(Way::Preset(_)) => None,
            _ => decoder(form)?,
        };
        Ok(Self { decoder, seen: Seen::default() })
    }

    pub(crate) fn feed(&mut self, piece: &[u8]) -> Result<(), String> {
        let Some(decoder) = &mut self.decoder else {
            self.seen.add(piece);
            return Ok(());
        };
        let mut bytes = Vec::new();
        decoder.decode(piece, &mut bytes).map_err(|error| words::of_text(&error))?;
        self.seen.add(&bytes);
        Ok(())
    }

    pub(crate) fn skip(&mut self, bytes: u64) {
        self.seen.len += bytes;
    }

    pub(crate) fn finish(mut self) -> Result<Seen, String> {
        if let Some(decoder) = &mut self.decoder {
            let mut bytes = Vec::new();
            decoder.finish(&mut bytes).map_err(|error| words::of_text(&error))?;
            self.seen.add(&bytes);
        }
        Ok(self.seen)
    }
}

impl Seen {
    fn add(&mut self, bytes: &[u8]) {
        let room = (salted::MAGIC.len() + salted::SALT_LEN + HEAD).saturating_sub(self.head.len());
        self.head.extend_from_slice(&bytes[..room.min(bytes.len())]);
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(TAIL)..]);
        self.tail.drain(..self.tail.len().saturating_sub(TAIL));
        self.len += bytes.len() as u64;
    }
}
