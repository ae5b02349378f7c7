//! What a participant does for a row, and with what.

use cipherloom_spec::rc4::Rc4;

use crate::rows::{Cipher, Row};

/// Messages and keys that differ: a row with more of them has the same again, so that the
/// specification need not compute each. A prime, so that they lie in all lanes.
const DISTINCT: usize = 4093;

/// Keys of one length, one behind the other, with an IV for each.
#[derive(Clone)]
pub(crate) struct Keys {
    bytes: Vec<u8>,
    len: usize,
    ivs: Vec<u8>,
}

impl Keys {
    /// So many at least that no branch predictor knows them by heart, so few that they stay in the
    /// cache.
    pub(crate) const FEWEST: usize = 256;

    /// As many as a call of `row` has messages, or more.
    pub(crate) fn new(row: &Row) -> Self {
        let (len, count) = (row.cipher.key_len(), row.messages.max(Self::FEWEST));
        Self {
            bytes: repeated(random(b"keys", len * count.min(DISTINCT)), len * count),
            len,
            ivs: repeated(random(b"IVs", IV * count.min(DISTINCT)), IV * count),
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.ivs.len() / IV
    }

    /// Key number `n`; after the last comes the first.
    pub(crate) fn get(&self, n: usize) -> &[u8] {
        &self.bytes[n % self.count() * self.len..][..self.len]
    }

    /// The IV of message `n` where messages have one each.
    pub(crate) fn iv(&self, n: usize) -> [u8; IV] {
        *self.ivs(n % self.count(), 1).first_chunk().expect("it has that length")
    }

    /// Keys number `n * count` up to `(n + 1) * count`; `count` divides [`Self::count`].
    pub(crate) fn group(&self, n: usize, count: usize) -> &[u8] {
        &self.bytes[n * count % self.count() * self.len..][..count * self.len]
    }

    /// `count` IVs from number `first` on.
    pub(crate) fn ivs(&self, first: usize, count: usize) -> &[u8] {
        &self.ivs[first * IV..][..count * IV]
    }

    /// All, and the length of each.
    pub(crate) fn flat(&self) -> (&[u8], usize) {
        (&self.bytes, self.len)
    }
}

/// The length of an IV.
pub(crate) const IV: usize = 8;

/// The key of operations under a key that is ready.
pub(crate) fn ready_key(cipher: Cipher) -> Vec<u8> {
    random(b"the ready key", cipher.key_len())
}

/// The IV, or first counter.
pub(crate) fn iv() -> [u8; IV] {
    let bytes = random(b"the IV", IV);
    std::array::from_fn(|n| bytes[n])
}

/// The data of a row.
pub(crate) fn message(row: &Row) -> Vec<u8> {
    let distinct = row.messages.min(DISTINCT) * row.message_len();
    repeated(random(b"a message", distinct), row.bytes)
}

/// Messages of a row after which the same come again, keys and IVs as well.
pub(crate) fn distinct(row: &Row) -> usize {
    row.messages.min(DISTINCT)
}

/// Bytes that look random and are the same every time.
pub(crate) fn random(seed: &[u8], len: usize) -> Vec<u8> {
    Rc4::new(seed).keystream(len)
}

/// `pattern` again and again.
pub(crate) fn repeated(pattern: Vec<u8>, len: usize) -> Vec<u8> {
    if pattern.len() >= len {
        return pattern;
    }
    let mut bytes = pattern.repeat(len.div_ceil(pattern.len()));
    bytes.truncate(len);
    bytes
}

/// Some calls of an operation.
pub(crate) struct Calls<'a> {
    /// The number of the first; call `n` of an operation with new keys takes key `n`, or group `n`.
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) keys: &'a Keys,
    /// Transformed in place by every call; where a call is a part, by as many calls as there are
    /// parts.
    pub(crate) data: &'a mut [u8],
}

