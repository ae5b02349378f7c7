//! Measuring: time and core cycles of calls, what a series of samples says, tables and charts of it.
//!
//! It knows nothing of ciphers. The command's `speed`, the generator's tuner, `bench/peers` and the
//! benchmark of paddings use it.
//!
//! | file | subject |
//! |---|---|
//! | `clock.rs` | the core's clock; a span in cycles |
//! | `sampler.rs` | time per call, by many short samples |
//! | `paired.rs` | two or more measured by turns |
//! | `distribution.rs` | median, quartiles, extremes |
//! | `processor.rs` | the processor that this process runs on |
//! | `columns.rs` | tables as text |
//! | `chart/` | charts as SVG: curves, and bars |
//!
//! **The charts are our own.** They take about 400 lines without their tests, and no dependency.
//! `plotters` (0.3.7 of September 2024, the newest) would add four crates to the command, and knows the
//! width of a text only by a font library. Panels in a grid, names at the ends of curves that keep out
//! of each other's way, and cut bars would be our code all the same.

pub mod chart;
pub mod clock;
mod columns;
mod distribution;
mod paired;
mod processor;
mod sampler;

pub use columns::{Columns, significant};
pub use distribution::{Distribution, median};
pub use paired::{Paired, in_turns};
pub use processor::{Processor, model};
pub use sampler::{Measurement, calibrate, measure};
