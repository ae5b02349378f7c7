//! What OpenSSL calls, and what we call of it: its structures, and functions that take C's pointers.
//!
//! | file | subject |
//! |---|---|
//! | `structures.rs` | structures and numbers of `openssl/core.h` and `core_dispatch.h` |
//! | `upcalls.rs` | errors go to OpenSSL; panics end here |
//! | `params.rs` | parameters, read and answered |
//! | `memory.rs` | from C's pointers and lengths to slices |
//! | `handle.rs` | what OpenSSL holds of us |
//! | `cipher.rs`, `cipher_params.rs` | the functions of a cipher (provider-cipher(7)) |
//! | `wrap.rs` | those of the key wrap, which takes a key in one call |
//! | `pipes.rs` | those for messages side by side, from OpenSSL 3.5 on |
//! | `provider.rs` | the functions of the provider, and where OpenSSL enters (provider-base(7)) |
//!
//! The structures are written down from OpenSSL's manual pages. A crate that has them
//! (`openssl_provider_forge`) is for OpenSSL 3.2 and later, and brings nine others with it.
#![allow(unsafe_code, reason = "a foreign-function face: pointers come from C")]

mod cipher;
mod cipher_params;
mod handle;
mod memory;
mod params;
mod pipes;
mod provider;
mod structures;
mod upcalls;
mod wrap;
