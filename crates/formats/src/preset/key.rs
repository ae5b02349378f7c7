//! From a row and what the caller gives to the cipher, its key and its IV.

use std::num::NonZeroU32;

use zeroize::Zeroizing;

use super::container::Parts;
use super::given::{Error, Given, Secret};
use super::outcome::Outcome;
use super::row::{Ciphers, IvFrom, KeyFit, KeyFrom, Preset, SecretKind};
use super::work::Worker;
use crate::cipher::{Cipher, Kind};
use crate::derivation::{
    Digest, Method, PasswordDeriveBytes, Purpose, bytes_to_key, crypt_cbc, crypt_derive_key, dukpt,
    jasypt_halves, pbkdf1, pkcs12,
};

type Bytes = Zeroizing<Vec<u8>>;

/// The cipher at hand with its key and IV, or what else becomes of this value: the key file has no key of its
/// number, or no key can be made of the password in the way that it names.
pub(super) fn worker(
    preset: &Preset,
    given: &Given<'_>,
    parts: &Parts<'_>,
) -> Result<Result<Worker, Outcome>, Error> {
    let Some(secret) = secret(preset, given, parts)? else {
        return Ok(Err(Outcome::NoKey(parts.number.unwrap_or_default())));
    };
    let from = match &parts.named {
        Some(named) => named.key,
        None => preset.key.with(given.digest, given.count.map(NonZeroU32::get)),
    };
    let (cipher, drop) = match preset.ciphers {
        Ciphers::Any => (given.cipher.cloned(), 0),
        Ciphers::Named => (parts.named.as_ref().map(|named| named.cipher.clone()), 0),
        Ciphers::Of(names) => {
            let name = given.cipher.map_or(names[0], |cipher| &cipher.name);
            (names.contains(&name).then(|| Cipher::find(name)).flatten(), 0)
        }
        Ciphers::Rc4 { key, drop } => {
            (Some(Cipher { name: "rc4".to_owned(), kind: Kind::Rc4(key) }), drop)
        }
        Ciphers::CfmxCompat => return Ok(Ok(Worker::Cfmx { key: secret })),
        Ciphers::Aes256Cbc => {
            let key = match from {
                KeyFrom::Hash(digest) => digest.hash(&[&secret]),
                _ => secret,
            };
            let want = 32;
            let key = key.first_chunk().ok_or(Error::KeyLength { got: key.len(), want })?;
            let iv = parts.iv.as_deref().unwrap_or_default();
            let iv = iv.try_into().map_err(|_| Error::IvLength { got: iv.len(), want: 16 })?;
            return Ok(Ok(Worker::aes(key, iv)));
        }
    };
    let cipher = cipher.ok_or(Error::Cipher)?;
    let salt = parts.salt.as_deref().or(given.salt).unwrap_or_default();
    let (key_len, iv_len) = (cipher.derived_key_len(), cipher.iv_len());
    let Some((key, derived)) = key_iv(from, &cipher, &secret, salt)? else {
        return Ok(Err(Outcome::WrongKey));
    };
    let key = match preset.secret {
        // RC4 takes keys of any length.
        SecretKind::Key(_, fit)
            if preset.key == KeyFrom::Secret && matches!(cipher.kind, Kind::Block(..)) =>
        {
            fitted(&key, &cipher, fit)?
        }
        _ => key,
    };
    if key.len() < key_len && matches!(cipher.kind, Kind::Block(..)) {
        return Err(Error::KeyLength { got: key.len(), want: key_len });
    }
    let iv = match &preset.iv {
        _ if iv_len == 0 => Zeroizing::default(),
        IvFrom::Zero => Zeroizing::new(vec![0; iv_len]),
        IvFrom::Constant(iv) => Zeroizing::new(iv.to_vec()),
        IvFrom::Container => fixed(parts.iv.as_deref(), iv_len)?,
        IvFrom::Derived => fixed(Some(parts.iv.as_deref().unwrap_or(&derived)), iv_len)?,
        IvFrom::Secret(range) => fixed(secret.get(range.clone()), iv_len)?,
        IvFrom::Given => fixed(given.iv, iv_len)?,
        IvFrom::GivenZeroPadded => padded(given.iv.unwrap_or_default(), iv_len),
    };
    Ok(Ok(Worker::new(&cipher, key, &iv, drop)?))
}

/// The bytes of password or key, as the derivation takes them.
fn secret(preset: &Preset, given: &Given<'_>, parts: &Parts<'_>) -> Result<Option<Bytes>, Error> {
    match (preset.secret, given.secret) {
        (SecretKind::None, _) => Ok(Some(Zeroizing::default())),
        (_, Secret::KeyFile(file)) if preset.key == KeyFrom::MySql => {
            let key = parts.number.and_then(|number| file.key(number));
            Ok(key.map(|key| Zeroizing::new(key.to_vec())))
        }
        (_, Secret::None | Secret::KeyFile(_)) => Err(Error::Secret),
        (SecretKind::Password(form), Secret::Bytes(password)) => {
            let form = parts.named.as_ref().map_or(form, |named| named.password);
            form.bytes(password).map(Some)
        }
        (SecretKind::Key(..), Secret::Bytes(key)) => Ok(Some(Zeroizing::new(key.to_vec()))),
    }
}

