//! A file in pieces: of `openssl enc`, or under a known key. Memory does not grow with it.

use cipherloom::{Direction, Padding};
use cipherloom_formats::derivation::KeyIv;
use cipherloom_formats::derivation::search::{HEAD, Message, Sample};
use cipherloom_formats::encoding::Decoder;
use cipherloom_formats::salted::{self, Unexpected};
use cipherloom_formats::{Cipher, Damage, Engine, Setup, preset};

use crate::form::{Form, Way};
use crate::sampler::Seen;
use crate::words::{self, Secret};

/// A file at work.
pub(crate) struct Stream {
    engine: Engine,
    cipher: Cipher,
    secret: Secret,
    decoder: Option<Decoder>,
    /// What the decoder made of a piece.
    bytes: Vec<u8>,
    /// Bytes of the header that are still to come.
    header: usize,
    salvage: bool,
    damage: Vec<Damage>,
}

/// The header of a file.
#[derive(Default)]
struct Header {
    salt: Vec<u8>,
    len: usize,
    damage: Option<Damage>,
}

impl Stream {
    /// Finds the key, and what is to be said of that. `decoder` reads the file, which comes from its start.
    pub(crate) fn begin(
        form: &Form,
        seen: Seen,
        decoder: Option<Decoder>,
    ) -> Result<(Self, Vec<String>), String> {
        let cipher = form.cipher()?.ok_or("choose a cipher")?;
        let mut notes = Vec::new();
        let (header, secret, KeyIv { key, iv }) = match form.way()? {
            Way::Preset(_) => return Err(words::ONLY_VALUES.to_owned()),
            Way::Raw => {
                let header = left_out(Unexpected::Key, &seen, &mut notes)?;
                let (key, iv) = (form.key(&cipher)?, form.iv()?.unwrap_or_default());
                let (got, want) = (iv.len(), cipher.iv_len());
                if got != want {
                    return Err(format!(
                        "the IV has {got} bytes, and {} takes {want}",
                        cipher.name
                    ));
                }
                (header, Secret::Key, KeyIv { key: key.into(), iv: iv.into() })
            }
            Way::OpenSsl => {
                let header = openssl_header(form, &seen, &mut notes)?;
                let password = form.password()?;
                let message = Message {
                    cipher: &cipher,
                    padding: form.padding(),
                    password: &password,
                    salt: &header.salt,
                    key: None,
                    iv: None,
                    is_damaged: form.salvage,
                };
                let derivation = match form.derivation()? {
                    Some(derivation) => derivation,
                    None => {
                        let sample = sample(seen, header.len);
                        let candidates = preset::derivations(form.pbkdf2_count()?);
                        let found = message.find(&sample, &candidates);
                        let found = found.map_err(|error| words::of_search(&error, &cipher))?;
                        notes.push(format!("key derivation found: {found}"));
                        found.derivation
                    }
                };
                let key_iv = message.key_iv(derivation);
                (header, Secret::Password, key_iv)
            }
        };
        if let Some(fault) = cipher.fault(&key) {
            notes.push(format!("warning: the key is {fault}"));
        }
        let padding = if cipher.is_padded() { form.padding() } else { Padding::None };
        let setup =
            Setup { cipher: &cipher, direction: Direction::Decrypt, padding, key: &key, iv: &iv };
        let engine = Engine::new(&setup).map_err(|error| secret.explain(&cipher, error))?;
        let stream = Self {
            engine,
            cipher,
            secret,
            decoder,
            bytes: Vec::new(),
            header: header.len,
            salvage: form.salvage,
            damage: header.damage.into_iter().collect(),
        };
        Ok((stream, notes))
    }

    /// Decrypts the next piece onto `out`.
    pub(crate) fn update(&mut self, piece: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        let Some(decoder) = &mut self.decoder else { return self.decrypt(piece, out) };
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        decoder.decode(piece, &mut bytes).map_err(|error| words::of_text(&error))?;
        self.decrypt(&bytes, out)?;
        self.bytes = bytes;
        Ok(())
    }

    fn decrypt(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        let header = self.header.min(bytes.len());
        self.header -= header;
        let updated = self.engine.update(&bytes[header..], out);
        updated.map_err(|error| self.secret.explain(&self.cipher, error))
    }

    /// Ends the message onto `out`, and says what was found damaged.
    pub(crate) fn finish(mut self, out: &mut Vec<u8>) -> Result<Vec<Damage>, String> {
        if let Some(mut decoder) = self.decoder.take() {
            let mut bytes = Vec::new();
            decoder.finish(&mut bytes).map_err(|error| words::of_text(&error))?;
            self.decrypt(&bytes, out)?;
            self.damage.extend(decoder.damage());
        }
        let ended = match self.salvage {
            true => self.engine.salvage(out),
            false => self.engine.finish(out).map(|()| None),
        };
        let damage = ended.map_err(|error| self.secret.explain(&self.cipher, error))?;
        self.damage.extend(damage);
        Ok(self.damage)
    }
}

/// What a search looks at: the message behind its header.
fn sample(seen: Seen, header: usize) -> Sample {
    let Seen { mut head, mut tail, len } = seen;
    head.drain(..header.min(head.len()));
    head.truncate(HEAD);
    let len = len.saturating_sub(header as u64);
    let is_header = tail.len().saturating_sub(usize::try_from(len).unwrap_or(usize::MAX));
    tail.drain(..is_header);
    Sample { head, tail, len }
}

/// The salt: given, or in the header.
fn openssl_header(form: &Form, seen: &Seen, notes: &mut Vec<String>) -> Result<Header, String> {
    if form.nosalt {
        return left_out(Unexpected::NoSalt, seen, notes);
    }
    if let Some(salt) = form.salt()? {
        let header = left_out(Unexpected::GivenSalt(&salt), seen, notes)?;
        return Ok(Header { salt, ..header });
    }
    let len = salted::MAGIC.len() + salted::SALT_LEN;
    let start = &seen.head[..len.min(seen.head.len())];
    let parsed = match form.salvage {
        true => salted::salvage(start, salted::SALT_LEN),
        false => salted::parse(start, salted::SALT_LEN).map(|salt| (salt, None)),
    };
    let (salt, damage) = parsed.map_err(words::of_header)?;
    Ok(Header { salt, len, damage })
}

/// A header where none is expected.
fn left_out(
    unexpected: Unexpected<'_>,
    seen: &Seen,
    notes: &mut Vec<String>,
) -> Result<Header, String> {
    let len = salted::MAGIC.len() + salted::SALT_LEN;
    let start = &seen.head[..len.min(seen.head.len())];
    if start.len() < len || !salted::is_header(start) {
        return Ok(Header::default());
    }
    if !unexpected.explains(&start[salted::MAGIC.len()..]) {
        return Err(words::HEADER_CONTRADICTS.to_owned());
    }
    notes.push(words::HEADER_LEFT_OUT.to_owned());
    Ok(Header { salt: Vec::new(), len, damage: None })
}
