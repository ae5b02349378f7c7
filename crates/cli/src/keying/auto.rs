//! `-md auto`: which way was the key derived? Judged by the padding at the end of the message and
//! by what its start looks like.

use cipherloom::{Error as CipherError, Padding};

use super::derivation::{DEFAULT_COUNT, Derivation, Method};
use super::digest::Digest;
use crate::ciphers::Cipher;
use crate::engine::{Direction, Engine, Setup};
use crate::errors::{Error, Result};
use crate::io::notes::Notes;
use crate::io::source::Sample;
use crate::looks::{like_what, surely_like_what};

/// Bytes at the start of the message that are looked at.
pub(crate) const HEAD: usize = 4096;

/// Padding of so many bytes comes about by chance once in 2^32 wrong keys.
const SURE_PADDING: usize = 4;

/// What `openssl enc` has done by default or by a common option: SHA-256 since OpenSSL 1.1.0
/// (2016), MD5 before (its changelog), SHA-1 by `-md sha1`, PBKDF2 by `-pbkdf2` since 1.1.1 with
/// its default count.
const WAYS: [(&str, Method); 4] = [
    ("md5", Method::BytesToKey),
    ("sha256", Method::BytesToKey),
    ("sha1", Method::BytesToKey),
    ("sha256", Method::Pbkdf2(DEFAULT_COUNT)),
];

/// Fewest bytes of a message that can cast doubt on a derivation: text of 16 bytes comes about by
/// chance once in 2^20 or more wrong keys.
const DOUBTFUL: usize = 24;

/// Digests tried where the command line says PBKDF2 and its count, but no digest.
const PBKDF2_DIGESTS: [&str; 4] = ["sha256", "sha1", "sha512", "md5"];

/// The derivations to try; `count` is PBKDF2's if the command line asks for that.
pub(crate) fn candidates(count: Option<u32>) -> Vec<Derivation> {
    let ways: Vec<(&str, Method)> = match count {
        None => WAYS.to_vec(),
        Some(count) => PBKDF2_DIGESTS.iter().map(|name| (*name, Method::Pbkdf2(count))).collect(),
    };
    ways.iter()
        .filter_map(|&(name, method)| Some(Derivation { digest: Digest::find(name)?, method }))
        .collect()
}

/// What a derivation's plaintext shows.
struct Verdict {
    derivation: Derivation,
    /// Bytes of padding, where the mode has padding and it is right.
    padding: Option<usize>,
    /// What the start looks like.
    start: Option<String>,
}

impl Verdict {
    fn reasons(&self) -> String {
        let mut reasons = Vec::new();
        if self.padding.is_some() {
            reasons.push("the padding is right".to_owned());
        }
        if let Some(start) = &self.start {
            reasons.push(format!("the start looks like {start}"));
        }
        reasons.join(", ")
    }
}

/// The problem to solve.
pub(crate) struct Question<'a> {
    pub(crate) cipher: &'a Cipher,
    pub(crate) padding: Padding,
    pub(crate) password: &'a [u8],
    pub(crate) salt: &'a [u8],
    /// `-K`, which replaces the derived key.
    pub(crate) raw_key: Option<&'a [u8]>,
    /// `-iv`, which replaces the derived one.
    pub(crate) iv: Option<&'a [u8]>,
    /// The end of the message is known to be damaged: only the start counts.
    pub(crate) salvage: bool,
}

