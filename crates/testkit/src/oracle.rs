//! What the specification says that a call of the library must give, errors included.

use cipherloom::{Algorithm, Error, Mode, Padding};
use cipherloom_spec::modes::{cbc, cbc_cs, cfb, ctr, ecb, ofb};
use cipherloom_spec::{self as spec, bits, padding as pad};

/// The specification's cipher for any of the library's algorithms.
pub struct SpecKey(Box<dyn spec::BlockCipher>);

impl SpecKey {
    /// The cipher under `key`.
    ///
    /// # Panics
    /// If the key has not the cipher's length.
    pub fn new(algorithm: Algorithm, key: &[u8]) -> Self {
        assert_eq!(key.len(), algorithm.key_len(), "key length of {algorithm:?}");
        let part = |n: usize| key[8 * n..8 * n + 8].try_into().expect("8 bytes");
        Self(match algorithm {
            Algorithm::Des => Box::new(spec::des::Des::new(part(0))),
            Algorithm::TdesEde2 => Box::new(spec::tdea::Tdea::option2(part(0), part(1))),
            Algorithm::TdesEde3 => Box::new(spec::tdea::Tdea::option1(part(0), part(1), part(2))),
            Algorithm::TdesEee2 => Box::new(spec::tdea::TdeaEee::eee2(part(0), part(1))),
            Algorithm::TdesEee3 => Box::new(spec::tdea::TdeaEee::eee3(part(0), part(1), part(2))),
            Algorithm::Desx => Box::new(spec::desx::Desx::new(part(0), part(1), part(2))),
        })
    }
}

impl spec::BlockCipher for SpecKey {
    fn encrypt(&self, block: spec::Block) -> spec::Block {
        self.0.encrypt(block)
    }

    fn decrypt(&self, block: spec::Block) -> spec::Block {
        self.0.decrypt(block)
    }
}

/// The modes of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the library's constructors of these names say what they are")]
pub enum Kind {
    Ecb,
    Cbc,
    CbcCs1,
    CbcCs2,
    CbcCs3,
    Cfb1,
    Cfb8,
    Cfb64,
    Ofb,
    Ctr,
}

impl Kind {
    /// Every mode.
    pub const ALL: [Self; 10] = [
        Self::Ecb,
        Self::Cbc,
        Self::CbcCs1,
        Self::CbcCs2,
        Self::CbcCs3,
        Self::Cfb1,
        Self::Cfb8,
        Self::Cfb64,
        Self::Ofb,
        Self::Ctr,
    ];

    /// Block cipher calls of a message of `len` bytes, so that tests can weigh their sizes.
    pub fn calls(self, len: usize) -> usize {
        match self {
            Self::Cfb1 => 8 * len,
            Self::Cfb8 => len,
            _ => len.div_ceil(8),
        }
    }

    /// Whether a padding belongs to the mode.
    pub fn pads(self) -> bool {
        matches!(self, Self::Ecb | Self::Cbc)
    }
}

/// Every padding.
pub const PADDINGS: [Padding; 4] = [Padding::Pkcs7, Padding::Iso7816, Padding::Zero, Padding::None];

/// A mode with its parameters, for the library and for the specification.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The mode.
    pub kind: Kind,
    /// IV or first counter; ECB has none.
    pub iv: [u8; 8],
    /// Used by ECB and CBC.
    pub padding: Padding,
}

impl Case {
    /// The library's form of it.
    pub fn mode(&self) -> Mode {
        let &Self { kind, iv, padding } = self;
        match kind {
            Kind::Ecb => Mode::ecb(padding),
            Kind::Cbc => Mode::cbc(iv, padding),
            Kind::CbcCs1 => Mode::cbc_cs1(iv),
            Kind::CbcCs2 => Mode::cbc_cs2(iv),
            Kind::CbcCs3 => Mode::cbc_cs3(iv),
            Kind::Cfb1 => Mode::cfb1(iv),
            Kind::Cfb8 => Mode::cfb8(iv),
            Kind::Cfb64 => Mode::cfb64(iv),
            Kind::Ofb => Mode::ofb(iv),
            Kind::Ctr => Mode::ctr(iv),
        }
    }

