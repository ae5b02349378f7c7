//! Many records: a batch gives what the records give one by one, with the errors of each.

use cipherloom::batch::{Batch, Flat, Keys, Outcome, Record, Span};
use cipherloom::{Algorithm, Backend, Direction, Error, Padding};

use crate::oracle::{Case, Kind};
use crate::ways::Way;

/// What is done with every record.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// ECB, CBC or CTR.
    pub kind: Kind,
    /// The cipher.
    pub algorithm: Algorithm,
    /// ECB's and CBC's padding.
    pub padding: Padding,
    /// The direction.
    pub direction: Direction,
}

/// One record: right, or wrong in any way.
#[derive(Clone, Debug)]
pub struct One {
    /// The key, of any length.
    pub key: Vec<u8>,
    /// The IV, of any length.
    pub iv: Vec<u8>,
    /// The message and room behind it.
    pub data: Vec<u8>,
    /// The message's length, also one that is greater than the room.
    pub len: usize,
}

impl Work {
    fn batch(self) -> Batch {
        match self.kind {
            Kind::Ecb => Batch::ecb(self.algorithm, self.padding),
            Kind::Cbc => Batch::cbc(self.algorithm, self.padding),
            Kind::Ctr => Batch::ctr(self.algorithm),
            other => panic!("no batch for {other:?}"),
        }
    }

    fn iv_len(self) -> usize {
        if self.kind == Kind::Ecb { 0 } else { 8 }
    }

    /// The record alone, by the table backend: what becomes of it, and of its bytes.
    fn alone(self, key: &[u8], iv: &[u8], data: &mut [u8], len: usize) -> Outcome {
        if len > data.len() {
            return Err(Error::Overlap);
        }
        let want = self.algorithm.key_len();
        if key.len() != want {
            return Err(Error::KeyLength { got: key.len(), min: want, max: want });
        }
        if iv.len() != self.iv_len() {
            return Err(Error::IvLength { got: iv.len(), want: self.iv_len() });
        }
        let key = Way::Forced(Backend::Table).key(self.algorithm, key);
        let iv = iv.try_into().unwrap_or_default();
        let mode = Case { kind: self.kind, iv, padding: self.padding }.mode();
        match self.direction {
            Direction::Encrypt => mode.encrypt_in_place(&key, data, len).map(|out| out.len()),
            Direction::Decrypt => {
                let result = mode.decrypt_in_place(&key, &mut data[..len]).map(|out| out.len());
                if result == Err(Error::Padding) {
                    data[..len].fill(0);
                }
                result
            }
        }
    }

    fn run(self, way: Way, records: &mut [Record<'_>], results: &mut [Outcome]) {
        let batch = way.batch(self.batch());
        let result = match self.direction {
            Direction::Encrypt => batch.encrypt(records, results),
            Direction::Decrypt => batch.decrypt(records, results),
        };
        assert_eq!(result, Ok(()), "{self:?}, {way:?}");
    }

    fn run_flat(self, way: Way, flat: Flat<'_>, results: &mut [Outcome]) -> Result<(), Error> {
        let batch = way.batch(self.batch());
        match self.direction {
            Direction::Encrypt => batch.encrypt_flat(flat, results),
            Direction::Decrypt => batch.decrypt_flat(flat, results),
        }
    }

    /// Slices of records.
    ///
    /// # Panics
    /// If a result or a byte differs from that of the record alone.
    pub fn check(self, records: &[One]) {
        let mut expected: Vec<One> = records.to_vec();
        let outcomes: Vec<Outcome> = expected
            .iter_mut()
            .map(|one| self.alone(&one.key, &one.iv, &mut one.data, one.len))
            .collect();
        for way in Way::des() {
            let mut work: Vec<Vec<u8>> = records.iter().map(|one| one.data.clone()).collect();
            let mut list: Vec<Record<'_>> = records
                .iter()
                .zip(&mut work)
                .map(|(one, data)| Record { key: &one.key, iv: &one.iv, data, len: one.len })
                .collect();
            // What a result said before does not matter.
            let mut results = vec![Err(Error::Tag); records.len()];
            self.run(way, &mut list, &mut results);
            for (n, one) in expected.iter().enumerate() {
                let what = format!("record {n} of {}, {way:?}, {self:?}", records.len());
                assert_eq!(results[n], outcomes[n], "{what}");
                assert_eq!(work[n], one.data, "{what}");
            }
        }
    }

    /// Flat buffers: a key for all (`keys.len()` is the cipher's) or one for each.
    ///
    /// # Panics
    /// If a result or a byte, of a record or between records, differs from that of the record
    /// alone.
    pub fn check_flat(self, keys: &[u8], ivs: &[u8], data: &[u8], spans: &[Span]) {
        let key_len = self.algorithm.key_len();
        let one_key = keys.len() == key_len;
        let mut expected = data.to_vec();
        let mut free_from = 0;
        let mut outcomes: Vec<Outcome> = Vec::new();
        for (n, &Span { offset, len, room }) in spans.iter().enumerate() {
            let end = offset.checked_add(room).filter(|&end| end <= data.len());
            let Some(end) = end.filter(|_| offset >= free_from && len <= room) else {
                outcomes.push(Err(Error::Overlap));
                continue;
            };
            free_from = end;
            let key = if one_key { keys } else { &keys[n * key_len..][..key_len] };
            let iv = &ivs[n * self.iv_len()..][..self.iv_len()];
            outcomes.push(self.alone(key, iv, &mut expected[offset..end], len));
        }
        for way in Way::des() {
            let mut work = data.to_vec();
            let mut results = vec![Err(Error::Tag); spans.len()];
            let keys = if one_key { Keys::One(keys) } else { Keys::Each(keys) };
            let flat = Flat { keys, ivs, data: &mut work, spans };
            assert_eq!(self.run_flat(way, flat, &mut results), Ok(()), "{self:?}, {way:?}");
            assert_eq!(results, outcomes, "{way:?}, {self:?}, {spans:?}");
            assert!(work == expected, "bytes differ, {way:?}, {self:?}, {spans:?}");
        }
    }
}
