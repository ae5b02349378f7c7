//! `loom circuits`: the S-boxes as Boolean circuits, and the search for smaller ones.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Subcommand;
use serde::Serialize;

use cipherloom_circuits::search::Search;
use cipherloom_circuits::{Entry, GateSet, Store, name};
use cipherloom_measure::Columns;

use super::error::{Error, Result};
use super::{output, repository};

/// The S-boxes as Boolean circuits: prints them, checks them, searches for smaller ones
#[derive(Debug, clap::Args)]
pub(crate) struct Circuits {
    /// The directory of circuits [default: the one of Cipherloom's source tree around here]
    #[arg(long, value_name = "DIR", global = true)]
    circuits: Option<PathBuf>,
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(List),
    Search(Hunt),
    Check,
}

/// Prints what is known of each circuit, and the smallest that others published
#[derive(Debug, clap::Args)]
struct List {
    /// Only this gate set
    #[arg(long, value_name = "SET")]
    set: Option<GateSet>,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
}

/// Searches for circuits with fewer gates, and keeps what it finds
///
/// Every circuit is checked over all inputs before it takes the place of a larger one. The search goes
/// on from the circuits that are there, and from the tables; run it again with another seed to go on.
#[derive(Debug, clap::Args)]
struct Hunt {
    /// The gate set: plain, select, sha3, lut3 or lut3-xor
    #[arg(long, value_name = "SET")]
    set: GateSet,
    /// The S-box, 1 to 8, or several with commas between them, or all
    #[arg(long, value_name = "N", default_value = "all", value_parser = boxes)]
    sbox: Boxes,
    /// How long: 90s, 10m, 2h
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    time: Duration,
    /// How long, in moves of all runs together: with one thread, the same search finds the same again
    #[arg(long, value_name = "N", conflicts_with = "time")]
    moves: Option<u64>,
    /// Decides what is tried; each run has one seed more than the run before
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many searches at one time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// S-boxes by number: 0 is S1.
#[derive(Clone, Debug)]
struct Boxes(Vec<usize>);

fn boxes(text: &str) -> std::result::Result<Boxes, String> {
    if text == "all" {
        return Ok(Boxes((0..8).collect()));
    }
    let number = |part: &str| match part.trim_start_matches('S').parse() {
        Ok(n @ 1..=8) => Ok(n - 1),
        _ => Err(format!("`{part}` is not an S-box from 1 to 8, nor `all`")),
    };
    let all = text.split(',').map(number).collect::<std::result::Result<_, _>>()?;
    Ok(Boxes(all))
}

fn duration(text: &str) -> std::result::Result<Duration, String> {
    let (number, seconds) = match text.char_indices().next_back() {
        Some((end, 's')) => (&text[..end], 1),
        Some((end, 'm')) => (&text[..end], 60),
        Some((end, 'h')) => (&text[..end], 3600),
        _ => (text, 1),
    };
    let seconds = number.parse::<u32>().ok().and_then(|n| n.checked_mul(seconds));
    let seconds = seconds.ok_or_else(|| format!("`{text}` is no time like 90s, 10m or 2h"))?;
    Ok(Duration::from_secs(seconds.into()))
}

impl Circuits {
    /// # Errors
    /// Bad usage, or a circuit that is wrong.
    pub(crate) fn run(&self) -> Result<()> {
        let store = Store::new(match &self.circuits {
            Some(directory) => directory.clone(),
            None => repository::root(None)?.join(repository::CIRCUITS),
        });
        match &self.action {
            Action::List(list) => list.run(&store),
            Action::Search(hunt) => hunt.run(&store),
            Action::Check => check(&store),
        }
    }
}

/// A circuit's figures.
#[derive(Serialize)]
struct Row {
    set: &'static str,
    sbox: String,
    gates: usize,
    /// The fewest that others published, if any did.
    #[serde(skip_serializing_if = "Option::is_none")]
    published: Option<usize>,
    depth: usize,
    live: usize,
    inversions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    found: String,
}

impl Row {
    fn new(entry: Entry) -> Self {
        let Entry { sbox, set, seed, found, circuit } = entry;
        Self {
            set: set.name(),
            sbox: name(sbox),
            gates: circuit.cost(set),
            published: set.published().map(|(gates, _)| gates[sbox]),
            depth: circuit.depth(),
            live: circuit.live(),
            inversions: circuit.inversions(),
            seed,
            found,
        }
    }
}

impl List {
    fn run(&self, store: &Store) -> Result<()> {
        let sets = GateSet::ALL.into_iter().filter(|&set| self.set.is_none_or(|only| only == set));
        let mut rows = Vec::new();
        for set in sets {
            for sbox in 0..8 {
                rows.extend(store.load(set, sbox)?.map(Row::new));
            }
        }
        if self.json { output::print_json(&rows) } else { output::print(&table(&rows)) }
    }
}

/// Rows, and a sum for each gate set.
fn table(rows: &[Row]) -> String {
    let heading = ["set", "S-box", "gates", "published", "depth", "live", "inversions", "seed"];
    let mut columns = Columns::new(2, heading);
    for rows in rows.chunk_by(|a, b| a.set == b.set) {
        for row in rows {
            let seed = row.seed.map_or("-".to_owned(), |seed| seed.to_string());
            let published = row.published.map_or("-".to_owned(), |n| n.to_string());
            let mut cells = vec![row.set.to_owned(), row.sbox.clone()];
            cells.extend([row.gates.to_string(), published]);
            cells.extend([row.depth, row.live, row.inversions].map(|n| n.to_string()));
            cells.push(seed);
            columns.row(cells);
        }
        let sum = |of: fn(&Row) -> usize| rows.iter().map(of).sum::<usize>().to_string();
        let published: Option<usize> = rows.iter().map(|row| row.published).sum();
        let published = published.map_or("-".to_owned(), |n| n.to_string());
        let gates = sum(|row| row.gates);
        let mut cells = vec![rows[0].set.to_owned(), "all".to_owned(), gates, published];
        cells.extend([String::new(), String::new(), sum(|row| row.inversions), String::new()]);
        columns.row(cells);
    }
    columns.to_string()
}

fn check(store: &Store) -> Result<()> {
    let mut said = String::new();
    for set in GateSet::ALL {
        let mut gates = 0;
        for sbox in 0..8 {
            let entry = store.load(set, sbox)?.ok_or_else(|| {
                Error::failure(format!("{} is missing", store.path(set, sbox).display()))
            })?;
            gates += entry.circuit.cost(set);
        }
        said += &format!("{set}: S1 to S8 are right for all inputs, {gates} gates\n");
    }
    output::print(&said)
}

/// How much may still be done.
struct Budget {
    end: Option<Instant>,
    moves: AtomicU64,
}

impl Budget {
    /// Takes moves from what is left, and says whether there were any.
    fn take(&self) -> bool {
        let left = |moves: u64| moves.checked_sub(STRETCH.min(moves)).filter(|_| moves > 0);
        match self.end {
            Some(end) => Instant::now() < end,
            None => self.moves.try_update(Ordering::Relaxed, Ordering::Relaxed, left).is_ok(),
        }
    }

