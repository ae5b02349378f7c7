//! Groups of records through all threads, in order.

use super::group::{Group, Report};
use super::plan::Plan;
use super::source::{Layout, Reader};
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
/// While the groups of one round are served, each in a thread, the next round is read. `first` is
/// a record that was read already.
///
/// # Errors
/// Of input and output, and the first record with an error if the settings say so.
pub(super) fn run<R: Reader, L: Layout<Row = R::Row>>(
    plan: &Plan,
    settings: Settings,
    mut reader: R,
    layout: &L,
    first: Option<R::Row>,
    output: &mut Output,
    progress: &mut Progress,
) -> Result<Total> {
    let mut total = Total::default();
    let mut seen = 0;
    let groups = || -> Vec<Group<R::Row>> {
        std::iter::repeat_with(Group::new).take(settings.threads).collect()
    };
    let (mut busy, mut idle) = (groups(), groups());
    let mut ready = match first {
        Some(row) => {
            busy[0].hold(row);
            1
        }
        None => read(&mut busy, &mut reader)?,
    };
    while ready > 0 {
        let serve = |group: &mut Group<R::Row>| group.process(plan, layout, settings.stop_on_error);
        let (results, next) = std::thread::scope(|scope| {
            let (last, others) = busy[..ready].split_last_mut().expect("one is ready");
            let threads: Vec<_> =
                others.iter_mut().map(|group| scope.spawn(move || serve(group))).collect();
            // Without other threads nothing is gained by reading in one of its own.
            let (result, next) = if settings.threads == 1 {
                (serve(last), read(&mut idle, &mut reader))
            } else {
                let thread = scope.spawn(|| serve(last));
                let next = read(&mut idle, &mut reader);
                (join(thread), next)
            };
            let results = threads.into_iter().map(join).chain([result]);
            (results.collect::<Vec<_>>(), next)
        });
        for (group, result) in busy.iter().zip(results) {
            result?;
            output.write(&group.out)?;
            total.add(&group.report, settings)?;
        }
        progress.add(reader.total() - seen);
        seen = reader.total();
        ready = next?;
        std::mem::swap(&mut busy, &mut idle);
    }
    Ok(total)
}

/// Fills groups, and returns how many have something.
fn read<R: Reader>(groups: &mut [Group<R::Row>], reader: &mut R) -> Result<usize> {
    for (n, group) in groups.iter_mut().enumerate() {
        if !group.read(reader)? {
            return Ok(n);
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
