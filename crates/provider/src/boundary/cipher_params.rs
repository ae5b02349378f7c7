//! The parameters of ciphers ("PARAMETERS" in EVP_EncryptInit(3)): those that OpenSSL's own have.

use super::params::{self, Given, Value};
use super::structures::{BYTES, BYTES_POINTER, Param};
use crate::ciphers::{Cipher, Kind, Mode};
use crate::context::Context;
use crate::fault::Fault;
use crate::record_mac;

/// What can be asked of a cipher.
pub(super) static OF_CIPHER: [Param; 10] = [
    Param::unsigned(c"mode"),
    Param::size(c"keylen"),
    Param::size(c"ivlen"),
    Param::size(c"blocksize"),
    Param::integer(c"aead"),
    Param::integer(c"custom-iv"),
    Param::integer(c"cts"),
    Param::integer(c"tls-multi"),
    Param::integer(c"has-randkey"),
    Param::END,
];

/// What can be asked of a cipher at work.
pub(super) static OF_CONTEXT: [Param; 10] = [
    Param::size(c"keylen"),
    Param::size(c"ivlen"),
    Param::unsigned(c"padding"),
    Param::unsigned(c"num"),
    Param::known(c"iv", BYTES, 0),
    Param::known(c"updated-iv", BYTES, 0),
    Param::known(c"tls-mac", BYTES_POINTER, 0),
    Param::known(c"randkey", BYTES, 0),
    Param::size(c"tlsaadpad"),
    Param::END,
];

/// What can be said to a cipher at work. The first is for keys of any length only.
static TO_CONTEXT: [Param; 7] = [
    Param::size(c"keylen"),
    Param::unsigned(c"padding"),
    Param::unsigned(c"num"),
    Param::unsigned(c"use-bits"),
    Param::unsigned(c"tls-version"),
    Param::size(c"tls-mac-size"),
    Param::END,
];

/// The same to the cipher that makes MACs.
static TO_MACS: [Param; 6] = [
    Param::size(c"keylen"),
    Param::size(c"ivlen"),
    Param::known(c"tlsaad", BYTES, 0),
    Param::known(c"mackey", BYTES, 0),
    Param::unsigned(c"tls-version"),
    Param::END,
];

/// What can be said to this cipher at work.
pub(super) fn to_context(cipher: &Cipher) -> &'static [Param] {
    if cipher.makes_macs() {
        return &TO_MACS;
    }
    &TO_CONTEXT[usize::from(!cipher.has_keys_of_any_length())..]
}

/// Answers what is asked of a cipher.
///
/// # Errors
/// [`Fault::SetParameter`].
///
/// # Safety
/// As [`params::answer`].
pub(super) unsafe fn of_cipher(cipher: &Cipher, list: *mut Param) -> Result<(), Fault> {
    let know = |key: &[u8]| {
        Ok(Some(Value::Number(match key {
            b"mode" => cipher.mode_number(),
            b"keylen" => cipher.key_len() as u64,
            b"ivlen" => cipher.iv_len() as u64,
            b"blocksize" => cipher.block_size() as u64,
            b"has-randkey" => u64::from(cipher.has_random_keys()),
            // It makes its IV itself.
            b"custom-iv" => u64::from(cipher.wraps()),
            b"aead" => u64::from(cipher.makes_macs()),
            b"cts" | b"tls-multi" => 0,
            _ => return Ok(None),
        })))
    };
    // SAFETY: as the caller says.
    unsafe { params::answer(list, know) }
}

/// Answers what is asked of a cipher at work.
///
/// # Errors
/// [`Fault::SetParameter`]; those of a random key.
///
/// # Safety
/// As [`params::answer`].
pub(super) unsafe fn of_context(context: &Context, list: *mut Param) -> Result<(), Fault> {
    let know = |key: &[u8]| {
        let iv_len = context.cipher.iv_len();
        Ok(Some(match key {
            b"keylen" => Value::Number(context.key_len as u64),
            b"ivlen" => Value::Number(iv_len as u64),
            b"padding" => Value::Number(u64::from(context.pads)),
            b"num" => Value::Number(u64::from(context.chain.num)),
            b"iv" => Value::Bytes(&context.first_iv[..iv_len]),
            b"updated-iv" => Value::Bytes(&context.chain.iv[..iv_len]),
            b"tls-mac" => Value::Bytes(context.tls.mac()),
            b"randkey" => Value::Secret(context.cipher.random_key()?),
            // By so much a record grows.
            b"tlsaadpad" if context.cipher.makes_macs() => Value::Number(record_mac::LEN as u64),
            _ => return Ok(None),
        }))
    };
    // SAFETY: as the caller says.
    unsafe { params::answer(list, know) }
}

/// Takes what is said to a cipher at work.
///
/// # Errors
/// [`Fault::GetParameter`].
///
/// # Safety
/// As [`params::read`].
pub(super) unsafe fn set(context: &mut Context, list: *const Param) -> Result<(), Fault> {
    let take = |key: &[u8], given: &Given<'_>| {
        match key {
            b"padding" => context.pads = given.number_32()? != 0,
            // A segment has eight bytes.
            b"num" => match given.number_32()? {
                num @ 0..8 => context.chain.num = num,
                _ => return Err(Fault::GetParameter),
            },
            b"use-bits" => {
                let is_of_bits = matches!(context.cipher.kind, Kind::Block(_, Mode::Cfb1));
                context.counts_bits = given.number_32()? != 0 && is_of_bits;
            }
            b"tls-version" => context.tls.version = given.number_32()?,
            b"tls-mac-size" => context.tls.mac_len = given.len()?,
            b"mackey" if context.cipher.makes_macs() => context.set_mac_key(given.bytes()?)?,
            b"tlsaad" if context.cipher.makes_macs() => context.begin_record(given.bytes()?)?,
            b"keylen" if context.cipher.makes_macs() && given.len()? != context.key_len => {
                return Err(Fault::KeyLength);
            }
            b"ivlen" if context.cipher.makes_macs() && given.len()? != 0 => {
                return Err(Fault::IvLength);
            }
            b"keylen" if context.cipher.has_keys_of_any_length() => {
                context.set_key_len(given.len()?);
            }
            _ => {}
        }
        Ok(())
    };
    // SAFETY: as the caller says.
    unsafe { params::read(list, take) }
}
