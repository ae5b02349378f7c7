//! What became of a record, in two words.

use cipherloom::Error;
use cipherloom_formats::preset::Outcome;

/// See above; the order is that of the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is encrypted.
    Encrypted,
    /// It is decrypted.
    Decrypted,
    /// Such values are not encrypted: they are their own plaintext.
    PassedThrough,
    /// It is of another preset.
    OtherFormat,
    /// Key, IV, cipher or padding are wrong, or the data is damaged.
    WrongKey,
    /// The key file has no key of this number.
    NoKey,
    /// It is no ciphertext of this kind.
    Damaged,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Encrypted,
        Self::Decrypted,
        Self::PassedThrough,
        Self::OtherFormat,
        Self::WrongKey,
        Self::NoKey,
        Self::Damaged,
    ];

    /// The same for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Encrypted => "encrypted",
            Self::Decrypted => "decrypted",
            Self::PassedThrough => "passed through",
            Self::OtherFormat => "other format",
            Self::WrongKey => "wrong key",
            Self::NoKey => "no key",
            Self::Damaged => "damaged",
        }
    }
}

impl From<&Outcome> for Status {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Decrypted(_) => Self::Decrypted,
            Outcome::PassedThrough(_) => Self::PassedThrough,
            Outcome::Other(..) => Self::OtherFormat,
            Outcome::WrongKey => Self::WrongKey,
            Outcome::NoKey(_) => Self::NoKey,
            Outcome::Damaged(_) => Self::Damaged,
        }
    }
}

/// What to tell of a record that the library refused.
#[must_use]
pub fn explain(error: Error) -> (Status, String) {
    match error {
        Error::Padding => {
            (Status::WrongKey, "wrong padding: another key, IV or padding, or damaged data".into())
        }
        Error::NotWholeBlocks { len } => {
            (Status::Damaged, format!("the data has {len} bytes, which is no multiple of 8"))
        }
        Error::TooShort { len: 0, .. } => (Status::Damaged, "the data is empty".into()),
        other => (Status::Damaged, other.to_string()),
    }
}