    /// What encryption must give.
    ///
    /// # Errors
    /// The library's error for a message that the mode cannot take.
    pub fn encrypt(&self, key: &SpecKey, message: &[u8]) -> Result<Vec<u8>, Error> {
        let &Self { kind, iv, padding } = self;
        self.check_stealing(message.len())?;
        let padded = || match padding {
            Padding::Pkcs7 => Ok(pad::pad_pkcs7(message)),
            Padding::Iso7816 => Ok(pad::pad_iso7816(message)),
            Padding::Zero => Ok(pad::pad_zero(message)),
            Padding::None => whole_blocks(message).map(<[u8]>::to_vec),
        };
        Ok(match kind {
            Kind::Ecb => ecb::encrypt(key, &padded()?),
            Kind::Cbc => cbc::encrypt(key, iv, &padded()?),
            Kind::CbcCs1 => cbc_cs::encrypt_cs1(key, iv, message),
            Kind::CbcCs2 => cbc_cs::encrypt_cs2(key, iv, message),
            Kind::CbcCs3 => cbc_cs::encrypt_cs3(key, iv, message),
            Kind::Cfb1 => bits::to_bytes(&cfb::encrypt_1(key, iv, &bits::from_bytes(message))),
            Kind::Cfb8 => cfb::encrypt_8(key, iv, message),
            Kind::Cfb64 => cfb::encrypt_64(key, iv, message),
            Kind::Ofb => ofb::crypt(key, iv, message),
            Kind::Ctr => ctr::crypt(key, iv, message),
        })
    }

    /// What decryption must give.
    ///
    /// # Errors
    /// The library's error for a ciphertext that the mode cannot take, and [`Error::Padding`].
    pub fn decrypt(&self, key: &SpecKey, ciphertext: &[u8]) -> Result<Vec<u8>, Error> {
        let &Self { kind, iv, padding } = self;
        self.check_stealing(ciphertext.len())?;
        let whole = || {
            let needs_a_block = matches!(padding, Padding::Pkcs7 | Padding::Iso7816);
            if ciphertext.is_empty() && needs_a_block {
                return Err(Error::TooShort { len: 0, min: 8 });
            }
            whole_blocks(ciphertext)
        };
        let unpadded = |padded: Vec<u8>| match padding {
            Padding::Pkcs7 => pad::unpad_pkcs7(&padded).ok_or(Error::Padding),
            Padding::Iso7816 => pad::unpad_iso7816(&padded).ok_or(Error::Padding),
            Padding::Zero => pad::unpad_zero(&padded).ok_or(Error::Padding),
            Padding::None => Ok(padded),
        };
        Ok(match kind {
            Kind::Ecb => unpadded(ecb::decrypt(key, whole()?))?,
            Kind::Cbc => unpadded(cbc::decrypt(key, iv, whole()?))?,
            Kind::CbcCs1 => cbc_cs::decrypt_cs1(key, iv, ciphertext),
            Kind::CbcCs2 => cbc_cs::decrypt_cs2(key, iv, ciphertext),
            Kind::CbcCs3 => cbc_cs::decrypt_cs3(key, iv, ciphertext),
            Kind::Cfb1 => bits::to_bytes(&cfb::decrypt_1(key, iv, &bits::from_bytes(ciphertext))),
            Kind::Cfb8 => cfb::decrypt_8(key, iv, ciphertext),
            Kind::Cfb64 => cfb::decrypt_64(key, iv, ciphertext),
            Kind::Ofb => ofb::crypt(key, iv, ciphertext),
            Kind::Ctr => ctr::crypt(key, iv, ciphertext),
        })
    }

    fn check_stealing(&self, len: usize) -> Result<(), Error> {
        let steals = matches!(self.kind, Kind::CbcCs1 | Kind::CbcCs2 | Kind::CbcCs3);
        if steals && len < 8 { Err(Error::TooShort { len, min: 8 }) } else { Ok(()) }
    }
}

fn whole_blocks(data: &[u8]) -> Result<&[u8], Error> {
    let len = data.len();
    if len.is_multiple_of(8) { Ok(data) } else { Err(Error::NotWholeBlocks { len }) }
}
