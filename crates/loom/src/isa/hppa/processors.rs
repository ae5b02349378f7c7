//! Processors by the names that people give them.

use super::PA_RISC;
use crate::isa::{Features, Model};

/// In the order of their age.
pub static ALL: [Model; 1] = [Model {
    name: "pa8000",
    target: &PA_RISC,
    features: Features::NONE,
    doc: "HP PA-8000 to PA-8900: PA-RISC 2.0",
}];
