//! The workers, who stand in a ring.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{Scope, ScopedJoinHandle};

use cipherloom_formats::{Damage, Engine, HEADROOM, Piece};

use super::feed::{End, Feed, Piece as Read};
use super::out::{Out, Sink};
use crate::errors::{Error, Result};

/// Fewest workers, as one reads or writes while the other transforms, and most: more would wait for the
/// input and the output. One for each core is best: of more, the one that has the output waits for a core
/// now and then, and all others for it. But beside a pipe there is one more, as other programs, too, keep
/// one waiting.
const WORKERS: [usize; 2] = [2, 64];

/// How the work is to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Threads that transform pieces at the same time, where the mode allows it.
    pub(crate) threads: usize,
    /// Damage at the end is reported and is no error.
    pub(crate) salvage: bool,
}

/// One that takes every so many-th piece from the input to the output.
///
/// What goes round is taken from the worker of the piece before, and passed on to that of the piece
/// behind. A worker that ends passes nothing on, and so ends the others: at the end of the message, after
/// an error, and in a panic.
pub(super) struct Worker<'a, S> {
    feed: Place<Feed>,
    engine: Place<Engine>,
    out: Place<Out<'a, S>>,
    manner: Manner,
    /// Whether any has ended.
    stopped: &'a AtomicBool,
    /// The next one, until it is started: when there is a second piece.
    next: Option<Box<Self>>,
}

/// A worker's place in the ring in which one thing goes round.
struct Place<T> {
    from: Receiver<T>,
    to: Sender<T>,
}

impl<T> Place<T> {
    /// A ring of so many places, with `it` at the first one.
    fn ring(it: T, count: usize) -> Vec<Self> {
        let (mut to, from): (Vec<_>, Vec<_>) = (0..count).map(|_| mpsc::channel()).unzip();
        let _ = to[0].send(it);
        to.rotate_left(1);
        from.into_iter().zip(to).map(|(from, to)| Self { from, to }).collect()
    }

    /// None if it will not come any more.
    fn take(&self) -> Option<T> {
        self.from.recv().ok()
    }

    fn pass(&self, it: T) {
        // Where the next one has ended, this one will hear of it.
        let _ = self.to.send(it);
    }
}

impl<'a, S: Sink> Worker<'a, S> {
    /// The first of a ring of workers.
    pub(super) fn ring(
        feed: Feed,
        engine: Engine,
        out: Out<'a, S>,
        manner: Manner,
        stopped: &'a AtomicBool,
    ) -> Option<Box<Self>> {
        let [fewest, most] = WORKERS;
        let useful = if engine.is_chain() { 1 } else { manner.threads };
        let count = useful.clamp(fewest, most) + usize::from(feed.is_ahead());
        let (engine, out) = (Place::ring(engine, count), Place::ring(out, count));
        let places = Place::ring(feed, count).into_iter().zip(engine).zip(out);
        places.rev().fold(None, |next, ((feed, engine), out)| {
            Some(Box::new(Self { feed, engine, out, manner, stopped, next }))
        })
    }

    /// Works until the end, and waits for those that stand behind it.
    ///
    /// # Errors
    /// Of reading, of the cipher, or of writing.
    pub(super) fn run<'scope>(mut self: Box<Self>, scope: &'scope Scope<'scope, 'a>) -> Result<()> {
        let mut started = None;
        let result = self.rounds(scope, &mut started);
        drop(self);
        let others = started.map(|thread| thread.join().unwrap_or_else(|_| Err(unexpected())));
        result.and(others.unwrap_or(Ok(())))
    }

    fn rounds<'scope>(
        &mut self,
        scope: &'scope Scope<'scope, 'a>,
        started: &mut Option<ScopedJoinHandle<'scope, Result<()>>>,
    ) -> Result<()> {
        let mut buffer = Vec::new();
        loop {
            let Some(mut feed) = self.feed.take() else { return Ok(()) };
            if buffer.is_empty() {
                buffer = vec![0; HEADROOM + feed.chunk()];
            }
            let read = feed.next(&mut buffer[HEADROOM..], self.stopped);
            let Some(read) = read.transpose() else { return Ok(()) };
            if matches!(read, Ok(Read { end: None, .. })) {
                self.feed.pass(feed);
                if let Some(next) = self.next.take() {
                    *started = Some(scope.spawn(move || next.run(scope)));
                }
            }
            let Some(engine) = self.engine.take() else { return Ok(()) };
            let done = read.and_then(|read| self.transform(engine, read, &mut buffer));
            // An error has its turn when all before it is written.
            let Some(mut out) = self.out.take() else { return Ok(()) };
            let (len, piece, ending) = done?;
            out.write(piece.bytes(), len)?;
            let Some(ending) = ending else {
                self.out.pass(out);
                continue;
            };
            let Ending { last, read_in_all, missing } = ending?;
            out.write(&last, 0)?;
            out.report.read_in_all = read_in_all;
            out.report.missing = missing;
            return Ok(());
        }
    }

    /// Transforms a piece; with the last one, ends the message.
    fn transform<'b>(
        &self,
        mut engine: Engine,
        read: Read,
        buffer: &'b mut [u8],
    ) -> Result<(usize, Piece<'b>, Option<Result<Ending>>)> {
        let mut piece = Piece::new(buffer, read.len);
        let part = engine.advance(&mut piece)?;
        let mut ending = None;
        match read.end {
            None if self.manner.threads > 1 => {
                self.engine.pass(engine);
                part.run(&mut piece)?;
            }
            None => {
                part.run(&mut piece)?;
                self.engine.pass(engine);
            }
            Some(end) => {
                part.run(&mut piece)?;
                ending = Some(self.finish(engine, end));
            }
        }
        Ok((read.len, piece, ending))
    }

    fn finish(&self, engine: Engine, end: End) -> Result<Ending> {
        let mut ending =
            Ending { last: Vec::new(), read_in_all: end.read_in_all, missing: end.damage };
        if self.manner.salvage {
            ending.missing.extend(engine.salvage(&mut ending.last)?);
        } else {
            engine.finish(&mut ending.last)?;
        }
        Ok(ending)
    }
}

impl<S> Drop for Worker<'_, S> {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

/// What comes at the end of the message.
struct Ending {
    last: Vec<u8>,
    read_in_all: u64,
    missing: Vec<Damage>,
}

fn unexpected() -> Error {
    Error::failure("a thread ended unexpectedly")
}
