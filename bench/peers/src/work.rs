//! The rows of work, and what a participant does for one of them.

use cipherloom_spec::rc4::Rc4;
use serde::Serialize;

/// The ciphers; the numbers are those of `faces/face.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[repr(i32)]
pub(crate) enum Cipher {
    Des = 0,
    Des3 = 1,
    Rc4 = 2,
}

/// What is done with it; the numbers are those of `faces/face.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(i32)]
pub(crate) enum Operation {
    /// One message under a key that is ready, from the IV on.
    CbcEncrypt = 0,
    CbcDecrypt = 1,
    EcbEncrypt = 2,
    Ctr = 3,
    /// RC4 under a key that is ready; the stream goes on from call to call.
    Stream = 4,
    /// A new key, then ECB, or RC4 from its start.
    NewKey = 5,
    /// [`STREAMS`] new RC4 keys, each for its part of the data. Peers do one after the other.
    Streams = 6,
}

/// Streams of [`Operation::Streams`].
pub(crate) const STREAMS: usize = 4;

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unit {
    Block,
    Byte,
    Call,
}

/// A row of work.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Row {
    /// Its name on the command line.
    pub(crate) id: &'static str,
    pub(crate) cipher: Cipher,
    pub(crate) operation: Operation,
    /// Bytes of a call, in all.
    pub(crate) bytes: usize,
    pub(crate) unit: Unit,
}

const fn row(
    id: &'static str,
    cipher: Cipher,
    operation: Operation,
    bytes: usize,
    unit: Unit,
) -> Row {
    Row { id, cipher, operation, bytes, unit }
}

/// The length of a long message.
const LONG: usize = 16 << 10;

/// Every row. No name is part of another.
pub(crate) const ROWS: [Row; 17] = {
    use Cipher::{Des, Des3, Rc4};
    use Operation::{CbcDecrypt, CbcEncrypt, Ctr, EcbEncrypt, NewKey, Stream, Streams};
    use Unit::{Block, Byte, Call};
    [
        row("des-cbc-encrypt", Des, CbcEncrypt, LONG, Block),
        row("des-cbc-decrypt", Des, CbcDecrypt, LONG, Block),
        row("des-ecb-64B", Des, EcbEncrypt, 64, Block),
        row("des-ecb-16KiB", Des, EcbEncrypt, LONG, Block),
        row("des-ctr", Des, Ctr, LONG, Block),
        row("des-key+8B", Des, NewKey, 8, Call),
        row("des3-cbc-encrypt", Des3, CbcEncrypt, LONG, Block),
        row("des3-cbc-decrypt", Des3, CbcDecrypt, LONG, Block),
        row("des3-ecb-64B", Des3, EcbEncrypt, 64, Block),
        row("des3-ecb-16KiB", Des3, EcbEncrypt, LONG, Block),
        row("des3-ctr", Des3, Ctr, LONG, Block),
        row("des3-key+8B", Des3, NewKey, 8, Call),
        row("rc4-stream", Rc4, Stream, LONG, Byte),
        row("rc4-4-streams", Rc4, Streams, STREAMS * LONG, Byte),
        row("rc4-key+16B", Rc4, NewKey, 16, Call),
        row("rc4-key+64B", Rc4, NewKey, 64, Call),
        row("rc4-key+1500B", Rc4, NewKey, 1500, Call),
    ]
};

impl Unit {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Byte => "byte",
            Self::Call => "call",
        }
    }
}

impl Cipher {
    pub(crate) const ALL: [Self; 3] = [Self::Des, Self::Des3, Self::Rc4];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Des => "DES",
            Self::Des3 => "3DES",
            Self::Rc4 => "RC4",
        }
    }

    /// Length of the keys that are used here.
    pub(crate) const fn key_len(self) -> usize {
        match self {
            Self::Des => 8,
            Self::Des3 => 24,
            Self::Rc4 => 16,
        }
    }
}

impl Row {
    /// What is done, in a word or two, and to how much; the heading of its column.
    pub(crate) fn heading(&self) -> [String; 2] {
        let what = match self.operation {
            Operation::CbcEncrypt => "CBC enc",
            Operation::CbcDecrypt => "CBC dec",
            Operation::EcbEncrypt => "ECB",
            Operation::Ctr => "CTR",
            Operation::Stream => "1 stream",
            Operation::Streams => "4 keys,",
            Operation::NewKey => "new key,",
        };
        let part = if self.operation == Operation::Streams { STREAMS } else { 1 };
        [what.into(), size(self.bytes / part)]
    }

    /// Units in a call.
    pub(crate) fn units(&self) -> f64 {
        match self.unit {
            Unit::Block => self.bytes as f64 / 8.0,
            Unit::Byte => self.bytes as f64,
            Unit::Call => 1.0,
        }
    }