/// The key, and the IV where it is derived, too. `None`: no key can be made of this password.
fn key_iv(
    from: KeyFrom,
    cipher: &Cipher,
    secret: &[u8],
    salt: &[u8],
) -> Result<Option<(Bytes, Bytes)>, Error> {
    let (key_len, iv_len) = (cipher.derived_key_len(), cipher.iv_len());
    let both = |bytes: &[u8]| {
        let (key, iv) = bytes.split_at(key_len);
        (Zeroizing::new(key.to_vec()), Zeroizing::new(iv[..iv_len].to_vec()))
    };
    let key = |key| (key, Zeroizing::default());
    Ok(Some(match from {
        // A container that names it is asked before.
        KeyFrom::Named => return Ok(None),
        KeyFrom::Mcrypt(mode, len) => {
            let Some(mut bytes) = mode.derive(secret, salt, len) else { return Ok(None) };
            bytes.resize(len.max(key_len), 0);
            key(bytes)
        }
        KeyFrom::Secret => key(Zeroizing::new(secret.to_vec())),
        KeyFrom::Constant(bytes) => key(Zeroizing::new(bytes.to_vec())),
        KeyFrom::Container => key(Zeroizing::new(salt.to_vec())),
        KeyFrom::Hash(digest) => {
            let mut bytes = digest.hash(&[secret]);
            bytes.truncate(key_len);
            key(bytes)
        }
        KeyFrom::OpenSsl(derivation) => {
            let derived = derivation.derive(cipher, secret, salt);
            (derived.key, derived.iv)
        }
        KeyFrom::BytesToKey(digest, count) => {
            both(&bytes_to_key(digest, secret, salt, count, key_len + iv_len))
        }
        KeyFrom::MySql => key(bytes_to_key(Digest::Md5, secret, &[], 1, key_len)),
        KeyFrom::Pbkdf1(digest, count) => both(&pbkdf1(digest, secret, salt, count)),
        KeyFrom::JasyptHalves(count) => both(&*jasypt_halves(secret, sized(salt)?, count)),
        KeyFrom::Pkcs12(count) => {
            let part = |what, len| pkcs12(Digest::Sha1, secret, salt, what, count, len);
            (part(Purpose::Key, key_len), part(Purpose::Iv, iv_len))
        }
        KeyFrom::PasswordDeriveBytes(digest, count) => {
            let mut bytes = PasswordDeriveBytes::new(digest, secret, salt, count);
            (bytes.get_bytes(key_len), bytes.get_bytes(iv_len))
        }
        KeyFrom::CryptDeriveKey(digest) => {
            let is_des = matches!(cipher.kind, Kind::Block(..));
            key(crypt_derive_key(digest, secret, key_len, is_des))
        }
        KeyFrom::CryptCbc => key(crypt_cbc(secret, key_len)),
        KeyFrom::Dukpt(variant) => {
            let bdk: &[u8; 16] =
                secret.try_into().map_err(|_| Error::KeyLength { got: secret.len(), want: 16 })?;
            let want = 10;
            let ksn = salt.try_into().map_err(|_| Error::KsnLength { got: salt.len(), want })?;
            key(Zeroizing::new(dukpt(bdk, &ksn, variant)?.to_vec()))
        }
    }))
}

impl KeyFrom {
    /// The same with another digest or count, where it has one that programs choose.
    pub(super) fn with(self, digest: Option<Digest>, count: Option<u32>) -> Self {
        let (to, times) = (|own| digest.unwrap_or(own), |own| count.unwrap_or(own));
        match self {
            Self::Hash(own) => Self::Hash(to(own)),
            Self::BytesToKey(own, n) => Self::BytesToKey(to(own), times(n)),
            Self::Pbkdf1(own, n) => Self::Pbkdf1(to(own), times(n)),
            Self::JasyptHalves(n) => Self::JasyptHalves(times(n)),
            Self::Pkcs12(n) => Self::Pkcs12(times(n)),
            Self::PasswordDeriveBytes(own, n) => Self::PasswordDeriveBytes(to(own), times(n)),
            Self::CryptDeriveKey(own) => Self::CryptDeriveKey(to(own)),
            Self::OpenSsl(mut own) => {
                own.digest = to(own.digest);
                if let Method::Pbkdf2(n) = &mut own.method {
                    *n = times(*n);
                }
                Self::OpenSsl(own)
            }
            fixed => fixed,
        }
    }
}

/// A key of another length than the cipher's, made one of its length.
fn fitted(key: &[u8], cipher: &Cipher, fit: KeyFit) -> Result<Bytes, Error> {
    let (got, want) = (key.len(), cipher.derived_key_len());
    let cut = |key: &[u8]| Ok(Zeroizing::new(key[..want.min(key.len())].to_vec()));
    let two_keys = || Ok(Zeroizing::new([&key[..16], &key[..8]].concat()));
    match fit {
        KeyFit::ZeroPadded => Ok(padded(key, want)),
        KeyFit::TwoKeys if got == 16 && want == 24 => two_keys(),
        KeyFit::LeadingTwoKeys if (16..24).contains(&got) && want == 24 => two_keys(),
        KeyFit::Leading | KeyFit::LeadingTwoKeys if got >= want => cut(key),
        KeyFit::Exact | KeyFit::TwoKeys if got == want => cut(key),
        _ => Err(Error::KeyLength { got, want }),
    }
}

/// Zeros fill up, or the rest is cut.
fn padded(bytes: &[u8], len: usize) -> Bytes {
    let mut out = Zeroizing::new(vec![0; len]);
    out.iter_mut().zip(bytes).for_each(|(place, &byte)| *place = byte);
    out
}

fn fixed(iv: Option<&[u8]>, want: usize) -> Result<Bytes, Error> {
    let iv = iv.unwrap_or_default();
    match iv.len() {
        got if got == want => Ok(Zeroizing::new(iv.to_vec())),
        got => Err(Error::IvLength { got, want }),
    }
}

fn sized<const N: usize>(salt: &[u8]) -> Result<[u8; N], Error> {
    salt.try_into().map_err(|_| Error::SaltLength { got: salt.len(), want: N })
}
