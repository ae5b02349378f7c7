//! What is wrong with text that should stand for bytes. No message shows more of the text than one
//! character: it may be a key.

use std::fmt;

/// What is wrong with a value.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueError {
    /// A character that is no hex digit.
    HexDigit {
        /// Counted from 1.
        place: usize,
        /// The character, or the byte of one.
        character: char,
    },
    /// The last byte has one digit only.
    OddDigits {
        /// How many digits there are.
        count: usize,
    },
    /// A character that is not of base64.
    Base64Character {
        /// Counted from 1.
        place: usize,
        /// The character, or the byte of one.
        character: char,
    },
    /// The last character of the base64 has bits that no byte has.
    Base64End,
    /// Base64 of a length or a padding that cannot be.
    Base64Length {
        /// How many characters there are.
        count: usize,
    },
    /// A character that is not of uuencoding.
    UuCharacter {
        /// Counted from 1.
        place: usize,
        /// The character, or the byte of one.
        character: char,
    },
    /// A uuencoded line that is longer or shorter than it says.
    UuLength {
        /// Where the line begins, counted from 1.
        place: usize,
    },
    /// There is no PEM, or its last line is missing.
    NoPem,
    /// Bytes that should be written as text are no UTF-8.
    NotUtf8,
}

/// What is wrong with a stream of text.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamError {
    /// A character that is no hex digit.
    HexDigit {
        /// The character, or the byte of one.
        character: char,
        /// Counted from 1.
        line: u64,
        /// Counted from 1.
        column: u64,
    },
    /// The hex has an odd number of digits.
    OddDigits,
    /// No line of the text is base64.
    NoBase64,
    /// The text begins with a long line that is no base64.
    NotBase64,
    /// Something in the base64 that cannot stand there.
    Base64Damaged {
        /// What it is, in words.
        what: String,
        /// Counted from 1.
        line: u64,
        /// Counted from 1.
        column: u64,
    },
    /// The base64 ends within a group of 4 characters.
    Base64Cut {
        /// Where it ends, counted from 1.
        line: u64,
    },
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HexDigit { place, character } => {
                write!(f, "character {place} ({}) is no hex digit", character.escape_default())
            }
            Self::OddDigits { count } => write!(f, "odd number of hex digits, {count}"),
            Self::Base64Character { place, character } => {
                write!(f, "character {place} ({}) is not of base64", character.escape_default())
            }
            Self::Base64End => {
                f.write_str("the last character of the base64 is wrong: it is cut or damaged")
            }
            Self::Base64Length { count } => {
                write!(f, "base64 of {count} characters is cut or damaged")
            }
            Self::UuCharacter { place, character } => {
                write!(f, "character {place} ({}) is not of uuencoding", character.escape_default())
            }
            Self::UuLength { place } => write!(
                f,
                "the uuencoded line at character {place} is longer or shorter than it says"
            ),
            Self::NoPem => f.write_str("there is no PEM, or its last line is missing"),
            Self::NotUtf8 => {
                f.write_str("the result is no UTF-8 text: a wrong key, or binary data")
            }
        }
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HexDigit { character, line, column } => {
                write!(f, "the input is no hex: line {line}, column {column}: {character:?}")
            }
            Self::OddDigits => f.write_str(
                "the input is hex with an odd number of digits: a part of it is missing",
            ),
            Self::NoBase64 => f.write_str("there is no base64 in the input"),
            Self::NotBase64 => {
                f.write_str("the input is no base64: its first line has other characters")
            }
            Self::Base64Damaged { what, line, column } => {
                write!(f, "the base64 text is damaged: {what} at line {line}, column {column}")
            }
            Self::Base64Cut { line } => write!(
                f,
                "the base64 text ends within a group of 4 characters, at line {line}: it is \
                 truncated"
            ),
        }
    }
}

impl std::error::Error for ValueError {}
impl std::error::Error for StreamError {}
