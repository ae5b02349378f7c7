//! From options and the start of the input to a cipher that is ready to work.

use cipherloom::{BlockKey, Error as CipherError, KeyFault, Padding, Parity};
use zeroize::Zeroizing;

use crate::args::key::{KeyArgs, PasswordArgs};
use crate::ciphers::{Cipher, Kind, explain_unknown};
use crate::engine::{Direction, Engine, Setup};
use crate::errors::{Error, Result};
use crate::hex;
use crate::io::notes::Notes;
use crate::io::source::Source;
use crate::keying::auto;
use crate::keying::derivation::{DEFAULT_COUNT, Derivation, KeyIv, Method};
use crate::keying::digest::Digest;
use crate::keying::password::{self, Password};
use crate::keying::salted;

/// A message's cipher, key and IV, and how they came about.
pub(crate) struct Job {
    pub(crate) cipher: Cipher,
    pub(crate) direction: Direction,
    pub(crate) padding: Padding,
    pub(crate) material: KeyIv,
    /// The salt, where a password was used with one.
    pub(crate) salt: Option<[u8; 8]>,
    /// How the key was derived, where a password was used.
    pub(crate) derivation: Option<Derivation>,
    /// What the file starts with, in encryption.
    pub(crate) header: Option<[u8; salted::LEN]>,
    /// What was found damaged so far (salvage).
    pub(crate) missing: Vec<String>,
    secret: Secret,
}

/// What the user gave, for the words of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Secret {
    Key,
    /// A password, and a key derivation that was found or asked for.
    Password,
    /// A password, and OpenSSL's default key derivation.
    DefaultDerivation,
}

/// What kind of work the options are for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) direction: Direction,
    /// Without `-md`: find the key derivation out.
    pub(crate) auto: bool,
    /// The input is known to be damaged.
    pub(crate) salvage: bool,
}

/// The cipher that the options name.
///
/// # Errors
/// Bad usage: no cipher, or an unknown one.
pub(crate) fn cipher(args: &KeyArgs) -> Result<Cipher> {
    let name = args.cipher.as_ref().ok_or_else(|| {
        Error::usage(
            "no cipher given; add its name as a flag, for instance -des3 (--list shows all)",
        )
    })?;
    Cipher::find(name).ok_or_else(|| Error::usage(explain_unknown(name)))
}

impl Job {
    /// Reads the header of the input if there is one, finds or derives the key, and checks it.
    ///
    /// # Errors
    /// Bad usage; a header, password or key derivation that does not fit.
    pub(crate) fn prepare(
        args: &KeyArgs,
        task: Task,
        source: &mut Source,
        notes: &Notes,
    ) -> Result<Self> {
        let cipher = cipher(args)?;
        let raw = RawKey::parse(args, &cipher)?;
        let plan = Plan::new(&args.password, task)?;
        let mut job = Self {
            padding: args.padding(),
            direction: task.direction,
            material: KeyIv { key: Zeroizing::default(), iv: Zeroizing::default() },
            salt: None,
            derivation: None,
            header: None,
            missing: Vec::new(),
            secret: Secret::Key,
            cipher,
        };
        let given = given_password(&args.password, notes)?;
        if given.is_some() || raw.key.is_none() {
            let twice = task.direction == Direction::Encrypt;
            let password = given.map_or_else(|| password::from_terminal(twice), Ok)?;
            let (derivation, salt) =
                job.salt_and_derivation(args, task, &plan, &password, &raw, source, notes)?;
            job.secret = if plan.is_default { Secret::DefaultDerivation } else { Secret::Password };
            job.material =
                derivation.derive(&job.cipher, &password, salt.as_ref().map_or(&[], |salt| salt));
            job.salt = salt;
            job.derivation = Some(derivation);
        } else if raw.iv.is_none() && job.cipher.iv_len() > 0 {
            return Err(Error::usage(format!(
                "-K for {} needs an -iv of 8 bytes (16 hex digits) too",
                job.cipher.name
            )));
        } else if task.direction == Direction::Decrypt && source.starts_with(&salted::MAGIC)? {
            notes.say(
                "the input starts with Salted__, so it was made with a password; with -K this \
                 header is taken for data, as OpenSSL does",
            );
        }
        raw.replace(&mut job.material);
        job.check_key(args.strict_keys, notes)?;
        Ok(job)
    }

    /// Whether decryption ends in a padding that a wrong key or damage would break, nearly always.
    #[cfg(feature = "migrate")]
    pub(crate) fn is_judged(&self) -> bool {
        self.cipher.is_padded() && matches!(self.padding, Padding::Pkcs7 | Padding::Iso7816)
    }

