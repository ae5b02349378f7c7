//! A kernel as a manifest sees it.

use crate::Result;
use crate::image::Image;
use proved::Hash;
use std::collections::BTreeSet;

/// What a kernel is, wherever it lies.
pub(super) struct Content<'a> {
    /// Its stream.
    pub(super) stream: String,
    /// The tables that it names.
    pub(super) tables: BTreeSet<&'a str>,
    /// The line of the manifest that says where in its bytes distances to tables are.
    pub(super) places: String,
    /// The hash of its bytes, by where its table lies.
    pub(super) hash: Box<dyn Fn(u64) -> Option<Hash> + 'a>,
}

/// The table that an address lies in, and where in it.
pub(super) fn table_at(image: &Image, address: u64) -> Result<(&str, u64)> {
    let mut tables = image.tables.iter();
    let (symbol, table) =
        tables.find(|(_, table)| table.contains(&address)).ok_or("an address in no table")?;
    Ok((symbol, address - table.start))
}
