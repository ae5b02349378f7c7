//! A group of records on its way through a cipher: their bytes in buffers that are used again.

use std::fmt;
use std::ops::Range;

use cipherloom::Error;
use cipherloom::batch::{Outcome, Record};
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::salted;

use crate::task::{IvFrom, KeyFrom, Task, WeakKeys};
use crate::wiped::Wiped;
use crate::work::check_key_len;

/// More than any padding adds.
const ROOM: usize = 8;

/// Takes records in, encrypts or decrypts them, and gives their results in their order.
#[derive(Default)]
pub struct Group {
    waiting: Vec<Spans>,
    outcomes: Vec<Outcome>,
    keys: Wiped,
    ivs: Wiped,
    data: Wiped,
}

/// Data, a key or an IV, and how that is written.
#[derive(Clone, Copy)]
pub struct Field<'a> {
    /// As it is written.
    pub bytes: &'a [u8],
    /// What that is.
    pub encoding: Encoding,
}

/// What is told of a record beside its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Its key is weak, or something like it.
    pub is_weak: bool,
    /// It began with OpenSSL's header, which was left out.
    pub had_header: bool,
}

/// Why no record was served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupError {
    /// The library refused: its self-test.
    Library(Error),
    /// The system has no random bytes for IVs.
    Random(getrandom::Error),
}

/// Where a record lies in the buffers.
struct Spans {
    key: Range<usize>,
    iv: Range<usize>,
    /// The message.
    data: Range<usize>,
    marks: Marks,
}

impl Group {
    /// Takes a record in. Of key and IV those are needed that the task has of each record.
    ///
    /// # Errors
    /// What is wrong with the record, which is not taken in then.
    pub fn take(
        &mut self,
        task: &Task,
        data: Field<'_>,
        key: Option<Field<'_>>,
        iv: Option<Field<'_>>,
    ) -> Result<(), String> {
        let before = (self.keys.len(), self.ivs.len(), self.data.len());
        match self.read(task, data, [key, iv]) {
            Ok(spans) => {
                self.waiting.push(spans);
                Ok(())
            }
            Err(error) => {
                self.keys.truncate(before.0);
                self.ivs.truncate(before.1);
                self.data.truncate(before.2);
                Err(error)
            }
        }
    }

