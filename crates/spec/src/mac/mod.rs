//! Message authentication codes: ISO/IEC 9797-1:2011 algorithms 1 and 3, NIST SP 800-38B.
//!
//! Every function gives the whole MAC of 8 bytes; a shorter one is its leftmost bytes.

mod cmac;
mod iso9797;

pub use cmac::{cmac, subkeys};
pub use iso9797::{PaddingMethod, algorithm_1, algorithm_3, cbc_mac, retail_mac};
