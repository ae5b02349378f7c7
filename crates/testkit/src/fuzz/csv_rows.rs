//! CSV as the crate `csv` reads it, for comparison with a reader of ours.

/// The rows of a text, and their fields.
///
/// # Panics
/// Never: this crate reads any text.
#[must_use]
pub fn csv_rows(text: &[u8], delimiter: u8) -> Vec<Vec<Vec<u8>>> {
    // The crate leaves out a byte order mark, but not behind a blank line.
    let text = [b"\n", text].concat();
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(&*text)
        .into_byte_records()
        .map(|row| row.expect("any text is CSV").iter().map(<[u8]>::to_vec).collect())
        .collect()
}
