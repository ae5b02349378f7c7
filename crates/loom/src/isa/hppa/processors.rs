//! Processors by the names that people give them.

use crate::isa::registry::Model;
use crate::isa::{Architecture, Features};

/// In the order of their age.
pub const ALL: [Model; 1] = [Model::new(
    "pa8000",
    Architecture::PaRisc,
    Features::NONE,
    "HP PA-8000 to PA-8900: PA-RISC 2.0",
)];
