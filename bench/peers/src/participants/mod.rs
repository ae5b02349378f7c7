//! Who takes part: our library, the peers, and C of our own.

mod foreign;
mod go;
mod ours;
mod rustcrypto;

use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use crate::work::{Operation, Row, Work, one_by_one};

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
    open: Open,
}

/// Makes an operation ready; `None` where there is no such operation.
type Open = Box<dyn Fn(&Row) -> Result<Option<Work>, String>>;

/// How the library is called whose ratio has a column of its own.
pub(crate) const OPENSSL: &str = "OpenSSL";

/// Everyone, ours first.
///
/// # Errors
/// A library that cannot be used, with its package.
pub(crate) fn all() -> Result<Vec<Participant>, String> {
    // Libraries become ready one at a time; tests have several threads.
    static LOADING: Mutex<()> = Mutex::new(());
    let _loading = LOADING.lock();
    let mut all = ours::all();
    all.extend(foreign::peers()?);
    all.push(rustcrypto::participant());
    all.push(go::participant());
    all.extend(foreign::plain()?);
    Ok(all)
}

impl Participant {
    /// Makes the operation of `row` ready, or gives `None` if the participant has none.
    ///
    /// # Errors
    /// What the library refuses.
    pub(crate) fn open(&self, row: &Row) -> Result<Option<Work>, String> {
        let fail = |why| format!("{}, {}: {why}", self.name, row.id);
        if let Some(work) = (self.open)(row).map_err(fail)? {
            return Ok(Some(work));
        }
        if row.operation == Operation::Streams {
            let new_key = Row { operation: Operation::NewKey, ..*row };
            return Ok((self.open)(&new_key).map_err(fail)?.map(one_by_one));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Expected, check};
    use crate::work::{Cipher, ROWS};

    #[test]
    fn every_participant_is_right_in_every_row() {
        for row in ROWS {
            let expected = Expected::new(&row);
            for participant in all().unwrap() {
                let work = participant.open(&row).unwrap();
                // A backend says itself for which work it is.
                if participant.kind != Kind::Backend {
                    let name = &participant.name;
                    assert_eq!(work.is_none(), has_no(&participant, &row), "{name}, {}", row.id);
                }
                if let Some(mut work) = work {
                    check(&row, &participant.name, &mut work, &expected).unwrap();
                }
            }
        }
    }

    /// Every gap that there may be.
    fn has_no(participant: &Participant, row: &Row) -> bool {
        let is_ctr = row.operation == Operation::Ctr;
        match (participant.library, participant.kind) {
            _ if participant.name.ends_with("a call") => row.operation != Operation::Stream,
            (OPENSSL, _) => is_ctr,
            (_, Kind::Plain) => {
                is_ctr || row.operation == Operation::NewKey && row.cipher != Cipher::Rc4
            }
            _ => false,
        }
    }

    #[test]
    fn every_backend_has_work() {
        for backend in all().unwrap().iter().filter(|who| who.kind == Kind::Backend) {
            let rows = ROWS.iter().filter(|row| backend.open(row).unwrap().is_some());
            println!("{}: {} rows", backend.name, rows.clone().count());
            assert!(rows.count() > 0, "{}", backend.name);
        }
    }

    #[test]
    fn everyone_has_a_name_of_their_own_and_a_version() {
        let all = all().unwrap();
        for (n, participant) in all.iter().enumerate() {
            assert!(!participant.version.is_empty(), "{}", participant.name);
            assert!(all[..n].iter().all(|other| other.name != participant.name));
        }
        for library in [OPENSSL, "libgcrypt", "Nettle", "Botan", "Crypto++", "RustCrypto", "Go"] {
            assert!(all.iter().any(|p| p.library == library && p.kind == Kind::Peer), "{library}");
        }
        for backend in cipherloom::Backend::all() {
            assert!(all.iter().any(|p| p.name == backend.name()), "{backend:?}");
        }
    }
}
