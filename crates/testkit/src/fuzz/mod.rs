//! Fuzz targets: what each does with its bytes, and how ordinary tests replay its stored corpus.
//!
//! The crate `fuzz/` hands the same functions to libFuzzer.

mod bodies;
mod csv_rows;
mod input;
mod replay;

pub use bodies::{backend_equals_spec, batch_equals_single, incremental_chunking, padding};
pub use csv_rows::csv_rows;
pub use input::Input;
pub use replay::replay;
