//! What a run found, as data: the tables, the picture and the record are made from it.

use cipherloom_measure::{Distribution, Processor, clock, median};
use serde::Serialize;

use crate::pace::Pace;
use crate::participants::{Absent, Everyone, Kind, OPENSSL, Participant};
use crate::process::Found;
use crate::rows::{Cipher, Group, ROWS, Row};
use crate::sample::{Figure, Figures};
use crate::sizes::SweepReport;
use crate::sweep::SWEEPS;

/// All that one run found.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// The day, in UTC.
    pub(crate) date: String,
    /// The commit that was measured, with a mark if files differed from it; absent without git.
    pub(crate) commit: Option<String>,
    pub(crate) processor: Processor,
    /// The core's clock in GHz while it measured: the lowest of the rows' lower quartiles, the median
    /// of their medians, the highest of their upper quartiles.
    pub(crate) ghz: Option<[f64; 3]>,
    /// What costs are counted in: core cycles, or nanoseconds where the core's clock is unknown.
    pub(crate) costs_in: &'static str,
    /// What the core did between samples.
    pub(crate) pace: Pace,
    /// Seconds of measurement per row and process.
    pub(crate) seconds_per_row: f64,
    pub(crate) participants: Vec<Version>,
    /// Who could not take part.
    pub(crate) absent: Vec<Absent>,
    pub(crate) rows: Vec<RowReport>,
    pub(crate) sweeps: Vec<SweepReport>,
}

/// Who took part.
#[derive(Debug, Serialize)]
pub(crate) struct Version {
    pub(crate) name: String,
    pub(crate) library: &'static str,
    pub(crate) kind: Kind,
    pub(crate) version: String,
}

/// One row: what everyone took for it.
#[derive(Debug, Serialize)]
pub(crate) struct RowReport {
    #[serde(flatten)]
    pub(crate) row: Row,
    /// Processes that measured it.
    pub(crate) processes: usize,
    /// In the order of the participants; who has no such operation is not there.
    pub(crate) results: Vec<Outcome>,
    /// Ours and theirs; absent where there is nothing to compare.
    pub(crate) comparison: Option<Comparison>,
}

/// What a participant took for a row.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Outcome {
    pub(crate) participant: String,
    pub(crate) library: &'static str,
    pub(crate) kind: Kind,
    /// Per unit of the row: the median of the processes' medians.
    pub(crate) cost: f64,
    /// The process with the lowest median.
    pub(crate) lowest: f64,
    /// The process with the highest median.
    pub(crate) highest: f64,
    /// Half the distance between the quartiles of a process's samples, in percent of their median;
    /// the median of the processes.
    pub(crate) spread_percent: f64,
    /// Millions of bytes per second.
    pub(crate) mb_per_s: f64,
    /// Samples in all processes.
    pub(crate) samples: usize,
    /// Each process's medians of its rounds.
    #[serde(skip)]
    pub(crate) rounds: Vec<Vec<f64>>,
}

/// Ours against the best of theirs. A ratio above 1: ours is faster.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    pub(crate) ours: f64,
    pub(crate) openssl: Option<Versus>,
    pub(crate) best_peer: Option<Versus>,
}

/// A peer beside ours.
#[derive(Debug, Serialize)]
pub(crate) struct Versus {
    pub(crate) participant: String,
    pub(crate) cost: f64,
    pub(crate) ratio: f64,
}

impl Report {
    /// Puts together what the processes found.
    pub(crate) fn new(
        date: String,
        everyone: &Everyone,
        found: &Found,
        pace: Pace,
        seconds_per_row: f64,
    ) -> Self {
        let Everyone { present, absent } = everyone;
        let rows = ROWS.iter().filter_map(|row| RowReport::new(row, present, &found.rows));
        let sweeps = SWEEPS.iter().filter_map(|sweep| SweepReport::new(sweep, present, found));
        let of_sweeps = found.sweeps.iter().map(|found| found.ghz);
        let ghz: Vec<[f64; 3]> =
            found.rows.iter().map(|found| found.ghz).chain(of_sweeps).flatten().collect();
        let clocks = |n: usize| ghz.iter().map(move |ghz| ghz[n]);
        let ghz = Distribution::new(clocks(0)).zip(Distribution::new(clocks(1)));
        let ghz = ghz.zip(Distribution::new(clocks(2)));
        Self {
            date,
            commit: output("git", &["describe", "--always", "--dirty", "--exclude=*"]),
            processor: Processor::detect(),
            ghz: ghz.map(|((low, median), high)| [low.lowest, median.median, high.highest]),
            costs_in: if clock::unknown_because().is_none() { "cycles" } else { "nanoseconds" },
            pace,
            seconds_per_row,
            participants: present
                .iter()
                .map(|participant| Version {
                    name: participant.name.clone(),
                    library: participant.library,
                    kind: participant.kind,
                    version: participant.version.clone(),
                })
                .collect(),
            absent: absent.clone(),
            rows: rows.collect(),
            sweeps: sweeps.collect(),
        }
    }

