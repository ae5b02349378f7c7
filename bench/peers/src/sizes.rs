//! What sweeps found, as data, and whether more work ever takes less time.

use serde::Serialize;

use crate::participants::{Kind, OPENSSL, Participant};
use crate::process::Found;
use crate::report::Outcome;
use crate::rows::size;
use crate::sweep::{Sweep, SweepFigures, sizes};

/// The same work on messages of every size.
#[derive(Debug, Serialize)]
pub(crate) struct SweepReport {
    pub(crate) id: &'static str,
    /// Cipher and operation.
    pub(crate) title: String,
    /// Processes that measured it.
    pub(crate) processes: usize,
    /// In ascending order.
    pub(crate) sizes: Vec<SizeReport>,
    /// How our time grows with the size; absent where there are no two sizes.
    pub(crate) growth: Option<Growth>,
    /// Where we are ahead of OpenSSL by the least; absent without one of us.
    pub(crate) least: Option<Least>,
    /// Where a backend by force is ahead of us by the most; absent beside peers.
    pub(crate) behind: Option<Behind>,
}

/// The size with the lowest ratio.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Least {
    pub(crate) blocks: usize,
    /// OpenSSL's time by ours.
    pub(crate) ratio: f64,
}

/// How far the library's choice is behind the best of its backends: at most `tolerance` times its time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Behind {
    pub(crate) tolerance: f64,
    pub(crate) holds: bool,
    /// The size at which it is behind by the most.
    pub(crate) blocks: usize,
    /// The best one there.
    pub(crate) backend: String,
    /// Our time by its time.
    pub(crate) ratio: f64,
}

/// One size: what everyone took for a block of it.
#[derive(Debug, Serialize)]
pub(crate) struct SizeReport {
    pub(crate) blocks: usize,
    pub(crate) bytes: usize,
    pub(crate) results: Vec<Outcome>,
}

/// How the time grows with the size: for n < m, T(n) is at most `TOLERANCE` times T(m).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Growth {
    pub(crate) tolerance: f64,
    pub(crate) holds: bool,
    /// The two sizes in blocks, the smaller first, that are nearest to breaking the rule, or break
    /// it most.
    pub(crate) worst: [usize; 2],
    /// The smaller one's time by the larger one's.
    pub(crate) ratio: f64,
}

/// What a measurement cannot tell apart.
const TOLERANCE: f64 = 1.05;

/// What the choice may cost.
const CHOICE: f64 = 1.03;

impl SweepReport {
    /// `None` if no process measured it.
    pub(crate) fn new(sweep: &Sweep, participants: &[Participant], found: &Found) -> Option<Self> {
        let runs: Vec<&SweepFigures> =
            found.sweeps.iter().filter(|run| run.sweep == sweep.id).collect();
        if runs.is_empty() {
            return None;
        }
        let of_size = |blocks: usize| {
            let row = sweep.row(blocks);
            let outcome = |participant| {
                let sizes = runs.iter().flat_map(|run| &run.sizes);
                let these = sizes.filter(|size| size.blocks == blocks);
                Outcome::new(&row, participant, these.flat_map(|size| &size.figures))
            };
            let results = participants.iter().filter_map(outcome).collect();
            SizeReport { blocks, bytes: row.bytes, results }
        };
        let sizes: Vec<SizeReport> = sizes().into_iter().map(of_size).collect();
        let ours = |size| SizeReport::ours(size).map(|ours| (size.blocks, ours));
        let growth = Growth::new(&sizes.iter().filter_map(ours).collect::<Vec<_>>());
        let least = Least::new(&sizes);
        let behind = Behind::new(&sizes);
        Some(Self {
            id: sweep.id,
            title: sweep.title(),
            processes: runs.len(),
            sizes,
            growth,
            least,
            behind,
        })
    }

    /// The libraries, in the order of the participants.
    pub(crate) fn libraries(&self) -> Vec<&'static str> {
        let mut libraries = Vec::new();
        for outcome in self.sizes.iter().flat_map(|size| &size.results) {
            if !libraries.contains(&outcome.library) {
                libraries.push(outcome.library);
            }
        }
        libraries
    }
}

