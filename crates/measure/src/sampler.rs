//! Time per call: the median of many short samples, and their spread.
//!
//! A sample is so many calls that they take some 50 microseconds: long against the resolution of
//! the system's clock, short against what disturbs a shared machine. After every sample the core's
//! clock is taken, so that cycles are counted at the rate at which the work ran.

use std::time::{Duration, Instant};

use crate::{Distribution, clock};

/// How long the calls of one sample take at least.
const SAMPLE: Duration = Duration::from_micros(50);

/// Fewest samples, however long they take.
const FEWEST: usize = 5;

/// The time of a call.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// Nanoseconds per call.
    pub nanoseconds: Distribution,
    /// The core's clock meanwhile in GHz, the median; `None` where it cannot be known.
    pub ghz: Option<f64>,
}

/// Calls `call` for about `budget`, a tenth of it to warm up.
///
/// # Errors
/// What `call` fails with.
///
/// # Panics
/// Never: there are samples.
pub fn measure<E>(
    budget: Duration,
    mut call: impl FnMut() -> Result<(), E>,
) -> Result<Measurement, E> {
    let mut sample = |calls: usize| {
        let start = Instant::now();
        for _ in 0..calls {
            call()?;
        }
        Ok(start.elapsed())
    };
    let warm_up = Instant::now();
    let (mut calls, _) = calibrate(1, &mut sample)?;
    while warm_up.elapsed() < budget / 10 {
        (calls, _) = calibrate(calls, &mut sample)?;
    }
    let (mut nanoseconds, mut ghz) = (Vec::new(), Vec::new());
    let start = Instant::now();
    while nanoseconds.len() < FEWEST || start.elapsed() < budget {
        nanoseconds.push(sample(calls)?.as_secs_f64() * 1e9 / calls as f64);
        ghz.extend(clock::core_ghz());
    }
    Ok(Measurement {
        nanoseconds: Distribution::new(nanoseconds).expect("at least FEWEST samples"),
        ghz: Distribution::new(ghz).map(|ghz| ghz.median),
    })
}

/// How many calls make a sample, from `calls` on, and how long the last one took. `sample` makes so
/// many calls.
///
/// # Errors
/// What `sample` fails with.
pub fn calibrate<E>(
    mut calls: usize,
    mut sample: impl FnMut(usize) -> Result<Duration, E>,
) -> Result<(usize, Duration), E> {
    loop {
        let took = sample(calls)?;
        if took >= SAMPLE {
            return Ok((calls, took));
        }
        calls = calls.saturating_mul(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_budget_still_gives_samples_and_counts_every_call() {
        let mut calls = 0_u64;
        let measured = measure::<()>(Duration::ZERO, || {
            // Not summed up by the compiler: a sample of any number of calls would take no time.
            calls = std::hint::black_box(calls + 1);
            Ok(())
        });
        assert_eq!(measured.unwrap().nanoseconds.samples, FEWEST);
        assert!(calls > FEWEST as u64);
    }

    #[test]
    fn an_error_ends_the_measurement() {
        assert_eq!(measure(Duration::ZERO, || Err("no")).unwrap_err(), "no");
    }

    #[test]
    fn a_sample_takes_its_time() {
        let each = Duration::from_micros(7);
        let found = calibrate(1, |calls| Ok::<_, ()>(each * calls as u32));
        assert_eq!(found, Ok((8, 8 * each)));
    }
}
