//! What must hold for any input: the bodies of property tests and of fuzz targets.

pub mod batch;
pub mod message;
