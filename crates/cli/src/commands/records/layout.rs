//! What a row is made of, and how it is written with what became of it.

use super::status::Ending;

/// How rows are taken apart, and written with what became of them.
pub(super) trait Layout: Sync {
    /// The fields of a row.
    ///
    /// # Errors
    /// What is wrong with the row.
    fn fields<'r>(&self, row: &'r [u8]) -> Result<Fields<'r>, String>;

    /// Appends the row with its result as text, or its error.
    fn write(&self, row: &[u8], ending: Ending<'_>, out: &mut Vec<u8>);

    /// Bytes that a row may have when it is written beyond those it was read with, and beyond its
    /// result or error.
    fn weight(&self) -> usize;
}

/// The fields of a row that count, as text.
#[derive(Default)]
pub(super) struct Fields<'r> {
    /// None where the row says that there is nothing; nobody asks for the others then.
    pub(super) data: Option<Field<'r>>,
    pub(super) key: Option<Field<'r>>,
    pub(super) iv: Option<Field<'r>>,
    pub(super) salt: Option<Field<'r>>,
}

/// A field: a piece of the row, or bytes of their own where the row writes them otherwise.
pub(super) enum Field<'r> {
    Piece(&'r [u8]),
    Own(Vec<u8>),
}

impl std::ops::Deref for Field<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Piece(piece) => piece,
            Self::Own(bytes) => bytes,
        }
    }
}
