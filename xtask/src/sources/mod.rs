//! Where what the checks need comes from: Debian's packages, PyPI, rustup, and other releases' packages.

pub(crate) mod apt;
pub(crate) mod python;
pub(crate) mod rustup;
pub(crate) mod tools;