    /// The cipher at the start of the message.
    ///
    /// # Errors
    /// The library's.
    pub(crate) fn engine(&self, threads: usize) -> Result<Engine> {
        Engine::new(&Setup {
            cipher: &self.cipher,
            direction: self.direction,
            padding: self.padding,
            key: &self.material.key,
            iv: &self.material.iv,
            threads,
        })
    }

    /// The salt from option, header or chance, and the derivation from option or by trial.
    #[allow(clippy::too_many_arguments, reason = "one step of `prepare`, split off for length")]
    fn salt_and_derivation(
        &mut self,
        args: &KeyArgs,
        task: Task,
        plan: &Plan,
        password: &Password,
        raw: &RawKey,
        source: &mut Source,
        notes: &Notes,
    ) -> Result<(Derivation, Option<[u8; 8]>)> {
        let mut header = 0;
        let salt = match (args.password.nosalt, &raw.salt, task.direction) {
            (true, ..) => None,
            (false, Some(salt), _) => Some(*salt),
            (false, None, Direction::Encrypt) => {
                let mut salt = [0; 8];
                getrandom::fill(&mut salt).map_err(|error| {
                    Error::failure(format!("the system gives no random bytes: {error}"))
                })?;
                self.header = Some(salted::header(&salt));
                Some(salt)
            }
            (false, None, Direction::Decrypt) => {
                let start = source.read_exactly(salted::LEN)?;
                header = start.len();
                Some(self.read_salt(&start, task.salvage)?)
            }
        };
        let derivation = match plan.derivation {
            Some(derivation) => derivation,
            None => {
                let sample = source.sample(header, auto::HEAD)?;
                let question = auto::Question {
                    cipher: &self.cipher,
                    padding: self.padding,
                    password,
                    salt: salt.as_ref().map_or(&[], |salt| salt),
                    raw_key: raw.key.as_ref().map(|key| &key[..]),
                    iv: raw.iv.as_ref().map(|iv| &iv[..]),
                    sample: &sample,
                    salvage: task.salvage,
                };
                auto::find(&question, &auto::candidates(plan.count), notes)
                    .map_err(|error| self.explain(error))?
            }
        };
        Ok((derivation, salt))
    }

    fn read_salt(&mut self, start: &[u8], salvage: bool) -> Result<[u8; 8]> {
        let error = match salted::parse(start) {
            Ok(salt) => return Ok(salt),
            Err(error) => error,
        };
        match salted::parse_damaged(start).filter(|_| salvage) {
            Some(salt) => {
                self.missing.push(
                    "the Salted__ header is damaged; the 8 bytes behind it were taken as the salt"
                        .to_owned(),
                );
                Ok(salt)
            }
            None => Err(error),
        }
    }

    /// Warns of keys that a careful program refuses, or refuses them.
    fn check_key(&self, is_strict: bool, notes: &Notes) -> Result<()> {
        let Kind::Block(algorithm, _) = self.cipher.kind else { return Ok(()) };
        let what = match BlockKey::fault(algorithm, &self.material.key, Parity::Ignore)? {
            None => return Ok(()),
            Some(KeyFault::Weak) => "the key is one of the 4 weak DES keys, or has one as a part",
            Some(KeyFault::SemiWeak) => {
                "the key is one of the 12 semi-weak DES keys, or has one as a part"
            }
            Some(KeyFault::Degenerate) => {
                "the key is degenerate: two of its parts that follow each other are the same"
            }
            Some(_) => "the key is not one to use",
        };
        if is_strict {
            return Err(Error::failure(format!("{what}, and --strict-keys refuses it")));
        }
        notes.say(&format!("warning: {what}"));
        Ok(())
    }

