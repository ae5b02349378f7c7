//! The measuring core: time per call, the core's clock, and a peer's figures.
//!
//! It knows nothing of ciphers or of the command line: [`sampler::measure`] takes any call,
//! [`openssl::Openssl`] runs the peer. The benchmark against peers (`bench/peers`) takes the files
//! `clock.rs` and `distribution.rs` as they stand.

pub(crate) mod clock;
pub(crate) mod distribution;
pub(crate) mod openssl;
pub(crate) mod sampler;
