//! PKCS#8's encrypted private keys (RFC 5958), in PEM or DER, by the ways of PKCS#5 (RFC 8018) and PKCS#12
//! (RFC 7292 appendix C).

use std::borrow::Cow;

use cipherloom::Rc4;
use der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef};
use der::{Decode, Reader, SliceReader, Tag};

use super::parts::{Named, Parts};
use super::pem::PKCS8;
use crate::cipher::{Cipher, Kind};
use crate::derivation::{Derivation, Digest, Method};
use crate::encoding::pem::blocks;
use crate::preset::outcome::{Fault, Outcome};
use crate::preset::row::{KeyFrom, PasswordAs};

const PBES2: &str = "1.2.840.113549.1.5.13";
const PBKDF2: &str = "1.2.840.113549.1.5.12";
const RC4: &str = "1.2.840.113549.3.4";

/// From a count to a derivation.
type Way = fn(u32) -> KeyFrom;

/// PBES1, and PKCS#12's: key and IV come from one derivation.
const PBES1: [(&str, &str, Way); 6] = [
    ("1.2.840.113549.1.5.3", "des-cbc", |count| KeyFrom::Pbkdf1(Digest::Md5, count)),
    ("1.2.840.113549.1.5.10", "des-cbc", |count| KeyFrom::Pbkdf1(Digest::Sha1, count)),
    ("1.2.840.113549.1.12.1.1", "rc4", KeyFrom::Pkcs12),
    ("1.2.840.113549.1.12.1.2", "rc4-40", KeyFrom::Pkcs12),
    ("1.2.840.113549.1.12.1.3", "des-ede3-cbc", KeyFrom::Pkcs12),
    ("1.2.840.113549.1.12.1.4", "des-ede-cbc", KeyFrom::Pkcs12),
];

/// Where the identifiers of PBES1 and of PKCS#12's ways begin.
const WAYS: [&str; 2] = ["1.2.840.113549.1.5.", "1.2.840.113549.1.12.1."];

/// Where those of AES begin.
const AES: &str = "2.16.840.1.101.3.4.1.";

/// PBES2's ciphers. RC4 has no IV.
const CIPHERS: [(&str, &str); 3] =
    [("1.3.14.3.2.7", "des-cbc"), ("1.2.840.113549.3.7", "des-ede3-cbc"), (RC4, "rc4")];

/// HMAC with these. The first is the one that need not be named.
const DIGESTS: [(&str, Digest); 8] = [
    ("1.2.840.113549.2.7", Digest::Sha1),
    ("1.2.840.113549.2.6", Digest::Md5),
    ("1.2.840.113549.2.8", Digest::Sha224),
    ("1.2.840.113549.2.9", Digest::Sha256),
    ("1.2.840.113549.2.10", Digest::Sha384),
    ("1.2.840.113549.2.11", Digest::Sha512),
    ("1.2.840.113549.2.12", Digest::Sha512_224),
    ("1.2.840.113549.2.13", Digest::Sha512_256),
];

/// More than any program counts to: a damaged number would keep a caller waiting for hours.
const MOST: u32 = if cfg!(fuzzing) { 1_000 } else { 10_000_000 };

/// What is wrong with a structure.
enum Wrong {
    Structure,
    Other,
    Aes,
    Count(u32),
}

impl From<der::Error> for Wrong {
    fn from(_: der::Error) -> Self {
        Self::Structure
    }
}

pub(super) fn split(value: &[u8]) -> Result<Parts<'static>, Outcome> {
    let der = match blocks(value).find(|block| block.label == PKCS8) {
        Some(block) => {
            let bytes = block.decode();
            Cow::Owned(bytes.map_err(|error| Outcome::Damaged(Fault::Text(error)))?)
        }
        None if blocks(value).any(|block| block.header("DEK-Info").is_some()) => {
            return Err(Outcome::Other("pem", "headers that name the cipher"));
        }
        None if blocks(value).any(|block| block.label == b"PRIVATE KEY") => {
            return Err(Outcome::PassedThrough(
                "its label is that of a key which is not encrypted",
            ));
        }
        None => Cow::Borrowed(value),
    };
    parts(&der).map_err(|wrong| match wrong {
        Wrong::Structure => Outcome::Damaged(Fault::Structure),
        Wrong::Count(count) => Outcome::Damaged(Fault::Count { count }),
        Wrong::Aes => Outcome::Other("", "PKCS#8 in AES: openssl pkcs8 reads it"),
        Wrong::Other => Outcome::Other("", "PKCS#8 in another cipher: openssl pkcs8 reads it"),
    })
}

