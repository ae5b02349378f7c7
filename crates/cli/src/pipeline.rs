//! Reading, working and writing at the same time, in constant memory.
//!
//! A thread reads ahead, this thread works (and spreads the work over others where the mode allows),
//! a third writes. Each pair shares a few buffers that go round, so memory does not depend on the
//! input's size.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use cipherloom_formats::{Damage, Engine};

use crate::errors::{Error, Result};
use crate::io::output::Output;
use crate::io::progress::Progress;
use crate::io::source::Source;

/// Most bytes worked on at a time: large enough to keep many threads busy.
const CHUNK: usize = 2 << 20;
/// Buffers that go round between two threads.
const BUFFERS: usize = 2;
/// How long input may keep silent before it is asked whether anybody still takes the output.
const SILENCE: Duration = Duration::from_millis(100);

/// Where the result goes, piece by piece.
pub(crate) trait Sink: Send {
    /// Takes the next bytes.
    ///
    /// # Errors
    /// The bytes cannot be kept; no more will be sent.
    fn write(&mut self, bytes: &[u8]) -> Result<()>;
}

impl Sink for Output {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        Self::write(self, bytes)
    }
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Bytes of the message that were read.
    pub(crate) read: u64,
    /// Bytes of the input that were read, with header, as text where it is text.
    pub(crate) read_in_all: u64,
    /// In salvage: what is missing.
    pub(crate) missing: Vec<Damage>,
}

/// Sends all of `source` through `engine` to `sink`. With `salvage`, damage at the end is
/// reported and is no error.
///
/// # Errors
/// Of reading, of the cipher (wrong padding, for one), or of writing.
pub(crate) fn run(
    source: Source,
    mut engine: Engine,
    sink: &mut impl Sink,
    mut progress: Progress,
    salvage: bool,
) -> Result<Report> {
    let (full, empty, reader) = read_ahead(source);
    let mut report = Report::default();
    thread::scope(|scope| {
        let (done, to_write) = mpsc::sync_channel::<Vec<u8>>(1);
        let (written, free) = mpsc::channel::<Vec<u8>>();
        for _ in 0..BUFFERS {
            // The receiver lives as long as this scope.
            let _ = written.send(Vec::new());
        }
        let writer = scope.spawn(move || -> Result<()> {
            for mut bytes in to_write {
                sink.write(&bytes)?;
                bytes.clear();
                let _ = written.send(bytes);
            }
            Ok(())
        });
        // A buffer to fill, unless the writer gave up.
        let work = || -> Result<()> {
            loop {
                let Ok(mut out) = free.recv() else { return Ok(()) };
                let piece = loop {
                    match full.recv_timeout(SILENCE) {
                        Err(RecvTimeoutError::Timeout) if writer.is_finished() => return Ok(()),
                        Err(RecvTimeoutError::Timeout) => {}
                        other => break other,
                    }
                };
                match piece {
                    Ok(Piece::Bytes(buffer, len)) => {
                        report.read += len as u64;
                        progress.add(len as u64);
                        engine.update(&buffer[..len], &mut out)?;
                        let _ = empty.send(buffer);
                        if done.send(out).is_err() {
                            return Ok(());
                        }
                    }
                    Ok(Piece::End(result)) => {
                        // It has no more to do than to free its buffers, which wipes them.
                        let _ = reader.join();
                        let (damage, read_in_all) = result?;
                        report.read_in_all = read_in_all;
                        if salvage {
                            report.missing = damage;
                            report.missing.extend(engine.salvage(&mut out)?);
                        } else {
                            engine.finish(&mut out)?;
                        }
                        let _ = done.send(out);
                        return Ok(());
                    }
                    Err(_) => return Err(Error::failure("the reading thread ended unexpectedly")),
                }
            }
        };
        let worked = work();
        drop(done);
        drop(free);
        let wrote = writer
            .join()
            .unwrap_or_else(|_| Err(Error::failure("the writing thread ended unexpectedly")));
        // Where writing failed, the work merely stopped.
        wrote.and(worked)
    })?;
    Ok(report)
}

/// What the reader sends.
enum Piece {
    /// A buffer, and how many of its bytes count.
    Bytes(Vec<u8>, usize),
    /// The end of the input, with what its decoder had to leave out and how many bytes it had, or
    /// what went wrong.
    End(Result<(Vec<Damage>, u64)>),
}

/// Starts the reader. It can be waited for once it has sent the end: where writing fails, it may hang
/// in a read that never ends, and ends with the process.
fn read_ahead(mut source: Source) -> (Receiver<Piece>, Sender<Vec<u8>>, JoinHandle<()>) {
    let (sender, full) = mpsc::sync_channel(0);
    let (empty, returned) = mpsc::channel::<Vec<u8>>();
    for _ in 0..BUFFERS {
        let _ = empty.send(vec![0; CHUNK]);
    }
    let reader = thread::spawn(move || {
        for buffer in returned {
            match fill(&mut source, &sender, buffer) {
                Ok(Next::More) => {}
                Ok(Next::End) => {
                    let _ = sender.send(Piece::End(Ok((source.damage(), source.read_in_all()))));
                    return;
                }
                Ok(Next::Unwanted) => return,
                Err(error) => {
                    let _ = sender.send(Piece::End(Err(error)));
                    return;
                }
            }
        }
    });
    (full, empty, reader)
}

/// How reading goes on.
enum Next {
    More,
    End,
    /// Nobody works any more.
    Unwanted,
}

/// Reads until the buffer is full, or until someone waits for what is there: a slow pipe is passed
/// on at once, a fast one in large pieces.
fn fill(source: &mut Source, sender: &SyncSender<Piece>, mut buffer: Vec<u8>) -> Result<Next> {
    let mut len = 0;
    loop {
        let count = source.read(&mut buffer[len..])?;
        len += count;
        if count == 0 && len == 0 {
            return Ok(Next::End);
        }
        if count == 0 || len == buffer.len() {
            let sent = sender.send(Piece::Bytes(buffer, len));
            return Ok(if sent.is_ok() { Next::More } else { Next::Unwanted });
        }
        match sender.try_send(Piece::Bytes(buffer, len)) {
            Ok(()) => return Ok(Next::More),
            Err(TrySendError::Full(Piece::Bytes(back, _))) => buffer = back,
            Err(_) => return Ok(Next::Unwanted),
        }
    }
}
