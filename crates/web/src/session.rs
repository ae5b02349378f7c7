//! What the page can ask for, in the order in which it asks.

use serde_json::{Value, json};

use crate::catalogue;
use crate::form::Form;
use crate::sampler::{self, Sampler};
use crate::stream::Stream;
use crate::value;

/// An answer, or what is wrong in words for the user.
pub type Answer = Result<Reply, String>;

/// An answer: bytes, and what is to be said of them.
#[derive(Default)]
pub struct Reply {
    pub(crate) bytes: Vec<u8>,
    pub(crate) report: Value,
}

/// One file, value or column at work.
#[derive(Default)]
pub struct Session {
    room: Vec<u8>,
    /// The bytes of the last answer, and its report in JSON.
    last: [Vec<u8>; 2],
    form: Form,
    sampler: Sampler,
    stream: Option<Stream>,
}

const NOT_BEGUN: &str = "the page asked for things in a wrong order: that is a defect of it";

impl From<Value> for Reply {
    fn from(report: Value) -> Self {
        Self { bytes: Vec::new(), report }
    }
}

impl Session {
    /// Room for a question of `len` bytes; what it has is not said.
    pub fn room(&mut self, len: usize) -> &mut [u8] {
        self.room.resize(len.max(self.room.len()), 0);
        &mut self.room[..len]
    }

    /// The last answer: its bytes, or (any other than 0) the report as JSON. Of an error: its words.
    #[must_use]
    pub fn reply(&self, which: usize) -> &[u8] {
        &self.last[which.min(1)]
    }

    /// Answers a question whose `len` bytes are in the room. Returns whether there is an answer.
    pub fn answer(&mut self, len: usize, ask: impl FnOnce(&mut Self, &[u8]) -> Answer) -> bool {
        let room = std::mem::take(&mut self.room);
        let answer = ask(self, &room[..len.min(room.len())]);
        self.room = room;
        let is_answered = answer.is_ok();
        self.last = match answer {
            Ok(reply) => [reply.bytes, reply.report.to_string().into_bytes()],
            Err(words) => [words.into_bytes(), Vec::new()],
        };
        is_answered
    }

    /// What there is to choose from: presets, ciphers, digests, and what each preset needs.
    ///
    /// # Errors
    /// None.
    pub fn describe(&mut self) -> Answer {
        Ok(catalogue::describe().into())
    }

    /// What a value, or a file of `len` bytes, may be, of which `start` are the first.
    ///
    /// # Errors
    /// None.
    pub fn recognise(&mut self, start: &[u8], len: u64) -> Answer {
        Ok(catalogue::recognise(start, len).into())
    }

    /// Takes what the user filled in, as JSON; forgets what was begun.
    ///
    /// # Errors
    /// A field that means nothing.
    pub fn fill_in(&mut self, form: &[u8]) -> Answer {
        self.form = Form::read(form)?;
        self.sampler = Sampler::new(&self.form)?;
        self.stream = None;
        Ok(Reply::default())
    }

    /// Opens a whole value. The report says what became of it.
    ///
    /// # Errors
    /// What was filled in cannot be used, whatever the value is.
    pub fn open(&mut self, value: &[u8]) -> Answer {
        value::open(&self.form, value)
    }

    /// Opens a value in each line of a text. The report says of each what became of it.
    ///
    /// # Errors
    /// What was filled in cannot be used, whatever the values are.
    pub fn column(&mut self, text: &[u8]) -> Answer {
        value::column(&self.form, text)
    }

    /// Looks at the next piece of a file, before it comes again to be decrypted.
    ///
    /// # Errors
    /// It is not the text that it should be.
    pub fn sample(&mut self, piece: &[u8]) -> Answer {
        self.sampler.feed(piece)?;
        Ok(Reply::default())
    }

    /// Tells of bytes of a file that are not shown: only of one that is no text, and in its middle.
    ///
    /// # Errors
    /// None.
    pub fn skip(&mut self, bytes: u64) -> Answer {
        self.sampler.skip(bytes);
        Ok(Reply::default())
    }

    /// Finds the key for the file that was looked at, which now comes from its start. The report has what
    /// is to be said of that.
    ///
    /// # Errors
    /// What was filled in does not fit the file.
    pub fn begin(&mut self) -> Answer {
        let sample = std::mem::take(&mut self.sampler).finish()?;
        let (stream, notes) = Stream::begin(&self.form, sample, sampler::decoder(&self.form)?)?;
        self.stream = Some(stream);
        Ok(json!({ "notes": notes }).into())
    }

    /// Decrypts the next piece of the file.
    ///
    /// # Errors
    /// It is not the text that it should be.
    pub fn update(&mut self, piece: &[u8]) -> Answer {
        let stream = self.stream.as_mut().ok_or(NOT_BEGUN)?;
        let mut bytes = std::mem::take(&mut self.last[0]);
        bytes.clear();
        stream.update(piece, &mut bytes)?;
        Ok(Reply { bytes, report: Value::Null })
    }

    /// Ends the file. The report says what shows that the key was right, where a preset tells, and what is missing,
    /// where salvage was asked for.
    ///
    /// # Errors
    /// A wrong key, a length that no such message has, text that is cut.
    pub fn finish(&mut self) -> Answer {
        let stream = self.stream.take().ok_or(NOT_BEGUN)?;
        let mut bytes = Vec::new();
        let notes = stream.finish(&mut bytes)?;
        Ok(Reply { bytes, report: json!({ "notes": notes }) })
    }
}
