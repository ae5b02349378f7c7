//! Records on their way to the kernels, and what became of them.

use super::paddings::pending;
use super::source::{Even, Group, Item, Outcome, Source};
use crate::dispatch::Choice;
use crate::error::Error;
use crate::keys::{Algorithm, BlockKey};
use crate::modes::Mode;
use crate::padding::Padding;
use crate::verdict::Verdict;

/// What is done with every record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    EcbEncrypt,
    EcbDecrypt,
    CbcEncrypt,
    CbcDecrypt,
    Ctr,
}

impl Work {
    fn iv_len(self) -> usize {
        match self {
            Self::EcbEncrypt | Self::EcbDecrypt => 0,
            Self::CbcEncrypt | Self::CbcDecrypt | Self::Ctr => 8,
        }
    }
}

/// Bytes of frames in which a key is made, and used: it is on its way more than once, and the more often where
/// less is inlined.
pub(super) const KEY_FRAMES: usize =
    size_of::<BlockKey>() * if cfg!(debug_assertions) { 8 } else { 4 };

/// Work, cipher and padding.
#[derive(Clone, Copy)]
pub(super) struct Transform {
    pub(super) work: Work,
    pub(super) algorithm: Algorithm,
    pub(super) padding: Padding,
    pub(super) choice: Choice,
}

impl Transform {
    /// Whether something is to be taken off decrypted records.
    pub(super) fn removes_padding(&self) -> bool {
        matches!(self.work, Work::EcbDecrypt | Work::CbcDecrypt) && self.padding.is_removed()
    }

    /// The key object of a record.
    pub(super) fn key(&self, key: &[u8]) -> Result<BlockKey, Error> {
        Ok(BlockKey::of(self.algorithm, &self.algorithm.read_key(key)?, self.choice))
    }

    /// Decrypts a whole record, and wipes it if its padding is wrong.
    pub(super) fn open(
        &self,
        key: &BlockKey,
        before: [u8; 8],
        data: &mut [u8],
    ) -> Result<Verdict, Error> {
        let mode = match self.work {
            Work::EcbDecrypt => Mode::ecb(self.padding),
            _ => Mode::cbc(before, self.padding),
        };
        mode.decrypt_and_judge(key, data)
    }

    /// Transforms whole blocks, under CTR any bytes, as a message of their own.
    pub(super) fn alone(
        &self,
        key: &BlockKey,
        before: [u8; 8],
        data: &mut [u8],
    ) -> Result<(), Error> {
        let len = data.len();
        match self.work {
            Work::EcbEncrypt => Mode::ecb(Padding::None).encrypt_in_place(key, data, len),
            Work::EcbDecrypt => Mode::ecb(Padding::None).decrypt_in_place(key, data),
            Work::CbcEncrypt => Mode::cbc(before, Padding::None).encrypt_in_place(key, data, len),
            Work::CbcDecrypt => Mode::cbc(before, Padding::None).decrypt_in_place(key, data),
            Work::Ctr => Mode::ctr(before).encrypt_in_place(key, data, len),
        }?;
        Ok(())
    }
}

/// A record that can be served.
pub(super) struct Ready<'a> {
    /// Its number.
    pub(super) record: usize,
    pub(super) key: &'a [u8],
    /// What stands before its first block; the first counter.
    pub(super) before: [u8; 8],
    /// All that is to be transformed.
    pub(super) data: &'a mut [u8],
}

/// The records that nobody took yet, and the results of all.
pub(super) struct Queue<'a, 'r, 'q> {
    transform: Transform,
    source: Source<'a, 'r>,
    results: &'q mut [Outcome],
    next: usize,
}

impl<'a, 'r, 'q> Queue<'a, 'r, 'q> {
    pub(super) fn new(
        transform: Transform,
        source: Source<'a, 'r>,
        results: &'q mut [Outcome],
    ) -> Self {
        Self { transform, source, results, next: 0 }
    }

