//! Presets at the command line: what options give them, and what is said of them.

mod opening;
mod secret;
mod words;

pub(crate) use opening::{Opening, Options, Own, OwnColumns, not_taken};
pub(crate) use secret::Source;
pub(crate) use words::list;
