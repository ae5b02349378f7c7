//! Samples of all participants of a row, in alternation.
//!
//! A sample is so many calls that they take some 50 microseconds, or one call that takes longer. In
//! every round each participant has one, in a new order, so that what disturbs the machine disturbs
//! all alike; who is much faster than the slowest has several. What counts is the time of this thread
//! on its core: what other programs take of it in between would fall on whoever has the longest samples.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use cipherloom_measure::{Distribution, calibrate, clock};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::check::{Expected, PASSES, check};
use crate::participants::Participant;
use crate::rows::Row;
use crate::work::{Calls, Keys, Work, random};

/// Fewest rounds, however long they take: in a measurement, and in a rough look.
const FEWEST: usize = 5;
const FEWEST_ROUGH: usize = 3;

/// Below such a budget it is a rough look.
const ROUGH: Duration = Duration::from_millis(100);

/// Most samples of a participant in a round.
const MOST_TURNS: u32 = 8;

/// What one process found of one participant, per call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Figure {
    pub(crate) participant: String,
    /// The median of the samples.
    pub(crate) nanoseconds: f64,
    /// The same in cycles of the core; absent where its clock is unknown.
    pub(crate) cycles: Option<f64>,
    /// Half the distance between the quartiles, in percent of the median.
    pub(crate) spread_percent: f64,
    pub(crate) samples: usize,
}

/// The core's clock while something was measured, in GHz: lower quartile, median, upper quartile.
pub(crate) type Ghz = Option<[f64; 3]>;

/// What one process found in one row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Figures {
    pub(crate) row: String,
    pub(crate) ghz: Ghz,
    pub(crate) figures: Vec<Figure>,
}

/// A participant with an operation that is ready and right.
pub(crate) struct Entrant<'a> {
    name: &'a str,
    work: Work,
    /// Bytes of a pass, from the start of the data on.
    bytes: usize,
    /// Calls in a sample.
    calls: usize,
    /// The number of the next call.
    next: usize,
    nanoseconds: Vec<f64>,
    cycles: Vec<f64>,
}

/// Checks, then measures everyone who takes part in `row`, for about `budget`.
///
/// # Errors
/// A wrong result; what a library refuses.
pub(crate) fn measure(
    row: &Row,
    participants: &[Participant],
    budget: Duration,
) -> Result<Figures, String> {
    let expected = Expected::new(row);
    let mut entrants = Vec::new();
    for participant in participants {
        entrants.extend(Entrant::new(row, participant, &expected)?);
    }
    let ghz = alternate(&mut entrants, &expected.keys, Buffer::new(row.bytes).bytes(), budget);
    let figures = entrants.into_iter().map(Entrant::figure).collect();
    Ok(Figures { row: row.id.into(), ghz, figures })
}

