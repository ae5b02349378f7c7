//! Samples of all participants of a row, in alternation.
//!
//! A sample is so many calls that they take some 50 microseconds. In every round each participant
//! has one, in a new order, so that what disturbs the machine disturbs all alike.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::check::{CALLS, Expected, check};
use crate::clock;
use crate::distribution::Distribution;
use crate::participants::Participant;
use crate::work::{Calls, Keys, Row, Work, random};

/// How long the calls of one sample take at least.
const SAMPLE: Duration = Duration::from_micros(50);

/// Fewest rounds, however long they take.
const FEWEST: usize = 5;

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

/// What one process found in one row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Figures {
    pub(crate) row: String,
    /// The core's clock meanwhile in GHz: lower quartile, median, upper quartile.
    pub(crate) ghz: Option<[f64; 3]>,
    pub(crate) figures: Vec<Figure>,
}

/// A participant with an operation that is ready and right.
struct Entrant<'a> {
    name: &'a str,
    work: Work,
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
        if let Some(mut work) = participant.open(row)? {
            check(row, &participant.name, &mut work, &expected)?;
            entrants.push(Entrant::new(&participant.name, work));
        }
    }
    let keys = Keys::new(row.cipher);
    let mut data = Buffer::new(row.bytes);
    for entrant in &mut entrants {
        entrant.calibrate(&keys, data.bytes());
    }
    let ghz = alternate(&mut entrants, &keys, data.bytes(), budget);
    let ghz =
        Distribution::new(ghz).map(|ghz| [ghz.lower_quartile, ghz.median, ghz.upper_quartile]);
    let figures = entrants.into_iter().map(Entrant::figure).collect();
    Ok(Figures { row: row.id.into(), ghz, figures })
}

/// Rounds of samples; gives the clock after every sample.
fn alternate(
    entrants: &mut [Entrant<'_>],
    keys: &Keys,
    data: &mut [u8],
    budget: Duration,
) -> Vec<f64> {
    let mut order: Vec<usize> = (0..entrants.len()).collect();
    let mut shuffle = random(b"order", 1 << 12).into_iter().cycle();
    let (mut before, mut clocks) = (clock::core_ghz(), Vec::new());
    let start = Instant::now();
    for round in 0.. {
        if round >= FEWEST && start.elapsed() >= budget {
            break;
        }
        order.sort_by_cached_key(|_| shuffle.next());
        for &n in &order {
            let entrant = &mut entrants[n];
            // The caches and tables of the others are still warm, its own are not.
            entrant.sample(entrant.calls / 8, keys, data);
            let took = entrant.sample(entrant.calls, keys, data);
            let nanoseconds = took.as_secs_f64() * 1e9 / entrant.calls as f64;
            let after = clock::core_ghz();
            entrant.nanoseconds.push(nanoseconds);
            // An interrupt makes a clock look slow; none makes it look fast.
            entrant.cycles.extend(before.zip(after).map(|(a, b)| nanoseconds * a.max(b)));
            before = after;
            clocks.extend(after);
        }
    }
    clocks
}

impl<'a> Entrant<'a> {
    /// After the check.
    fn new(name: &'a str, work: Work) -> Self {
        Self { name, work, calls: 1, next: CALLS, nanoseconds: Vec::new(), cycles: Vec::new() }
    }

    fn sample(&mut self, count: usize, keys: &Keys, data: &mut [u8]) -> Duration {
        let calls = Calls { first: self.next, count, keys, data };
        self.next += count;
        let start = Instant::now();
        (self.work)(calls);
        start.elapsed()
    }

    /// Finds how many calls make a sample.
    fn calibrate(&mut self, keys: &Keys, data: &mut [u8]) {
        while self.sample(self.calls, keys, data) < SAMPLE {
            self.calls *= 2;
        }
    }

    fn figure(self) -> Figure {
        let nanoseconds = Distribution::new(self.nanoseconds).expect("there are FEWEST rounds");
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

/// The data of all participants: the same bytes at the same place, from a cache line's start.
struct Buffer {
    room: Vec<u8>,
    start: usize,
    len: usize,
}

impl Buffer {
    const LINE: usize = 64;

    fn new(len: usize) -> Self {
        let room = random(b"data", len + Self::LINE);
        let start = room.as_ptr().align_offset(Self::LINE);
        Self { room, start, len }
    }

    fn bytes(&mut self) -> &mut [u8] {
        &mut self.room[self.start..][..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{ROWS, each};

    #[test]
    fn everyone_has_as_many_samples_and_every_call_a_number_of_its_own() {
        let keys = Keys::new(ROWS[0].cipher);
        let mut entrants: Vec<Entrant<'_>> = ["a", "b", "c"]
            .map(|name| Entrant::new(name, each(|_, data| data[0] = data[0].wrapping_add(1))))
            .into();
        let mut data = vec![0; 8];
        for entrant in &mut entrants {
            entrant.calibrate(&keys, &mut data);
            assert!(entrant.calls > 1);
        }
        alternate(&mut entrants, &keys, &mut data, Duration::ZERO);
        let numbers: usize = entrants.iter().map(|entrant| entrant.next - CALLS).sum();
        assert_eq!(data[0], numbers as u8);
        for entrant in entrants {
            assert_eq!(entrant.figure().samples, FEWEST);
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