    /// A line that says what the library's error means for this message.
    pub(crate) fn explain(&self, error: Error) -> Error {
        let Error::Cipher(cause) = error else { return error };
        let name = &self.cipher.name;
        let is_decryption = self.direction == Direction::Decrypt;
        Error::failure(match cause {
            CipherError::Padding => match self.secret {
                Secret::Key => {
                    "wrong padding: the key is wrong, or the data is damaged; dec --salvage \
                     keeps what can be kept"
                        .to_owned()
                }
                Secret::Password => {
                    "wrong padding: the password is wrong, or the data is damaged, \
                     or its key was derived in another way than the options say"
                        .to_owned()
                }
                Secret::DefaultDerivation => {
                    "wrong padding: the password is wrong, or the data is \
                     damaged, or its key was derived in another way than OpenSSL's default today; \
                     -md auto tries the others"
                        .to_owned()
                }
            },
            CipherError::NotWholeBlocks { len: 0 } if is_decryption => {
                "there is no ciphertext in the input: it is empty or truncated".to_owned()
            }
            CipherError::NotWholeBlocks { len } if is_decryption => format!(
                "the ciphertext has {len} bytes, which is no multiple of 8: it is truncated, or not \
                 of {name}; dec --salvage keeps its whole blocks"
            ),
            CipherError::NotWholeBlocks { len } => format!(
                "the input has {len} bytes, which is no multiple of 8, as {name} without padding \
                 needs"
            ),
            CipherError::TooShort { len: 0, .. } if is_decryption => {
                "there is no ciphertext in the input: it is empty or truncated".to_owned()
            }
            CipherError::TooShort { len, min } => {
                format!("the input has {len} bytes, and {name} needs at least {min}")
            }
            CipherError::SelfTest => "the ciphers failed their self-test: this machine or this \
                 build computes wrongly; nothing can be trusted to it"
                .to_owned(),
            other => other.to_string(),
        })
    }
}

/// Key, IV and salt in hex.
struct RawKey {
    key: Option<Zeroizing<Vec<u8>>>,
    iv: Option<Zeroizing<Vec<u8>>>,
    salt: Option<[u8; 8]>,
}

impl RawKey {
    fn parse(args: &KeyArgs, cipher: &Cipher) -> Result<Self> {
        let name = &cipher.name;
        let key = args.raw_key.as_ref().map(|text| {
            let (min, max) = cipher.raw_key_len();
            hex::parse(&format!("-K for {name}"), text.as_encoded_bytes(), min..=max)
        });
        if args.iv.is_some() && cipher.iv_len() == 0 {
            return Err(Error::usage(format!("{name} takes no IV; leave -iv out")));
        }
        let iv = args
            .iv
            .as_ref()
            .map(|text| hex::parse(&format!("-iv for {name}"), text.as_encoded_bytes(), 8..=8));
        let salt = args
            .password
            .salt_hex
            .as_ref()
            .map(|text| hex::parse("-S", text.as_encoded_bytes(), 8..=8));
        let salt = salt.transpose()?.and_then(|salt| salt.as_slice().try_into().ok());
        Ok(Self { key: key.transpose()?, iv: iv.transpose()?, salt })
    }

    /// What is given in hex goes before what was derived, as in OpenSSL.
    fn replace(self, material: &mut KeyIv) {
        if let Some(key) = self.key {
            material.key = key;
        }
        if let Some(iv) = self.iv {
            material.iv = iv;
        }
    }
}

/// How the key is to be derived.
struct Plan {
    /// Nothing: find it out.
    derivation: Option<Derivation>,
    /// PBKDF2's count, where the options ask for PBKDF2.
    count: Option<u32>,
    /// The digest is OpenSSL's default, as no option says otherwise.
    is_default: bool,
}

impl Plan {
    fn new(args: &PasswordArgs, task: Task) -> Result<Self> {
        let count = args.iter.or(args.pbkdf2.then_some(DEFAULT_COUNT));
        let is_auto = match &args.md {
            Some(name) => name.eq_ignore_ascii_case("auto"),
            None => task.auto,
        };
        if is_auto && task.direction == Direction::Encrypt {
            return Err(Error::usage("-md auto is for decryption; encryption needs one digest"));
        }
        let name = args.md.as_deref().unwrap_or("sha256");
        let digest = Digest::find(name);
        if digest.is_none() && !is_auto {
            let known: Vec<&str> = Digest::names().collect();
            return Err(Error::usage(format!(
                "unknown digest {name} for -md; there are {}",
                known.join(", ")
            )));
        }
        let method = count.map_or(Method::BytesToKey, Method::Pbkdf2);
        let derivation = digest.filter(|_| !is_auto).map(|digest| Derivation { digest, method });
        Ok(Self { derivation, count, is_default: args.md.is_none() && !is_auto })
    }
}

/// The password, if the options give one; `-k` and `-kfile` go before `-pass`, as in OpenSSL.
fn given_password(args: &PasswordArgs, notes: &Notes) -> Result<Option<Password>> {
    match (&args.k, &args.kfile, &args.pass) {
        (Some(k), ..) => Ok(Some(password::from_argument(k))),
        (None, Some(path), _) => password::from_kfile(path, notes).map(Some),
        (None, None, Some(source)) => password::from_source(source, notes).map(Some),
        (None, None, None) => Ok(None),
    }
}
