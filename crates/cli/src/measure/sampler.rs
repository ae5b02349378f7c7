//! Time per call: the median of many short samples, and their spread.
//!
//! A sample is so many calls that they take some 50 microseconds: long against the resolution of
//! the system's clock, short against what disturbs a shared machine. After every sample the core's
//! clock is taken, so that cycles are counted at the rate at which the work ran.

use std::time::{Duration, Instant};

use super::clock;
use super::distribution::Distribution;

/// How long the calls of one sample take at least.
const SAMPLE: Duration = Duration::from_micros(50);

/// Fewest samples, however long they take.
const FEWEST: usize = 5;

/// The time of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measurement {
    /// Nanoseconds per call.
    pub(crate) nanoseconds: Distribution,
    /// The core's clock meanwhile in GHz, the median; `None` where it cannot be known.
    pub(crate) ghz: Option<f64>,
}

/// Calls `call` for about `budget`, a tenth of it to warm up.
///
/// # Errors
/// What `call` fails with.
pub(crate) fn measure<E>(
    budget: Duration,
    mut call: impl FnMut() -> Result<(), E>,
) -> Result<Measurement, E> {
    let mut sample = |calls: u32| {
        let start = Instant::now();
        for _ in 0..calls {
            call()?;
        }
        Ok(start.elapsed())
    };
    let mut calls = 1;
    let warm_up = Instant::now();
    loop {
        let took = sample(calls)?;
        if took < SAMPLE {
            calls = calls.saturating_mul(2);
        } else if warm_up.elapsed() >= budget / 10 {
            break;
        }
    }
    let (mut nanoseconds, mut ghz) = (Vec::new(), Vec::new());
    let start = Instant::now();
    while nanoseconds.len() < FEWEST || start.elapsed() < budget {
        nanoseconds.push(sample(calls)?.as_secs_f64() * 1e9 / f64::from(calls));
        ghz.extend(clock::core_ghz());
    }
    Ok(Measurement {
        nanoseconds: Distribution::new(nanoseconds).expect("at least FEWEST samples"),
        ghz: Distribution::new(ghz).map(|ghz| ghz.median),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_budget_still_gives_samples_and_counts_every_call() {
        let mut calls = 0_u64;
        let measured = measure::<()>(Duration::ZERO, || {
            calls += 1;
            Ok(())
        });
        assert_eq!(measured.unwrap().nanoseconds.samples, FEWEST);
        assert!(calls > FEWEST as u64);
    }

    #[test]
    fn an_error_ends_the_measurement() {
        assert_eq!(measure(Duration::ZERO, || Err("no")).unwrap_err(), "no");
    }
}