fn parts(der: &[u8]) -> Result<Parts<'static>, Wrong> {
    let info = |reader: &mut SliceReader<'_>| {
        let mut parts = reader.sequence(algorithm)?;
        parts.ciphertext = Cow::Owned(octets(reader)?.to_vec());
        Ok::<_, Wrong>(parts)
    };
    let mut reader = SliceReader::new(der)?;
    let parts = reader.sequence(info)?;
    reader.finish()?;
    Ok(parts)
}

/// All but the ciphertext, inside an `AlgorithmIdentifier`.
fn algorithm(reader: &mut SliceReader<'_>) -> Result<Parts<'static>, Wrong> {
    let way = identifier(reader)?;
    if way == PBES2 {
        return reader.sequence(pbes2);
    }
    let known = PBES1.iter().find(|(id, ..)| *id == way);
    // Other structures begin with an identifier, too.
    let is_way = WAYS.iter().any(|arc| way.starts_with(arc));
    let &(_, name, key) = known.ok_or(if is_way { Wrong::Other } else { Wrong::Structure })?;
    reader.sequence(|reader| {
        let (salt, count) = (octets(reader)?.to_vec(), counted(reader)?);
        let key = key(count);
        let password = match key {
            KeyFrom::Pkcs12(_) => PasswordAs::Utf16BeNul,
            _ => PasswordAs::Bytes,
        };
        let cipher = Cipher::find(name).ok_or(Wrong::Other)?;
        let named = Named { cipher, key, password, trailer: None };
        Ok(Parts { salt: Some(salt.into()), named: Some(named), ..Parts::default() })
    })
}

fn pbes2(reader: &mut SliceReader<'_>) -> Result<Parts<'static>, Wrong> {
    let (salt, count, key_len, digest) = reader.sequence(|reader| match identifier(reader)? {
        way if way == PBKDF2 => reader.sequence(pbkdf2),
        _ => Err(Wrong::Other),
    })?;
    let (cipher, iv) = reader.sequence(|reader| {
        let id = identifier(reader)?;
        let other = if id.starts_with(AES) { Wrong::Aes } else { Wrong::Other };
        let &(_, name) = CIPHERS.iter().find(|(known, _)| *known == id).ok_or(other)?;
        let mut cipher = Cipher::find(name).ok_or(Wrong::Other)?;
        if let Kind::Rc4(usual) = &mut cipher.kind {
            while !reader.is_finished() {
                AnyRef::decode(reader)?;
            }
            *usual = key_len.unwrap_or(*usual);
            return Ok((cipher, None));
        }
        match octets(reader)? {
            iv if iv.len() == cipher.iv_len() => Ok((cipher, Some(iv.to_vec().into()))),
            _ => Err(Wrong::Structure),
        }
    })?;
    let key = KeyFrom::OpenSsl(Derivation { digest, method: Method::Pbkdf2(count) });
    let named = Named { cipher, key, password: PasswordAs::Bytes, trailer: None };
    Ok(Parts { salt: Some(salt.into()), iv, named: Some(named), ..Parts::default() })
}

type Pbkdf2 = (Vec<u8>, u32, Option<usize>, Digest);

fn pbkdf2(reader: &mut SliceReader<'_>) -> Result<Pbkdf2, Wrong> {
    let (salt, count) = (octets(reader)?.to_vec(), counted(reader)?);
    let (mut len, mut digest) = (None, DIGESTS[0].1);
    if !reader.is_finished() && Tag::peek(reader)? == Tag::Integer {
        let key_len = usize::from(u16::decode(reader)?);
        let is_possible = (Rc4::MIN_KEY_LEN..=Rc4::MAX_KEY_LEN).contains(&key_len);
        len = Some(Some(key_len).filter(|_| is_possible).ok_or(Wrong::Structure)?);
    }
    if !reader.is_finished() {
        digest = reader.sequence(|reader| {
            let id = identifier(reader)?;
            while !reader.is_finished() {
                AnyRef::decode(reader)?;
            }
            DIGESTS.iter().find(|(known, _)| *known == id).map(|row| row.1).ok_or(Wrong::Other)
        })?;
    }
    Ok((salt, count, len, digest))
}

fn identifier(reader: &mut SliceReader<'_>) -> Result<String, Wrong> {
    let id: ObjectIdentifier = reader.decode()?;
    Ok(id.to_string())
}

fn octets<'r>(reader: &mut SliceReader<'r>) -> Result<&'r [u8], Wrong> {
    Ok(<&OctetStringRef>::decode(reader)?.as_bytes())
}

fn counted(reader: &mut SliceReader<'_>) -> Result<u32, Wrong> {
    match u32::decode(reader)? {
        0 => Err(Wrong::Structure),
        count if count > MOST => Err(Wrong::Count(count)),
        count => Ok(count),
    }
}
