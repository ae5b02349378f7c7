//! Records at work, without Python's lock.

use std::ops::Range;

use pyo3::prelude::*;

use super::by_cipher::ByCipher;
use super::by_preset::ByPreset;
use super::column::Reader;
use super::plan::{Plan, What};
use super::served::Served;
use super::sides::Columns;

/// Records that are in the making at a time: their bytes stay in the cache that is next to the nearest.
pub(super) const WINDOW: usize = 4096;

/// A plan with its columns.
pub(super) struct Service<'a> {
    data: Reader<'a>,
    how: How<'a>,
    is_text: bool,
}

enum How<'a> {
    Cipher(ByCipher<'a>),
    Preset(ByPreset<'a>),
}

impl<'a> Service<'a> {
    /// # Errors
    /// A key or an IV is missing, or one that the plan does not take was given.
    pub(super) fn new(plan: &'a Plan, columns: &Columns<'a>, is_text: bool) -> PyResult<Self> {
        let encoding = plan.encoding;
        let how = match &plan.what {
            What::Cipher(plan) => How::Cipher(ByCipher::new(plan, columns, encoding, is_text)?),
            What::Preset(plan) => How::Preset(ByPreset::new(plan, columns, encoding, is_text)?),
        };
        Ok(Self { data: columns.data.reader()?, how, is_text })
    }

    /// Serves all rows, in so many threads.
    ///
    /// # Errors
    /// The library's self-test; what was given for all values cannot be used.
    pub(super) fn run(&self, rows: usize, threads: usize) -> PyResult<Served> {
        let share = rows.div_ceil(threads.min(rows.div_ceil(WINDOW)).max(1)).max(1);
        let ranges = (0..rows).step_by(share).map(|start| start..rows.min(start + share));
        if share >= rows {
            return self.serve(0..rows);
        }
        let parts: Vec<PyResult<Served>> = std::thread::scope(|scope| {
            let running: Vec<_> = ranges.map(|rows| scope.spawn(|| self.serve(rows))).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            running.into_iter().map(join).collect()
        });
        let mut whole = Served::default();
        let parts = parts.into_iter().collect::<PyResult<Vec<_>>>()?;
        // No copy that nobody wipes is left behind.
        whole.data.make_room(parts.iter().map(|part| part.data.len()).sum());
        parts.iter().for_each(|part| whole.append(part));
        Ok(whole)
    }

    fn serve(&self, rows: Range<usize>) -> PyResult<Served> {
        // Room for all from the start; text may take twice as much, and what is encrypted makes more.
        let bytes = self.data.bytes(rows.clone());
        let room = if self.is_text { 2 * bytes } else { bytes };
        let mut served = Served::with_room(rows.len(), room);
        match &self.how {
            How::Cipher(cipher) => cipher.serve(&self.data, rows, &mut served)?,
            How::Preset(preset) => preset.serve(&self.data, rows, &mut served)?,
        }
        Ok(served)
    }
}
