//! The measuring core: time per call, the core's clock, and a peer's figures.
//!
//! It knows nothing of ciphers or of the command line, so that a benchmark harness can use it as
//! it stands: [`sampler::measure`] takes any call, [`openssl::Openssl`] runs the peer.

pub(crate) mod clock;
pub(crate) mod openssl;
pub(crate) mod sampler;