    fn is_over(&self) -> bool {
        match self.end {
            Some(end) => Instant::now() >= end,
            None => self.moves.load(Ordering::Relaxed) == 0,
        }
    }
}

/// Where a run begins.
enum Start {
    Tables,
    Circuit(Entry),
}

impl Hunt {
    fn run(&self, store: &Store) -> Result<()> {
        let budget = Budget {
            end: self.moves.is_none().then(|| Instant::now() + self.time),
            moves: AtomicU64::new(self.moves.unwrap_or(0)),
        };
        let next = AtomicU64::new(0);
        let failed = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    while !budget.is_over() && failed.lock().is_ok_and(|failed| failed.is_none()) {
                        let job = next.fetch_add(1, Ordering::Relaxed);
                        if let Err(error) = self.job(store, job, &budget)
                            && let Ok(mut failed) = failed.lock()
                        {
                            *failed = Some(error);
                        }
                    }
                });
            }
        });
        if let Ok(Some(error)) = failed.into_inner() {
            return Err(error);
        }
        List { set: Some(self.set), json: false }.run(store)
    }

    /// One run of the search, until it finds nothing any more or the budget is spent.
    fn job(&self, store: &Store, job: u64, budget: &Budget) -> Result<()> {
        let Boxes(boxes) = &self.sbox;
        let (round, place) = (job / boxes.len() as u64, job % boxes.len() as u64);
        let sbox = boxes[place as usize];
        let seed = self.seed.wrapping_add(job);
        let start = self.start(store, sbox, round)?;
        let (circuit, from) = match &start {
            Start::Tables => (None, "the tables".to_owned()),
            Start::Circuit(entry) => {
                let gates = entry.circuit.cost(entry.set);
                (Some(&entry.circuit), format!("a circuit of {gates} gates of {}", entry.set))
            }
        };
        let mut search = Search::new(self.set, sbox, circuit, seed);
        while search.idle() < restart_after(self.set) && budget.take() {
            if search.run(STRETCH) {
                let found = format!("by a search from {from}, after {} moves", search.moves());
                let circuit = search.best().clone();
                let entry = Entry { sbox, set: self.set, seed: Some(seed), found, circuit };
                if store.keep(&entry)? {
                    let (gates, depth) = (entry.circuit.cost(self.set), entry.circuit.depth());
                    output::print(&format!(
                        "{} of {}: {gates} gates, depth {depth}; seed {seed}, {}\n",
                        name(sbox),
                        self.set,
                        entry.found,
                    ))?;
                }
            }
        }
        let (gates, moves) = (search.best().cost(self.set), search.moves() / 1_000_000);
        output::note(&format!("{} from {from}: {gates} gates, {moves} M moves", name(sbox)));
        Ok(())
    }

    /// Every second time from the best circuit of this set; else by turns from one of another set, and from the tables.
    fn start(&self, store: &Store, sbox: usize, round: u64) -> Result<Start> {
        let mut others = GateSet::ALL.into_iter().filter(|&set| set != self.set);
        let from = match round as usize % (2 * GateSet::ALL.len()) {
            even if even % 2 == 0 => Some(self.set),
            odd => others.nth(odd / 2),
        };
        let Some(from) = from else { return Ok(Start::Tables) };
        Ok(store.load(from, sbox)?.map_or(Start::Tables, Start::Circuit))
    }
}

/// Moves between two looks at the clock and the store.
const STRETCH: u64 = 65_536;

/// Moves without a gate less after which another run is likelier to find one.
fn restart_after(set: GateSet) -> u64 {
    match set {
        GateSet::Plain => 16_000_000,
        GateSet::Select | GateSet::Sha3 => 10_000_000,
        GateSet::Lut3 | GateSet::Lut3Xor => 12_000_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_boxes_are_read() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        for wrong in ["", "m", "1d", "-1s", "1.5h", "9999999h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert_eq!(boxes("all").unwrap().0, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(boxes("S2,8").unwrap().0, [1, 7]);
        assert!(boxes("9").unwrap_err().contains("1 to 8"));
    }
}
