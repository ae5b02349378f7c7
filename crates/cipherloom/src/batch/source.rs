//! Where the records of a batch lie: slices of their own, or flat buffers.

use core::fmt;
use core::ops::Range;

use crate::error::Error;

/// What becomes of one record: the length in bytes of its result, which starts where its input
/// started, or why there is none.
pub type Outcome = Result<usize, Error>;

/// A record with slices of its own.
pub struct Record<'a> {
    /// The key, of the cipher's key length.
    pub key: &'a [u8],
    /// The IV or first counter, 8 bytes; empty for ECB and RC4.
    pub iv: &'a [u8],
    /// The message, then room for its padding; the result takes its place.
    pub data: &'a mut [u8],
    /// Bytes of the message at the start of `data`.
    pub len: usize,
}

impl<'a> Record<'a> {
    /// A record whose message is all of `data`.
    #[must_use]
    pub fn new(key: &'a [u8], iv: &'a [u8], data: &'a mut [u8]) -> Self {
        let len = data.len();
        Self { key, iv, data, len }
    }
}

/// Prints lengths only.
impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record")
            .field("len", &self.len)
            .field("room", &self.data.len())
            .finish_non_exhaustive()
    }
}

/// Where a record lies in a flat buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Its first byte.
    pub offset: usize,
    /// Bytes of the message.
    pub len: usize,
    /// Bytes from `offset` on that belong to the record: the message and room for its padding.
    pub room: usize,
}

impl Span {
    /// A record of `len` bytes without room for more.
    #[must_use]
    pub const fn new(offset: usize, len: usize) -> Self {
        Self { offset, len, room: len }
    }
}

/// The keys of a flat batch.
#[derive(Clone, Copy)]
pub enum Keys<'a> {
    /// One key for all records.
    One(&'a [u8]),
    /// A key per record, one behind the other, all of one length.
    Each(&'a [u8]),
}

/// Never prints a key.
impl fmt::Debug for Keys<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One(_) => "One",
            Self::Each(_) => "Each",
        })
    }
}

/// Records in flat buffers.
///
/// The spans stand in ascending order. One that starts before an earlier span ends, or leaves the
/// buffer, gets [`Error::Overlap`] and is not touched; the earlier one is served.
#[derive(Debug)]
pub struct Flat<'a> {
    /// One key, or one per record.
    pub keys: Keys<'a>,
    /// The IVs or first counters, 8 bytes per record; empty for ECB and RC4.
    pub ivs: &'a [u8],
    /// The buffer in which the messages lie and the results take their places.
    pub data: &'a mut [u8],
    /// Where each record lies.
    pub spans: &'a [Span],
}

impl Flat<'_> {
    /// Keys and IVs must be there for every span.
    fn check_counts(&self, iv_len: usize) -> Result<(), Error> {
        let want = self.spans.len();
        if self.ivs.len() != want * iv_len {
            // Part of an IV is none where there are too few, and one where there are too many.
            let (len, want) = (self.ivs.len(), want * iv_len / 8);
            let got = if len < want * 8 { len / 8 } else { len.div_ceil(8) };
            return Err(Error::Count { got, want });
        }
        match self.keys {
            Keys::Each(keys) if want == 0 || keys.len() % want != 0 => {
                if want == 0 && keys.is_empty() {
                    return Ok(());
                }
                Err(Error::Count { got: keys.len(), want })
            }
            _ => Ok(()),
        }
    }
}

/// A record with its place found.
pub(super) struct Item<'a> {
    pub(super) key: &'a [u8],
    pub(super) iv: &'a [u8],
    /// The message and its room.
    pub(super) data: &'a mut [u8],
    /// Bytes of the message.
    pub(super) len: usize,
}

/// How records lie that are of one length and room, at one distance from each other.
#[derive(Clone, Copy)]
pub(super) struct Even {
    first: Span,
    /// Bytes from one to the next.
    pub(super) distance: usize,
}

impl Even {
    /// Bytes of a message.
    pub(super) fn len(&self) -> usize {
        self.first.len
    }

    /// Bytes of a message and the room behind it.
    pub(super) fn room(&self) -> usize {
        self.first.room
    }
}

