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
    pub(super) unsure: u64,
    pub(super) unreadable: u64,
}

/// What is done with groups of records `G`, by workers `W`, whose results are `R`.
pub(super) struct Steps<Read, Serve, Write, IsLarge, Clear> {
    /// Fills groups, and says how many have something; none at the end.
    pub(super) read: Read,
    /// Serves a group; the result goes where an older one was, for its memory.
    pub(super) serve: Serve,
    /// Takes a result, in the order of the groups.
    pub(super) write: Write,
    /// Whether a result is written at once, so that memory does not grow with the threads.
    pub(super) is_large: IsLarge,
    /// Empties a group.
    pub(super) clear: Clear,
}

/// Reads, serves and writes all groups; `first` was read already.
///
/// While the groups of one round are served, each by a worker in a thread, what was served before is written,
/// and the next round is read.
///
/// # Errors
/// Those of the steps.
pub(super) fn run<G, W, R, Read, Serve, Write, IsLarge, Clear>(
    threads: usize,
    first: G,
    mut steps: Steps<Read, Serve, Write, IsLarge, Clear>,
) -> Result<()>
where
    G: Default + Send + Sync,
    W: Default + Send,
    R: Default + Send,
    Read: FnMut(&mut [G]) -> Result<usize>,
    Serve: Fn(&mut W, &G, &mut R) -> Result<()> + Sync,
    Write: FnMut(&mut R) -> Result<()>,
    IsLarge: Fn(&R) -> bool,
    Clear: Fn(&mut G),
{
    fn several<T: Default>(count: usize) -> Vec<T> {
        std::iter::repeat_with(T::default).take(count).collect()
    }
    let mut workers: Vec<W> = several(threads);
    let (mut busy, mut idle): (Vec<G>, Vec<G>) = (several(threads), several(threads));
    // Results in the making, and those that wait to be written.
    let (mut made, mut waiting): (Vec<R>, Vec<R>) = (several(threads), several(threads));
    let mut waits = 0;
    busy[0] = first;
    let mut ready = (steps.read)(&mut busy)?;
    while ready > 0 {
        if waiting[..waits].iter().any(&steps.is_large) {
            waiting[..waits].iter_mut().try_for_each(&mut steps.write)?;
            waits = 0;
        }
        let serve = &steps.serve;
        let work = workers.iter_mut().zip(&busy).zip(&mut made).take(ready);
        let mut write_and_read = || {
            waiting[..waits].iter_mut().try_for_each(&mut steps.write)?;
            (steps.read)(&mut idle)
        };
        // One thread gains nothing by another.
        let (results, next): (Vec<_>, _) = if threads == 1 {
            let serve = |((worker, group), result)| serve(worker, group, result);
            (work.map(serve).collect(), write_and_read())
        } else {
            std::thread::scope(|scope| {
                let start =
                    |((worker, group), result)| scope.spawn(move || serve(worker, group, result));
                let running: Vec<_> = work.map(start).collect();
                let next = write_and_read();
                (running.into_iter().map(join).collect(), next)
            })
        };
        let next = next?;
        std::mem::swap(&mut made, &mut waiting);
        // What was served before the first failure is still written.
        waits = results.iter().take_while(|result| result.is_ok()).count();
        if let Some(failure) = results.into_iter().nth(waits) {
            waiting[..waits].iter_mut().try_for_each(&mut steps.write)?;
            return failure;
        }
        ready = next;
        std::mem::swap(&mut busy, &mut idle);
        idle.iter_mut().for_each(&steps.clear);
    }
    waiting[..waits].iter_mut().try_for_each(&mut steps.write)
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
        self.unsure += report.unsure;
        self.unreadable += report.unreadable;
        Ok(())
    }
}
