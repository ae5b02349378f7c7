//! Where the records of a batch lie: slices of their own, or flat buffers.

use core::fmt;

use crate::error::Error;

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
    /// The same again.
    pub(super) fn reborrow(&mut self) -> Flat<'_> {
        Flat { keys: self.keys, ivs: self.ivs, data: self.data, spans: self.spans }
    }

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

/// The records of a batch, one after the other.
pub(super) enum Source<'a, 'r> {
    Records(core::slice::IterMut<'a, Record<'r>>),
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
            Self::Records(records) => (records.as_slice(), &[][..]),
            Self::Flat(rest) => (&[][..], rest.spans),
        };
        let records = records.iter().map(|record| record.len.min(record.data.len()));
        records.chain(spans.iter().map(|span| span.len.min(span.room)))
    }

    /// The next record, if its place is sound.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<Result<Item<'a>, Error>> {
        match self {
            Self::Records(records) => records.next().map(|record| {
                let Record { key, iv, ref mut data, len } = *record;
                if len <= data.len() {
                    Ok(Item { key, iv, data, len })
                } else {
                    Err(Error::Overlap)
                }
            }),
            Self::Flat(rest) => rest.next(),
        }
    }
}

impl<'a> Rest<'a> {
    #[inline(always)]
    fn next(&mut self) -> Option<Result<Item<'a>, Error>> {
        let (&Span { offset, len, room }, spans) = self.spans.split_first()?;
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
        // From the beginning of what is free.
        let place = offset.checked_sub(self.offset);
        let end = place.and_then(|place| place.checked_add(room));
        Some(match (place, end) {
            (Some(place), Some(end)) if len <= room && end <= self.data.len() => {
                let (now, behind) = core::mem::take(&mut self.data).split_at_mut(end);
                self.data = behind;
                self.offset += end;
                Ok(Item { key, iv, data: &mut now[place..], len })
            }
            _ => Err(Error::Overlap),
        })
    }
}
