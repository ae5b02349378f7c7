//! The files of the command mcrypt since 2.4 (`.nc`): the header names all that is needed but the password.

use std::borrow::Cow;

use super::parts::{Named, Parts, Trailer};
use crate::cipher::{Cipher, Kind};
use crate::derivation::{Digest, KeyMode};
use crate::preset::outcome::{Fault, Outcome};
use crate::preset::row::{KeyFrom, PasswordAs};

const MAGIC: &[u8] = b"\0m\x03";

/// Bits of the header: a salt follows, and no IV does. No other is in use.
const HAS_SALT: u8 = 0x40;
const NO_IV: u8 = 0x80;

/// Of a salt's length: it says that there is a salt, and is no part of the number.
const SALTED: u8 = 0x01;

/// mcrypt reads no longer names.
const LONGEST: usize = 100;

/// Ciphers and modes, and what they are called here. Its `ofb` has feedback of 8 bits, which nobody else has.
const CIPHERS: [(&str, &str); 2] = [("des", "des"), ("tripledes", "des-ede3")];
const MODES: [(&str, &str); 6] = [
    ("cbc", "cbc"),
    ("ecb", "ecb"),
    ("cfb", "cfb8"),
    ("ncfb", "cfb"),
    ("nofb", "ofb"),
    ("ctr", "ctr"),
];

/// How mcrypt calls AES, before the length of its blocks.
const AES: &str = "rijndael-";

/// What the header says.
struct Header<'a> {
    names: [&'a str; 3],
    key_len: usize,
    has_iv: bool,
    salt: Option<&'a [u8]>,
    digest: &'a str,
    rest: &'a [u8],
}

pub(super) fn split(value: &[u8]) -> Result<Parts<'_>, Outcome> {
    if !value.starts_with(MAGIC) {
        return Err(Outcome::Damaged(Fault::Header));
    }
    let header = Header::read(value).ok_or(Outcome::Damaged(Fault::Structure))?;
    let [algorithm, mode, key_mode] = header.names;
    let other = |what| Outcome::Other("", what);
    let key_mode = KeyMode::find(key_mode);
    let key_mode = key_mode.ok_or(other("a file of mcrypt in a key mode that is not here"))?;
    let cipher = cipher(algorithm, mode, header.key_len);
    let cipher = cipher.ok_or(other(match algorithm.starts_with(AES) {
        true => "a file of mcrypt in AES (Rijndael): mcrypt -d opens it",
        false => "a file of mcrypt in another cipher or mode: mcrypt -d opens it",
    }))?;
    let digest = Digest::find(header.digest);
    let digest = digest.ok_or(other("a file of mcrypt with a digest that is not here"))?;
    let (iv, ciphertext) = match cipher.iv_len() {
        len if header.has_iv => {
            let (iv, rest) =
                header.rest.split_at_checked(len).ok_or(Outcome::Damaged(Fault::Structure))?;
            (Cow::Borrowed(iv), rest)
        }
        len => (Cow::Owned(vec![0; len]), header.rest),
    };
    // Behind a part of a block this mode goes wrong, and not the same way when it decrypts.
    let trailer = Trailer { digest, is_behind_blocks: mode == "ncfb" };
    let key = KeyFrom::Mcrypt(key_mode, header.key_len);
    let named = Named { cipher, key, password: PasswordAs::Bytes, trailer: Some(trailer) };
    Ok(Parts {
        salt: header.salt.map(Into::into),
        iv: Some(iv),
        number: None,
        named: Some(named),
        ciphertext: ciphertext.into(),
    })
}

/// `key_len` must be one that the cipher takes: a shorter one is filled up with zeros.
fn cipher(algorithm: &str, mode: &str, key_len: usize) -> Option<Cipher> {
    let known = |table: &[(&str, &'static str)], name| {
        table.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours)
    };
    if (algorithm, mode) == ("arcfour", "stream") {
        let is_possible =
            (cipherloom::Rc4::MIN_KEY_LEN..=cipherloom::Rc4::MAX_KEY_LEN).contains(&key_len);
        return is_possible.then(|| Cipher { name: "rc4".to_owned(), kind: Kind::Rc4(key_len) });
    }
    let name = [known(&CIPHERS, algorithm)?, known(&MODES, mode)?].join("-");
    Cipher::find(&name).filter(|cipher| (1..=cipher.derived_key_len()).contains(&key_len))
}

impl<'a> Header<'a> {
    fn read(value: &'a [u8]) -> Option<Self> {
        let mut rest = &value[MAGIC.len()..];
        let flags = take(&mut rest, 1)?[0];
        if flags & !(HAS_SALT | NO_IV) != 0 {
            return None;
        }
        let algorithm = name(&mut rest)?;
        let key_len = take(&mut rest, 2)?;
        let key_len = usize::from(u16::from_le_bytes([key_len[0], key_len[1]]));
        let names = [algorithm, name(&mut rest)?, name(&mut rest)?];
        let salt_len = take(&mut rest, 1)?[0];
        let has_salt = flags & HAS_SALT != 0 && salt_len & SALTED != 0;
        let salt =
            if has_salt { Some(take(&mut rest, usize::from(salt_len & !SALTED))?) } else { None };
        let digest = name(&mut rest)?;
        Some(Self { names, key_len, has_iv: flags & NO_IV == 0, salt, digest, rest })
    }
}

fn take<'a>(rest: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (taken, behind) = rest.split_at_checked(len)?;
    *rest = behind;
    Some(taken)
}

/// A name up to its NUL.
fn name<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let len = rest.iter().take(LONGEST).position(|&byte| byte == 0)?;
    let name = take(rest, len)?;
    take(rest, 1)?;
    std::str::from_utf8(name).ok()
}
