//! From options and the start of the input to a cipher that is ready to work.

use std::ffi::OsString;

use cipherloom::{BlockKey, Error as CipherError, KeyFault, Padding, Parity};
use zeroize::Zeroizing;

use crate::args::key::{KeyArgs, PasswordArgs};
use crate::ciphers::{Cipher, Kind, explain_unknown};
use crate::engine::{Direction, Engine, Setup};
use crate::errors::{Error, Result};
use crate::io::notes::Notes;
use crate::io::source::Source;
use crate::keying::auto;
use crate::keying::derivation::{DEFAULT_COUNT, Derivation, KeyIv, Method};
use crate::keying::digest::Digest;
use crate::keying::password::{self, Password};
use crate::keying::salted::{self, Unexpected};

/// A message's cipher, key and IV, and how they came about.
pub(crate) struct Job {
    pub(crate) cipher: Cipher,
    pub(crate) direction: Direction,
    pub(crate) padding: Padding,
    pub(crate) material: KeyIv,
    /// The salt, where a password was used with one.
    pub(crate) salt: Option<Vec<u8>>,
    /// How the key was derived, where a password was used.
    pub(crate) derivation: Option<Derivation>,
    /// What the file starts with, in encryption.
    pub(crate) header: Option<Vec<u8>>,
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
    /// What the options leave open or get wrong is looked up in the data: without `-md` the key
    /// derivation, and a header that the options do not expect. Otherwise they mean what they mean
    /// to OpenSSL 3.
    pub(crate) auto: bool,
    /// Only the key is wanted (`-P`): nothing is read that is not needed for it.
    pub(crate) key_only: bool,
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

/// Whether there is something that says that a header is none.
///
/// # Errors
/// Bad usage: the option would change nothing.
fn check_header_is_data(args: &KeyArgs, direction: Direction) -> Result<()> {
    let password = &args.password;
    let has_password = password.k.is_some() || password.kfile.is_some() || password.pass.is_some();
    let has_no_header =
        password.nosalt || password.salt_hex.is_some() || args.raw_key.is_some() && !has_password;
    if !password.header_is_data || has_no_header && direction == Direction::Decrypt {
        return Ok(());
    }
    Err(Error::usage(
        "--header-is-data is for decryption with -S, -nosalt, or -K without a password; otherwise the \
         salt is read from the header",
    ))
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
        check_header_is_data(args, task.direction)?;
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
        // Which may have come from the same file.
        source.begin()?;
        if given.is_some() || raw.key.is_none() {
            let twice = task.direction == Direction::Encrypt;
            let password = given.map_or_else(|| password::from_terminal(twice), Ok)?;
            let (derivation, salt) =
                job.salt_and_derivation(args, task, &plan, &password, &raw, source, notes)?;
            job.secret = if plan.is_default { Secret::DefaultDerivation } else { Secret::Password };
            job.material =
                derivation.derive(&job.cipher, &password, salt.as_deref().unwrap_or_default());
            job.salt = salt;
            job.derivation = Some(derivation);
        } else if raw.iv.is_none() && job.cipher.iv_len() > 0 {
            return Err(Error::usage(format!(
                "-K for {} needs an -iv of 8 bytes (16 hex digits) too",
                job.cipher.name
            )));
        } else {
            let unexpected =
                raw.salt.as_ref().map_or(Unexpected::Key, |s| Unexpected::GivenSalt(s));
            job.leave_out_header(unexpected, &args.password, task, source, notes)?;
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
    ) -> Result<(Derivation, Option<Vec<u8>>)> {
        let salt_len = args.password.salt_len();
        let mut header = 0;
        let salt = match (args.password.nosalt, &raw.salt, task.direction) {
            (true, ..) => {
                self.leave_out_header(Unexpected::NoSalt, &args.password, task, source, notes)?;
                None
            }
            (false, Some(salt), _) => {
                let given = Unexpected::GivenSalt(salt);
                header = self.leave_out_header(given, &args.password, task, source, notes)?;
                Some(salt.to_vec())
            }
            (false, None, Direction::Encrypt) => {
                let mut salt = vec![0; salt_len];
                getrandom::fill(&mut salt).map_err(|error| {
                    Error::failure(format!("the system gives no random bytes: {error}"))
                })?;
                self.header = Some(salted::header(&salt));
                Some(salt)
            }
            (false, None, Direction::Decrypt) => {
                let start = source.read_exactly(salted::MAGIC.len() + salt_len)?;
                header = start.len();
                Some(self.read_salt(&start, salt_len, task.salvage)?)
            }
        };
        let question = auto::Question {
            cipher: &self.cipher,
            padding: self.padding,
            password,
            salt: salt.as_deref().unwrap_or_default(),
            raw_key: raw.key.as_ref().map(|key| &key[..]),
            iv: raw.iv.as_ref().map(|iv| &iv[..]),
            salvage: task.salvage,
        };
        // What is derived may not be used at all: then any derivation will do.
        let is_used = raw.key.is_none() || raw.iv.is_none() && self.cipher.iv_len() > 0;
        let derivation = match plan.derivation {
            None if !is_used => auto::candidates(plan.count)[0],
            None => {
                let sample = source.sample(header, auto::HEAD)?;
                auto::find(&question, &sample, &auto::candidates(plan.count), notes)
                    .map_err(|error| self.explain(error))?
            }
            Some(derivation) => {
                let may_doubt = plan.is_default
                    && is_used
                    && derivation.method == Method::BytesToKey
                    && task.direction == Direction::Decrypt
                    && !task.key_only;
                if may_doubt && let Some(sample) = source.peek(auto::HEAD)? {
                    auto::doubt(&question, &sample, derivation)?;
                }
                derivation
            }
        };
        Ok((derivation, salt))
    }

    /// Reads past a header that is there although an option says that there is none, and returns how
    /// many bytes it has.
    ///
    /// # Errors
    /// Those of [`Unexpected::left_out`], and a header that is damaged or cut.
    fn leave_out_header(
        &mut self,
        unexpected: Unexpected<'_>,
        args: &PasswordArgs,
        task: Task,
        source: &mut Source,
        notes: &Notes,
    ) -> Result<usize> {
        let is_data = task.direction == Direction::Encrypt || args.header_is_data || task.key_only;
        if is_data || !salted::is_header(&source.start(salted::MAGIC.len())?) {
            return Ok(0);
        }
        let start = source.read_exactly(salted::MAGIC.len() + args.salt_len())?;
        let salt = self.read_salt(&start, args.salt_len(), task.salvage)?;
        notes.say(&unexpected.left_out(&salt, !task.auto)?);
        Ok(start.len())
    }

    fn read_salt(&mut self, start: &[u8], salt_len: usize, salvage: bool) -> Result<Vec<u8>> {
        let error = match salted::parse(start, salt_len) {
            Ok(salt) => return Ok(salt),
            Err(error) => error,
        };
        match salted::parse_damaged(start, salt_len).filter(|_| salvage) {
            Some(salt) => {
                self.missing.push(format!(
                    "the Salted__ header is damaged; the {salt_len} bytes behind it were taken as \
                     the salt"
                ));
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
    salt: Option<Zeroizing<Vec<u8>>>,
}

impl RawKey {
    fn parse(args: &KeyArgs, cipher: &Cipher) -> Result<Self> {
        let name = &cipher.name;
        if args.iv.is_some() && cipher.iv_len() == 0 {
            return Err(Error::usage(format!("{name} takes no IV; leave -iv out")));
        }
        let read =
            |what: &str, text: &OsString, len| args.raw.bytes(what, text.as_encoded_bytes(), len);
        let key = args.raw_key.as_ref().map(|text| args.raw.key(cipher, text.as_encoded_bytes()));
        let iv = args.iv.as_ref().map(|text| read(&format!("-iv for {name}"), text, 8));
        let salt_len = args.password.salt_len();
        let salt = args.password.salt_hex.as_ref().map(|text| read("-S", text, salt_len));
        Ok(Self { key: key.transpose()?, iv: iv.transpose()?, salt: salt.transpose()? })
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
        if args.saltlen.is_some() && count.is_none() {
            return Err(Error::usage(
                "-saltlen counts for PBKDF2 only, and OpenSSL ignores it otherwise; add -pbkdf2 or \
                 -iter, or leave it out",
            ));
        }
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
