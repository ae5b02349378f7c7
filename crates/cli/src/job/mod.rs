//! From options and the start of the input to a cipher that is ready to work.

mod explain;
mod header;
mod options;
mod purpose;

use cipherloom::{Direction, Padding};
use cipherloom_formats::derivation::search::Message;
use cipherloom_formats::derivation::{Derivation, KeyIv, Method};
use cipherloom_formats::salted::Unexpected;
use cipherloom_formats::{Cipher, Damage, Engine, Setup, preset};

pub(crate) use options::check_given;
pub(crate) use purpose::Purpose;

use crate::args::key::KeyArgs;
use crate::errors::{Error, Result};
use crate::io::notes::Notes;
use crate::io::source::Source;
use crate::keying::password;
use explain::{Secret, check_key};
use header::{Found, Header};
use options::{Plan, RawKey, check_header_is_data, cipher};

/// A message's cipher, key and IV, and how they came about.
pub(crate) struct Job {
    pub(crate) cipher: Cipher,
    pub(crate) direction: Direction,
    pub(crate) padding: Padding,
    pub(crate) material: KeyIv,
    /// The salt, where a password was used with one.
    pub(crate) salt: Option<Vec<u8>>,
    /// How the key was derived, where a password was used.
    #[cfg_attr(not(feature = "migrate"), expect(dead_code, reason = "`migrate` says it"))]
    pub(crate) derivation: Option<Derivation>,
    /// What the file starts with, in encryption.
    pub(crate) header: Option<Vec<u8>>,
    /// What was found damaged so far (salvage).
    pub(crate) missing: Vec<Damage>,
    secret: Secret,
}

impl Job {
    /// Reads the header of the input if there is one, finds or derives the key, and checks it.
    ///
    /// # Errors
    /// Bad usage; a header, password or key derivation that does not fit.
    pub(crate) fn prepare(
        args: &KeyArgs,
        purpose: Purpose,
        source: &mut Source,
        notes: &Notes,
    ) -> Result<Self> {
        let (cipher, padding) = (cipher(args)?, args.padding());
        check_header_is_data(args, purpose.direction)?;
        let raw = RawKey::parse(args, &cipher)?;
        let plan = Plan::new(&args.password, purpose)?;
        let given = password::given(&args.password.source, notes)?;
        // Which may have come from the same file.
        source.begin()?;
        let given_salt = raw.salt.as_ref().map(|salt| &salt[..]);
        let mut header = Header { args: &args.password, purpose, source, notes };
        let mut derivation = None;
        let mut secret = Secret::Key;
        let found: Found;
        let material = match (given, raw.key) {
            (None, Some(_)) if raw.iv.is_none() && cipher.iv_len() > 0 => {
                return Err(Error::usage(format!(
                    "-K for {} needs an -iv of 8 bytes (16 hex digits) too",
                    cipher.name
                )));
            }
            (None, Some(key)) => {
                found =
                    header.leave_out(given_salt.map_or(Unexpected::Key, Unexpected::GivenSalt))?;
                KeyIv { key, iv: raw.iv.unwrap_or_default() }
            }
            (given, key) => {
                let twice = purpose.direction == Direction::Encrypt;
                let password = given.map_or_else(|| password::from_terminal(twice), Ok)?;
                found = header.salt(given_salt)?;
                let message = Message {
                    cipher: &cipher,
                    padding,
                    password: &password,
                    salt: found.salt.as_deref().unwrap_or_default(),
                    key: key.as_ref().map(|key| &key[..]),
                    iv: raw.iv.as_ref().map(|iv| &iv[..]),
                    is_damaged: purpose.salvage,
                };
                let by = choose(&message, &plan, purpose, found.len, source, notes)?;
                derivation = Some(by);
                secret = if plan.is_default { Secret::DefaultDerivation } else { Secret::Password };
                message.key_iv(by)
            }
        };
        check_key(&cipher, &material.key, args.strict_keys, notes)?;
        Ok(Self {
            cipher,
            direction: purpose.direction,
            padding,
            material,
            salt: found.salt,
            derivation,
            header: found.to_write,
            missing: found.damage.into_iter().collect(),
            secret,
        })
    }

    /// Whether decryption ends in a padding that a wrong key or damage would break, nearly always.
    #[cfg(feature = "migrate")]
    pub(crate) fn is_judged(&self) -> bool {
        self.cipher.is_judged_by(self.padding)
    }

    /// The cipher at the start of the message.
    ///
    /// # Errors
    /// The library's.
    pub(crate) fn engine(&self) -> Result<Engine> {
        Ok(Engine::new(&Setup {
            cipher: &self.cipher,
            direction: self.direction,
            padding: self.padding,
            key: &self.material.key,
            iv: &self.material.iv,
        })?)
    }

    /// A line that says what the library's error means for this message.
    pub(crate) fn explain(&self, error: Error) -> Error {
        self.secret.explain(&self.cipher, self.direction, error)
    }
}

/// The derivation: from the options, or by trial on the message behind a header of `header_len` bytes.
fn choose(
    message: &Message<'_>,
    plan: &Plan,
    purpose: Purpose,
    header_len: usize,
    source: &mut Source,
    notes: &Notes,
) -> Result<Derivation> {
    let Some(derivation) = plan.derivation else {
        let candidates = preset::derivations(plan.count);
        if !message.is_derived() {
            // What is derived is not used at all: then any derivation will do.
            return Ok(candidates[0]);
        }
        let sample = source.sample(header_len)?;
        let found = message.find(&sample, &candidates).map_err(|error| {
            Secret::Password.explain(message.cipher, purpose.direction, error.into())
        })?;
        notes.say(&format!("key derivation found: {found}"));
        return Ok(found.derivation);
    };
    let may_doubt = plan.is_default
        && message.is_derived()
        && derivation.method == Method::BytesToKey
        && purpose.direction == Direction::Decrypt
        && !purpose.key_only;
    if may_doubt && let Some(sample) = source.peek()? {
        message.doubt(&sample, derivation)?;
    }
    Ok(derivation)
}
