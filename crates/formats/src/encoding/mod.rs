//! Bytes written as text: hex, base64, uuencoding, PEM, or the text itself. A value (a field of a table, say)
//! by [`Encoding`], a stream by [`Decoder`] and [`Encoder`].

mod base64;
mod error;
mod field;
pub mod hex;
pub(crate) mod pasted;
pub mod pem;
mod stream;
pub(crate) mod uu;

pub use error::{StreamError, ValueError};
pub use field::Encoding;
pub use pasted::BOM;
pub use stream::{Armor, Decoder, Encoder};
