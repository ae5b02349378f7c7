//! Kernels as files: text for assemblers, and object files. What dialects print is in `isa/text`, the
//! dialects are in each instruction set's `text/`.
//!
//! | file | subject |
//! |---|---|
//! | `unit.rs` | a kernel to be written |
//! | `file.rs` | a file in any format |
//! | `writer.rs` | a text for an assembler: what is printed, in which order |
//! | `header.rs` | what stands above a kernel |

mod file;
mod header;
mod unit;
mod writer;

pub use file::{file, refusal};
pub use unit::Unit;
pub use writer::{body, tables_body, text};