    #[inline]
    fn read(
        &mut self,
        task: &Task,
        data: Field<'_>,
        [key, iv]: [Option<Field<'_>>; 2],
    ) -> Result<Spans, String> {
        let mut marks = Marks::default();
        let (key_start, iv_start) = (self.keys.len(), self.ivs.len());
        if let KeyFrom::Each { fill_up } = task.key {
            decode(key, "key", &mut self.keys, fill_up.unwrap_or_default())?;
            if let Some(len) = fill_up {
                self.keys.resize(key_start + len, 0);
            }
            let key = &self.keys[key_start..];
            check_key_len(task.cipher(), key.len())?;
            if task.weak_keys != WeakKeys::Taken
                && let Some(fault) = task.cipher().fault(key)
            {
                if task.weak_keys == WeakKeys::Refused {
                    return Err(format!("refused key: {fault}"));
                }
                marks.is_weak = true;
            }
        }
        if task.iv == IvFrom::Each {
            decode(iv, "IV", &mut self.ivs, 0)?;
            let got = self.ivs.len() - iv_start;
            if got != 8 {
                return Err(format!("the IV has {got} bytes, and {} takes 8", task.cipher().name));
            }
        }
        // Place for an IV that will be made.
        let front = if task.makes_ivs() { 8 } else { 0 };
        self.ivs.make_room(8);
        self.ivs.extend(&[0; 8][..front]);
        self.data.make_room(8);
        self.data.extend(&[0; 8][..front]);
        let mut start = self.data.len();
        decode(Some(data), "data", &mut self.data, ROOM)?;
        // Encrypted data starts like a header by chance once in 2^64.
        marks.had_header = task.may_have_header && self.data[start..].starts_with(&salted::MAGIC);
        if marks.had_header {
            let salt = salted::parse(&self.data[start..], salted::SALT_LEN);
            start += salted::header(&salt.map_err(|error| error.to_string())?).len();
        }
        if task.iv == IvFrom::Prefix && front == 0 {
            let Some(iv) = self.data[start..].first_chunk::<8>() else {
                let got = self.data.len() - start;
                return Err(format!("the data has {got} bytes, too few for the IV before it"));
            };
            self.ivs.extend(iv);
            start += 8;
        }
        let data = start..self.data.len();
        self.data.extend(&[0; ROOM]);
        Ok(Spans { key: key_start..self.keys.len(), iv: iv_start..self.ivs.len(), data, marks })
    }

    /// Encrypts or decrypts all records that were taken in.
    ///
    /// # Errors
    /// Nothing was served then.
    pub fn run(&mut self, task: &Task) -> Result<(), GroupError> {
        if task.makes_ivs() {
            getrandom::fill(&mut self.ivs).map_err(GroupError::Random)?;
            for spans in &self.waiting {
                let front = spans.data.start - 8..spans.data.start;
                self.data[front].copy_from_slice(&self.ivs[spans.iv.clone()]);
            }
        }
        let mut records = Vec::with_capacity(self.waiting.len());
        let (mut rest, mut before) = (self.data.as_mut_slice(), 0);
        for spans in &self.waiting {
            let (_, behind) = rest.split_at_mut(spans.data.start - before);
            let (data, behind) = behind.split_at_mut(spans.data.len() + ROOM);
            (rest, before) = (behind, spans.data.end + ROOM);
            let key = match &task.key {
                KeyFrom::Same(key) => &key[..],
                KeyFrom::Each { .. } => &self.keys[spans.key.clone()],
            };
            let iv = match &task.iv {
                IvFrom::Same(iv) => &iv[..],
                _ => &self.ivs[spans.iv.clone()],
            };
            records.push(Record { key, iv, data, len: spans.data.len() });
        }
        self.outcomes.clear();
        self.outcomes.resize(records.len(), Ok(0));
        task.work.run(task.direction, &mut records, &mut self.outcomes).map_err(GroupError::Library)
    }

    /// The result of every record that was taken in, in their order, or why the library has none of it.
    pub fn results(&self, task: &Task) -> impl Iterator<Item = (Result<&[u8], Error>, Marks)> {
        // A made IV is part of the result.
        let front = if task.makes_ivs() { 8 } else { 0 };
        self.waiting.iter().zip(&self.outcomes).map(move |(spans, outcome)| {
            let start = spans.data.start;
            (outcome.map(|len| &self.data[start - front..start + len]), spans.marks)
        })
    }

    /// Forgets the records, and gives up buffers of more than `kept` bytes.
    pub fn clear(&mut self, kept: usize) {
        self.waiting.clear();
        self.outcomes.clear();
        for bytes in [&mut self.keys, &mut self.ivs, &mut self.data] {
            match bytes.capacity() > kept {
                true => *bytes = Wiped::default(),
                false => bytes.clear(),
            }
        }
    }
}

/// Decoded, no field becomes longer; but base64 is decoded in groups of 3 bytes.
const SLACK: usize = 3;

/// Appends a field, with room for so many bytes behind it.
#[inline]
fn decode(
    field: Option<Field<'_>>,
    what: &str,
    into: &mut Wiped,
    room: usize,
) -> Result<(), String> {
    let Some(Field { bytes, encoding }) = field else {
        return Err(format!("there is no {what}"));
    };
    into.make_room(bytes.len() + SLACK + room);
    encoding.decode(bytes, into).map_err(|error| format!("{what}: {error}"))
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(error) => error.fmt(f),
            Self::Random(error) => write!(f, "no random numbers to be had: {error}"),
        }
    }
}

impl std::error::Error for GroupError {}
