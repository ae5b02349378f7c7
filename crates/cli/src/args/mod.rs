//! Options that more than one command takes.

pub(crate) mod enc;
pub(crate) mod given;
pub(crate) mod key;
pub(crate) mod numbers;
pub(crate) mod preset;
pub(crate) mod raw;
