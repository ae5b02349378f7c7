//! Which work is measured, and the measuring of it.

use std::time::Duration;

use cipherloom_formats::Cipher;
use cipherloom_measure::measure;

use super::benchmark::{Benchmark, Load, MeasuredDirection, backends, filler};
use super::check::check;
use super::report::{CHOSEN, Cell, Figure, Found, Row};
use crate::ciphers::explain_unknown;
use crate::errors::{Error, Result};

/// The modes that old data use, for one pass and for three.
const USUAL: [&str; 11] = [
    "des-ecb",
    "des-cbc",
    "des-cfb",
    "des-ofb",
    "des-ctr",
    "des-ede3-ecb",
    "des-ede3-cbc",
    "des-ede3-cfb",
    "des-ede3-ofb",
    "des-ede3-ctr",
    "rc4",
];

/// Message lengths in bytes.
pub(crate) const SIZES: [usize; 5] = [8, 64, 1 << 10, 16 << 10, 1 << 20];

/// Records with a key each in one call: many lanes full.
const RECORDS: Load = Load::Records { count: 1024, bytes: 32 };

/// A single call that would take more than this is left out.
const LONGEST_CALL: Duration = Duration::from_secs(2);

/// What to measure.
pub(crate) struct Plan {
    pub(crate) ciphers: Vec<Cipher>,
    pub(crate) sizes: Vec<usize>,
    /// For each cell.
    pub(crate) budget: Duration,
}

/// The ciphers of these names; the usual ones if there are no names, or every one.
///
/// # Errors
/// Bad usage: an unknown name.
pub(crate) fn ciphers(wanted: &[String], all: bool) -> Result<Vec<Cipher>> {
    let wanted = match wanted {
        [] if all => Cipher::names(),
        [] => USUAL.map(String::from).to_vec(),
        names => names.to_vec(),
    };
    let mut ciphers: Vec<Cipher> = Vec::new();
    for name in wanted {
        let cipher = Cipher::find(&name).ok_or_else(|| Error::usage(explain_unknown(&name)))?;
        if !ciphers.contains(&cipher) {
            ciphers.push(cipher);
        }
    }
    Ok(ciphers)
}

impl Plan {
    /// Each amount of work.
    fn loads(&self) -> impl Iterator<Item = Load> {
        self.sizes.iter().map(|&bytes| Load::Message(bytes)).chain([RECORDS])
    }

    /// The rows to come: what the library chooses first, then each backend.
    fn benchmarks(&self) -> impl Iterator<Item = Benchmark<'_>> {
        self.ciphers.iter().flat_map(|cipher| {
            MeasuredDirection::of(cipher).iter().flat_map(move |&direction| {
                let forced = backends(cipher).map(Some);
                [None].into_iter().chain(forced).map(move |backend| Benchmark {
                    cipher,
                    direction,
                    backend,
                    load: RECORDS,
                })
            })
        })
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.benchmarks().count()
    }

    /// Checks and measures everything; `before` hears the name of every row before its turn.
    ///
    /// # Errors
    /// A wrong result; what the library refuses.
    pub(crate) fn run(&self, mut before: impl FnMut(&str)) -> Result<Vec<Row>> {
        self.benchmarks()
            .map(|benchmark| {
                let backend = benchmark.backend.map_or(CHOSEN, cipherloom::Backend::name);
                before(&format!(
                    "{} {} {backend}",
                    benchmark.cipher.name,
                    benchmark.direction.name()
                ));
                Ok(Row {
                    cipher: benchmark.cipher.name.clone(),
                    direction: benchmark.direction,
                    backend,
                    cells: self.cells(&benchmark)?,
                })
            })
            .collect()
    }

    fn cells(&self, benchmark: &Benchmark<'_>) -> Result<Vec<Cell>> {
        let mut seconds_per_byte = 0.0;
        let mut cells = Vec::new();
        for load in self.loads() {
            let benchmark = Benchmark { load, ..benchmark.clone() };
            if !benchmark.exists() {
                continue;
            }
            // The size before tells how long this one takes.
            let seconds = seconds_per_byte * load.bytes() as f64;
            let result = if seconds > LONGEST_CALL.as_secs_f64() {
                Found::LeftOut { left_out: format!("one call would take about {seconds:.0} s") }
            } else {
                let figure = figure(&benchmark, self.budget)?;
                seconds_per_byte = 1e-6 / figure.mb_per_s;
                Found::Figure(figure)
            };
            cells.push(Cell::new(load, result));
        }
        Ok(cells)
    }
}

/// Checks a benchmark, then measures it.
///
/// # Errors
/// A wrong result; what the library refuses.
pub(crate) fn figure(benchmark: &Benchmark<'_>, budget: Duration) -> Result<Figure> {
    check(benchmark)?;
    let mut work = benchmark.work()?;
    let mut data = filler(2, benchmark.load.bytes());
    let measured = measure(budget, || work(&mut data))?;
    Ok(Figure::new(&measured, data.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_choose_ciphers_and_aliases_count_once() {
        let find = |names: &[&str], all| {
            ciphers(&names.iter().map(|&name| name.into()).collect::<Vec<_>>(), all)
        };
        assert_eq!(find(&[], false).unwrap().len(), USUAL.len());
        assert!(find(&[], true).unwrap().len() > 60);
        assert_eq!(find(&["des3", "des-ede3-cbc", "rc4"], false).unwrap().len(), 2);
        let error = find(&["des-ede3-cbx"], false).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("des-ede3-cbc"));
    }

    #[test]
    fn work_that_would_take_minutes_is_left_out_and_says_so() {
        let plan = Plan {
            ciphers: ciphers(&["des-cbc".into()], false).unwrap(),
            sizes: vec![8, 1 << 50],
            budget: Duration::ZERO,
        };
        for row in plan.run(|_| ()).unwrap() {
            let Found::LeftOut { left_out } = &row.cells[1].result else { panic!("{row:?}") };
            assert!(left_out.contains("would take"), "{left_out}");
        }
    }
}
