//! Samples of all participants of a row, by turns.
//!
//! A sample is so many calls that they take some 50 microseconds, or one call that takes longer; a cold
//! one is always one call. In every round each participant has one or several, in a new order. What
//! counts is the time of this thread on its core: what other programs take of it in between would fall
//! on whoever has the longest samples.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use cipherloom_measure::{Distribution, calibrate, clock, median};
use serde::{Deserialize, Serialize};

use crate::check::{Expected, PASSES, check};
use crate::pace::{Pace, other_work};
use crate::participants::Participant;
use crate::rows::Row;
use crate::work::{Calls, Keys, Work, random};

/// Fewest rounds, however long they take: in a measurement, and in a rough look.
const FEWEST: usize = 5;
const FEWEST_ROUGH: usize = 3;

/// Most samples of a participant in a round, where the slowest has one.
pub(crate) const MOST_TURNS: usize = 8;

/// Below such a budget it is a rough look.
pub(crate) const ROUGH: Duration = Duration::from_millis(100);

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
    /// The median of each round, in cycles if these are known: those of one round, of all participants, were taken
    /// near each other.
    pub(crate) rounds: Vec<f64>,
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
    /// The median of each round.
    rounds: Vec<f64>,
}

/// Checks, then measures everyone who takes part in `row`, for about `budget`.
///
/// # Errors
/// A wrong result; what a library refuses.
pub(crate) fn measure(
    row: &Row,
    participants: &[Participant],
    budget: Duration,
    pace: Pace,
) -> Result<Figures, String> {
    let expected = Expected::new(row);
    let mut entrants = Vec::new();
    for participant in participants {
        entrants.extend(Entrant::new(row, participant, &expected)?);
    }
    let mut data = Buffer::new(row.bytes);
    let mut all: Vec<&mut Entrant<'_>> = entrants.iter_mut().collect();
    let ghz = take_samples(&mut all, &expected.keys, data.bytes(), budget, MOST_TURNS, pace);
    let figures = entrants.into_iter().map(Entrant::figure).collect();
    Ok(Figures { row: row.id.into(), ghz, figures })
}

