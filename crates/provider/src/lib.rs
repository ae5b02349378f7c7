//! An OpenSSL 3 provider: DES, Triple-DES, DESX and RC4 for programs that call OpenSSL, by this project's
//! library. How to use it stands in `docs/OPENSSL-PROVIDER.md`.
//!
//! | file | subject |
//! |---|---|
//! | `fault.rs` | what can go wrong, as OpenSSL's own providers number it |
//! | `ciphers.rs` | the ciphers: a row each, with OpenSSL's names |
//! | `chain.rs` | a mode at work from call to call: IV and position |
//! | `record_mac.rs` | MACs of TLS records beside RC4 |
//! | `tls.rs` | paddings and MACs of TLS records, in constant time |
//! | `context.rs` | a cipher at work: what `EVP_CIPHER_CTX` holds of us |
//! | `pipes.rs` | messages side by side under one key |
//! | `boundary/` | OpenSSL's structures and the functions that it calls; all `unsafe` of this crate |
//!
//! No cipher, mode, MAC or padding of messages is computed here: the library does that, `formats` wraps keys, and crates have HMAC and MD5.
//! No OpenSSL is linked either: both sides know each other by tables of functions that they exchange
//! (provider(7)).

mod boundary;
mod chain;
mod ciphers;
mod context;
mod fault;
mod pipes;
mod record_mac;
mod tls;
