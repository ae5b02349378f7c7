//! Which way was the key derived? The padding at the end of the message and the look of its start tell.

use std::fmt;

use cipherloom::{Direction, Error as CipherError, Padding};
use zeroize::Zeroizing;

use super::{Derivation, Digest, KeyIv, Method};
use crate::cipher::Cipher;
use crate::engine::{Engine, HEADROOM, Setup};
use crate::looks::{Looks, like_what, surely_like_what};

/// Bytes at the start of the message that are looked at.
pub const HEAD: usize = 4096;

/// Bytes at the end of the message that are looked at.
pub const TAIL: usize = 16;

/// One wrong key in 2^32 gives a right padding of so many bytes.
const SURE_PADDING: usize = 4;

/// A shorter message cannot cast doubt on a derivation. One wrong key in 2^20 or more gives text of 16
/// bytes.
const DOUBTFUL: usize = 24;

/// OpenSSL's default before 1.1.0.
const BEFORE: Derivation = Derivation { digest: Digest::Md5, method: Method::BytesToKey };

/// What can be seen of a message before it is decrypted.
pub struct Sample {
    /// The first bytes, up to [`HEAD`].
    pub head: Vec<u8>,
    /// The last bytes, up to [`TAIL`].
    pub tail: Vec<u8>,
    /// Bytes in all; more than there are where that is not known.
    pub len: u64,
}

/// A message, and what is known of its key: all but how it was derived.
pub struct Message<'a> {
    /// The cipher and its mode.
    pub cipher: &'a Cipher,
    /// Counts for ECB and CBC.
    pub padding: Padding,
    /// The password.
    pub password: &'a [u8],
    /// Empty where there is none.
    pub salt: &'a [u8],
    /// A key that replaces the derived one.
    pub key: Option<&'a [u8]>,
    /// An IV that replaces the derived one.
    pub iv: Option<&'a [u8]>,
    /// The end of the message is known to be damaged: only the start counts.
    pub is_damaged: bool,
}

/// What the plaintext by one derivation shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The derivation.
    pub derivation: Derivation,
    /// Bytes of padding, where the mode has padding and it is right.
    pub padding: Option<usize>,
    /// What the start looks like.
    pub start: Option<Looks>,
}

/// Why no derivation was found, or why one is not to be trusted.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The library refused: a length that no ciphertext has, a failed self-test.
    Cipher(CipherError),
    /// By each of these the padding is wrong.
    NoneFits(Vec<Derivation>),
    /// More than one fits, or none where nothing can be excluded.
    Undecided {
        /// Those that may be it.
        candidates: Vec<Evidence>,
        /// Whether they were judged by their padding.
        by_padding: bool,
    },
    /// By OpenSSL's default of today the start looks like nothing, and by the one before 1.1.0 it does.
    Doubtful {
        /// The default of today.
        today: Derivation,
        /// What speaks for the one before.
        before: Evidence,
    },
}

