//! Rows of text, served: a group after the other.

use super::layout::Layout;
use super::plan::Plan;
use super::rows::{Rows, clear};
use super::service::{KEPT, Records, Remarks};
use super::status::{Counts, Ending, Status};
use crate::errors::Result;

/// Delimiters, quotes and the end of the line, of a row whose result needs no quotes inside; and a status.
const MARKS: usize = 32;

/// Serves one group of records after the other.
#[derive(Default)]
pub(super) struct Worker {
    records: Records,
}

/// A group that was served.
#[derive(Default)]
pub(super) struct Served {
    /// The rows as they are to be written.
    pub(super) out: Vec<u8>,
    pub(super) report: Report,
}

/// What became of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    pub(super) records: u64,
    pub(super) errors: u64,
    pub(super) counts: Counts,
    pub(super) weak_keys: u64,
    /// Records whose data began with OpenSSL's header, which was left out.
    pub(super) headers: u64,
    /// Plaintexts of a preset that look like UTF-16, which nobody said that they are.
    pub(super) wide: u64,
    /// Plaintexts of a preset of which nothing shows that the key was right.
    pub(super) unsure: u64,
    /// Decrypted records that are not the text that they should be, and have no result.
    pub(super) unreadable: u64,
    /// The first record with an error: how many records of the group stand before it, its line in
    /// the input if it has lines, and the error.
    pub(super) first_error: Option<(u64, Option<u64>, String)>,
}

impl Report {
    /// Counts a record, the next of its group.
    pub(super) fn add(&mut self, line: Option<u64>, ending: &Ending<'_>, remarks: Remarks) {
        self.counts.add(ending.status);
        self.weak_keys += u64::from(remarks.marks.is_weak);
        self.headers += u64::from(remarks.marks.had_header);
        self.wide += u64::from(remarks.is_wide);
        self.unsure += u64::from(remarks.is_unsure);
        let is_decrypted = ending.status == Status::Decrypted;
        self.unreadable += u64::from(is_decrypted && ending.result.is_err());
        if let Err(error) = ending.result {
            self.errors += 1;
            if self.first_error.is_none() {
                self.first_error = Some((self.records, line, error.to_owned()));
            }
        }
        self.records += 1;
    }
}

impl Worker {
    /// Serves the records onto `served`, which is empty. If `until_error`, it ends before the first record
    /// with an error.
    ///
    /// # Errors
    /// The library's self-test, no random numbers to be had, options that fit no record: nothing was
    /// served then.
    pub(super) fn process(
        &mut self,
        plan: &Plan,
        layout: &impl Layout,
        rows: &Rows,
        until_error: bool,
        served: &mut Served,
    ) -> Result<()> {
        self.records.clear();
        let mut opener = plan.opener();
        for row in rows.iter() {
            self.records.take(plan, &mut opener, layout.fields(row.text))?;
        }
        self.records.transform(plan)?;
        let Served { out, report } = served;
        let mut rows = rows.iter();
        self.records.endings(plan, |ending, remarks| {
            let Some(row) = rows.next() else { return false };
            report.add(Some(row.line), &ending, remarks);
            if until_error && report.errors > 0 {
                return false;
            }
            let added = ending.result.map_or_else(str::len, |result| result.map_or(0, <[u8]>::len))
                + layout.weight()
                + MARKS;
            out.reserve(row.text.len() + added);
            layout.write(row.text, ending, out);
            true
        });
        Ok(())
    }
}

impl Served {
    /// Forgets all, and gives up memory that no usual group needs.
    pub(super) fn clear(&mut self) {
        self.report = Report::default();
        clear(&mut self.out, KEPT);
    }
}
