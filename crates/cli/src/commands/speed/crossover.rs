//! `--crossover`: from how many blocks on another way is faster.
//!
//! What comes of the library's costs of its kernels (`--costs`); what the library chooses stands beside
//! the curves.

use std::fmt::Write;
use std::time::Duration;

use cipherloom::batch::{Batch, Flat, Keys, Span};
use cipherloom::{Algorithm, Backend, BlockCipher as _, BlockKey, Error, Family, Padding};
use cipherloom_measure::{Columns, measure};
use serde::Serialize;

use super::benchmark::filler;
use super::report::CHOSEN;
use crate::errors::Result;

/// Time over an amount of work, for each way to do it.
#[derive(Debug, Serialize)]
pub(crate) struct Curve {
    /// What is done, and what n is.
    pub(crate) work: String,
    pub(crate) ways: Vec<String>,
    pub(crate) points: Vec<Point>,
    /// Which way is fastest from which n on: the first and every change.
    pub(crate) fastest: Vec<Stretch>,
}

/// One amount of work.
#[derive(Debug, Serialize)]
pub(crate) struct Point {
    pub(crate) n: usize,
    /// Nanoseconds of the whole call, in the order of the ways.
    pub(crate) nanoseconds: Vec<f64>,
}

/// Amounts of work with one winner.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Stretch {
    pub(crate) from: usize,
    pub(crate) way: String,
}

/// A way to do n units of work.
type Way = Box<dyn FnMut() -> std::result::Result<(), Error>>;

/// Measures all curves, each point for `budget`.
///
/// # Errors
/// What the library refuses.
pub(crate) fn run(budget: Duration, mut before: impl FnMut(&str)) -> Result<Vec<Curve>> {
    let mut curves = Vec::new();
    for algorithm in [Algorithm::Des, Algorithm::TdesEde3] {
        let name = algorithm.name();
        let bulk = (1..=64).chain((72..=640).step_by(8)).collect();
        let work = format!("{name}: one call on n blocks under one key");
        before(&work);
        curves.push(curve(work, bulk, budget, |n| on_each_backend(n, algorithm, blocks))?);
        let work = format!("{name}: a batch of n records of one block, a key each");
        before(&work);
        let n = (1..=64).collect();
        curves.push(curve(work, n, budget, |n| on_each_backend(n, algorithm, records))?);
        let work = format!("{name}: 64 records of n blocks, a key each");
        before(&work);
        curves.push(curve(work, (16..=512).step_by(16).collect(), budget, |n| {
            Ok(vec![
                ("a batch, records gathered".into(), gathered(algorithm, n)?),
                ("each record alone".into(), alone(algorithm, n)),
            ])
        })?);
    }
    Ok(curves)
}

fn curve(
    work: String,
    amounts: Vec<usize>,
    budget: Duration,
    ways: impl Fn(usize) -> std::result::Result<Vec<(String, Way)>, Error>,
) -> Result<Curve> {
    let (mut names, mut points) = (Vec::new(), Vec::new());
    for n in amounts {
        names.clear();
        let mut nanoseconds = Vec::new();
        for (name, way) in ways(n)? {
            names.push(name);
            nanoseconds.push(measure(budget, way)?.nanoseconds.median);
        }
        points.push(Point { n, nanoseconds });
    }
    let fastest = stretches(&names, &points);
    Ok(Curve { work, ways: names, points, fastest })
}

/// The winner from the first point on, and every later change of it.
fn stretches(ways: &[String], points: &[Point]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for point in points {
        // What the library chooses is one of the others, and must not win by luck.
        let times = point.nanoseconds.iter().zip(ways).filter(|(_, way)| *way != CHOSEN);
        let Some((_, way)) = times.min_by(|a, b| a.0.total_cmp(b.0)) else { continue };
        if stretches.last().is_none_or(|last| last.way != *way) {
            stretches.push(Stretch { from: point.n, way: way.clone() });
        }
    }
    stretches
}

/// One way per backend of DES, and the library's own choice.
fn on_each_backend(
    n: usize,
    algorithm: Algorithm,
    way: impl Fn(Option<Backend>, Algorithm, usize) -> std::result::Result<Way, Error>,
) -> std::result::Result<Vec<(String, Way)>, Error> {
    let backends = Backend::all().iter().filter(|backend| backend.family() == Family::Des);
    let ways = backends.map(|&backend| (backend.name(), Some(backend))).chain([(CHOSEN, None)]);
    ways.map(|(name, backend)| Ok((name.to_owned(), way(backend, algorithm, n)?))).collect()
}

