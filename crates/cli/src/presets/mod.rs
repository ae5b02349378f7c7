//! Presets at the command line: what options give them, and what is said of them.

mod opening;
mod secret;
mod taken;
mod words;

pub(crate) use opening::{Opening, Options, Own, OwnColumns};
pub(crate) use secret::Source;
pub(crate) use taken::check as check_given;
pub(crate) use words::list;
