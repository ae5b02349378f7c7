//! A file in any format.

use super::unit::Unit;
use super::writer::text;
use crate::isa::text::{Format, Writer};
use crate::record::Record;

/// A file with kernels and one copy of the tables that they look up. `prefix` stands before the name of
/// each.
///
/// # Errors
/// If the container cannot hold them.
pub fn file(format: &Format, units: &[Unit], prefix: &str) -> Result<Vec<u8>, String> {
    match format.writer {
        Writer::Text(_) => Ok(text(format, units, prefix).into_bytes()),
        Writer::Object(write) => {
            let each = units.iter().map(|unit| (unit.record.name.as_str(), &unit.listing));
            write(format.container, &each.collect::<Vec<_>>(), prefix)
        }
    }
}

/// Why a kernel cannot be written in a format, if so.
#[must_use]
pub fn refusal(format: &Format, record: &Record) -> Option<String> {
    let apart = record.abi.position_independent && record.table_bytes > 0;
    if let (true, Some(why)) = (apart, format.without_distances) {
        return Some(format!("`{}` cannot be position-independent there: {why}", record.name));
    }
    let (lacks, whose) = format.lacks?;
    let lack = record.features.iter().find(|feature| lacks.contains(feature))?;
    Some(format!("`{}` needs {lack}, which {whose}", record.name))
}