    /// The sweeps beside peers, which are drawn as curves.
    pub(crate) fn curves(&self) -> Vec<&SweepReport> {
        self.sweeps.iter().filter(|sweep| sweep.behind.is_none()).collect()
    }

    /// The rows of a cipher.
    pub(crate) fn rows(&self, cipher: Cipher) -> Vec<&RowReport> {
        self.rows.iter().filter(|report| report.row.cipher == cipher).collect()
    }

    /// The rows of one table.
    pub(crate) fn group(&self, cipher: Cipher, group: Group) -> Vec<&RowReport> {
        self.rows(cipher).into_iter().filter(|report| report.row.group == group).collect()
    }
}

impl RowReport {
    /// `None` if no process measured the row.
    fn new(row: &Row, participants: &[Participant], runs: &[Figures]) -> Option<Self> {
        let runs: Vec<&Figures> = runs.iter().filter(|run| run.row == row.id).collect();
        if runs.is_empty() {
            return None;
        }
        let results: Vec<Outcome> = participants
            .iter()
            .filter_map(|participant| {
                let figures = runs.iter().flat_map(|run| &run.figures);
                Outcome::new(row, participant, figures)
            })
            .collect();
        let comparison = Comparison::new(&results);
        Some(Self { row: *row, processes: runs.len(), results, comparison })
    }

    /// Nanoseconds per unit.
    pub(crate) fn nanoseconds(&self, outcome: &Outcome) -> f64 {
        self.row.bytes as f64 * 1e3 / outcome.mb_per_s / self.row.units()
    }

    /// What a participant took, if it took part.
    pub(crate) fn of(&self, participant: &str) -> Option<&Outcome> {
        self.results.iter().find(|outcome| outcome.participant == participant)
    }
}

impl Outcome {
    /// `None` if none of `figures` is the participant's.
    pub(crate) fn new<'a>(
        row: &Row,
        participant: &Participant,
        figures: impl Iterator<Item = &'a Figure>,
    ) -> Option<Self> {
        let figures: Vec<&Figure> =
            figures.filter(|figure| figure.participant == participant.name).collect();
        let all = |value: &dyn Fn(&Figure) -> f64| {
            Distribution::new(figures.iter().map(|figure| value(figure)))
        };
        let cost = all(&|figure| figure.cycles.unwrap_or(figure.nanoseconds) / row.units())?;
        let nanoseconds = all(&|figure| figure.nanoseconds)?;
        Some(Self {
            participant: participant.name.clone(),
            library: participant.library,
            kind: participant.kind,
            cost: cost.median,
            lowest: cost.lowest,
            highest: cost.highest,
            spread_percent: all(&|figure| figure.spread_percent)?.median,
            mb_per_s: row.bytes as f64 * 1e3 / nanoseconds.median,
            samples: figures.iter().map(|figure| figure.samples).sum(),
            rounds: figures.iter().map(|figure| figure.rounds.clone()).collect(),
        })
    }

    /// How many times as long as another a pass took: the median of the rounds in which both have samples, each of which
    /// were taken near each other.
    pub(crate) fn times(&self, other: &Self) -> f64 {
        let processes = self.rounds.iter().zip(&other.rounds);
        median(
            processes
                .flat_map(|(own, other)| own.iter().zip(other).map(|(own, other)| own / other)),
        )
    }
}

