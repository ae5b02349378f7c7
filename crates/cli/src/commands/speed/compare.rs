//! `--compare`: the same work by `openssl speed`, in the same run, in turns.

use std::time::Duration;

use cipherloom_measure::Distribution;

use super::benchmark::{Benchmark, Load, MeasuredDirection};
use super::openssl::Openssl;
use super::plan::{Plan, figure};
use super::report::{Comparison, Pair};
use crate::errors::Result;

/// Measures every cipher, direction and size of `plan` that openssl has too, in `rounds` turns;
/// `before` hears what comes next.
///
/// # Errors
/// A wrong result; what the library refuses. A missing openssl is no error: the note says so.
pub(crate) fn run(plan: &Plan, rounds: usize, mut before: impl FnMut(&str)) -> Result<Comparison> {
    let openssl = match Openssl::find() {
        Ok(openssl) => openssl,
        Err(why) => {
            let note = format!("No comparison: {why}.");
            return Ok(Comparison { openssl: None, note, pairs: Vec::new() });
        }
    };
    let mut pairs = Vec::new();
    for cipher in &plan.ciphers {
        for &direction in MeasuredDirection::of(cipher) {
            for &bytes in &plan.sizes {
                let benchmark =
                    Benchmark { cipher, direction, backend: None, load: Load::Message(bytes) };
                before(&format!(
                    "{} {} {bytes} bytes, against openssl",
                    cipher.name,
                    direction.name()
                ));
                pairs.extend(pair(&openssl, &benchmark, plan.budget, rounds)?);
            }
        }
    }
    let note = format!(
        "Against {}: MB/s of the chosen backend and of `openssl speed`, in turns, {rounds} of \
         each; medians. Every turn of openssl is a process of its own, measured by itself over one \
         second. A ratio above 1: cipherloom is faster. Not listed: what this openssl lacks.",
        openssl.version()
    );
    Ok(Comparison { openssl: Some(openssl.version().to_owned()), note, pairs })
}

/// Nothing if openssl has no such cipher.
fn pair(
    openssl: &Openssl,
    benchmark: &Benchmark<'_>,
    budget: Duration,
    rounds: usize,
) -> Result<Option<Pair>> {
    let bytes = benchmark.load.bytes();
    let decrypt = benchmark.direction == MeasuredDirection::Decrypt;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let Some(speed) = openssl.bytes_per_second(&benchmark.cipher.name, decrypt, bytes) else {
            return Ok(None);
        };
        theirs.push(speed / 1e6);
        ours.push(figure(benchmark, budget)?.mb_per_s);
    }
    let both = Distribution::new(ours).zip(Distribution::new(theirs));
    Ok(both.map(|(ours, theirs)| Pair {
        cipher: benchmark.cipher.name.clone(),
        direction: benchmark.direction,
        bytes,
        rounds,
        cipherloom_mb_per_s: ours.median,
        openssl_mb_per_s: theirs.median,
        openssl_range: [theirs.lowest, theirs.highest],
        ratio: ours.median / theirs.median,
    }))
}