/// Records that lie evenly.
pub(super) struct Group<'a> {
    /// Their keys, one behind the other; none if one serves all records.
    pub(super) keys: &'a [u8],
    pub(super) ivs: &'a [u8],
    /// From the first byte of the first to the end of the last one's room.
    pub(super) data: &'a mut [u8],
    /// Bytes from one to the next.
    pub(super) distance: usize,
    /// Bytes of a message.
    pub(super) len: usize,
    /// Into how many parts each is cut, of one length as well.
    pub(super) parts: usize,
}

/// The records of a batch, one after the other.
pub(super) enum Source<'a, 'r> {
    Records(&'a mut [Record<'r>]),
    Flat(Rest<'a>),
}

/// What is left of flat buffers.
pub(super) struct Rest<'a> {
    keys: Keys<'a>,
    key_len: usize,
    ivs: &'a [u8],
    iv_len: usize,
    /// The buffer, from `offset` on; what is before is taken.
    data: &'a mut [u8],
    offset: usize,
    spans: &'a [Span],
}

impl<'a, 'r> Source<'a, 'r> {
    /// # Errors
    /// [`Error::Count`] if keys or IVs are missing for a span.
    pub(super) fn flat(flat: Flat<'a>, iv_len: usize) -> Result<Self, Error> {
        flat.check_counts(iv_len)?;
        let Flat { keys, ivs, data, spans } = flat;
        let key_len = match keys {
            Keys::One(key) => key.len(),
            Keys::Each(keys) => keys.len() / spans.len().max(1),
        };
        Ok(Self::Flat(Rest { keys, key_len, ivs, iv_len, data, offset: 0, spans }))
    }

    /// The next `count` records; the others stay.
    pub(super) fn take(&mut self, count: usize) -> Self {
        match self {
            Self::Records(records) => {
                let (next, behind) = core::mem::take(records).split_at_mut(count);
                *records = behind;
                Self::Records(next)
            }
            Self::Flat(rest) => Self::Flat(rest.take(count)),
        }
    }

    /// The same again.
    pub(super) fn reborrow(&mut self) -> Source<'_, 'r> {
        match self {
            Self::Records(records) => Source::Records(records),
            Self::Flat(rest) => Source::Flat(Rest { data: rest.data, ..*rest }),
        }
    }

    /// How many are left.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Records(records) => records.len(),
            Self::Flat(rest) => rest.spans.len(),
        }
    }

    /// The key of all records, if they have one.
    pub(super) fn one_key(&self) -> Option<&'a [u8]> {
        match self {
            Self::Flat(Rest { keys: Keys::One(key), .. }) => Some(key),
            _ => None,
        }
    }

    /// What the records to come say of their messages' lengths, wrong ones too.
    pub(super) fn lengths(&self) -> impl Iterator<Item = usize> {
        let (records, spans) = match self {
            Self::Records(records) => (&**records, &[][..]),
            Self::Flat(rest) => (&[][..], rest.spans),
        };
        let records = records.iter().map(|record| record.len.min(record.data.len()));
        records.chain(spans.iter().map(|span| span.len.min(span.room)))
    }

    /// How the next `count` records lie, if they lie evenly, and within the buffer.
    pub(super) fn even(&self, count: usize) -> Option<Even> {
        match self {
            Self::Records(_) => None,
            Self::Flat(rest) => rest.even(count),
        }
    }

    /// The next `count` records, which lie like this, in one part each.
    pub(super) fn group(&mut self, count: usize, even: Even) -> Option<Group<'a>> {
        match self {
            Self::Records(_) => None,
            Self::Flat(rest) => rest.group(count, even),
        }
    }

    /// Bytes of each key, where they lie one behind the other.
    pub(super) fn key_len(&self) -> Option<usize> {
        match self {
            Self::Records(_) => None,
            Self::Flat(rest) => Some(rest.key_len),
        }
    }

    /// The next record, if its place is sound.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<Result<Item<'a>, Error>> {
        match self {
            Self::Records(records) => {
                let (record, behind) = core::mem::take(records).split_first_mut()?;
                *records = behind;
                let Record { key, iv, ref mut data, len } = *record;
                let is_there = len <= data.len();
                Some(if is_there { Ok(Item { key, iv, data, len }) } else { Err(Error::Overlap) })
            }
            Self::Flat(rest) => rest.next(),
        }
    }
}