    /// The cipher and the heading, in one line.
    pub(crate) fn title(&self) -> String {
        let [what, size] = self.heading();
        format!("{} {what} {size}", self.cipher.name())
    }
}

/// A number of bytes as people write it.
fn size(bytes: usize) -> String {
    if bytes.is_multiple_of(1 << 10) {
        format!("{} KiB", bytes >> 10)
    } else {
        format!("{bytes} B")
    }
}

/// The rows whose names contain one of `filters`; all rows without a filter.
///
/// # Errors
/// A filter that is part of no name.
pub(crate) fn rows(filters: &[String]) -> Result<Vec<Row>, String> {
    if let Some(filter) =
        filters.iter().find(|filter| !ROWS.iter().any(|row| row.id.contains(*filter)))
    {
        let ids: Vec<&str> = ROWS.iter().map(|row| row.id).collect();
        return Err(format!("no row is called `{filter}`: there are {}", ids.join(", ")));
    }
    let wanted =
        |row: &&Row| filters.is_empty() || filters.iter().any(|filter| row.id.contains(filter));
    Ok(ROWS.iter().filter(wanted).copied().collect())
}

/// Keys of one length, one behind the other.
pub(crate) struct Keys {
    bytes: Vec<u8>,
    len: usize,
}

impl Keys {
    /// So many that no branch predictor knows them by heart, so few that they stay in the cache.
    pub(crate) const COUNT: usize = 256;

    pub(crate) fn new(cipher: Cipher) -> Self {
        let len = cipher.key_len();
        Self { bytes: random(b"keys", len * Self::COUNT), len }
    }

    /// Key number `n`; after the last comes the first.
    pub(crate) fn get(&self, n: usize) -> &[u8] {
        &self.bytes[n % Self::COUNT * self.len..][..self.len]
    }

    /// Keys number `n * count` up to `(n + 1) * count`; `count` divides [`Self::COUNT`].
    pub(crate) fn group(&self, n: usize, count: usize) -> &[u8] {
        &self.bytes[n * count % Self::COUNT * self.len..][..count * self.len]
    }

    /// All, and the length of each.
    pub(crate) fn flat(&self) -> (&[u8], usize) {
        (&self.bytes, self.len)
    }
}

/// The key of operations under a key that is ready.
pub(crate) fn ready_key(cipher: Cipher) -> Vec<u8> {
    random(b"the ready key", cipher.key_len())
}

/// The IV, or first counter.
pub(crate) fn iv() -> [u8; 8] {
    let bytes = random(b"the IV", 8);
    std::array::from_fn(|n| bytes[n])
}

/// Bytes that look random and are the same every time.
pub(crate) fn random(seed: &[u8], len: usize) -> Vec<u8> {
    Rc4::new(seed).keystream(len)
}

/// Some calls of an operation.
pub(crate) struct Calls<'a> {
    /// The number of the first; call `n` of an operation with new keys takes key `n`, or group `n`.
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) keys: &'a Keys,
    /// Transformed in place by every call.
    pub(crate) data: &'a mut [u8],
}

/// An operation of a participant, ready to run.
pub(crate) type Work = Box<dyn FnMut(Calls<'_>)>;

/// An operation that takes one key, or none, at a time.
pub(crate) fn each(mut call: impl FnMut(&[u8], &mut [u8]) + 'static) -> Work {
    Box::new(move |calls| {
        for n in 0..calls.count {
            call(calls.keys.get(calls.first + n), calls.data);
        }
    })
}

/// [`Operation::Streams`] by [`Operation::NewKey`], one stream after the other.
pub(crate) fn one_by_one(mut new_key: Work) -> Work {
    Box::new(move |calls| {
        for n in calls.first..calls.first + calls.count {
            let part = calls.data.len() / STREAMS;
            for (stream, data) in calls.data.chunks_exact_mut(part).enumerate() {
                new_key(Calls { first: n * STREAMS + stream, count: 1, keys: calls.keys, data });
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_parts_of_their_names() {
        for row in ROWS {
            assert_eq!(rows(&[row.id.into()]).unwrap().len(), 1, "{}", row.id);
        }
        assert_eq!(rows(&[]).unwrap().len(), ROWS.len());
        assert_eq!(rows(&["rc4-key".into()]).unwrap().len(), 3);
        assert!(rows(&["rc5".into()]).unwrap_err().contains("rc4-stream"));
    }

    #[test]
    fn keys_come_round_again() {
        let keys = Keys::new(Cipher::Rc4);
        assert_eq!(keys.get(3), keys.get(Keys::COUNT + 3));
        assert_ne!(keys.get(3), keys.get(4));
        assert_eq!(keys.group(1, STREAMS)[..16], *keys.get(STREAMS));
        assert_eq!(keys.group(Keys::COUNT / STREAMS, STREAMS), keys.group(0, STREAMS));
    }
}