/// Finds the one derivation that fits.
///
/// # Errors
/// None fits, more than one does, or the mode has no padding to judge by; the line names those that
/// may be it.
pub(crate) fn find(
    question: &Question<'_>,
    sample: &Sample,
    candidates: &[Derivation],
    notes: &Notes,
) -> Result<Derivation> {
    let has_padding = question.cipher.is_padded()
        && matches!(question.padding, Padding::Pkcs7 | Padding::Iso7816)
        && !question.salvage;
    let len = sample.len;
    if has_padding && (len == 0 || !len.is_multiple_of(8)) {
        return Err(CipherError::NotWholeBlocks { len: len as usize }.into());
    }
    let mut verdicts = Vec::new();
    for &derivation in candidates {
        let verdict = judge(question, sample, derivation, has_padding, like_what)?;
        if if has_padding { verdict.padding.is_some() } else { verdict.start.is_some() } {
            verdicts.push(verdict);
        }
    }
    if verdicts.is_empty() && has_padding {
        let tried: Vec<String> = candidates.iter().map(Derivation::options).collect();
        return Err(Error::failure(format!(
            "the password is wrong, or the data is damaged, or its key was derived in another way: \
             none of {} fits (wrong padding); nothing was written; dec --salvage keeps what can be kept",
            tried.join("; ")
        )));
    }
    if has_padding || question.salvage {
        // In one block a few bytes look like text by chance too often.
        let sure = |verdict: &&Verdict| {
            (verdict.start.is_some() && len > 8)
                || verdict.padding.is_some_and(|count| count >= SURE_PADDING)
        };
        let chosen = match verdicts.iter().filter(sure).collect::<Vec<_>>()[..] {
            [one] => Some(one),
            [] if verdicts.len() == 1 => verdicts.first(),
            _ => None,
        };
        if let Some(chosen) = chosen {
            notes.say(&format!(
                "key derivation found: {} ({})",
                chosen.derivation.options(),
                chosen.reasons()
            ));
            return Ok(chosen.derivation);
        }
    }
    Err(undecided(&verdicts, has_padding))
}

/// Looks whether the start of the message speaks against `today`, OpenSSL's default, and for the
/// default before 1.1.0: the same command line means either.
///
/// # Errors
/// It does.
pub(crate) fn doubt(question: &Question<'_>, sample: &Sample, today: Derivation) -> Result<()> {
    let Some(digest) = Digest::find("md5").filter(|_| sample.head.len() >= DOUBTFUL) else {
        return Ok(());
    };
    let before = Derivation { digest, method: Method::BytesToKey };
    if judge(question, sample, today, false, like_what)?.start.is_some() {
        return Ok(());
    }
    match judge(question, sample, before, false, surely_like_what)?.start {
        None => Ok(()),
        Some(start) => Err(Error::failure(format!(
            "by OpenSSL's key derivation since 1.1.0 ({today}) the start of the data looks like \
             nothing known; by the one before ({before}) it looks like {start}; nothing was written: \
             say which by -md"
        ))),
    }
}

fn undecided(verdicts: &[Verdict], has_padding: bool) -> Error {
    let why = if has_padding {
        "more than one key derivation fits"
    } else {
        "without padding the key derivation cannot be found out for sure"
    };
    let named: Vec<String> = verdicts
        .iter()
        .map(|verdict| format!("{} ({})", verdict.derivation.options(), verdict.reasons()))
        .collect();
    let candidates = match named.is_empty() {
        true => "nothing that was tried looks like a known file or text".to_owned(),
        false => format!("it may be {}", named.join(" or ")),
    };
    Error::failure(format!("{why}; {candidates}; nothing was written: say which by -md"))
}

/// Decrypts the start and the end under one derivation; `look` says what the start looks like.
fn judge(
    question: &Question<'_>,
    sample: &Sample,
    derivation: Derivation,
    has_padding: bool,
    look: fn(&[u8]) -> Option<String>,
) -> Result<Verdict> {
    let derived = derivation.derive(question.cipher, question.password, question.salt);
    let iv = question.iv.unwrap_or(&derived.iv);
    let setup = |iv, padding| Setup {
        cipher: question.cipher,
        direction: Direction::Decrypt,
        padding,
        key: question.raw_key.unwrap_or(&derived.key),
        iv,
        threads: 1,
    };
    let mut padding = None;
    let mut own_len = sample.len;
    if has_padding {
        let (before, last) = sample.tail.split_at(sample.tail.len() - 8);
        let iv = if before.is_empty() || iv.is_empty() { iv } else { before };
        let mut plain = Vec::new();
        let mut engine = Engine::new(&setup(iv, question.padding))?;
        engine.update(last, &mut plain)?;
        match engine.finish(&mut plain) {
            Ok(()) => padding = Some(8 - plain.len()),
            Err(Error::Cipher(CipherError::Padding)) => {}
            Err(error) => return Err(error),
        }
        own_len -= padding.unwrap_or(0) as u64;
    } else if question.cipher.is_padded() {
        // A padding that was not looked at is no part of the text.
        own_len = own_len.saturating_sub(8);
    }
    let mut plain = Vec::new();
    let mut engine = Engine::new(&setup(iv, Padding::None))?;
    engine.update(&sample.head, &mut plain)?;
    plain.truncate(own_len as usize);
    Ok(Verdict { derivation, padding, start: look(&plain) })
}
