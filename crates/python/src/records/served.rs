//! What became of records, in their order.

use cipherloom_records::{Status, Wiped};

/// See above.
#[derive(Default)]
pub(super) struct Served {
    /// The results, one behind the other.
    pub(super) data: Wiped,
    /// Where each ends.
    pub(super) ends: Vec<usize>,
    /// Whether there is a result; one that is not there has no bytes.
    pub(super) is_there: Vec<bool>,
    pub(super) statuses: Vec<Status>,
    /// By row.
    pub(super) errors: Vec<(usize, String)>,
}

impl Served {
    /// For so many records, with so many bytes of results.
    pub(super) fn with_room(records: usize, bytes: usize) -> Self {
        Self {
            data: Wiped::with_room(bytes),
            ends: Vec::with_capacity(records),
            is_there: Vec::with_capacity(records),
            statuses: Vec::with_capacity(records),
            errors: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, status: Status, result: Option<&[u8]>) {
        self.is_there.push(result.is_some());
        let result = result.unwrap_or_default();
        self.data.make_room(result.len());
        self.data.extend_from_slice(result);
        self.ends.push(self.data.len());
        self.statuses.push(status);
    }

    pub(super) fn refuse(&mut self, status: Status, error: String) {
        self.errors.push((self.ends.len(), error));
        self.push(status, None);
    }

    pub(super) fn append(&mut self, part: &Self) {
        let (rows, bytes) = (self.ends.len(), self.data.len());
        self.data.make_room(part.data.len());
        self.data.extend_from_slice(&part.data);
        self.ends.extend(part.ends.iter().map(|end| bytes + end));
        self.is_there.extend_from_slice(&part.is_there);
        self.statuses.extend_from_slice(&part.statuses);
        self.errors.extend(part.errors.iter().map(|(row, error)| (rows + row, error.clone())));
    }
}
