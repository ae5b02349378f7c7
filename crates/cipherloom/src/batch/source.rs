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

/// Records by number. All methods but `count` take a number below it.
pub(super) trait Source {
    fn count(&self) -> usize;
    fn key(&self, n: usize) -> &[u8];
    fn iv(&self, n: usize) -> &[u8];
    /// The message's length, if its place is sound. `data` may be asked for only then; the
    /// numbers are asked for in ascending order.
    fn check_span(&mut self, n: usize) -> Result<usize, Error>;
    /// The message and its room.
    fn data(&mut self, n: usize) -> &mut [u8];
}

impl Source for [Record<'_>] {
    fn count(&self) -> usize {
        self.len()
    }

    fn key(&self, n: usize) -> &[u8] {
        self[n].key
    }

    fn iv(&self, n: usize) -> &[u8] {
        self[n].iv
    }

    fn check_span(&mut self, n: usize) -> Result<usize, Error> {
        let Record { len, ref data, .. } = self[n];
        if len <= data.len() { Ok(len) } else { Err(Error::Overlap) }
    }

    fn data(&mut self, n: usize) -> &mut [u8] {
        self[n].data
    }
}

/// Flat buffers, and from where on they are not taken by an earlier span.
pub(super) struct Checked<'a> {
    flat: Flat<'a>,
    free_from: usize,
}

impl<'a> Checked<'a> {
    /// # Errors
    /// [`Error::Count`] if keys or IVs are missing for a span.
    pub(super) fn new(flat: Flat<'a>, iv_len: usize) -> Result<Self, Error> {
        flat.check_counts(iv_len)?;
        Ok(Self { flat, free_from: 0 })
    }
}

impl Source for Checked<'_> {
    fn count(&self) -> usize {
        self.flat.spans.len()
    }

    fn key(&self, n: usize) -> &[u8] {
        match self.flat.keys {
            Keys::One(key) => key,
            Keys::Each(keys) => {
                let len = keys.len() / self.count();
                &keys[n * len..][..len]
            }
        }
    }

    fn iv(&self, n: usize) -> &[u8] {
        let len = self.flat.ivs.len() / self.count();
        &self.flat.ivs[n * len..][..len]
    }

    fn check_span(&mut self, n: usize) -> Result<usize, Error> {
        let Span { offset, len, room } = self.flat.spans[n];
        let end = offset.checked_add(room).ok_or(Error::Overlap)?;
        if len > room || end > self.flat.data.len() || offset < self.free_from {
            return Err(Error::Overlap);
        }
        self.free_from = end;
        Ok(len)
    }

    fn data(&mut self, n: usize) -> &mut [u8] {
        let Span { offset, room, .. } = self.flat.spans[n];
        &mut self.flat.data[offset..][..room]
    }
}
