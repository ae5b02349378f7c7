//! A value of any length, opened in pieces: its beginning gives key and IV, and its end is judged last.

use super::given::{Error, Given};
use super::judge::Judge;
use super::key::worker;
use super::outcome::Outcome;
use super::row::{Charset, Ciphers, Container, Fill, Inner, Preset, Text};
use crate::encoding::{Armor, Decoder, Encoding};
use crate::engine::Engine;
use crate::looks;

/// A value of any length, and how it is written.
pub struct Long<'a> {
    preset: &'a Preset,
    given: Given<'a>,
    armor: Option<Armor>,
}

/// A value of which the beginning was read.
pub struct Begun {
    /// Bytes that stand before the ciphertext.
    pub header: usize,
    /// Decrypts all behind them.
    pub engine: Engine,
    /// Takes what was decrypted, in its order.
    pub judge: Judge,
}

impl Preset {
    /// Whether values of any length are opened in pieces. The others are values of columns, strings and keys, and
    /// are opened whole.
    #[must_use]
    pub fn is_of_any_length(&self) -> bool {
        let has_start = matches!(
            self.container,
            Container::None
                | Container::Salted
                | Container::RandomIv
                | Container::Salt
                | Container::Mcrypt
        );
        has_start
            && matches!(self.inner, Inner::None | Inner::Digest)
            && matches!(self.charset, Charset::Bytes | Charset::Utf8)
            && !matches!(self.ciphers, Ciphers::CfmxCompat | Ciphers::Aes256Cbc)
    }

    /// A value of any length whose first bytes are `start`, some thousands of them. It is read as [`open_file`]
    /// reads a value: where nobody said how it is written and it is not the usual text, in other ways. `None`: it
    /// can only be opened whole.
    ///
    /// [`open_file`]: Self::open_file
    #[must_use]
    pub fn long<'a>(&'a self, given: Given<'a>, start: &[u8]) -> Option<Long<'a>> {
        let is_text = matches!(given.charset, None | Some(Charset::Bytes | Charset::Utf8));
        if !self.is_of_any_length() || !is_text {
            return None;
        }
        let usual = match given.text.unwrap_or(self.text) {
            Text::As(encoding) => encoding,
            Text::Wrapped(prefix, _, encoding) => {
                let is_it = |at: &[u8]| at.eq_ignore_ascii_case(prefix.as_bytes());
                if start.trim_ascii_start().get(..prefix.len()).is_some_and(is_it) {
                    return None;
                }
                encoding
            }
        };
        let others: &[_] = match (given.text, looks::is_text(start)) {
            (Some(_), _) => &[],
            (None, true) => &[Encoding::Hex, Encoding::Base64],
            (None, false) => &[Encoding::Text],
        };
        let is_written = |armor: &Option<Armor>| {
            armor.is_none_or(|armor| {
                Decoder::new(armor, false).decode(start, &mut Vec::new()).is_ok()
            })
        };
        let ways = [&[usual], others].concat().into_iter().filter_map(armor);
        let mut ways = ways.collect::<Vec<_>>().into_iter();
        Some(Long { preset: self, given, armor: ways.find(is_written)? })
    }
}

/// How a stream of this encoding is written; `None` where no stream is.
fn armor(encoding: Encoding) -> Option<Option<Armor>> {
    match encoding {
        Encoding::Text => Some(None),
        Encoding::Hex => Some(Some(Armor::Hex)),
        Encoding::Base64 => Some(Some(Armor::Base64 { one_line: false })),
        Encoding::Uu => None,
    }
}

impl Long<'_> {
    /// Reads the value, from its start, where it is text.
    #[must_use]
    pub fn decoder(&self) -> Option<Decoder> {
        self.armor.map(|armor| Decoder::new(armor, false))
    }

    /// Reads the beginning: `start` are the first bytes, no longer text, some thousands of them or all.
    ///
    /// # Errors
    /// What the caller gave cannot be used. In place of [`Begun`], what became of the value.
    pub fn begin(&self, start: &[u8]) -> Result<Result<Begun, Outcome>, Error> {
        let Self { preset, given, .. } = self;
        let parts = match preset.container.split(start) {
            Ok(parts) => parts,
            Err(outcome) => return Ok(Err(outcome)),
        };
        let header = start.len() - parts.ciphertext.len();
        let worker = match worker(preset, given, &parts)? {
            Ok(worker) => worker,
            Err(outcome) => return Ok(Err(outcome)),
        };
        let block = worker.block_len();
        let fill = if block > 0 { given.fill.unwrap_or(preset.fill) } else { Fill::None };
        let charset = given.charset.unwrap_or(preset.charset);
        let trailer = parts.named.and_then(|named| named.trailer);
        let engine = worker.engine()?.ok_or(Error::Cipher)?;
        Ok(Ok(Begun { header, engine, judge: Judge::new(fill, block, charset, trailer) }))
    }
}
