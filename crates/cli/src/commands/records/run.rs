//! Groups of records through all threads, in order.

use super::layout::Layout;
use super::rows::{BYTES, Reader, Rows, Splitter};
use super::status::Counts;
use super::worker::Report;
use crate::errors::{Error, Result};

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
    pub(super) counts: Counts,
    pub(super) weak_keys: u64,
    pub(super) headers: u64,
    pub(super) wide: u64,
}

/// Reads, serves and writes all groups.
///
/// `read` fills groups and says how many have something; none at the end. While the groups of one round are
/// served, each by a worker in a thread, what was served before is written, in its order, and the next round is
/// read. `first` was read already; `clear` empties a group.
///
/// # Errors
/// Those of the three.
pub(super) fn run<G: Default + Send + Sync, W: Default + Send>(
    threads: usize,
    first: G,
    mut read: impl FnMut(&mut [G]) -> Result<usize>,
    serve: impl Fn(&mut W, &G) -> Result<()> + Sync,
    mut write: impl FnMut(&mut W) -> Result<()>,
    clear: impl Fn(&mut G),
) -> Result<()> {
    let workers = || -> Vec<W> { std::iter::repeat_with(W::default).take(threads).collect() };
    let groups = || -> Vec<G> { std::iter::repeat_with(G::default).take(threads).collect() };
    let (mut busy, mut idle) = (groups(), groups());
    // Those at work, and those whose results wait to be written.
    let (mut serving, mut served) = (workers(), workers());
    let mut waiting = 0;
    busy[0] = first;
    let mut ready = read(&mut busy)?;
    while ready > 0 {
        let serve = |(worker, group): (&mut W, &G)| serve(worker, group);
        let work = serving.iter_mut().zip(&busy).take(ready);
        let mut write_and_read = || {
            served[..waiting].iter_mut().try_for_each(&mut write)?;
            read(&mut idle)
        };
        // One thread gains nothing by another.
        let (results, next): (Vec<_>, _) = if threads == 1 {
            (work.map(serve).collect(), write_and_read())
        } else {
            std::thread::scope(|scope| {
                let running: Vec<_> = work.map(|work| scope.spawn(move || serve(work))).collect();
                let next = write_and_read();
                (running.into_iter().map(join).collect(), next)
            })
        };
        let next = next?;
        // What was served before the first failure is still written.
        let good = results.iter().take_while(|result| result.is_ok()).count();
        std::mem::swap(&mut serving, &mut served);
        waiting = good;
        if let Some(failure) = results.into_iter().nth(good) {
            served[..waiting].iter_mut().try_for_each(&mut write)?;
            return failure;
        }
        ready = next;
        std::mem::swap(&mut busy, &mut idle);
        idle.iter_mut().for_each(&clear);
    }
    served[..waiting].iter_mut().try_for_each(&mut write)
}

/// Fills groups with rows, and returns how many have something. A round ends early where rows are large, so
/// that the number of large rows in memory does not grow with the threads.
///
/// # Errors
/// The reader's.
pub(super) fn read_rows<F: Splitter>(
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
    /// # Errors
    /// The first record with an error, if the settings say so.
    pub(super) fn add(&mut self, report: &Report, settings: Settings) -> Result<()> {
        if let (Some((before, line, error)), true) = (&report.first_error, settings.stop_on_error) {
            let place = line.map(|line| format!(" (line {line})")).unwrap_or_default();
            return Err(Error::failure(format!(
                "record {}{place}: {error}; stopped there, as --stop-on-error says",
                self.records + before + 1
            )));
        }
        self.records += report.records;
        self.errors += report.errors;
        self.counts.add_all(&report.counts);
        self.weak_keys += report.weak_keys;
        self.headers += report.headers;
        self.wide += report.wide;
        Ok(())
    }
}
