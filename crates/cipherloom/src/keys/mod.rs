//! Keys: what a cipher is, the object that holds one key of it, and the kernels at work for that.

mod algorithm;
mod block_key;
mod cipher;
mod fault;
mod typed;
pub(crate) mod work;

pub use algorithm::Algorithm;
pub use block_key::BlockKey;
pub use cipher::BlockCipher;
pub use fault::{Parity, des_faults, fix_parity};
pub use typed::{Des, Desx, TdesEde2, TdesEde3, TdesEee2, TdesEee3};