    /// The key of all records, if they have one.
    pub(super) fn one_key(&self) -> Option<&'a [u8]> {
        self.source.one_key()
    }

    /// How many wait.
    pub(super) fn count(&self) -> usize {
        self.source.count()
    }

    /// The lengths in blocks of those that wait, as far as is known.
    pub(super) fn blocks(&self) -> impl Iterator<Item = usize> {
        let transform = self.transform;
        self.source.lengths().map(move |len| match transform.work {
            Work::EcbEncrypt | Work::CbcEncrypt => {
                transform.padding.padded_len(len).unwrap_or(0) / 8
            }
            _ => len.div_ceil(8),
        })
    }

    /// The next one that has anything to be transformed; the results of others are known.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<Ready<'a>> {
        loop {
            let item = self.source.next()?;
            let record = self.next;
            self.next += 1;
            match item.and_then(|item| prepare(&self.transform, record, item)) {
                Ok(ready) => {
                    self.results[record] = Ok(ready.data.len());
                    if !ready.data.is_empty() {
                        return Some(ready);
                    }
                }
                Err(error) => self.results[record] = Err(error),
            }
        }
    }

    /// How the next `count` records lie, if they are a group: even, in order, and not empty. With the
    /// bytes of each that are to be transformed.
    pub(super) fn even(&self, count: usize) -> Option<(Even, usize)> {
        let Transform { work, algorithm, padding, .. } = self.transform;
        let own_keys = self.one_key().is_none();
        // DESX's keys are not the kernels' alone.
        if own_keys
            && (algorithm == Algorithm::Desx || self.source.key_len() != Some(algorithm.key_len()))
        {
            return None;
        }
        let even = self.source.even(count)?;
        let need = match work {
            Work::EcbEncrypt | Work::CbcEncrypt => padding.padded_len(even.len()).ok()?,
            _ => even.len(),
        };
        let is_right = need > 0 && need.is_multiple_of(8) && need <= even.room();
        is_right.then_some((even, need))
    }

    /// The next `count` records, which are a group like this, and the number of the first.
    pub(super) fn group(
        &mut self,
        count: usize,
        even: Even,
        need: usize,
    ) -> Option<(usize, Group<'a>)> {
        let mut group = self.source.group(count, even)?;
        if need > group.len {
            for record in group.data.chunks_mut(group.distance) {
                self.transform.padding.fill(&mut record[..need], group.len);
            }
        }
        group.len = need;
        let record = self.next;
        self.next += count;
        self.results[record..self.next].fill(Ok(need));
        Some((record, group))
    }

    /// Takes note of a record's end: what its last block has become.
    #[inline]
    pub(super) fn end(&mut self, record: usize, last: &[u8; 8]) {
        if self.transform.removes_padding() && self.results[record].is_ok() {
            self.results[record] = pending(self.transform.padding.judge(last), false);
        }
    }

    /// Takes note of what became of a record that was served alone, all of it.
    pub(super) fn opened(&mut self, record: usize, result: Result<Verdict, Error>) {
        self.results[record] = result.and_then(|verdict| pending(verdict, true));
    }

    /// Takes note of what became of data that was served alone, and is a record's end or none.
    pub(super) fn served(&mut self, record: Option<usize>, result: Result<(), Error>, data: &[u8]) {
        match (record, result) {
            (None, _) => {}
            (Some(record), Err(error)) => self.results[record] = Err(error),
            (Some(record), Ok(())) => {
                if let Some(last) = data.last_chunk() {
                    self.end(record, last);
                }
            }
        }
    }
}

/// Judges a record before anything is computed, and pads it for encryption.
#[inline(always)]
fn prepare<'a>(transform: &Transform, record: usize, item: Item<'a>) -> Result<Ready<'a>, Error> {
    let Item { key, iv, data, len } = item;
    let &Transform { work, algorithm, padding, .. } = transform;
    if key.len() != algorithm.key_len() {
        return Err(algorithm.wrong_length(key));
    }
    if iv.len() != work.iv_len() {
        return Err(Error::IvLength { got: iv.len(), want: work.iv_len() });
    }
    let len = match work {
        Work::EcbEncrypt | Work::CbcEncrypt => {
            let need = padding.padded_len(len)?;
            let got = data.len();
            let data = data.get_mut(..need).ok_or(Error::OutputTooSmall { need, got })?;
            padding.fill(data, len);
            need
        }
        Work::Ctr => len,
        Work::EcbDecrypt | Work::CbcDecrypt if !len.is_multiple_of(8) => {
            return Err(Error::NotWholeBlocks { len });
        }
        Work::EcbDecrypt | Work::CbcDecrypt if len == 0 && padding.is_never_empty() => {
            return Err(Error::TooShort { len, min: 8 });
        }
        Work::EcbDecrypt | Work::CbcDecrypt => len,
    };
    let before = iv.first_chunk().copied().unwrap_or_default();
    Ok(Ready { record, key, before, data: &mut data[..len] })
}
