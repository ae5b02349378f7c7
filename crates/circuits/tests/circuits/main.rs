//! The committed circuits, their text, and the layers of this crate.

mod committed;
mod laws;
mod text;
