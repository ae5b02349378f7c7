//! PEM whose headers say how it is encrypted (RFC 1421), as OpenSSL and OpenSSH wrote private keys.

use super::parts::{Named, Parts};
use crate::cipher::Cipher;
use crate::derivation::Digest;
use crate::encoding::pem::{Block, blocks};
use crate::encoding::{ValueError, hex};
use crate::preset::outcome::{Fault, Outcome};
use crate::preset::row::{KeyFrom, PasswordAs};

/// The label of PKCS#8's blocks.
pub(super) const PKCS8: &[u8] = b"ENCRYPTED PRIVATE KEY";

const OTHER: &str = "PEM in another cipher: openssl reads it";
const AES: &str = "PEM in AES: openssl reads it";

pub(super) fn split(value: &[u8]) -> Result<Parts<'_>, Outcome> {
    let (mut is_pkcs8, mut is_plain) = (false, false);
    for block in blocks(value) {
        if let Some(info) = block.header("DEK-Info") {
            return parts(&block, info);
        }
        is_pkcs8 |= block.label == PKCS8;
        is_plain |= block.label.ends_with(b"PRIVATE KEY");
    }
    Err(match (is_pkcs8, is_plain) {
        (true, _) => Outcome::Other("pkcs8", "the label of PKCS#8"),
        (_, true) => Outcome::PassedThrough("its headers name no cipher"),
        _ => Outcome::Damaged(Fault::Text(ValueError::NoPem)),
    })
}

/// `info` is the cipher's name, a comma, and the IV in hex.
fn parts(block: &Block<'_>, info: &[u8]) -> Result<Parts<'static>, Outcome> {
    let damaged = |error| Outcome::Damaged(Fault::Text(error));
    let info = std::str::from_utf8(info).map_err(|_| Outcome::Damaged(Fault::Header))?;
    let (name, digits) = info.split_once(',').ok_or(Outcome::Damaged(Fault::Header))?;
    let cipher = Cipher::find(name.trim()).filter(|cipher| cipher.iv_len() > 0);
    let other = if name.trim().starts_with("AES-") { AES } else { OTHER };
    let cipher = cipher.ok_or(Outcome::Other("", other))?;
    let mut iv = Vec::new();
    hex::decode(digits.trim().as_bytes(), &mut iv).map_err(damaged)?;
    if iv.len() != cipher.iv_len() {
        return Err(Outcome::Damaged(Fault::Header));
    }
    let ciphertext = block.decode().map_err(damaged)?.into();
    let named = Named {
        cipher,
        key: KeyFrom::BytesToKey(Digest::Md5, 1),
        password: PasswordAs::Bytes,
        trailer: None,
    };
    let salt = Some(iv.clone().into());
    Ok(Parts { salt, iv: Some(iv.into()), number: None, named: Some(named), ciphertext })
}
