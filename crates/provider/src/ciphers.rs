//! The ciphers, a row each: all that OpenSSL's default and legacy providers have of DES, Triple-DES,
//! DESX and RC4, by OpenSSL's names and object identifiers.

use crate::fault::Fault;
use cipherloom::Algorithm;
use core::ffi::CStr;
use zeroize::Zeroizing;

/// A cipher.
#[derive(Debug)]
pub(crate) struct Cipher {
    /// All its names, with colons between.
    pub(crate) names: &'static CStr,
    pub(crate) kind: Kind,
}

/// The kinds of cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A block cipher in a mode.
    Block(Algorithm, Mode),
    /// RC4, with the length that a key has unless a program says otherwise, in bytes.
    Rc4(usize),
    /// RC4 with HMAC-MD5, for records of TLS.
    Rc4HmacMd5,
    /// Triple-DES around another key (RFC 3217).
    Wrap,
}

/// Modes that OpenSSL has for these ciphers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Ecb,
    Cbc,
    Ofb,
    Cfb64,
    Cfb8,
    Cfb1,
}

use Algorithm::{Des, Desx, TdesEde2, TdesEde3};
use Mode::{Cbc, Cfb1, Cfb8, Cfb64, Ecb, Ofb};

pub(crate) static CIPHERS: [Cipher; 21] = [
    block(c"DES-EDE3-CBC:DES3:1.2.840.113549.3.7", TdesEde3, Cbc),
    block(c"DES-EDE3:DES-EDE3-ECB", TdesEde3, Ecb),
    block(c"DES-EDE3-OFB", TdesEde3, Ofb),
    block(c"DES-EDE3-CFB", TdesEde3, Cfb64),
    block(c"DES-EDE3-CFB8", TdesEde3, Cfb8),
    block(c"DES-EDE3-CFB1", TdesEde3, Cfb1),
    block(c"DES-EDE-CBC", TdesEde2, Cbc),
    block(c"DES-EDE:DES-EDE-ECB:1.3.14.3.2.17", TdesEde2, Ecb),
    block(c"DES-EDE-OFB", TdesEde2, Ofb),
    block(c"DES-EDE-CFB", TdesEde2, Cfb64),
    block(c"DES-CBC:DES:1.3.14.3.2.7", Des, Cbc),
    block(c"DES-ECB:1.3.14.3.2.6", Des, Ecb),
    block(c"DES-OFB:1.3.14.3.2.8", Des, Ofb),
    block(c"DES-CFB:1.3.14.3.2.9", Des, Cfb64),
    block(c"DES-CFB8", Des, Cfb8),
    block(c"DES-CFB1", Des, Cfb1),
    block(c"DESX-CBC:DESX", Desx, Cbc),
    Cipher { names: c"RC4:1.2.840.113549.3.4", kind: Kind::Rc4(16) },
    Cipher { names: c"RC4-40", kind: Kind::Rc4(5) },
    Cipher { names: c"RC4-HMAC-MD5", kind: Kind::Rc4HmacMd5 },
    Cipher {
        names: c"DES3-WRAP:id-smime-alg-CMS3DESwrap:1.2.840.113549.1.9.16.3.6",
        kind: Kind::Wrap,
    },
];

const fn block(names: &'static CStr, algorithm: Algorithm, mode: Mode) -> Cipher {
    Cipher { names, kind: Kind::Block(algorithm, mode) }
}

impl Cipher {
    /// The length of a key in bytes; RC4's may be changed.
    pub(crate) fn key_len(&self) -> usize {
        match self.kind {
            Kind::Block(algorithm, _) => algorithm.key_len(),
            Kind::Rc4(len) => len,
            Kind::Rc4HmacMd5 => 16,
            Kind::Wrap => TdesEde3.key_len(),
        }
    }

    /// The length of an IV in bytes.
    pub(crate) const fn iv_len(&self) -> usize {
        match self.kind {
            Kind::Block(_, Mode::Ecb) | Kind::Rc4(_) | Kind::Rc4HmacMd5 | Kind::Wrap => 0,
            Kind::Block(..) => 8,
        }
    }

    /// Whether messages are of whole blocks.
    pub(crate) fn is_in_blocks(&self) -> bool {
        matches!(self.kind, Kind::Block(_, Mode::Ecb | Mode::Cbc))
    }

    /// Whether it wraps keys, each in one call.
    pub(crate) const fn wraps(&self) -> bool {
        matches!(self.kind, Kind::Wrap)
    }

    /// Whether it makes and checks the MACs of TLS records.
    pub(crate) const fn makes_macs(&self) -> bool {
        matches!(self.kind, Kind::Rc4HmacMd5)
    }

    /// What OpenSSL calls the block size: bytes by which a message grows.
    pub(crate) fn block_size(&self) -> usize {
        if self.is_in_blocks() || self.wraps() { 8 } else { 1 }
    }

    /// OpenSSL's number of the mode (`EVP_CIPH_ECB_MODE` and the like, `evp.h`).
    pub(crate) fn mode_number(&self) -> u64 {
        match self.kind {
            Kind::Rc4(_) | Kind::Rc4HmacMd5 => 0,
            Kind::Block(_, Mode::Ecb) => 1,
            Kind::Block(_, Mode::Cbc) => 2,
            Kind::Block(_, Mode::Cfb64 | Mode::Cfb8 | Mode::Cfb1) => 3,
            Kind::Block(_, Mode::Ofb) => 4,
            Kind::Wrap => 0x10002,
        }
    }

    /// Whether it makes random keys.
    pub(crate) fn has_random_keys(&self) -> bool {
        matches!(self.kind, Kind::Block(..) | Kind::Wrap)
    }

    /// Whether keys may have any length.
    pub(crate) fn has_keys_of_any_length(&self) -> bool {
        matches!(self.kind, Kind::Rc4(_))
    }

    /// A random key, of odd parity where a cipher has that.
    ///
    /// # Errors
    /// The cipher makes none; the system has no random bytes.
    pub(crate) fn random_key(&self) -> Result<Zeroizing<Vec<u8>>, Fault> {
        if !self.has_random_keys() {
            return Err(Fault::SetParameter);
        }
        let mut key = Zeroizing::new(vec![0; self.key_len()]);
        getrandom::fill(&mut key).map_err(|_| Fault::Internal)?;
        cipherloom::fix_parity(&mut key);
        Ok(key)
    }
}
