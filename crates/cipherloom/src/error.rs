//! What can go wrong, as one small enum, and what can be wrong with a key.

use core::fmt;

use crate::backend::Backend;

/// Why a call was refused or failed.
///
/// Unless a function says otherwise, on error nothing it was given has changed.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The key has `got` bytes; the cipher takes from `min` to `max`.
    KeyLength {
        /// Bytes given.
        got: usize,
        /// Fewest bytes the cipher takes.
        min: usize,
        /// Most bytes the cipher takes.
        max: usize,
    },
    /// The key is of a kind that [`new_checked`](crate::Des::new_checked) refuses.
    Key(KeyFault),
    /// The initialization vector has `got` bytes; the mode takes `want` (ECB: 0, the others: 8).
    IvLength {
        /// Bytes given.
        got: usize,
        /// Bytes the mode takes.
        want: usize,
    },
    /// The input of `len` bytes is not made of whole 8-byte blocks, and the mode or padding needs that.
    NotWholeBlocks {
        /// Bytes given, in all.
        len: usize,
    },
    /// The input of `len` bytes is shorter than the `min` bytes that the mode or padding needs.
    TooShort {
        /// Bytes given, in all.
        len: usize,
        /// Fewest bytes that make sense.
        min: usize,
    },
    /// The output buffer has `got` bytes, and the result needs `need`.
    OutputTooSmall {
        /// Bytes the result needs.
        need: usize,
        /// Bytes the buffer has.
        got: usize,
    },
    /// The padding is wrong: another key, IV or padding scheme, or damaged data.
    /// Nothing more is said, so that the error helps nobody to decrypt.
    Padding,
    /// The tag does not fit the message and key.
    Tag,
    /// The tag has `got` bytes; 4 to 8 are taken.
    TagLength {
        /// Bytes given.
        got: usize,
    },
    /// The record's span leaves the buffer, starts before an earlier span ends, or has a length
    /// greater than its room.
    Overlap,
    /// A buffer that goes with another one by position has `got` entries where `want` are needed.
    Count {
        /// Entries given.
        got: usize,
        /// Entries needed.
        want: usize,
    },
    /// The message has `got` bytes, in all or so far, and `want` were announced.
    MessageLength {
        /// Bytes given.
        got: u64,
        /// Bytes announced.
        want: u64,
    },
    /// The call does not exist for this mode (`encrypt_bits` is CFB-1's).
    Mode,
    /// The backend cannot serve this cipher or this processor.
    Backend(Backend),
    /// Every backend that could do the work failed its self-test: this build or this machine
    /// computes wrongly, and nothing was computed.
    SelfTest,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::KeyLength { got, min, max } if min == max => {
                write!(f, "the key has {got} bytes, the cipher takes {min}")
            }
            Self::KeyLength { got, min, max } => {
                write!(f, "the key has {got} bytes, the cipher takes {min} to {max}")
            }
            Self::Key(fault) => write!(f, "refused key: {fault}"),
            Self::IvLength { got, want } => {
                write!(f, "the initialization vector has {got} bytes, the mode takes {want}")
            }
            Self::NotWholeBlocks { len } => {
                write!(f, "the input has {len} bytes, which is no multiple of 8")
            }
            Self::TooShort { len, min } => {
                write!(f, "the input has {len} bytes, at least {min} are needed")
            }
            Self::OutputTooSmall { need, got } => {
                write!(f, "the output buffer has {got} bytes, {need} are needed")
            }
            Self::Padding => f.write_str("the padding is wrong"),
            Self::Tag => f.write_str("the tag does not fit"),
            Self::TagLength { got } => write!(f, "the tag has {got} bytes, 4 to 8 are taken"),
            Self::Overlap => f.write_str("the record's span overlaps another or leaves the buffer"),
            Self::Count { got, want } => write!(f, "{got} entries given where {want} are needed"),
            Self::MessageLength { got, want } => {
                write!(f, "the message has {got} bytes, {want} were announced")
            }
            Self::Mode => f.write_str("the mode has no such operation"),
            Self::Backend(backend) => {
                write!(f, "backend {} cannot serve this cipher here", backend.name())
            }
            Self::SelfTest => f.write_str("no backend passed its self-test"),
        }
    }
}

impl core::error::Error for Error {}

/// What is wrong with a key.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFault {
    /// One of the 4 keys under which encrypting twice gives the plaintext (FIPS 74 section 3.6).
    Weak,
    /// One of the 12 keys, in 6 pairs, of which one decrypts what the other encrypts.
    SemiWeak,
    /// KEY1 = KEY2 or KEY2 = KEY3: the bundle is worth less than it looks, in EDE a single DES.
    Degenerate,
    /// A byte has an even number of ones.
    Parity,
}

impl fmt::Display for KeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Weak => "a weak DES key",
            Self::SemiWeak => "a semi-weak DES key",
            Self::Degenerate => "a degenerate bundle, KEY1 = KEY2 or KEY2 = KEY3",
            Self::Parity => "a byte of even parity",
        })
    }
}
