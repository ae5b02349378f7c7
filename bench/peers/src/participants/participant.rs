//! One who takes part.

use serde::{Deserialize, Serialize};

use crate::rows::{BULK, Operation, Row};
use crate::work::{Work, one_by_one};

/// What a participant is to the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Our library as a program meets it.
    Ours,
    /// Our library, with one backend by force.
    Backend,
    /// A library that others wrote.
    Peer,
    /// C of our own: what a compiler makes of the textbook.
    Plain,
}

/// One who takes part.
pub(crate) struct Participant {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Whose code it is; a library with several interfaces takes part several times.
    pub(crate) library: &'static str,
    /// What it says of itself.
    pub(crate) version: String,
    /// Whether none of its addresses and branches depends on secrets, where it is asked for that.
    pub(super) is_constant_time: bool,
    pub(super) open: Open,
}

/// Makes an operation ready; `None` where there is no such operation.
pub(super) type Open = Box<dyn Fn(&Row) -> Result<Option<Work>, String>>;

/// How the library is called whose ratio has a column of its own.
pub(crate) const OPENSSL: &str = "OpenSSL";

/// intel-ipsec-mb.
pub(crate) const IPSEC_MB: &str = "intel-ipsec-mb";

/// Its interface with one job at a time.
pub(crate) const ONE_JOB: &str = "ipsec-mb, 1 job";

impl Participant {
    /// Makes the operation of `row` ready, or gives `None` if the participant has none.
    ///
    /// # Errors
    /// What the library refuses.
    pub(crate) fn open(&self, row: &Row) -> Result<Option<Work>, String> {
        let fail = |why| format!("{}, {}: {why}", self.name, row.id);
        if !self.is_for(row) {
            return Ok(None);
        }
        if let Some(work) = (self.open)(row).map_err(fail)? {
            return Ok(Some(work));
        }
        if row.operation == Operation::Streams {
            let new_key = Row { operation: Operation::NewKey, ..*row };
            let work = (self.open)(&new_key).map_err(fail)?;
            return Ok(work.map(|work| one_by_one(row.messages, work)));
        }
        Ok(None)
    }

    /// Whether it is to take part in a row, if it can.
    fn is_for(&self, row: &Row) -> bool {
        match self.kind {
            _ if row.operation == Operation::ConstantTime => self.is_constant_time,
            // They differ from each other in small work already, and take long.
            Kind::Plain => row.bytes < BULK,
            // It is there for its constant time, and takes a quarter of a second.
            Kind::Peer if self.name == ONE_JOB => row.bytes < BULK,
            // One key and four blocks a record is no work for those with tables.
            Kind::Backend if row.parts() > 1 => self.is_constant_time,
            _ => true,
        }
    }
}
