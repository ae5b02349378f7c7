//! Groups of records through all threads, in order.

use super::layout::Layout;
use super::plan::Plan;
use super::rows::{BYTES, Reader, Rows, Splitter};
use super::worker::{Report, Worker};
use crate::errors::{Error, Result};
use crate::io::output::Output;
use crate::io::progress::Progress;

/// How a run goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) threads: usize,
    pub(super) stop_on_error: bool,
}

/// What became of all records.
#[derive(Clone, Debug, Default)]
pub(super) struct Total {
    pub(super) records: u64,
    pub(super) errors: u64,
    pub(super) weak_keys: u64,
    pub(super) headers: u64,
}

/// Reads, serves and writes all records.
///
/// While the groups of one round are served, each in a thread, the next round is read. `first` are
/// records that were read already.
///
/// # Errors
/// Of input and output, and the first record with an error if the settings say so.
pub(super) fn run<F: Splitter>(
    plan: &Plan,
    settings: Settings,
    mut reader: Reader<'_, F>,
    layout: &impl Layout,
    first: Rows,
    output: &mut Output,
    progress: &mut Progress,
) -> Result<Total> {
    let mut total = Total::default();
    let mut seen = 0;
    let mut workers: Vec<_> =
        std::iter::repeat_with(Worker::default).take(settings.threads).collect();
    let groups =
        || -> Vec<_> { std::iter::repeat_with(Rows::default).take(settings.threads).collect() };
    let (mut busy, mut idle) = (groups(), groups());
    busy[0] = first;
    let mut ready = read(&mut busy, &mut reader, layout)?;
    while ready > 0 {
        let serve = |(worker, rows): (&mut Worker, &Rows)| {
            worker.process(plan, layout, rows, settings.stop_on_error)
        };
        let (results, next) = std::thread::scope(|scope| {
            let mut work: Vec<_> = workers.iter_mut().zip(&busy).take(ready).collect();
            let last = work.pop().expect("one is ready");
            let threads: Vec<_> =
                work.into_iter().map(|work| scope.spawn(move || serve(work))).collect();
            // Without other threads nothing is gained by reading in one of its own.
            let (result, next) = if settings.threads == 1 {
                (serve(last), read(&mut idle, &mut reader, layout))
            } else {
                let thread = scope.spawn(move || serve(last));
                let next = read(&mut idle, &mut reader, layout);
                (join(thread), next)
            };
            let results = threads.into_iter().map(join).chain([result]);
            (results.collect::<Vec<_>>(), next)
        });
        for (worker, result) in workers.iter_mut().zip(results) {
            result?;
            output.write(&worker.out)?;
            total.add(&worker.report, settings)?;
            worker.clear();
        }
        progress.add(reader.total() - seen);
        seen = reader.total();
        ready = next?;
        std::mem::swap(&mut busy, &mut idle);
        idle.iter_mut().for_each(Rows::clear);
    }
    Ok(total)
}

/// Fills groups, and returns how many have something. A round ends early where rows are large, so
/// that the number of large rows in memory does not grow with the threads.
fn read<F: Splitter>(
    groups: &mut [Rows],
    reader: &mut Reader<'_, F>,
    layout: &impl Layout,
) -> Result<usize> {
    let weight = layout.weight();
    let mut room = groups.len() * BYTES;
    for (n, rows) in groups.iter_mut().enumerate() {
        rows.fill(reader, weight)?;
        if rows.len() == 0 {
            return Ok(n);
        }
        room = room.saturating_sub(rows.weight(weight));
        if room == 0 {
            return Ok(n + 1);
        }
    }
    Ok(groups.len())
}

fn join<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

impl Total {
    fn add(&mut self, report: &Report, settings: Settings) -> Result<()> {
        if let (Some((before, line, error)), true) = (&report.first_error, settings.stop_on_error) {
            return Err(Error::failure(format!(
                "record {} (line {line}): {error}; stopped there, as --stop-on-error says",
                self.records + before + 1
            )));
        }
        self.records += report.records;
        self.errors += report.errors;
        self.weak_keys += report.weak_keys;
        self.headers += report.headers;
        Ok(())
    }
}