impl SizeReport {
    /// The library as it chooses.
    pub(crate) fn ours(&self) -> Option<&Outcome> {
        self.results.iter().find(|outcome| outcome.kind == Kind::Ours)
    }

    /// The backend by force that is ahead of ours by the most, or behind by the least; and how many times as long as
    /// by it ours took.
    pub(crate) fn best_backend(&self) -> Option<(&Outcome, f64)> {
        let ours = self.ours()?;
        let backends = self.results.iter().filter(|outcome| outcome.kind == Kind::Backend);
        backends.map(|one| (one, ours.times(one))).max_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// The fastest of a library's interfaces.
    pub(crate) fn best(&self, library: &str) -> Option<&Outcome> {
        let of_library = self.results.iter().filter(|outcome| outcome.library == library);
        of_library.min_by(|a, b| a.cost.total_cmp(&b.cost))
    }
}

impl Least {
    fn new(sizes: &[SizeReport]) -> Option<Self> {
        let ratios = sizes.iter().filter_map(|size| {
            Some(Self { blocks: size.blocks, ratio: size.best(OPENSSL)?.times(size.ours()?) })
        });
        ratios.min_by(|a, b| a.ratio.total_cmp(&b.ratio))
    }

    /// In one line.
    pub(crate) fn line(&self) -> String {
        let Self { blocks, ratio } = self;
        let fast = if *ratio >= 1.0 { "never slower" } else { "SLOWER" };
        format!(
            "{fast} than OpenSSL: at every size {ratio:.2} times as fast or more; least at {}",
            size(blocks * 8)
        )
    }
}

impl Behind {
    fn new(sizes: &[SizeReport]) -> Option<Self> {
        let ratios = sizes.iter().filter_map(|size| {
            let (best, ratio) = size.best_backend()?;
            Some((ratio, size.blocks, best))
        });
        let (ratio, blocks, best) = ratios.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let backend = best.participant.clone();
        Some(Self { tolerance: CHOICE, holds: ratio <= CHOICE, blocks, backend, ratio })
    }

    /// In one line.
    pub(crate) fn line(&self) -> String {
        let Self { tolerance, holds, blocks, backend, ratio } = self;
        format!(
            "chosen is at most {tolerance} times the best backend: {}; worst: {ratio:.2} times {backend} at {}",
            if *holds { "holds" } else { "BROKEN" },
            size(blocks * 8)
        )
    }
}

impl Growth {
    /// Takes sizes in ascending order.
    fn new(sizes: &[(usize, &Outcome)]) -> Option<Self> {
        let pairs = sizes.iter().enumerate().flat_map(|(n, &(smaller, short))| {
            let larger = sizes[n + 1..].iter();
            larger.map(move |&(larger, long)| ([smaller, larger], short.times(long)))
        });
        let (worst, ratio) = pairs.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        Some(Self { tolerance: TOLERANCE, holds: ratio <= TOLERANCE, worst, ratio })
    }

