//! What old programs did with DES, Triple-DES and RC4. They turned a password into a key, put a
//! container around the ciphertext, and wrote it as text. This crate knows how, and can tell whether
//! data was opened with the right key.
//!
//! * [`Cipher`] is a cipher with its mode, by OpenSSL's name. [`Engine`] is a cipher at work on a message
//!   that comes in pieces of any size: for each [`Piece`] it says which [`Part`] of the work may be done in
//!   any order. It returns as [`Damage`] what it cannot save of a damaged message.
//! * [`derivation`] makes key and IV from a password, and searches for the way that was used.
//!   [`key_text`] reads keys in hex, [`key_file`] MySQL's file of keys. [`preset`] has a row of data for each
//!   way of writing data, and opens and makes values by it. [`recognise`] guesses the row.
//! * [`key_wrap`] is CMS's Triple-DES key wrap. [`salted`] is the container of `openssl enc`. [`encoding`] is hex, base64 and
//!   uuencoding, strict or for salvage, and PEM.
//! * [`looks`] says what a plaintext looks like.
//!
//! The crate opens no files, starts no threads and prints nothing. It wipes the passwords, keys and plaintexts that it keeps. A caller's buffer is the caller's
//! to wipe; it leaves no copy behind if it has room enough from the start. An error says what is wrong
//! with the data. What the user can do about it, a command or a page says, because it knows its options.

mod cipher;
mod damage;
pub mod derivation;
pub mod encoding;
mod engine;
#[doc(hidden)]
pub mod fuzz;
pub mod key_file;
pub mod key_text;
pub mod key_wrap;
pub mod looks;
pub mod preset;
pub mod recognise;
pub mod salted;

pub use cipher::{Cipher, Kind, ModeName};
pub use damage::Damage;
pub use engine::{Engine, HEADROOM, Part, Piece, Setup};