/// An operation of a participant, ready to run.
pub(crate) struct Work {
    run: Box<dyn FnMut(Calls<'_>)>,
    /// Calls that make up the row.
    pub(crate) parts: usize,
}

impl Work {
    /// Does the row in one call.
    pub(crate) fn new(run: impl FnMut(Calls<'_>) + 'static) -> Self {
        Self { run: Box::new(run), parts: 1 }
    }

    /// Does the row in `parts` calls; number n does part n modulo `parts`.
    pub(crate) fn in_parts(parts: usize, run: impl FnMut(Calls<'_>) + 'static) -> Self {
        Self { run: Box::new(run), parts }
    }

    pub(crate) fn run(&mut self, calls: Calls<'_>) {
        (self.run)(calls);
    }
}

/// An operation that takes one key, or none, at a time.
pub(crate) fn each(mut call: impl FnMut(&[u8], &mut [u8]) + 'static) -> Work {
    Work::new(move |calls| {
        for n in 0..calls.count {
            call(calls.keys.get(calls.first + n), calls.data);
        }
    })
}

/// Messages with a key and an IV each: some of those of a row.
pub(crate) struct Messages<'a> {
    pub(crate) keys: &'a [u8],
    pub(crate) ivs: &'a [u8],
    pub(crate) data: &'a mut [u8],
}

/// An operation on messages with a key and an IV each, `parts` calls for a row.
pub(crate) fn each_message(
    row: &Row,
    parts: usize,
    mut call: impl FnMut(Messages<'_>) + 'static,
) -> Work {
    let (count, bytes) = (row.messages / parts, row.bytes / parts);
    Work::in_parts(parts, move |calls| {
        for n in (calls.first..calls.first + calls.count).map(|n| n % parts) {
            call(Messages {
                keys: calls.keys.group(n, count),
                ivs: calls.keys.ivs(n * count, count),
                data: &mut calls.data[n * bytes..][..bytes],
            });
        }
    })
}

/// [`Operation::Streams`](crate::rows::Operation::Streams) by
/// [`Operation::NewKey`](crate::rows::Operation::NewKey), one of `streams` after the other.
pub(crate) fn one_by_one(streams: usize, mut new_key: Work) -> Work {
    Work::new(move |calls| {
        for n in calls.first..calls.first + calls.count {
            let part = calls.data.len() / streams;
            for (stream, data) in calls.data.chunks_exact_mut(part).enumerate() {
                let first = n * streams + stream;
                new_key.run(Calls { first, count: 1, keys: calls.keys, data });
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{Operation, ROWS};

    fn row(operation: Operation) -> Row {
        *ROWS.iter().find(|row| row.operation == operation).unwrap()
    }

    #[test]
    fn keys_come_round_again() {
        let keys = Keys::new(&row(Operation::Streams));
        assert_eq!(keys.count(), Keys::FEWEST);
        assert_eq!(keys.get(3), keys.get(Keys::FEWEST + 3));
        assert_ne!(keys.get(3), keys.get(4));
        assert_eq!(keys.group(1, 4)[..16], *keys.get(4));
        assert_eq!(keys.group(Keys::FEWEST / 4, 4), keys.group(0, 4));
    }

    #[test]
    fn many_messages_repeat_with_their_keys_and_ivs() {
        let row = row(Operation::EachCbcDecrypt);
        let (keys, data, again) = (Keys::new(&row), message(&row), distinct(&row));
        assert_eq!((keys.count(), data.len()), (row.messages, row.bytes));
        let len = row.message_len();
        for n in [0, 1, row.messages - again - 1] {
            let other = n + again;
            assert_eq!((keys.get(n), keys.iv(n)), (keys.get(other), keys.iv(other)));
            assert_eq!(data[n * len..][..len], data[other * len..][..len]);
            assert_ne!(keys.get(n), keys.get(n + 1));
            assert_ne!(keys.iv(n), keys.iv(n + 1));
        }
    }

    #[test]
    fn parts_are_all_of_a_row_and_each_has_its_keys() {
        let row = Row { messages: 12, bytes: 24, ..row(Operation::EachCbcDecrypt) };
        let keys = Keys::new(&row);
        let mut data = vec![0; row.bytes];
        let mut work = each_message(&row, 3, |messages| {
            assert_eq!(messages.keys.len(), 4 * 24);
            messages.data.copy_from_slice(&messages.ivs[..8]);
            messages.data[0] = messages.keys[0];
        });
        assert_eq!(work.parts, 3);
        work.run(Calls { first: 4, count: 2, keys: &keys, data: &mut data });
        assert_eq!(data[..8], [0; 8], "part 0 is none of calls 4 and 5");
        for n in [1, 2] {
            assert_eq!(data[n * 8], keys.get(4 * n)[0]);
            assert_eq!(data[n * 8 + 1..][..7], keys.iv(4 * n)[1..]);
        }
    }
}