impl Message<'_> {
    /// Whether anything that is derived is used.
    #[must_use]
    pub fn is_derived(&self) -> bool {
        self.key.is_none() || self.iv.is_none() && self.cipher.iv_len() > 0
    }

    /// Key and IV by one derivation, or those that replace them.
    #[must_use]
    pub fn key_iv(&self, derivation: Derivation) -> KeyIv {
        let mut derived = derivation.derive(self.cipher, self.password, self.salt);
        if let Some(key) = self.key {
            derived.key = Zeroizing::new(key.to_vec());
        }
        if let Some(iv) = self.iv {
            derived.iv = Zeroizing::new(iv.to_vec());
        }
        derived
    }

    /// Finds the one derivation that fits, and what speaks for it.
    ///
    /// # Errors
    /// None fits, more than one does, or the mode has no padding to judge by; the error names those
    /// that may be it.
    pub fn find(&self, sample: &Sample, candidates: &[Derivation]) -> Result<Evidence, Error> {
        let by_padding = self.cipher.is_judged_by(self.padding) && !self.is_damaged;
        let len = sample.len;
        if by_padding && (len == 0 || !len.is_multiple_of(8)) {
            return Err(Error::Cipher(CipherError::NotWholeBlocks {
                len: usize::try_from(len).unwrap_or(usize::MAX),
            }));
        }
        let mut found = Vec::new();
        for &derivation in candidates {
            let evidence = self.judge(sample, derivation, by_padding, like_what)?;
            if if by_padding { evidence.padding.is_some() } else { evidence.start.is_some() } {
                found.push(evidence);
            }
        }
        if found.is_empty() && by_padding {
            return Err(Error::NoneFits(candidates.to_vec()));
        }
        if by_padding || self.is_damaged {
            // Too often a few bytes of one block look like text by chance.
            let sure = |evidence: &&Evidence| {
                (evidence.start.is_some() && len > 8)
                    || evidence.padding.is_some_and(|count| count >= SURE_PADDING)
            };
            let chosen = match found.iter().filter(sure).collect::<Vec<_>>()[..] {
                [one] => Some(one),
                [] if found.len() == 1 => found.first(),
                _ => None,
            };
            if let Some(chosen) = chosen {
                return Ok(chosen.clone());
            }
        }
        Err(Error::Undecided { candidates: found, by_padding })
    }

    /// Looks whether the start of the message speaks against `today`, OpenSSL's default, and for the
    /// default before 1.1.0: the same command line means either.
    ///
    /// # Errors
    /// It does: [`Error::Doubtful`].
    pub fn doubt(&self, sample: &Sample, today: Derivation) -> Result<(), Error> {
        if sample.head.len() < DOUBTFUL
            || self.judge(sample, today, false, like_what)?.start.is_some()
        {
            return Ok(());
        }
        let before = self.judge(sample, BEFORE, false, surely_like_what)?;
        match before.start {
            None => Ok(()),
            Some(_) => Err(Error::Doubtful { today, before }),
        }
    }

    /// Decrypts the start and the end by one derivation; `look` says what the start looks like.
    fn judge(
        &self,
        sample: &Sample,
        derivation: Derivation,
        by_padding: bool,
        look: fn(&[u8]) -> Option<Looks>,
    ) -> Result<Evidence, Error> {
        let KeyIv { key, iv } = self.key_iv(derivation);
        let iv = &iv[..];
        let direction = Direction::Decrypt;
        let setup = |iv, padding| Setup { cipher: self.cipher, direction, padding, key: &key, iv };
        let mut padding = None;
        let mut own_len = sample.len;
        if by_padding {
            let (before, last) = sample.tail.split_at(sample.tail.len().saturating_sub(8));
            let iv = if before.is_empty() || iv.is_empty() { iv } else { before };
            let mut plain = Zeroizing::new(Vec::with_capacity(HEADROOM + 8));
            let mut engine = Engine::new(&setup(iv, self.padding))?;
            engine.update(last, &mut plain)?;
            match engine.finish(&mut plain) {
                Ok(()) => padding = Some(8 - plain.len()),
                Err(CipherError::Padding) => {}
                Err(error) => return Err(error.into()),
            }
            own_len -= padding.unwrap_or(0) as u64;
        } else if self.cipher.is_padded() {
            // Nobody looked at the padding, and it is no part of the text.
            own_len = own_len.saturating_sub(8);
        }
        // The room is enough for the engine, so the vector never moves and leaves no copy behind.
        let mut plain = Zeroizing::new(Vec::with_capacity(HEADROOM + sample.head.len()));
        let mut engine = Engine::new(&setup(iv, Padding::None))?;
        engine.update(&sample.head, &mut plain)?;
        plain.truncate(usize::try_from(own_len).unwrap_or(usize::MAX));
        Ok(Evidence { derivation, padding, start: look(&plain) })
    }
}

impl From<CipherError> for Error {
    fn from(error: CipherError) -> Self {
        Self::Cipher(error)
    }
}

impl Evidence {
    /// What speaks for the derivation, in words.
    #[must_use]
    pub fn reasons(&self) -> String {
        let padding = self.padding.map(|count| match (count, self.start) {
            (1, None) => {
                "a byte of padding is right, as one wrong key in 256 has it, and the start looks like nothing known"
                    .to_owned()
            }
            _ => "the padding is right".to_owned(),
        });
        let start = self.start.map(|start| format!("the start looks like {start}"));
        padding.into_iter().chain(start).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.derivation, self.reasons())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cipher(error) => error.fmt(f),
            Self::NoneFits(tried) => {
                let tried: Vec<String> = tried.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "the password is wrong, or the data is damaged, or its key was derived in \
                     another way: none of {} fits (wrong padding)",
                    tried.join("; ")
                )
            }
            Self::Undecided { candidates, by_padding } => {
                f.write_str(match by_padding {
                    true => "more than one key derivation fits",
                    false => "without padding the key derivation cannot be found out for sure",
                })?;
                let candidates: Vec<String> = candidates.iter().map(ToString::to_string).collect();
                match candidates.is_empty() {
                    true => f.write_str("; nothing that was tried looks like a known file or text"),
                    false => write!(f, "; it may be {}", candidates.join(" or ")),
                }
            }
            Self::Doubtful { today, before } => {
                write!(
                    f,
                    "by OpenSSL's key derivation since 1.1.0 ({today}) the start of the data looks \
                     like nothing known; by the one before ({}) it looks like ",
                    before.derivation
                )?;
                before.start.map_or(Ok(()), |start| start.fmt(f))
            }
        }
    }
}

impl std::error::Error for Error {}
