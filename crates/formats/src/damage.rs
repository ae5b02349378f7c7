//! What salvage finds damaged.

use std::fmt;

use cipherloom::Error as CipherError;

/// Something of a message that is damaged or missing, while the rest was saved. Its text fits behind
/// "salvaged, but".
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The `Salted__` of the header; the bytes behind it were taken as the salt.
    Header {
        /// Bytes of salt.
        salt_len: usize,
    },
    /// Lines of base64; what could not be read counts as zeros.
    Base64Lines {
        /// The first ones, counted from 1.
        lines: Vec<u64>,
        /// How many more there are.
        more: u64,
    },
    /// The text ends within a group of base64, whose characters are lost.
    Base64End {
        /// How many characters.
        lost: usize,
    },
    /// The end of the message with its padding.
    Padding,
    /// The last bytes, which are no whole block.
    End {
        /// How many bytes.
        lost: usize,
    },
    /// The last blocks of a mode that steals ciphertext.
    Stealing(CipherError),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { salt_len } => write!(
                f,
                "the Salted__ header is damaged; the {salt_len} bytes behind it were taken as the \
                 salt"
            ),
            Self::Base64Lines { lines, more } => {
                let lines: Vec<String> = lines.iter().map(u64::to_string).collect();
                write!(f, "base64: damaged at line {}", lines.join(", "))?;
                if *more > 0 {
                    write!(f, " and {more} more")?;
                }
                f.write_str("; what could not be read counts as zeros")
            }
            Self::Base64End { lost } => write!(
                f,
                "base64: the text ends within a group; its last {lost} characters are lost"
            ),
            Self::Padding => f.write_str(
                "the end with its padding is missing or damaged; the last 8 bytes written may hold \
                 a damaged padding",
            ),
            Self::End { lost } => write!(
                f,
                "the last {lost} bytes are no whole block and are lost, and so is all that followed"
            ),
            Self::Stealing(error) => write!(f, "the message cannot be ended: {error}"),
        }
    }
}