impl<'a> Rest<'a> {
    /// The next `count` spans, with the part of the buffer that they take.
    fn take(&mut self, count: usize) -> Self {
        let mut end = 0;
        for span in &self.spans[..count] {
            end = self.place(span, end).map_or(end, |place| place.end);
        }
        self.take_to(count, end)
    }

    /// The same, where it is known to be all up to `end`.
    fn take_to(&mut self, count: usize, end: usize) -> Self {
        let (spans, spans_behind) = self.spans.split_at(count);
        let (ivs, ivs_behind) = self.ivs.split_at(count * self.iv_len);
        let (keys, keys_behind) = match self.keys {
            Keys::One(key) => (Keys::One(key), Keys::One(key)),
            Keys::Each(keys) => {
                let (keys, behind) = keys.split_at(count * self.key_len);
                (Keys::Each(keys), Keys::Each(behind))
            }
        };
        let (data, data_behind) = core::mem::take(&mut self.data).split_at_mut(end);
        let offset = self.offset;
        (self.keys, self.ivs, self.spans) = (keys_behind, ivs_behind, spans_behind);
        (self.data, self.offset) = (data_behind, offset + end);
        Self { keys, key_len: self.key_len, ivs, iv_len: self.iv_len, data, offset, spans }
    }

    fn even(&self, count: usize) -> Option<Even> {
        let spans = self.spans.get(..count)?;
        let [first, second, ..] = *spans else { return None };
        let distance = second.offset.checked_sub(first.offset)?;
        if distance < first.room || self.ends(count, &Even { first, distance })? > self.data.len() {
            return None;
        }
        let mut offset = first.offset;
        let is_even = spans.iter().all(|&span| {
            let is_next = span == Span { offset, ..first };
            offset += distance;
            is_next
        });
        is_even.then_some(Even { first, distance })
    }

    /// Where in the buffer's rest so many records end that lie like this.
    fn ends(&self, count: usize, &Even { first, distance }: &Even) -> Option<usize> {
        let end = self.place(&first, 0)?.end;
        distance.checked_mul(count - 1)?.checked_add(end)
    }

    fn group(&mut self, count: usize, even: Even) -> Option<Group<'a>> {
        let start = self.place(&even.first, 0)?.start;
        let end = self.ends(count, &even)?;
        let Self { keys, ivs, data, .. } = self.take_to(count, end);
        let keys = match keys {
            Keys::One(_) => &[],
            Keys::Each(keys) => keys,
        };
        let data = data.get_mut(start..end)?;
        let Even { first: Span { len, .. }, distance } = even;
        Some(Group { keys, ivs, data, distance, len, parts: 1 })
    }

    /// Where in the buffer's rest a record lies, if `from` there is the first byte that is free.
    #[inline(always)]
    fn place(&self, span: &Span, from: usize) -> Option<Range<usize>> {
        let start = span.offset.checked_sub(self.offset)?;
        let end = start.checked_add(span.room)?;
        let is_sound = start >= from && span.len <= span.room && end <= self.data.len();
        is_sound.then_some(start..end)
    }

    #[inline(always)]
    fn next(&mut self) -> Option<Result<Item<'a>, Error>> {
        let (span, spans) = self.spans.split_first()?;
        self.spans = spans;
        let key = match &mut self.keys {
            Keys::One(key) => key,
            Keys::Each(keys) => {
                let (key, behind) = keys.split_at(self.key_len);
                *keys = behind;
                key
            }
        };
        let (iv, ivs) = self.ivs.split_at(self.iv_len);
        self.ivs = ivs;
        let Some(Range { start, end }) = self.place(span, 0) else {
            return Some(Err(Error::Overlap));
        };
        let (now, behind) = core::mem::take(&mut self.data).split_at_mut(end);
        self.data = behind;
        self.offset += end;
        Some(Ok(Item { key, iv, data: &mut now[start..], len: span.len }))
    }
}