/// Rounds of samples for about `budget`; gives the clock after every sample.
pub(crate) fn alternate(
    entrants: &mut [Entrant<'_>],
    keys: &Keys,
    data: &mut [u8],
    budget: Duration,
) -> Ghz {
    let times: Vec<Duration> =
        entrants.iter_mut().map(|entrant| entrant.calibrate(keys, data)).collect();
    let mut order = turns(&times);
    let mut shuffle = random(b"order", 1 << 12).into_iter().cycle();
    let (mut before, mut clocks) = (clock::core_ghz(), Vec::new());
    let fewest = if budget < ROUGH { FEWEST_ROUGH } else { FEWEST };
    let start = Instant::now();
    for round in 0.. {
        if round >= fewest && start.elapsed() >= budget {
            break;
        }
        order.sort_by_cached_key(|_| shuffle.next());
        for &n in &order {
            let entrant = &mut entrants[n];
            // The caches and tables of the others are still warm, its own are not.
            entrant.sample(entrant.calls / 8, keys, data);
            let took = entrant.sample(entrant.calls, keys, data);
            let nanoseconds = entrant.per_pass(took);
            let after = clock::core_ghz();
            entrant.nanoseconds.push(nanoseconds);
            // An interrupt makes a clock look slow; none makes it look fast.
            entrant.cycles.extend(before.zip(after).map(|(a, b)| nanoseconds * a.max(b)));
            before = after;
            clocks.extend(after);
        }
    }
    Distribution::new(clocks).map(|ghz| [ghz.lower_quartile, ghz.median, ghz.upper_quartile])
}

/// Who has a turn in a round, by how long their samples take: as many turns as fit into a quarter of
/// the longest sample, and one at least.
fn turns(samples: &[Duration]) -> Vec<usize> {
    let longest = samples.iter().copied().max().unwrap_or_default();
    let turns = |sample: &Duration| {
        let fit = longest.as_nanos() / 4 / sample.as_nanos().max(1);
        fit.clamp(1, u128::from(MOST_TURNS)) as usize
    };
    samples.iter().enumerate().flat_map(|(n, sample)| vec![n; turns(sample)]).collect()
}

impl<'a> Entrant<'a> {
    /// Checks it; `None` if the participant has no such operation.
    ///
    /// # Errors
    /// A wrong result; what a library refuses.
    pub(crate) fn new(
        row: &Row,
        participant: &'a Participant,
        expected: &Expected,
    ) -> Result<Option<Self>, String> {
        let Some(mut work) = participant.open(row)? else { return Ok(None) };
        check(row, &participant.name, &mut work, expected)?;
        Ok(Some(Self::checked(&participant.name, work, row.bytes)))
    }

    /// After the check.
    fn checked(name: &'a str, work: Work, bytes: usize) -> Self {
        let next = PASSES * work.parts;
        Self { name, work, bytes, calls: 1, next, nanoseconds: Vec::new(), cycles: Vec::new() }
    }

    fn sample(&mut self, count: usize, keys: &Keys, data: &mut [u8]) -> Duration {
        let calls = Calls { first: self.next, count, keys, data: &mut data[..self.bytes] };
        self.next += count;
        let start = thread_time();
        self.work.run(calls);
        thread_time() - start
    }

    /// Nanoseconds of a pass, if a sample took so long.
    fn per_pass(&self, took: Duration) -> f64 {
        took.as_secs_f64() * 1e9 * self.work.parts as f64 / self.calls as f64
    }

    /// Finds how many calls make a sample; gives how long it takes.
    fn calibrate(&mut self, keys: &Keys, data: &mut [u8]) -> Duration {
        let calls = self.calls;
        let sample = |calls| Ok::<_, Infallible>(self.sample(calls, keys, data));
        let Ok((calls, took)) = calibrate(calls, sample);
        self.calls = calls;
        took
    }

    pub(crate) fn figure(self) -> Figure {
        let nanoseconds = Distribution::new(self.nanoseconds).expect("there are rounds");
        let cycles = Distribution::new(self.cycles);
        Figure {
            participant: self.name.into(),
            nanoseconds: nanoseconds.median,
            cycles: cycles.map(|cycles| cycles.median),
            spread_percent: cycles.unwrap_or(nanoseconds).spread_percent(),
            samples: nanoseconds.samples,
        }
    }
}

/// How long this thread has run.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The data of all participants: the same bytes at the same place, from a cache line's start.
pub(crate) struct Buffer {
    buffer: Vec<u8>,
    start: usize,
    len: usize,
}

impl Buffer {
    const LINE: usize = 64;

    pub(crate) fn new(len: usize) -> Self {
        let buffer = random(b"data", len + Self::LINE);
        let start = buffer.as_ptr().align_offset(Self::LINE);
        Self { buffer, start, len }
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        &mut self.buffer[self.start..][..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::ROWS;
    use crate::work::each;

    #[test]
    fn everyone_has_samples_in_every_round_and_every_call_a_number_of_its_own() {
        let keys = Keys::new(&ROWS[0]);
        let mut entrants: Vec<Entrant<'_>> = ["a", "b", "c"]
            .map(|name| {
                let count = each(|_, data| data[0] = data[0].wrapping_add(1));
                Entrant::checked(name, count, 8)
            })
            .into();
        let mut data = vec![0; 16];
        alternate(&mut entrants, &keys, &mut data, Duration::ZERO);
        let numbers: usize = entrants.iter().map(|entrant| entrant.next - PASSES).sum();
        assert_eq!(data[0], numbers as u8);
        assert_eq!(data[8..], [0; 8]);
        for entrant in entrants {
            assert!(entrant.calls > 1);
            assert!(entrant.figure().samples >= FEWEST_ROUGH);
        }
    }

    #[test]
    fn sleep_is_no_time_of_the_thread() {
        let (start, wall) = (thread_time(), Instant::now());
        std::thread::sleep(Duration::from_millis(20));
        assert!(wall.elapsed() - (thread_time() - start) >= Duration::from_millis(10));
        let busy = (0..1_000_000_u64).fold(1, |x: u64, n| std::hint::black_box(x.wrapping_mul(n)));
        assert!(thread_time() > start, "{busy}");
    }

    #[test]
    fn the_fast_have_more_turns_than_the_slow() {
        let times = [80, 1, 10, 30, 20].map(Duration::from_millis);
        let order = turns(&times);
        let count = |n| order.iter().filter(|&&other| other == n).count();
        assert_eq!([0, 1, 2, 3, 4].map(count), [1, MOST_TURNS as usize, 2, 1, 1]);
        assert_eq!(turns(&[Duration::ZERO; 2]), [0, 1]);
        assert!(turns(&[]).is_empty());
    }

    #[test]
    fn a_part_counts_as_what_it_is_of_a_row() {
        let took = Duration::from_nanos(100);
        for (parts, calls, want) in [(1, 1, 100.0), (4, 1, 400.0), (4, 2, 200.0)] {
            let mut entrant = Entrant::checked("parts", Work::in_parts(parts, |_| ()), 0);
            entrant.calls = calls;
            assert!((entrant.per_pass(took) - want).abs() < 1e-6);
        }
    }

    #[test]
    fn data_start_at_a_cache_line() {
        for len in [8, 64, 1500] {
            let mut buffer = Buffer::new(len);
            assert_eq!(buffer.bytes().len(), len);
            assert_eq!(buffer.bytes().as_ptr().addr() % Buffer::LINE, 0);
        }
    }
}
