//! What `speed` found, as data: `--json` prints it, the tables and the plot are made from it.

use cipherloom_measure::{Measurement, Processor};
use serde::Serialize;

use super::benchmark::{Load, MeasuredDirection};

/// All that one run measured.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// Name and version of the program.
    pub(crate) program: String,
    /// When the run began, in seconds since 1970-01-01 00:00 UTC.
    pub(crate) unix_time: u64,
    pub(crate) processor: Processor,
    /// Why there are no cycles, if there are none.
    pub(crate) cycles_unknown_because: Option<&'static str>,
    /// Seconds of measurement per cell.
    pub(crate) seconds_per_cell: f64,
    pub(crate) rows: Vec<Row>,
    /// With `--compare`: the peer, or why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) comparison: Option<Comparison>,
}

/// A cipher in one direction on one backend.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) cipher: String,
    pub(crate) direction: MeasuredDirection,
    /// The backend that was forced, or `chosen`: what the library takes of its own accord.
    pub(crate) backend: &'static str,
    pub(crate) cells: Vec<Cell>,
}

/// How a row of the library's own choice is called.
pub(crate) const CHOSEN: &str = "chosen";

/// An amount of work, and what it took.
#[derive(Debug, Serialize)]
pub(crate) struct Cell {
    /// Bytes of the message, or of each record.
    pub(crate) bytes: usize,
    /// Records in the call, each with a key of its own; absent for a message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) records: Option<usize>,
    #[serde(flatten)]
    pub(crate) result: Found,
}

/// A figure, or why there is none.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Found {
    Figure(Figure),
    LeftOut { left_out: String },
}

/// A speed: the median of many samples.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Figure {
    /// Millions of bytes per second.
    pub(crate) mb_per_s: f64,
    /// Core cycles per byte; absent where the core's clock is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cycles_per_byte: Option<f64>,
    /// Half the distance between the quartiles, in percent of the median.
    pub(crate) spread_percent: f64,
    /// Number of samples.
    pub(crate) samples: usize,
    /// The core's clock meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ghz: Option<f64>,
}

impl Figure {
    /// The speed of a call on `bytes` bytes.
    pub(crate) fn new(measured: &Measurement, bytes: usize) -> Self {
        let per_byte = measured.nanoseconds.median / bytes as f64;
        Self {
            mb_per_s: 1e3 / per_byte,
            cycles_per_byte: measured.ghz.map(|ghz| ghz * per_byte),
            spread_percent: measured.nanoseconds.spread_percent(),
            samples: measured.nanoseconds.samples,
            ghz: measured.ghz,
        }
    }
}

impl Cell {
    pub(crate) fn new(load: Load, result: Found) -> Self {
        let (bytes, records) = match load {
            Load::Message(bytes) => (bytes, None),
            Load::Records { count, bytes } => (bytes, Some(count)),
        };
        Self { bytes, records, result }
    }

    pub(crate) fn load(&self) -> Load {
        match self.records {
            None => Load::Message(self.bytes),
            Some(count) => Load::Records { count, bytes: self.bytes },
        }
    }

    pub(crate) fn figure(&self) -> Option<&Figure> {
        match &self.result {
            Found::Figure(figure) => Some(figure),
            Found::LeftOut { .. } => None,
        }
    }
}

/// The peer's side of `--compare`.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    /// What the peer says of itself; absent if there is none.
    pub(crate) openssl: Option<String>,
    /// One line: why there is no peer, or how it was measured.
    pub(crate) note: String,
    pub(crate) pairs: Vec<Pair>,
}

/// The same work done by both, in turns.
#[derive(Debug, Serialize)]
pub(crate) struct Pair {
    pub(crate) cipher: String,
    pub(crate) direction: MeasuredDirection,
    pub(crate) bytes: usize,
    /// Turns that each side had; the figures are their medians.
    pub(crate) rounds: usize,
    pub(crate) cipherloom_mb_per_s: f64,
    pub(crate) openssl_mb_per_s: f64,
    /// The slowest and the fastest of the peer's processes.
    pub(crate) openssl_range: [f64; 2],
    /// Ours by theirs: above 1, this program is faster.
    pub(crate) ratio: f64,
}
