//! How a record ended, and how many ended so.

pub(super) use cipherloom_records::Status;

/// How many records ended in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts([u64; Status::ALL.len()]);

/// How a record ended: its result as text, or why it has none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending<'t> {
    pub(super) status: Status,
    /// The result may be that there is nothing.
    pub(super) result: Result<Option<&'t [u8]>, &'t str>,
}

impl Counts {
    pub(super) fn add(&mut self, status: Status) {
        self.0[status as usize] += 1;
    }

    pub(super) fn of(&self, status: Status) -> u64 {
        self.0[status as usize]
    }

    pub(super) fn add_all(&mut self, others: &Self) {
        self.0.iter_mut().zip(others.0).for_each(|(own, other)| *own += other);
    }
}

impl std::fmt::Display for Counts {
    /// `3 decrypted, 1 wrong key`: those that there are.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut found = Status::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0);
        if let Some((status, count)) = found.next() {
            write!(f, "{count} {}", status.name())?;
        }
        found.try_for_each(|(status, count)| write!(f, ", {count} {}", status.name()))
    }
}
