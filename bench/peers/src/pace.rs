//! What the core does between samples: what a figure is worth depends on it.

use std::time::{Duration, Instant};

use cipherloom_measure::{clock, median};
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;

/// What a participant's sample comes right after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Pace {
    /// Samples of the others: what disturbs the machine disturbs all alike.
    #[default]
    Alternating,
    /// Samples of its own: caches, branch predictors and wide vector units are as it left them.
    Hot,
    /// [`OTHER_WORK`] of work on integers, without memory: vector units have gone to sleep, caches are as
    /// its own last call left them. A sample is one call.
    Cold,
}

/// How long a program does something else before it calls.
pub(crate) const OTHER_WORK: Duration = Duration::from_millis(2);

/// Samples in place of each of these where all stand behind each other.
const IN_A_ROW: usize = 2;
/// Samples of nothing, by whose median a cold sample is shortened.
const EMPTY: usize = 11;

impl Pace {
    /// In a word.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Alternating => "alternating",
            Self::Hot => "hot",
            Self::Cold => "cold",
        }
    }

    /// The flag that asks for it; none for the usual one.
    pub(crate) fn flag(self) -> Option<String> {
        (self != Self::Alternating).then(|| format!("--{}", self.name()))
    }

    /// What is said of figures taken so.
    pub(crate) const fn note(self) -> &'static str {
        match self {
            Self::Alternating => "in alternation",
            Self::Hot => "hot: samples of each right behind each other",
            Self::Cold => "cold: single calls, each after 2 ms of other work",
        }
    }

    /// The runs of a round: who, and how many samples without one of another between them. `samples`
    /// says how long each participant's take: who is much faster than the slowest has several, `most` at most.
    pub(crate) fn runs(self, samples: &[Duration], most: usize) -> Vec<(usize, usize)> {
        let longest = samples.iter().copied().max().unwrap_or_default();
        let turns = |sample: &Duration| {
            let fit = longest.as_nanos() / 4 / sample.as_nanos().max(1);
            fit.clamp(1, most as u128) as usize
        };
        let of = |(n, sample)| match self {
            Self::Alternating => vec![(n, 1); turns(sample)],
            Self::Hot => vec![(n, IN_A_ROW * turns(sample))],
            Self::Cold => vec![(n, IN_A_ROW)],
        };
        samples.iter().enumerate().flat_map(of).collect()
    }

    /// The clock of samples: in single calls a look at the thread's own would be half of what is seen.
    pub(crate) fn now(self) -> Duration {
        let time = clock_gettime(match self {
            Self::Alternating | Self::Hot => ClockId::ThreadCPUTime,
            Self::Cold => ClockId::Monotonic,
        });
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
    }

    /// Nanoseconds of a sample that are the clock's.
    pub(crate) fn overhead(self) -> f64 {
        if self != Self::Cold {
            return 0.0;
        }
        median((0..EMPTY).map(|_| {
            other_work();
            let start = self.now();
            (self.now() - start).as_secs_f64() * 1e9
        }))
    }
}

/// Multiplies for a while.
pub(crate) fn other_work() {
    let start = Instant::now();
    while start.elapsed() < OTHER_WORK {
        std::hint::black_box(clock::ghz());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_is_no_time_of_the_thread() {
        let pace = Pace::Alternating;
        let (start, wall) = (pace.now(), Instant::now());
        std::thread::sleep(Duration::from_millis(20));
        assert!(wall.elapsed() - (pace.now() - start) >= Duration::from_millis(10));
        let busy = (0..1_000_000_u64).fold(1, |x: u64, n| std::hint::black_box(x.wrapping_mul(n)));
        assert!(pace.now() > start, "{busy}");
    }

    #[test]
    fn the_fast_have_more_turns_than_the_slow() {
        let times = [80, 1, 10, 30, 20].map(Duration::from_millis);
        let runs = Pace::Alternating.runs(&times, 8);
        let count = |n| runs.iter().filter(|&&run| run == (n, 1)).count();
        assert_eq!([0, 1, 2, 3, 4].map(count), [1, 8, 2, 1, 1]);
        assert_eq!(Pace::Hot.runs(&times, 8), [(0, 2), (1, 16), (2, 4), (3, 2), (4, 2)]);
        assert_eq!(Pace::Hot.runs(&times, 1), [0, 1, 2, 3, 4].map(|n| (n, IN_A_ROW)));
        assert_eq!(Pace::Cold.runs(&times, 8), [0, 1, 2, 3, 4].map(|n| (n, IN_A_ROW)));
        assert_eq!(Pace::Alternating.runs(&[Duration::ZERO; 2], 8), [(0, 1), (1, 1)]);
        for pace in [Pace::Alternating, Pace::Hot, Pace::Cold] {
            assert!(pace.runs(&[], 8).is_empty());
        }
    }

    #[test]
    fn other_work_takes_its_time() {
        let start = Instant::now();
        other_work();
        assert!(start.elapsed() >= OTHER_WORK);
        assert!(Pace::Cold.overhead() >= 0.0 && Pace::Hot.overhead() == 0.0);
    }
}
