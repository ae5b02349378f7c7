//! What can go wrong, as OpenSSL's own providers number it: who looks for an error of theirs finds ours.

use cipherloom::Error;
use cipherloom_formats::key_wrap;

/// Why a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A padding is wrong.
    BadDecrypt,
    /// A call that makes no sense now.
    Operation,
    /// A parameter has not the type or the size that it should have.
    GetParameter,
    /// There is no room for a parameter that is asked for.
    SetParameter,
    /// A key of another length.
    KeyLength,
    /// The output has less room than is needed.
    OutputTooSmall,
    /// The message is no number of whole blocks.
    FinalBlock,
    /// An IV of another length.
    IvLength,
    /// Data came before a key.
    NoKey,
    /// No kernel passed its self-test.
    SelfTest,
    /// There is no memory.
    Memory,
    /// A pointer is null that must not be.
    Null,
    /// A TLS record that no peer of this protocol writes, or a defect of ours.
    Internal,
}

/// `ERR_LIB_PROV`, in its place in a number.
const PROVIDERS: u32 = 57 << 23;

/// `ERR_R_FATAL`, which the reasons have that all of OpenSSL shares.
const FATAL: u32 = 3 << 18;

impl Fault {
    /// OpenSSL's number: library and reason (`proverr.h`, `err.h`).
    pub(crate) fn number(self) -> u32 {
        let reason = match self {
            Self::BadDecrypt => 100,
            Self::Operation => 102,
            Self::GetParameter => 103,
            Self::SetParameter => 104,
            Self::KeyLength => 105,
            Self::OutputTooSmall => 106,
            Self::FinalBlock => 107,
            Self::IvLength => 109,
            Self::NoKey => 114,
            Self::SelfTest => 216,
            Self::Memory => FATAL | 256,
            Self::Null => FATAL | 258,
            Self::Internal => FATAL | 259,
        };
        PROVIDERS | reason
    }
}

impl From<Error> for Fault {
    #[inline]
    fn from(error: Error) -> Self {
        match error {
            Error::Padding => Self::BadDecrypt,
            Error::KeyLength { .. } => Self::KeyLength,
            Error::NotWholeBlocks { .. } | Error::TooShort { .. } => Self::FinalBlock,
            Error::OutputTooSmall { .. } => Self::OutputTooSmall,
            Error::SelfTest => Self::SelfTest,
            _ => Self::Internal,
        }
    }
}

impl From<key_wrap::Error> for Fault {
    fn from(error: key_wrap::Error) -> Self {
        match error {
            key_wrap::Error::Cipher(error) => error.into(),
            _ => Self::Operation,
        }
    }
}
