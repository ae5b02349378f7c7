//! What a user asks for: rows and sweeps by parts of their names.

use crate::rows::{ROWS, Row};
use crate::sweep::{Beside, SWEEPS, Sweep};

/// What is to be measured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    pub(crate) rows: Vec<Row>,
    pub(crate) sweeps: Vec<Sweep>,
}

impl Selection {
    /// Whatever has one of `filters` in its name; without a filter everything that stands beside peers.
    ///
    /// # Errors
    /// A filter that is part of no name.
    pub(crate) fn new(filters: &[String]) -> Result<Self, String> {
        let ids: Vec<&str> =
            ROWS.iter().map(|row| row.id).chain(SWEEPS.iter().map(|sweep| sweep.id)).collect();
        if let Some(filter) =
            filters.iter().find(|filter| !ids.iter().any(|id| id.contains(*filter)))
        {
            return Err(format!("no row is called `{filter}`: there are {}", ids.join(", ")));
        }
        let named = |id: &str| filters.iter().any(|filter| id.contains(filter));
        let all = filters.is_empty();
        Ok(Self {
            rows: ROWS.iter().filter(|row| all || named(row.id)).copied().collect(),
            sweeps: SWEEPS
                .iter()
                .filter(|sweep| (all && sweep.beside == Beside::Peers) || named(sweep.id))
                .copied()
                .collect(),
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.sweeps.is_empty()
    }

    /// The names of all, which select just these.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &'static str> {
        self.rows.iter().map(|row| row.id).chain(self.sweeps.iter().map(|sweep| sweep.id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(filter: &str) -> Vec<&'static str> {
        Selection::new(&[filter.into()]).unwrap().ids().collect()
    }

    #[test]
    fn rows_are_found_by_parts_of_their_names() {
        let all = Selection::new(&[]).unwrap();
        assert_eq!(all.ids().count(), ROWS.len() + found("sizes").len());
        let every = ROWS.iter().map(|row| row.id).chain(SWEEPS.iter().map(|sweep| sweep.id));
        for id in every {
            assert_eq!(found(id), [id]);
        }
        assert_eq!(found("rc4-key").len(), 3);
        assert_eq!(found("1MiB").len(), 6);
        assert_eq!((found("sizes").len(), found("choice").len()), (4, SWEEPS.len() - 4));
        let error = Selection::new(&["rc5".into()]).unwrap_err();
        assert!(error.contains("rc4-stream") && error.contains("sizes"), "{error}");
    }
}
