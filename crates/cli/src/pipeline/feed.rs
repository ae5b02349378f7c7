//! Pieces of the message: read when they are asked for from a file, and ahead from all that may keep one
//! waiting.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use cipherloom_formats::Damage;

use crate::errors::{Error, Result};
use crate::io::source::Source;

/// Most bytes of a piece: few enough to stay in a core's second cache from reading to writing, so many
/// that it does not matter what passing on the input and the output costs.
pub(super) const CHUNK: usize = 512 << 10;
/// The same in a chain, where all wait for the worker that has the engine, and it had to wake up first.
pub(super) const CHUNK_OF_CHAIN: usize = 4 << 20;
/// Buffers that go round between the reading thread and who takes pieces of it.
const BUFFERS: usize = 2;
/// How long input may keep silent before it is asked whether anybody still wants it.
const SILENCE: Duration = Duration::from_millis(100);
/// How long more of a piece is waited for while nobody has asked for it.
const MORE: Duration = Duration::from_millis(1);

/// Where pieces come from.
pub(super) enum Feed {
    /// A regular file, and most bytes of a piece.
    File(Source, usize),
    /// A pipe, a terminal or a device.
    Ahead(Ahead),
}

/// A piece.
pub(super) struct Piece {
    pub(super) len: usize,
    /// There, if it is the last one.
    pub(super) end: Option<End>,
}

/// What is known at the end of the input.
pub(super) struct End {
    /// What its decoder had to leave out.
    pub(super) damage: Vec<Damage>,
    /// Bytes that it had.
    pub(super) read_in_all: u64,
}

impl Feed {
    /// Pieces of at most `chunk` bytes; of a short file, no more than it takes to see its end as well.
    pub(super) fn new(source: Source, chunk: usize) -> Self {
        match source.len() {
            Some(len) => Self::File(source, chunk.min((len as usize).saturating_add(1))),
            None => Self::Ahead(Ahead::start(source, chunk)),
        }
    }

    /// Whether it is read ahead.
    pub(super) fn is_ahead(&self) -> bool {
        matches!(self, Self::Ahead(_))
    }

    /// Most bytes that a piece will have.
    pub(super) fn chunk(&self) -> usize {
        match self {
            Self::File(_, chunk) => *chunk,
            Self::Ahead(ahead) => ahead.chunk,
        }
    }

    /// Reads the next piece, or none if the work was stopped in the meantime.
    ///
    /// # Errors
    /// Of reading.
    pub(super) fn next(&mut self, room: &mut [u8], stopped: &AtomicBool) -> Result<Option<Piece>> {
        match self {
            Self::File(source, _) => read_whole(source, room).map(Some),
            Self::Ahead(ahead) => ahead.next(room, stopped),
        }
    }
}

/// Reads until there is no more room or no more to read.
fn read_whole(source: &mut Source, room: &mut [u8]) -> Result<Piece> {
    let mut len = 0;
    while len < room.len() {
        match source.read(&mut room[len..])? {
            0 => return Ok(Piece { len, end: Some(end(source)) }),
            count => len += count,
        }
    }
    Ok(Piece { len, end: None })
}

fn end(source: &Source) -> End {
    End { damage: source.damage(), read_in_all: source.read_in_all() }
}

/// A thread that reads ahead. It can be waited for once it has sent the end: where the work stopped
/// before, it may hang in a read that never ends, and ends with the process.
pub(super) struct Ahead {
    full: Receiver<Message>,
    empty: Sender<Vec<u8>>,
    chunk: usize,
    reader: Option<JoinHandle<()>>,
}

/// What the thread sends.
enum Message {
    /// A buffer, and how many of its bytes count.
    Bytes(Vec<u8>, usize),
    /// The end of the input, or what went wrong.
    End(Result<End>),
}

impl Ahead {
    fn start(mut source: Source, chunk: usize) -> Self {
        let (sender, full) = mpsc::sync_channel(0);
        let (empty, returned) = mpsc::channel::<Vec<u8>>();
        for _ in 0..BUFFERS {
            let _ = empty.send(vec![0; chunk]);
        }
        let reader = thread::spawn(move || {
            for buffer in returned {
                match fill(&mut source, &sender, buffer) {
                    Ok(Next::More) => {}
                    Ok(Next::End) => {
                        let _ = sender.send(Message::End(Ok(end(&source))));
                        return;
                    }
                    Ok(Next::Unwanted) => return,
                    Err(error) => {
                        let _ = sender.send(Message::End(Err(error)));
                        return;
                    }
                }
            }
        });
        Self { full, empty, chunk, reader: Some(reader) }
    }

    fn next(&mut self, room: &mut [u8], stopped: &AtomicBool) -> Result<Option<Piece>> {
        let message = loop {
            match self.full.recv_timeout(SILENCE) {
                Err(RecvTimeoutError::Timeout) if stopped.load(Ordering::Relaxed) => {
                    return Ok(None);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::failure("the reading thread ended unexpectedly"));
                }
                Ok(message) => break message,
            }
        };
        match message {
            Message::Bytes(buffer, len) => {
                // The buffer itself goes back: where reading hangs, it must hold no plaintext of ours.
                room[..len].copy_from_slice(&buffer[..len]);
                let _ = self.empty.send(buffer);
                Ok(Some(Piece { len, end: None }))
            }
            Message::End(result) => {
                // It has no more to do than to free its buffers, which wipes them.
                let _ = self.reader.take().map(JoinHandle::join);
                Ok(Some(Piece { len: 0, end: Some(result?) }))
            }
        }
    }
}

/// How reading goes on.
enum Next {
    More,
    End,
    /// Nobody works any more.
    Unwanted,
}

/// Reads until the buffer is full, until someone waits for what is there, or until there is no more for
/// the moment: a slow pipe is passed on at once, a fast one in large pieces.
fn fill(source: &mut Source, sender: &SyncSender<Message>, mut buffer: Vec<u8>) -> Result<Next> {
    let mut len = 0;
    loop {
        let count = source.read(&mut buffer[len..])?;
        len += count;
        if count == 0 && len == 0 {
            return Ok(Next::End);
        }
        match sender.try_send(Message::Bytes(buffer, len)) {
            Ok(()) => return Ok(Next::More),
            Err(TrySendError::Full(Message::Bytes(back, _))) => buffer = back,
            Err(_) => return Ok(Next::Unwanted),
        }
        if count == 0 || len == buffer.len() || !source.is_ready(MORE) {
            let sent = sender.send(Message::Bytes(buffer, len));
            return Ok(if sent.is_ok() { Next::More } else { Next::Unwanted });
        }
    }
}
