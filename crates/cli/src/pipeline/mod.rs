//! Reading, working and writing at the same time, in constant memory.
//!
//! A few workers have a buffer each. A worker reads a piece of the message into it, transforms it there,
//! and writes it, so that a piece stays in the cache of one core. Meanwhile the others do the same with
//! the pieces that follow. The input, the engine and the output exist once, and go round among the
//! workers, in the order of the pieces.

mod feed;
mod out;
#[cfg(test)]
mod tests;
mod worker;

use std::sync::atomic::AtomicBool;
use std::thread;

use cipherloom_formats::Engine;

pub(crate) use out::{Report, Sink};
pub(crate) use worker::Manner;

use crate::errors::Result;
use crate::io::progress::Progress;
use crate::io::source::Source;
use feed::{CHUNK, CHUNK_OF_CHAIN, Feed};
use out::Out;
use worker::Worker;

/// Sends all of `source` through `engine` to `sink`.
///
/// # Errors
/// Of reading, of the cipher (wrong padding, for one), or of writing: the one that is met first in the
/// order of the message. All before it was written.
pub(crate) fn run(
    source: Source,
    engine: Engine,
    sink: &mut impl Sink,
    mut progress: Progress,
    manner: Manner,
) -> Result<Report> {
    let mut report = Report::default();
    let stopped = AtomicBool::new(false);
    let out = Out { sink, progress: &mut progress, report: &mut report };
    let chunk = if engine.is_chain() { CHUNK_OF_CHAIN } else { CHUNK };
    let first = Worker::ring(Feed::new(source, chunk), engine, out, manner, &stopped);
    thread::scope(|scope| first.map_or(Ok(()), |first| first.run(scope)))?;
    Ok(report)
}
