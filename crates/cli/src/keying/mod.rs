//! From what the command line gives (password, hex) to key and IV.

pub(crate) mod auto;
pub(crate) mod derivation;
mod descriptor;
pub(crate) mod digest;
pub(crate) mod fuzz;
pub(crate) mod password;
pub(crate) mod salted;
pub(crate) mod terminal;
