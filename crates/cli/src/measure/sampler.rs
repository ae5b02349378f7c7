//! Time per call: the median of many short samples, and their spread.
//!
//! A sample is so many calls that they take some 50 microseconds: long against the resolution of
//! the system's clock, short against what disturbs a shared machine. After every sample the core's
//! clock is taken, so that cycles are counted at the rate at which the work ran.

use std::time::{Duration, Instant};

use super::clock;

/// How long the calls of one sample take at least.
const SAMPLE: Duration = Duration::from_micros(50);

/// Fewest samples, however long they take.
const FEWEST: usize = 5;

/// What a series of samples says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Distribution {
    /// Number of samples.
    pub(crate) samples: usize,
    /// The lowest sample.
    pub(crate) lowest: f64,
    /// A quarter of the samples are not above this.
    pub(crate) lower_quartile: f64,
    /// Half of the samples are not above this.
    pub(crate) median: f64,
    /// Three quarters of the samples are not above this.
    pub(crate) upper_quartile: f64,
    /// The highest sample.
    pub(crate) highest: f64,
}

/// The time of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measurement {
    /// Nanoseconds per call.
    pub(crate) nanoseconds: Distribution,
    /// The core's clock meanwhile in GHz, the median; `None` where it cannot be known.
    pub(crate) ghz: Option<f64>,
}

impl Distribution {
    /// Sorts the samples and reads the marks off; `None` if there are no samples.
    #[must_use]
    pub(crate) fn new(mut samples: Vec<f64>) -> Option<Self> {
        samples.sort_by(f64::total_cmp);
        let last = samples.len().checked_sub(1)?;
        // The sample nearest to the mark: no value that was never measured.
        let mark = |quarters: usize| samples[(last * quarters + 2) / 4];
        Some(Self {
            samples: samples.len(),
            lowest: mark(0),
            lower_quartile: mark(1),
            median: mark(2),
            upper_quartile: mark(3),
            highest: mark(4),
        })
    }

    /// Half the distance between the quartiles, in percent of the median.
    #[must_use]
    pub(crate) fn spread_percent(&self) -> f64 {
        (self.upper_quartile - self.lower_quartile) / 2.0 / self.median * 100.0
    }
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
    fn marks_are_samples_in_order() {
        let samples = vec![5.0, 1.0, 4.0, 2.0, 3.0];
        let marks = Distribution::new(samples).unwrap();
        assert_eq!(
            marks,
            Distribution {
                samples: 5,
                lowest: 1.0,
                lower_quartile: 2.0,
                median: 3.0,
                upper_quartile: 4.0,
                highest: 5.0
            }
        );
        assert!((marks.spread_percent() - 100.0 / 3.0).abs() < 1e-9);
        assert_eq!(Distribution::new(Vec::new()), None);
        assert!(Distribution::new(vec![7.0]).unwrap().spread_percent().abs() < 1e-9);
    }

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