    /// In one line.
    pub(crate) fn line(&self) -> String {
        let Self { tolerance, holds, worst: [n, m], ratio } = self;
        format!(
            "time never falls behind: for n < m blocks, T(n) <= {tolerance} T(m): {}; worst: T({n}) = \
             {ratio:.2} T({m})",
            if *holds { "holds" } else { "BROKEN" }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::example;

    /// As if it had taken so long in every round.
    fn took(outcome: &mut Outcome, cost: f64) {
        outcome.cost = cost;
        outcome.rounds = vec![vec![cost; 3]; 2];
    }

    #[test]
    fn the_worst_pair_is_found_wherever_it_stands() {
        let any = example().sweeps[0].sizes[0].ours().unwrap().clone();
        let growth = |times: &[f64]| {
            let mut outcomes = vec![any.clone(); times.len()];
            outcomes.iter_mut().zip(times).for_each(|(outcome, time)| took(outcome, *time));
            Growth::new(&(1..).zip(&outcomes).collect::<Vec<_>>()).unwrap()
        };
        let steady = growth(&[1.0, 2.0, 2.5, 5.0]);
        assert_eq!((steady.holds, steady.worst, steady.ratio), (true, [2, 3], 0.8));
        let level = growth(&[10.0, 10.0, 9.6]);
        assert_eq!((level.holds, level.worst), (true, [2, 3]));
        let far = growth(&[1.0, 8.0, 7.9, 7.8, 4.0, 9.0]);
        assert_eq!((far.holds, far.worst, far.ratio), (false, [2, 5], 2.0));
        assert!(far.line().contains("BROKEN; worst: T(2) = 2.00 T(5)"), "{}", far.line());
        assert!(steady.line().contains("holds"), "{}", steady.line());
        assert_eq!(Growth::new(&[(1, &any)]), None);
    }

    #[test]
    fn what_disturbs_a_round_disturbs_who_is_in_it_alike() {
        let mut ours = example().sweeps[0].sizes[0].ours().unwrap().clone();
        let mut other = ours.clone();
        ours.rounds = vec![vec![10.0, 20.0, 20.0, 10.0], vec![10.0, 20.0]];
        // It was measured for longer in one process, and less long in the other.
        other.rounds = vec![vec![10.0, 20.0, 20.0, 10.0, 99.0], vec![9.0]];
        assert_eq!((ours.times(&other), other.times(&ours)), (1.0, 1.0));
        other.rounds[0] = vec![8.0, 16.0, 16.0, 10.0];
        assert_eq!(ours.times(&other), 1.25);
    }

    #[test]
    fn costs_are_per_block_of_each_size() {
        for sweep in example().curves() {
            assert_eq!(sweep.processes, 2);
            for size in &sweep.sizes {
                let ours = size.best("cipherloom").unwrap();
                assert_eq!([ours.lowest, ours.highest], [100.0, 110.0], "{}", size.blocks);
                assert_eq!(size.best("OpenSSL").unwrap().participant, "OpenSSL EVP");
            }
            assert!(sweep.libraries().starts_with(&["cipherloom", "OpenSSL"]));
        }
        for sweep in example().sweeps {
            assert!(sweep.growth.unwrap().holds, "{}", sweep.id);
        }
    }

    #[test]
    fn the_size_with_the_least_lead_is_found() {
        let mut sweep = example().sweeps.swap_remove(0);
        let ours = |size: &mut SizeReport, cost| {
            took(size.results.iter_mut().find(|outcome| outcome.kind == Kind::Ours).unwrap(), cost);
        };
        for size in &mut sweep.sizes {
            size.results.iter_mut().for_each(|outcome| took(outcome, 100.0));
            ours(size, 1.0);
        }
        ours(&mut sweep.sizes[3], 100.0 / 1.25);
        let least = Least::new(&sweep.sizes).unwrap();
        assert_eq!(least.blocks, sweep.sizes[3].blocks);
        assert!((least.ratio - 1.25).abs() < 1e-9 && least.line().starts_with("never slower"));
        ours(&mut sweep.sizes[5], 200.0);
        let least = Least::new(&sweep.sizes).unwrap();
        assert_eq!(least.blocks, sweep.sizes[5].blocks);
        assert!(least.line().starts_with("SLOWER than OpenSSL: at every size 0.50 times"));
    }
    #[test]
    fn the_size_at_which_the_choice_is_worst_is_found() {
        let mut report = example();
        let sweep = report.sweeps.iter_mut().find(|sweep| sweep.behind.is_some()).unwrap();
        let size = &mut sweep.sizes[4];
        let (best, ratio) = size.best_backend().unwrap();
        let name = best.participant.clone();
        assert!(sweep.behind.as_ref().unwrap().holds && ratio < 1.0);
        for outcome in &mut size.results {
            let cost = match outcome.kind {
                Kind::Ours => 3.0,
                _ if outcome.participant == name => 2.0,
                _ => 2.5,
            };
            took(outcome, cost);
        }
        let blocks = size.blocks;
        let behind = Behind::new(&sweep.sizes).unwrap();
        assert_eq!((behind.holds, behind.blocks, behind.ratio), (false, blocks, 1.5));
        let end = format!("BROKEN; worst: 1.50 times {name} at {}", crate::rows::size(blocks * 8));
        assert!(behind.line().ends_with(&end), "{}", behind.line());
        assert_eq!(Behind::new(&example().curves()[0].sizes), None);
    }
}
