//! What became of a value.

use std::fmt;

use zeroize::Zeroizing;

use crate::encoding::ValueError;
use crate::looks::Looks;
use crate::salted;

/// What became of a value. Columns are mixed, so each of their values has its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is decrypted.
    Decrypted(Plaintext),
    /// The format says that such a value is not encrypted, and why: it is its own plaintext.
    PassedThrough(&'static str),
    /// It is of another preset (empty: of none here), and what it is.
    Other(&'static str, &'static str),
    /// The key is wrong, or it was another cipher, or the end of the value is damaged: padding, magic number,
    /// digest, structure or text tell. (Where it is a digest, the damage may be anywhere.)
    WrongKey,
    /// The key file has no key of this number (127: the value was made with a password).
    NoKey(u8),
    /// It is damaged, or of another format that nobody here knows.
    Damaged(Fault),
}

/// A plaintext, and what shows that it is one.
#[derive(Clone, PartialEq, Eq)]
pub struct Plaintext {
    /// The bytes.
    pub bytes: Zeroizing<Vec<u8>>,
    /// Why the key was right.
    pub witness: Witness,
}

/// What shows that a key was right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Witness {
    /// A magic number.
    Magic,
    /// A digest of the plaintext.
    Digest,
    /// The plaintext is a structure, or a PIN, of exactly the length that it says.
    Structure,
    /// So many bytes of padding. One wrong key in 256 has a byte of it; that alone wants a look.
    Padding(usize),
    /// So many, which are few, and the plaintext looks like something.
    PaddingAndLooks(usize, Looks),
    /// So many that they are sure; but the plaintext is not the kind of text that it should be.
    PaddingAlone(usize),
    /// The plaintext is the kind of text that it should be: a few bytes are so by chance.
    Text,
    /// Nothing: a wrong key gives a plaintext, too.
    Nothing,
}

/// What is wrong with a value.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not the text that it should be.
    Text(ValueError),
    /// It is too short for what stands around the ciphertext.
    Cut {
        /// Its bytes.
        len: usize,
        /// The least that it may have.
        need: usize,
    },
    /// It begins with none of the numbers that it should begin with.
    Header,
    /// Of parentheses such as `ENC(...)` the last is missing.
    Unclosed,
    /// The header of `openssl enc`.
    Salted(salted::Error),
    /// Of the ciphertext: no whole blocks, or none.
    Length {
        /// Its bytes.
        len: usize,
    },
    /// Its header or its DER is cut or damaged.
    Structure,
    /// It asks for more rounds of a derivation than any program does.
    Count {
        /// How many.
        count: u32,
    },
    /// The key is right, and the lengths or the padding in the plaintext are wrong.
    Inner,
}

impl fmt::Debug for Plaintext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plaintext({} bytes, {:?})", self.bytes.len(), self.witness)
    }
}

impl Outcome {
    /// The plaintext, if the value was decrypted.
    #[must_use]
    pub fn plaintext(&self) -> Option<&[u8]> {
        match self {
            Self::Decrypted(plaintext) => Some(&plaintext.bytes),
            _ => None,
        }
    }

    /// The status in a word or two: the same in the command and on the page.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match self {
            Self::Decrypted(_) => "decrypted",
            Self::PassedThrough(_) => "passed through",
            Self::Other(..) => "other format",
            Self::WrongKey => "wrong key",
            Self::NoKey(_) => "no key",
            Self::Damaged(_) => "damaged",
        }
    }
}

impl Fault {
    /// What the library says of a ciphertext that cannot be whole.
    #[must_use]
    pub fn of_length(error: cipherloom::Error) -> Option<Self> {
        match error {
            cipherloom::Error::TooShort { len, .. } | cipherloom::Error::NotWholeBlocks { len } => {
                Some(Self::Length { len })
            }
            _ => None,
        }
    }
}

impl Witness {
    /// Whether the plaintext is to be looked at before it is trusted.
    #[must_use]
    pub fn is_weak(self) -> bool {
        matches!(self, Self::Nothing | Self::Padding(1) | Self::PaddingAlone(_))
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => f.write_str("the magic number is right"),
            Self::Digest => f.write_str("the digest is right"),
            Self::Structure => f.write_str("it has the form and the length that it says"),
            Self::Padding(1) => f.write_str(
                "a byte of padding is right, as one wrong key in 256 has it, and it looks like nothing known",
            ),
            Self::Padding(count) => write!(f, "{count} bytes of padding are right"),
            Self::PaddingAlone(count) => write!(
                f,
                "{count} bytes of padding are right, but it is not the text that such programs write: it is in \
                 another encoding, or damaged before its end"
            ),
            Self::PaddingAndLooks(1, looks) => {
                write!(f, "a byte of padding is right, and it looks like {looks}")
            }
            Self::PaddingAndLooks(count, looks) => {
                write!(f, "{count} bytes of padding are right, and it looks like {looks}")
            }
            Self::Text => f.write_str("it is text; of short ones a wrong key's may be, too"),
            Self::Nothing => f.write_str("nothing shows whether the key is right"),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decrypted(plaintext) => write!(f, "decrypted: {}", plaintext.witness),
            Self::PassedThrough(why) => write!(f, "not encrypted: {why}"),
            Self::Other("", what) => write!(f, "another format: {what}"),
            Self::Other(preset, what) => write!(f, "another format: {preset} ({what})"),
            Self::WrongKey => f.write_str("wrong key, or the end is damaged"),
            Self::NoKey(127) => f.write_str("made with a password, not with the key file"),
            Self::NoKey(number) => write!(f, "the key file has no key {number}"),
            Self::Damaged(fault) => write!(f, "damaged: {fault}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => error.fmt(f),
            Self::Cut { len, need } => write!(f, "{len} bytes, and {need} are the least"),
            Self::Header => f.write_str("it begins with another number than its format"),
            Self::Unclosed => f.write_str("the closing parenthesis is missing"),
            Self::Salted(error) => error.fmt(f),
            Self::Length { len } => write!(f, "a ciphertext of {len} bytes has no whole blocks"),
            Self::Structure => f.write_str("its header is cut or damaged"),
            Self::Count { count } => write!(f, "no program derives a key in {count} rounds"),
            Self::Inner => f.write_str("the key is right, but lengths or padding are not"),
        }
    }
}
