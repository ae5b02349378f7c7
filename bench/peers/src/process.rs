//! Measuring happens in processes of its own: a library's speed may depend on where the system
//! happens to have put things, above all in RC4.

use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};
use serde::{Deserialize, Serialize};

use crate::pace::Pace;
use crate::participants;
use crate::sample::{Figures, measure};
use crate::select::Selection;
use crate::sweep::{self, SweepFigures};

/// The flag that makes a process a worker; it is followed by the seconds per row.
pub(crate) const WORKER: &str = "--worker";

/// What processes found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) rows: Vec<Figures>,
    pub(crate) sweeps: Vec<SweepFigures>,
}

impl Found {
    /// Takes in what another process found.
    pub(crate) fn add(&mut self, other: Self) {
        self.rows.extend(other.rows);
        self.sweeps.extend(other.sweeps);
    }
}

/// What a worker does: measures `selection` on one core, and prints what it found as JSON.
///
/// # Errors
/// A wrong result; a library that cannot be used.
pub(crate) fn work(selection: &Selection, budget: Duration, pace: Pace) -> Result<(), String> {
    stay_on_this_core()?;
    let participants = participants::all()?.present;
    let mut found = Found::default();
    for row in &selection.rows {
        found.rows.push(measure(row, &participants, budget, pace)?);
    }
    for sweep in &selection.sweeps {
        found.sweeps.push(sweep::measure(sweep, &participants, budget, pace)?);
    }
    let json = serde_json::to_string(&found).map_err(|error| error.to_string())?;
    println!("{json}");
    Ok(())
}

/// Runs a worker and reads what it found.
///
/// # Errors
/// The worker's, which it has printed itself.
pub(crate) fn run(selection: &Selection, budget: Duration, pace: Pace) -> Result<Found, String> {
    let program =
        std::env::current_exe().map_err(|error| format!("cannot find myself: {error}"))?;
    let output = Command::new(program)
        .args([WORKER, &budget.as_secs_f64().to_string()])
        .args(pace.flag())
        .args(selection.ids())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot start a process: {error}"))?;
    if !output.status.success() {
        return Err(format!("a process that measures failed: {}", output.status));
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("a process that measures printed something else: {error}"))
}

fn stay_on_this_core() -> Result<(), String> {
    let mut here = CpuSet::new();
    here.set(sched_getcpu());
    sched_setaffinity(None, &here).map_err(|error| format!("cannot stay on one core: {error}"))
}