/// Rounds of samples for about `budget`, in which who is fast has up to `most_turns`; gives the clock after every
/// sample.
///
/// Hot and cold, those of one size follow each other, and sizes are walked up and down: what is compared is near.
pub(crate) fn take_samples(
    entrants: &mut [&mut Entrant<'_>],
    keys: &Keys,
    data: &mut [u8],
    budget: Duration,
    most_turns: usize,
    pace: Pace,
) -> Ghz {
    let times: Vec<Duration> =
        entrants.iter_mut().map(|entrant| entrant.calibrate(keys, data, pace)).collect();
    let (mut runs, overhead) = (pace.runs(&times, most_turns), pace.overhead());
    let mut shuffle = random(b"order", 1 << 12).into_iter().cycle();
    let (mut before, mut clocks) = (clock::core_ghz(), Vec::new());
    let fewest = if budget < ROUGH { FEWEST_ROUGH } else { FEWEST };
    let start = Instant::now();
    for round in 0.. {
        if round >= fewest && start.elapsed() >= budget {
            break;
        }
        runs.sort_by_cached_key(|&(n, _)| {
            let size = match pace {
                Pace::Alternating => 0,
                _ if round % 2 == 0 => entrants[n].bytes,
                _ => usize::MAX - entrants[n].bytes,
            };
            (size, shuffle.next())
        });
        let taken: Vec<usize> = entrants.iter().map(|entrant| entrant.nanoseconds.len()).collect();
        for (n, turn) in runs.iter().flat_map(|&(n, turns)| (0..turns).map(move |turn| (n, turn))) {
            let entrant = &mut *entrants[n];
            match pace {
                // The caches and tables of the others are still warm, its own are not.
                Pace::Alternating => _ = entrant.sample(entrant.calls / 8, keys, data, pace),
                // The others' code and tables lie in the caches.
                Pace::Hot | Pace::Cold if turn == 0 => {
                    entrant.sample(entrant.calls, keys, data, pace);
                }
                Pace::Hot | Pace::Cold => {}
            }
            if pace == Pace::Cold {
                other_work();
                before = clock::core_ghz();
            }
            let took = entrant.sample(entrant.calls, keys, data, pace);
            let nanoseconds = entrant.per_pass(took, overhead);
            let after = clock::core_ghz();
            entrant.nanoseconds.push(nanoseconds);
            // An interrupt makes a clock look slow; none makes it look fast.
            entrant.cycles.extend(before.zip(after).map(|(a, b)| nanoseconds * a.max(b)));
            before = after;
            clocks.extend(after);
        }
        for (entrant, taken) in entrants.iter_mut().zip(taken) {
            entrant.end_round(taken);
        }
    }
    Distribution::new(clocks).map(|ghz| [ghz.lower_quartile, ghz.median, ghz.upper_quartile])
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
        let [nanoseconds, cycles, rounds] = [const { Vec::new() }; 3];
        Self { name, work, bytes, calls: 1, next, nanoseconds, cycles, rounds }
    }

    fn sample(&mut self, count: usize, keys: &Keys, data: &mut [u8], pace: Pace) -> Duration {
        let calls = Calls { first: self.next, count, keys, data: &mut data[..self.bytes] };
        self.next += count;
        let start = pace.now();
        self.work.run(calls);
        pace.now() - start
    }

    /// Nanoseconds of a pass, if a sample took so long, `overhead` of it for the clock.
    fn per_pass(&self, took: Duration, overhead: f64) -> f64 {
        let own = (took.as_secs_f64() * 1e9 - overhead).max(1.0);
        own * self.work.parts as f64 / self.calls as f64
    }

    /// Finds how many calls make a sample; gives how long it takes.
    fn calibrate(&mut self, keys: &Keys, data: &mut [u8], pace: Pace) -> Duration {
        if pace == Pace::Cold {
            return self.sample(self.calls, keys, data, pace);
        }
        let calls = self.calls;
        let sample = |calls| Ok::<_, Infallible>(self.sample(calls, keys, data, pace));
        let Ok((calls, took)) = calibrate(calls, sample);
        self.calls = calls;
        took
    }

    /// Ends a round that began behind so many samples.
    fn end_round(&mut self, taken: usize) {
        let known = if self.cycles.is_empty() { &self.nanoseconds } else { &self.cycles };
        self.rounds.push(median(known[taken..].iter().copied()));
    }

    /// What a pass has taken so far.
    pub(crate) fn so_far(&self) -> f64 {
        median(self.rounds.iter().copied())
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
            rounds: self.rounds,
        }
    }
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
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;
    use crate::pace::OTHER_WORK;
    use crate::rows::ROWS;
    use crate::work::each;

    #[test]
    fn everyone_has_samples_in_every_round_and_every_call_a_number_of_its_own() {
        let keys = Keys::new(&ROWS[0]);
        for pace in [Pace::Alternating, Pace::Hot, Pace::Cold] {
            let mut entrants: Vec<Entrant<'_>> = ["a", "b", "c"]
                .map(|name| {
                    let count = each(|_, data| data[0] = data[0].wrapping_add(1));
                    Entrant::checked(name, count, 8)
                })
                .into();
            let mut data = vec![0; 16];
            let mut all: Vec<&mut Entrant<'_>> = entrants.iter_mut().collect();
            take_samples(&mut all, &keys, &mut data, Duration::ZERO, MOST_TURNS, pace);
            let numbers: usize = entrants.iter().map(|entrant| entrant.next - PASSES).sum();
            assert_eq!(data[0], numbers as u8);
            assert_eq!(data[8..], [0; 8]);
            for entrant in entrants {
                assert_eq!(entrant.calls == 1, pace == Pace::Cold);
                let figure = entrant.figure();
                assert!(
                    figure.rounds.len() >= FEWEST_ROUGH && figure.samples >= figure.rounds.len()
                );
            }
        }
    }

    #[test]
    fn a_round_is_the_median_of_its_samples() {
        let mut entrant = Entrant::checked("rounds", each(|_, _| ()), 0);
        entrant.nanoseconds = vec![1.0, 9.0, 2.0];
        entrant.end_round(0);
        entrant.nanoseconds.extend([7.0, 5.0, 6.0]);
        entrant.end_round(3);
        entrant.nanoseconds.push(4.0);
        entrant.end_round(6);
        assert_eq!((entrant.so_far(), entrant.figure().rounds), (4.0, vec![2.0, 6.0, 4.0]));
        let mut entrant = Entrant::checked("rounds", each(|_, _| ()), 0);
        (entrant.nanoseconds, entrant.cycles) = (vec![1.0], vec![3.0]);
        entrant.end_round(0);
        assert_eq!(entrant.rounds, [3.0]);
    }

    #[test]
    fn every_cold_sample_is_a_call_after_other_work() {
        let keys = Keys::new(&ROWS[0]);
        let mut last: Option<Instant> = None;
        let (calls, soon) = (Rc::new(Cell::new([0, 0])), OTHER_WORK);
        let seen = Rc::clone(&calls);
        let work = each(move |_, _| {
            let came_late = last.is_some_and(|last| last.elapsed() >= soon);
            let [all, late] = seen.get();
            seen.set([all + 1, late + usize::from(came_late)]);
            last = Some(Instant::now());
        });
        let mut entrants = [Entrant::checked("cold", work, 8)];
        let all = &mut entrants.each_mut()[..];
        take_samples(all, &keys, &mut [0; 8], Duration::ZERO, MOST_TURNS, Pace::Cold);
        let [all, late] = calls.get();
        let samples = entrants.map(Entrant::figure)[0].samples;
        assert!(late >= samples && samples > 0, "{late} of {all} calls, {samples} samples");
    }

    #[test]
    fn a_part_counts_as_what_it_is_of_a_row() {
        let took = Duration::from_nanos(100);
        for (parts, calls, want) in [(1, 1, 100.0), (4, 1, 400.0), (4, 2, 200.0)] {
            let mut entrant = Entrant::checked("parts", Work::in_parts(parts, |_| ()), 0);
            entrant.calls = calls;
            assert!((entrant.per_pass(took, 0.0) - want).abs() < 1e-6);
            let less = entrant.per_pass(took, 30.0) / entrant.per_pass(took, 0.0);
            assert!((less - 0.7).abs() < 1e-6);
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
