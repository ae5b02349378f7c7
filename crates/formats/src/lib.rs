//! What old programs did with DES, Triple-DES and RC4: how they turned a password into a key, what
//! they put around the ciphertext, how they wrote it as text, and how one sees that it was opened
//! rightly.
//!
//! * [`Cipher`]: a cipher with its mode by OpenSSL's names. [`Engine`]: one at work on a message that
//!   comes in pieces of any size; what it can keep of a damaged one, it says as [`Damage`].
//! * [`derivation`]: from a password to key and IV, and the search for the way that was used.
//!   [`key_text`]: keys in hex. [`preset`]: ways of writing data, a row of data each.
//! * [`salted`]: the container of `openssl enc`. [`encoding`]: hex and base64, strict or for salvage.
//! * [`looks`]: what a plaintext looks like.
//!
//! The crate opens no files, prints nothing and asks nobody; it starts no thread unless a [`Setup`]
//! allows more than one. Passwords, keys and plaintexts of its own are wiped; buffers of the caller are
//! the caller's: with enough room in them nothing is left behind either. Errors say what is wrong with
//! the data; what the user may do about it, a command or a page says, which knows its options.

mod cipher;
mod damage;
pub mod derivation;
pub mod encoding;
mod engine;
#[doc(hidden)]
pub mod fuzz;
pub mod key_text;
pub mod looks;
pub mod preset;
pub mod salted;

pub use cipher::{Cipher, Kind, ModeName};
pub use damage::Damage;
pub use engine::{Direction, Engine, Setup};
