//! A file in pieces: of `openssl enc`, under a known key, or of a preset. Memory does not grow with it.

use cipherloom::{Direction, Error as CipherError, Padding};
use cipherloom_formats::derivation::KeyIv;
use cipherloom_formats::derivation::search::{HEAD, Message, Sample};
use cipherloom_formats::encoding::Decoder;
use cipherloom_formats::preset::{self, Begun, Fault, Judge, Outcome, Preset};
use cipherloom_formats::salted::{self, Unexpected};
use cipherloom_formats::{Cipher, Damage, Engine, Setup};

use crate::filled::Filled;
use crate::form::{Form, Way};
use crate::sampler::Seen;
use crate::words::{self, Secret};

/// A file at work.
pub(crate) struct Stream {
    engine: Engine,
    way: Opened,
    decoder: Option<Decoder>,
    /// What the decoder made of a piece.
    bytes: Vec<u8>,
    /// What the engine made of it, for a judge.
    decrypted: Vec<u8>,
    /// Bytes of the header that are still to come.
    header: usize,
    salvage: bool,
    damage: Vec<Damage>,
}

/// In which way, and who judges the end.
enum Opened {
    /// The mode's padding.
    Cipher(Cipher, Secret),
    Preset(Judge),
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
        let way = form.way()?;
        if let Way::Preset(preset) = way {
            return Self::begin_preset(&Filled::new(form, preset)?, preset, &seen);
        }
        let cipher = form.cipher()?.ok_or("choose a cipher")?;
        let mut notes = Vec::new();
        let (header, secret, KeyIv { key, iv }) = match way {
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
            Way::OpenSsl | Way::Preset(_) => {
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
            way: Opened::Cipher(cipher, secret),
            decoder,
            bytes: Vec::new(),
            decrypted: Vec::new(),
            header: header.len,
            salvage: form.salvage,
            damage: header.damage.into_iter().collect(),
        };
        Ok((stream, notes))
    }

    /// The same by a preset, which says itself how the file is read.
    fn begin_preset(
        filled: &Filled,
        preset: &Preset,
        seen: &Seen,
    ) -> Result<(Self, Vec<String>), String> {
        let long = preset.long(filled.given(), &seen.head).ok_or(words::ONLY_WHOLE)?;
        let mut start = seen.head.clone();
        if let Some(mut decoder) = long.decoder() {
            start.clear();
            let mut decoded = decoder.decode(&seen.head, &mut start);
            if seen.len == seen.head.len() as u64 {
                decoded = decoded.and_then(|()| decoder.finish(&mut start));
            }
            decoded.map_err(|error| words::of_text(&error))?;
        }
        let begun = long.begin(&start).map_err(|error| error.to_string())?;
        let Begun { header, engine, judge } = begun.map_err(|outcome| outcome.to_string())?;
        let stream = Self {
            engine,
            way: Opened::Preset(judge),
            decoder: long.decoder(),
            bytes: Vec::new(),
            decrypted: Vec::new(),
            header,
            salvage: false,
            damage: Vec::new(),
        };
        Ok((stream, Vec::new()))
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
        let bytes = &bytes[header..];
        let updated = match &mut self.way {
            Opened::Cipher(..) => self.engine.update(bytes, out),
            Opened::Preset(judge) => {
                self.decrypted.clear();
                let updated = self.engine.update(bytes, &mut self.decrypted);
                judge.feed(&self.decrypted, out);
                updated
            }
        };
        updated.map_err(|error| self.way.explain(error))
    }

    /// Ends the message onto `out`, and says what is to be said of that.
    pub(crate) fn finish(mut self, out: &mut Vec<u8>) -> Result<Vec<String>, String> {
        if let Some(mut decoder) = self.decoder.take() {
            let mut bytes = Vec::new();
            decoder.finish(&mut bytes).map_err(|error| words::of_text(&error))?;
            self.decrypt(&bytes, out)?;
            self.damage.extend(decoder.damage());
        }
        let mut last = Vec::new();
        let ended = match self.salvage {
            true => self.engine.salvage(&mut last),
            false => self.engine.finish(&mut last).map(|()| None),
        };
        self.damage.extend(ended.map_err(|error| self.way.explain(error))?);
        match self.way {
            Opened::Cipher(..) => {
                out.extend_from_slice(&last);
                Ok(self.damage.iter().map(|damage| format!("salvaged, but {damage}")).collect())
            }
            Opened::Preset(mut judge) => {
                judge.feed(&last, out);
                let witness = judge.finish(out).map_err(|outcome| outcome.to_string())?;
                Ok(vec![witness.to_string()])
            }
        }
    }
}

impl Opened {
    /// What the library's error means for a message.
    fn explain(&self, error: CipherError) -> String {
        match (self, Fault::of_length(error)) {
            (Self::Cipher(cipher, secret), _) => secret.explain(cipher, error),
            (Self::Preset(_), Some(fault)) => Outcome::Damaged(fault).to_string(),
            (Self::Preset(_), None) => error.to_string(),
        }
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
