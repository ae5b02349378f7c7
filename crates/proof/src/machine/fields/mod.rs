//! Instructions as what they are: decoded, with their forms where these are not their text's. Nothing here knows of a
//! machine.

pub(super) mod aarch64;
pub(super) mod hppa;
pub(super) mod x86;
