//! DES, Triple-DES and RC4 at the speed of the hardware, for reading and moving old data and for
//! talking to old systems.
//!
//! These ciphers are withdrawn. Protect nothing new with them.
//!
//! * Keys: [`Des`], [`TdesEde3`] and its relatives, [`Desx`], [`Rc4`], or [`BlockKey`] where the
//!   cipher is known only at run time. [`BlockCipher`] is what the block ciphers have in common.
//! * Messages: a [`Mode`] with its IV and [`Padding`] encrypts and decrypts one-shot, in place or
//!   from buffer to buffer, or in pieces by an [`Encryptor`] or [`Decryptor`].
//! * Tags: [`Mac`].
//! * Many records with a key each: [`batch`].
//! * Which kernel does the work: [`Backend`] and [`Policy`].
//!
//! On x86-64 and AArch64 under Linux, Android, Windows, macOS, the BSDs, illumos and Solaris the kernels are assembly
//! that is taken in by the compiler itself; nothing but `cargo` is needed to build. Elsewhere, and with `--cfg cipherloom_portable`
//! in `RUSTFLAGS`, they are portable Rust.
//!
//! The crate is `no_std`, allocates nothing, starts no threads and prints nothing. Features only
//! add: `cipher` the RustCrypto traits, by which the types stand in for `des::TdesEde3` and
//! `rc4::Rc4`. (One thing to change: `TdesEde3::new` takes a plain array, so an `Array` goes in
//! as `(&key).into()`.)
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "std")]
extern crate std;

mod backend;
pub mod batch;
mod dispatch;
mod error;
mod kernels;
mod keys;
mod mac;
mod modes;
mod padding;
mod queries;
mod rc4;
#[cfg(feature = "cipher")]
mod rustcrypto;
mod verdict;

/// The crate whose traits the key types have, as `des` and `rc4` hand it on too.
#[cfg(feature = "cipher")]
pub use cipher;

pub use backend::{Backend, Family, Policy, Status};
pub use error::{Error, KeyFault};
pub use kernels::Direction;
/// For the C face and the provider: the stack below their own work, wiped.
#[doc(hidden)]
pub use kernels::leaving_nothing;
/// For the C face: blocks and schedules as libdes has them.
#[doc(hidden)]
pub use kernels::libdes;
/// For the C face and the provider: copies that take no longer wherever they go.
#[doc(hidden)]
pub use kernels::{COPIED, copy};
/// For who compares the bytes of kernels in assembly with what was proved.
#[doc(hidden)]
pub use kernels::{kernels_in_memory, tables_in_memory};
#[doc(hidden)]
pub use keys::des_faults;
pub use keys::{
    Algorithm, BlockCipher, BlockKey, Des, Desx, Parity, TdesEde2, TdesEde3, TdesEee2, TdesEee3,
    fix_parity,
};
pub use mac::Mac;
pub use modes::{Decryptor, Encryptor, Mode};
pub use padding::Padding;
pub use queries::self_test;
pub use rc4::Rc4;
