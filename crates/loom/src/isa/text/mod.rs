//! Kernels as text for assemblers: the forms that all instruction sets share. The dialects are in each
//! instruction set's `text/`.
//!
//! | file | subject |
//! |---|---|
//! | `listing.rs` | a kernel's lines, with all that a dialect needs to print them |
//! | `item.rs`, `dialect.rs` | what a dialect has a form for, and what a dialect is |
//! | `format.rs` | dialects and object files by their names, as data of a target |
//! | `layout.rs`, `entries.rs` | columns, and the lines of tables |

mod dialect;
mod entries;
mod format;
mod item;
mod layout;
mod listing;

pub use dialect::Dialect;
pub use entries::{Run, runs};
pub use format::{Container, Format, Missing, WriteObject, Writer};
pub use item::{Item, Section};
pub use layout::Layout;
pub use listing::{Code, Frame, Inst, Label, Line, Listing, Refers, Tables, all_land};
