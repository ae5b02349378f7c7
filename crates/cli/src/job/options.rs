//! What the options say of cipher, key and password, checked.

use std::ffi::OsString;

use cipherloom::Direction;
use cipherloom_formats::Cipher;
use cipherloom_formats::derivation::{DEFAULT_COUNT, Derivation, Digest, Method};
use zeroize::Zeroizing;

use super::purpose::Purpose;
use crate::args::given::Given;
use crate::args::key::{KeyArgs, PasswordArgs};
use crate::ciphers::explain_unknown;
use crate::errors::{Error, Result};
use crate::io::notes::Notes;

/// The cipher that the options name.
///
/// # Errors
/// Bad usage: no cipher, or an unknown one.
pub(super) fn cipher(args: &KeyArgs) -> Result<Cipher> {
    let name = args.cipher.as_ref().ok_or_else(|| {
        Error::usage(
            "no cipher given; add its name as a flag, for instance -des3 (--list shows all)",
        )
    })?;
    Cipher::find(name).ok_or_else(|| Error::usage(explain_unknown(name)))
}

/// Looks at options that change nothing; `is_taken` knows those of the command at hand.
///
/// # Errors
/// Bad usage: one that OpenSSL does not have. Where it has them and passes over them, a note says so, as command
/// lines of OpenSSL are to do what they did. No cipher, or an unknown one.
pub(crate) fn check_given(
    args: &KeyArgs,
    given: &Given,
    notes: &Notes,
    is_taken: impl Fn(&str) -> bool,
) -> Result<()> {
    let cipher = cipher(args)?;
    let password = &args.password;
    let is_all_given = args.raw_key.is_some() && (args.iv.is_some() || cipher.iv_len() == 0);
    let idle = given.idle(|id| match id {
        "nopad" | "padding" => cipher.is_padded(),
        "key_as_given" => args.raw_key.is_some(),
        "pad_like_openssl" => {
            args.raw_key.is_some() || args.iv.is_some() || password.salt_hex.is_some()
        }
        "md" | "pbkdf2" | "iter" | "saltlen" => !is_all_given,
        "pass" => password.source.k.is_none() && password.source.kfile.is_none(),
        _ => is_taken(id),
    });
    for (id, option) in idle {
        let why = match id {
            "one_line" => "is for -a",
            "nopad" | "padding" => "is for ECB and CBC",
            "key_as_given" | "pad_like_openssl" => "is for what is given in hex",
            "key_file" | "key_encoding" | "charset" => "is for --preset",
            "pass" => "gives way to -k and -kfile",
            _ => "is for keys that are derived from a password",
        };
        match id {
            "padding" | "key_as_given" | "pad_like_openssl" | "key_file" | "key_encoding"
            | "charset" => {
                return Err(Error::usage(format!("{option} {why}; leave it out")));
            }
            _ => notes.say(&format!("{option} {why}, and does nothing here, as in OpenSSL")),
        }
    }
    for option in given.replaced() {
        notes.say(&format!("another option behind {option} takes its place, as in OpenSSL"));
    }
    Ok(())
}

/// Whether there is something that says that a header is none.
///
/// # Errors
/// Bad usage: the option would change nothing.
pub(super) fn check_header_is_data(args: &KeyArgs, direction: Direction) -> Result<()> {
    let password = &args.password;
    let has_no_header = password.nosalt
        || password.salt_hex.is_some()
        || args.raw_key.is_some() && !password.source.is_given();
    if !password.header_is_data || has_no_header && direction == Direction::Decrypt {
        return Ok(());
    }
    Err(Error::usage(
        "--header-is-data is for decryption with -S, -nosalt, or -K without a password; otherwise the \
         salt is read from the header",
    ))
}

/// Key, IV and salt in hex.
pub(super) struct RawKey {
    pub(super) key: Option<Zeroizing<Vec<u8>>>,
    pub(super) iv: Option<Zeroizing<Vec<u8>>>,
    pub(super) salt: Option<Zeroizing<Vec<u8>>>,
}

impl RawKey {
    pub(super) fn parse(args: &KeyArgs, cipher: &Cipher) -> Result<Self> {
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
}

/// How the key is to be derived.
pub(super) struct Plan {
    /// Nothing: find it out.
    pub(super) derivation: Option<Derivation>,
    /// PBKDF2's count, where the options ask for PBKDF2.
    pub(super) count: Option<u32>,
    /// The digest is OpenSSL's default, as no option says otherwise.
    pub(super) is_default: bool,
}

impl Plan {
    pub(super) fn new(args: &PasswordArgs, purpose: Purpose) -> Result<Self> {
        let count = args.iter.or(args.pbkdf2.then_some(DEFAULT_COUNT));
        if args.saltlen.is_some() && count.is_none() {
            return Err(Error::usage(
                "-saltlen counts for PBKDF2 only, and OpenSSL ignores it otherwise; add -pbkdf2 or \
                 -iter, or leave it out",
            ));
        }
        let is_auto = match &args.md {
            Some(name) => name.eq_ignore_ascii_case("auto"),
            None => purpose.auto,
        };
        if is_auto && purpose.direction == Direction::Encrypt {
            return Err(Error::usage("-md auto is for decryption; encryption needs one digest"));
        }
        let name = args.md.as_deref().unwrap_or("sha256");
        let digest = Digest::find(name);
        if digest.is_none() && !is_auto {
            let known: Vec<&str> = Digest::ALL.iter().map(|digest| digest.name()).collect();
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
