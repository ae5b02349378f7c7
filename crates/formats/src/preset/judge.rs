//! What shows that a key was right; of a message in pieces, gathered as its plaintext goes by.

use sha2::digest::DynDigest;
use zeroize::Zeroizing;

use super::container::Trailer;
use super::inner::{START, looks_like};
use super::outcome::{Fault, Outcome, Witness};
use super::row::{Charset, Fill};
use crate::looks::Looks;

/// One wrong key in 2^32 gives a right padding of so many bytes: then text in another encoding is no sign
/// of a wrong key.
pub(super) const SURE_PADDING: usize = 4;

/// Bytes of a plaintext that are kept: one more shows that there are more.
const KEPT: usize = START + 1;

/// What a decrypted message showed.
pub(super) struct Shown {
    pub(super) has_magic: bool,
    /// It is right: a wrong one is seen before.
    pub(super) has_digest: bool,
    /// Bytes of it, where the kind of padding tells.
    pub(super) padding: usize,
    /// Whether the plaintext is of the kind that it should be.
    pub(super) is_right: bool,
}

impl Shown {
    /// Why the key is right, or `None` where it is wrong. `looks`: like what the plaintext looks.
    pub(super) fn witness(
        &self,
        charset: Charset,
        looks: impl FnOnce() -> Option<Looks>,
    ) -> Option<Witness> {
        let &Self { has_magic, has_digest, padding, is_right } = self;
        Some(match charset {
            _ if has_magic => Witness::Magic,
            _ if has_digest => Witness::Digest,
            Charset::Utf8 | Charset::Utf16Le | Charset::Der | Charset::Pin
                if !is_right && padding < SURE_PADDING =>
            {
                return None;
            }
            Charset::Der | Charset::Pin if is_right => Witness::Structure,
            Charset::Utf8 | Charset::Utf16Le if !is_right => Witness::PaddingAlone(padding),
            _ if padding > 0 => match (padding < SURE_PADDING).then(looks).flatten() {
                Some(looks) => Witness::PaddingAndLooks(padding, looks),
                None => Witness::Padding(padding),
            },
            _ if is_right => Witness::Text,
            _ => Witness::Nothing,
        })
    }
}

/// Takes the padding and a digest off the end of a message in pieces, and judges by them and by the plaintext
/// ([`Preset::long`](super::Preset::long)).
pub struct Judge {
    fill: Fill,
    block: usize,
    charset: Charset,
    digest: Option<Running>,
    /// What may be padding and digest.
    held: Zeroizing<Vec<u8>>,
    /// The plaintext's first bytes.
    start: Zeroizing<Vec<u8>>,
    text: Utf8,
    /// Bytes of plaintext so far.
    len: u64,
}

/// A digest that stands behind a plaintext.
struct Running {
    digest: Box<dyn DynDigest + Send>,
    trailer: Trailer,
}

impl Running {
    /// Whether the digest of all that went by is `found`.
    fn is(&mut self, found: &[u8]) -> bool {
        let mut own = vec![0; found.len()];
        self.digest.finalize_into_reset(&mut own).is_ok() && own == found
    }
}

impl Judge {
    /// `block` is 0 for a stream.
    pub(super) fn new(
        fill: Fill,
        block: usize,
        charset: Charset,
        trailer: Option<Trailer>,
    ) -> Self {
        let digest = trailer.map(|trailer| Running { digest: trailer.digest.running(), trailer });
        let (held, start, text) = Default::default();
        Self { fill, block, charset, digest, held, start, text, len: 0 }
    }

    /// Takes the next decrypted bytes. What surely is plaintext goes onto `out`.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&self.held);
        out.extend_from_slice(bytes);
        let padding = if self.fill == Fill::None { 0 } else { self.block };
        let ready = (out.len() - start).saturating_sub(padding + self.digest_len());
        self.held.clear();
        self.held.extend_from_slice(&out[start + ready..]);
        out.truncate(start + ready);
        self.see(&out[start..]);
    }

    /// Ends the message onto `out`, and says why the key was right, or what became of it otherwise.
    ///
    /// # Errors
    /// The outcome, which is not [`Outcome::Decrypted`].
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<Witness, Outcome> {
        if self.fill.is_always() && self.held.is_empty() {
            return Err(Outcome::Damaged(Fault::Length { len: 0 }));
        }
        let held = std::mem::take(&mut self.held);
        let count = match self.fill {
            // As a program adds none where there are whole blocks.
            Fill::Zeros => {
                let most = held.len().min(self.block.saturating_sub(1));
                self.fill.count(&held[held.len() - most..], self.block)
            }
            fill => fill.count(&held, self.block),
        };
        let own = count.map(|count| held.len() - count);
        let at = own.and_then(|own| Some((own.checked_sub(self.digest_len())?, own)));
        let (at, own) = at.ok_or(Outcome::WrongKey)?;
        let (last, found) = held[..own].split_at(at);
        self.see(last);
        out.extend_from_slice(last);
        let len = self.len;
        let digest = self.digest.as_mut().filter(|running| running.trailer.is_readable(len));
        let has_digest = digest.is_some();
        if digest.is_some_and(|running| !running.is(found)) {
            return Err(Outcome::WrongKey);
        }
        let is_told = matches!(self.fill, Fill::Pkcs7 | Fill::Stars);
        let shown = Shown {
            has_magic: false,
            has_digest,
            padding: if is_told { held.len() - own } else { 0 },
            is_right: self.charset == Charset::Utf8 && self.text.is_whole(),
        };
        let looks = || looks_like(self.charset, &self.start);
        shown.witness(self.charset, looks).ok_or(Outcome::WrongKey)
    }

    fn digest_len(&self) -> usize {
        self.digest.as_ref().map_or(0, |running| running.digest.output_size())
    }

    /// Plaintext goes by.
    fn see(&mut self, plaintext: &[u8]) {
        self.len += plaintext.len() as u64;
        let room = (KEPT - self.start.len()).min(plaintext.len());
        if self.start.is_empty() {
            self.start.reserve_exact(KEPT);
        }
        self.start.extend_from_slice(&plaintext[..room]);
        if let Some(running) = &mut self.digest {
            running.digest.update(plaintext);
        }
        if self.charset == Charset::Utf8 {
            self.text.feed(plaintext);
        }
    }
}

/// Whether bytes that come in pieces are UTF-8.
#[derive(Default)]
struct Utf8 {
    is_wrong: bool,
    /// The start of a character that a piece cut.
    cut: Zeroizing<Vec<u8>>,
}

impl Utf8 {
    fn feed(&mut self, mut bytes: &[u8]) {
        while !self.cut.is_empty() && !self.is_wrong {
            let Some((&first, rest)) = bytes.split_first() else { return };
            self.cut.push(first);
            bytes = rest;
            match std::str::from_utf8(&self.cut) {
                Ok(_) => self.cut.clear(),
                Err(error) => self.is_wrong = error.error_len().is_some(),
            }
        }
        if let (false, Err(error)) = (self.is_wrong, std::str::from_utf8(bytes)) {
            self.is_wrong = error.error_len().is_some();
            self.cut.extend_from_slice(&bytes[error.valid_up_to()..]);
        }
    }

    fn is_whole(&self) -> bool {
        !self.is_wrong && self.cut.is_empty()
    }
}
