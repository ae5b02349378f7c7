//! What a dialect is.

use super::{Item, Layout};

/// An assembler's way of writing things down. It prints, and decides nothing: it gets items in their
/// order and has a form for each.
pub trait Dialect: Sync {
    /// What begins a comment, and what ends it where that is not the line's end.
    fn comment(&self) -> [&'static str; 2];

    /// Prints an item.
    fn item(&self, item: &Item<'_>, layout: &mut Layout);
}
