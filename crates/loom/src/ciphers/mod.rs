//! Each strategy for each cipher, described once for every target.

pub mod des;
pub mod rc4;
