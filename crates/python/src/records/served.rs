//! What became of records, in their order.

use cipherloom_records::Status;
use zeroize::Zeroizing;

/// See above.
#[derive(Default)]
pub(super) struct Served {
    /// The results, one behind the other.
    pub(super) data: Zeroizing<Vec<u8>>,
    /// Where each ends.
    pub(super) ends: Vec<usize>,
    /// Whether there is a result; one that is not there has no bytes.
    pub(super) is_there: Vec<bool>,
    pub(super) statuses: Vec<Status>,
    /// By row.
    pub(super) errors: Vec<(usize, String)>,
}

impl Served {
    pub(super) fn push(&mut self, status: Status, result: Option<&[u8]>) {
        self.is_there.push(result.is_some());
        self.data.extend_from_slice(result.unwrap_or_default());
        self.ends.push(self.data.len());
        self.statuses.push(status);
    }

    pub(super) fn refuse(&mut self, status: Status, error: String) {
        self.errors.push((self.ends.len(), error));
        self.push(status, None);
    }

    pub(super) fn append(&mut self, part: &Self) {
        let (rows, bytes) = (self.ends.len(), self.data.len());
        self.data.extend_from_slice(&part.data);
        self.ends.extend(part.ends.iter().map(|end| bytes + end));
        self.is_there.extend_from_slice(&part.is_there);
        self.statuses.extend_from_slice(&part.statuses);
        self.errors.extend(part.errors.iter().map(|(row, error)| (rows + row, error.clone())));
    }
}