impl Comparison {
    fn new(results: &[Outcome]) -> Option<Self> {
        let ours = results.iter().find(|outcome| outcome.kind == Kind::Ours)?.cost;
        let best = |is_meant: &dyn Fn(&Outcome) -> bool| {
            let peers = results.iter().filter(|outcome| outcome.kind == Kind::Peer);
            let best = peers.filter(|peer| is_meant(peer)).min_by(|a, b| a.cost.total_cmp(&b.cost));
            best.map(|peer| Versus {
                participant: peer.participant.clone(),
                cost: peer.cost,
                ratio: peer.cost / ours,
            })
        };
        Some(Self {
            ours,
            openssl: best(&|peer| peer.library == OPENSSL),
            best_peer: best(&|_| true),
        })
    }
}

/// The day, in UTC.
///
/// # Errors
/// There is no command `date`.
pub(crate) fn today() -> Result<String, String> {
    output("date", &["-u", "+%F"]).ok_or_else(|| "cannot run the command `date`".into())
}

/// The first line that a command prints, if it runs.
fn output(program: &str, args: &[&str]) -> Option<String> {
    let folder = env!("CARGO_MANIFEST_DIR");
    let output =
        std::process::Command::new(program).args(args).current_dir(folder).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).lines().next()?.to_owned();
    output.status.success().then_some(text)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::participants;
    use crate::sweep::{self, SizeFigures, SweepFigures};

    /// Two processes' figures for every row and size, in which the `n`th participant takes
    /// `100 + n` cycles a block in one and `110 + n` in the other; calls of other rows take as much.
    pub(crate) fn example() -> Report {
        let everyone = participants::all().unwrap();
        let ghz = Some([2.0, 3.0, 4.0]);
        let mut found = Found::default();
        for extra in [0.0, 10.0] {
            let figures = |blocks: f64, is_in: &dyn Fn(&Participant) -> bool| {
                let participants = everyone.present.iter().enumerate();
                let figure = |(n, participant): (usize, &Participant)| {
                    let cycles = (100.0 + extra + n as f64) * blocks;
                    Figure {
                        participant: participant.name.clone(),
                        nanoseconds: 50.0,
                        cycles: Some(cycles),
                        spread_percent: 1.0,
                        samples: 7,
                        rounds: vec![cycles; 3],
                    }
                };
                participants.filter(|(_, participant)| is_in(participant)).map(figure).collect()
            };
            found.add(Found {
                rows: ROWS
                    .map(|row| Figures {
                        row: row.id.into(),
                        ghz,
                        figures: figures(1.0, &|_| true),
                    })
                    .into(),
                sweeps: SWEEPS
                    .map(|sweep| SweepFigures {
                        sweep: sweep.id.into(),
                        ghz,
                        sizes: sweep::sizes()
                            .into_iter()
                            .map(|blocks| SizeFigures {
                                blocks,
                                figures: figures(blocks as f64, &|who| sweep.has(who)),
                            })
                            .collect(),
                    })
                    .into(),
            });
        }
        Report::new("2000-01-01".into(), &everyone, &found, Pace::Alternating, 0.1)
    }

    #[test]
    fn costs_are_per_unit_and_ratios_those_of_the_best() {
        let report = example();
        assert_eq!(report.rows.len(), ROWS.len());
        let cbc = &report.rows[0];
        let ours = cbc.of("cipherloom").unwrap();
        assert_eq!([ours.lowest, ours.highest], [100.0 / 2048.0, 110.0 / 2048.0]);
        assert_eq!((ours.samples, cbc.processes), (14, 2));
        assert!((ours.mb_per_s - 16384.0 * 20.0).abs() < 1e-6);
        assert!((cbc.nanoseconds(ours) - 50.0 / 2048.0).abs() < 1e-12);
        let comparison = cbc.comparison.as_ref().unwrap();
        let best = comparison.best_peer.as_ref().unwrap();
        assert_eq!(best.participant, "OpenSSL EVP", "the first of them here");
        assert!((best.ratio - best.cost / ours.cost).abs() < 1e-12 && best.ratio > 1.0);
    }

    #[test]
    fn every_row_is_in_one_table() {
        let report = example();
        let tables = Cipher::ALL
            .iter()
            .flat_map(|&cipher| Group::ALL.map(|group| report.group(cipher, group).len()));
        assert_eq!(tables.sum::<usize>(), ROWS.len());
    }
}