fn blocks(
    backend: Option<Backend>,
    algorithm: Algorithm,
    n: usize,
) -> std::result::Result<Way, Error> {
    let key = BlockKey::new(algorithm, &filler(3, algorithm.key_len()))?;
    let key = match backend {
        Some(backend) => backend.force(key)?,
        None => key,
    };
    let mut data = filler(4, 8 * n).as_chunks::<8>().0.to_vec();
    Ok(Box::new(move || key.encrypt_blocks(&mut data)))
}

fn records(
    backend: Option<Backend>,
    algorithm: Algorithm,
    n: usize,
) -> std::result::Result<Way, Error> {
    let batch = Batch::ecb(algorithm, Padding::None);
    let batch = match backend {
        Some(backend) => batch.with_backend(backend)?,
        None => batch,
    };
    Ok(flat(batch, algorithm, n, 8))
}

fn gathered(algorithm: Algorithm, n: usize) -> std::result::Result<Way, Error> {
    Ok(flat(Batch::ecb(algorithm, Padding::None), algorithm, 64, 8 * n))
}

/// A batch of `count` records of `bytes` bytes.
fn flat(batch: Batch, algorithm: Algorithm, count: usize, bytes: usize) -> Way {
    let keys = filler(5, count * algorithm.key_len());
    let mut data = filler(6, count * bytes);
    let spans: Vec<Span> = (0..count).map(|n| Span::new(n * bytes, bytes)).collect();
    let mut results = vec![Ok(0); count];
    Box::new(move || {
        let (keys, data) = (Keys::Each(&keys), &mut data[..]);
        batch.encrypt_flat(Flat { keys, ivs: &[], data, spans: &spans }, &mut results)
    })
}

/// 64 records of n blocks: a key object for each, then its blocks.
fn alone(algorithm: Algorithm, n: usize) -> Way {
    let keys = filler(5, 64 * algorithm.key_len());
    let mut data = filler(6, 64 * n * 8).as_chunks::<8>().0.to_vec();
    Box::new(move || {
        for (key, record) in keys.chunks_exact(algorithm.key_len()).zip(data.chunks_exact_mut(n)) {
            BlockKey::new(algorithm, key)?.encrypt_blocks(record)?;
        }
        Ok(())
    })
}

/// The curves as text.
pub(crate) fn render(curves: &[Curve]) -> String {
    let mut text = String::new();
    for curve in curves {
        let _ = writeln!(text, "{}; nanoseconds a call\n", curve.work);
        let heading = std::iter::once("n".to_owned()).chain(curve.ways.iter().cloned());
        let mut columns = Columns::new(0, heading);
        for point in &curve.points {
            let times = point.nanoseconds.iter().map(|time| format!("{time:.0}"));
            columns.row(std::iter::once(point.n.to_string()).chain(times));
        }
        let _ = writeln!(text, "{columns}");
        for Stretch { from, way } in &curve.fastest {
            let _ = writeln!(text, "fastest from n = {from} on: {way}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_change_where_the_curves_cross() {
        let ways = ["a".to_owned(), "b".to_owned()];
        let point = |n, a, b| Point { n, nanoseconds: vec![a, b] };
        let points = [point(1, 1.0, 9.0), point(2, 2.0, 9.0), point(8, 12.0, 9.0)];
        let expected = [(1, "a"), (8, "b")].map(|(from, way)| Stretch { from, way: way.into() });
        assert_eq!(stretches(&ways, &points), expected);
        assert_eq!(stretches(&ways, &[]), []);
    }

    #[test]
    fn slow_every_curve_has_all_its_points() {
        let curves = run(Duration::ZERO, |_| ()).unwrap();
        assert_eq!(curves.len(), 6);
        for curve in &curves {
            assert!(curve.points.iter().all(|point| point.nanoseconds.len() == curve.ways.len()));
            assert!(curve.ways.len() >= 2 && !curve.fastest.is_empty());
        }
        assert!(render(&curves).contains("fastest from n = 1 on: "));
    }
}
