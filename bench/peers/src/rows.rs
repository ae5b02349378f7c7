//! The rows of work: which there are, and how they are called.

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

/// What is done with it; the numbers below 6 are those of `faces/face.h`.
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
    /// As many new RC4 keys as messages, each for its part of the data. Peers do one after the
    /// other.
    Streams = 6,
    /// CBC over as many messages of one length as the row says, with a new key and an IV each.
    EachCbcEncrypt = 7,
    EachCbcDecrypt = 8,
    /// As `CbcEncrypt`, by those whose addresses and branches depend on no secret.
    ConstantTime = 9,
}

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unit {
    Block,
    Byte,
    Call,
    /// A message of several.
    Record,
}

/// In which table of its cipher a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Group {
    /// What programs do every day.
    Usual,
    /// Much work at once, and chains in constant time.
    Bulk,
}

/// A row of work.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Row {
    /// Its name on the command line.
    pub(crate) id: &'static str,
    pub(crate) cipher: Cipher,
    pub(crate) operation: Operation,
    /// Messages of a call.
    pub(crate) messages: usize,
    /// Bytes of a call, in all.
    pub(crate) bytes: usize,
    pub(crate) unit: Unit,
    pub(crate) group: Group,
}

const fn row(
    id: &'static str,
    cipher: Cipher,
    operation: Operation,
    bytes: usize,
    unit: Unit,
) -> Row {
    Row { id, cipher, operation, messages: 1, bytes, unit, group: Group::Usual }
}

const fn bulk(id: &'static str, cipher: Cipher, operation: Operation, bytes: usize) -> Row {
    Row { group: Group::Bulk, ..row(id, cipher, operation, bytes, Unit::Block) }
}

/// A row of messages of `len` bytes.
const fn messages(row: Row, count: usize, len: usize, unit: Unit) -> Row {
    Row { messages: count, bytes: count * len, unit, ..row }
}

/// The length of a long message.
const LONG: usize = 16 << 10;

/// The length of a very long one.
pub(crate) const BULK: usize = 1 << 20;

/// Every row. No name is part of another.
pub(crate) const ROWS: [Row; 29] = {
    use Cipher::{Des, Des3, Rc4};
    use Operation::{
        CbcDecrypt, CbcEncrypt, ConstantTime, Ctr, EachCbcDecrypt, EachCbcEncrypt, EcbEncrypt,
        NewKey, Stream, Streams,
    };
    use Unit::{Block, Byte, Call, Record};
    [
        row("des-cbc-encrypt-16KiB", Des, CbcEncrypt, LONG, Block),
        row("des-cbc-decrypt-64B", Des, CbcDecrypt, 64, Block),
        row("des-cbc-decrypt-16KiB", Des, CbcDecrypt, LONG, Block),
        row("des-ecb-64B", Des, EcbEncrypt, 64, Block),
        row("des-ecb-16KiB", Des, EcbEncrypt, LONG, Block),
        row("des-ctr-16KiB", Des, Ctr, LONG, Block),
        row("des-key+8B", Des, NewKey, 8, Call),
        bulk("des-ecb-1MiB", Des, EcbEncrypt, BULK),
        bulk("des-cbc-decrypt-1MiB", Des, CbcDecrypt, BULK),
        bulk("des-ctr-1MiB", Des, Ctr, BULK),
        bulk("des-constant-time", Des, ConstantTime, LONG),
        row("des3-cbc-encrypt-16KiB", Des3, CbcEncrypt, LONG, Block),
        row("des3-cbc-decrypt-64B", Des3, CbcDecrypt, 64, Block),
        row("des3-cbc-decrypt-16KiB", Des3, CbcDecrypt, LONG, Block),
        row("des3-ecb-64B", Des3, EcbEncrypt, 64, Block),
        row("des3-ecb-16KiB", Des3, EcbEncrypt, LONG, Block),
        row("des3-ctr-16KiB", Des3, Ctr, LONG, Block),
        row("des3-key+8B", Des3, NewKey, 8, Call),
        bulk("des3-ecb-1MiB", Des3, EcbEncrypt, BULK),
        bulk("des3-cbc-decrypt-1MiB", Des3, CbcDecrypt, BULK),
        bulk("des3-ctr-1MiB", Des3, Ctr, BULK),
        bulk("des3-constant-time", Des3, ConstantTime, LONG),
        messages(bulk("des3-512-messages", Des3, EachCbcEncrypt, 0), 512, 1 << 10, Block),
        messages(bulk("des3-1M-records", Des3, EachCbcDecrypt, 0), 1_000_000, 32, Record),
        row("rc4-stream", Rc4, Stream, LONG, Byte),
        messages(row("rc4-4-streams", Rc4, Streams, 0, Byte), 4, LONG, Byte),
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
            Self::Record => "record",
        }
    }
}

impl Group {
    pub(crate) const ALL: [Self; 2] = [Self::Usual, Self::Bulk];
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

impl Operation {
    /// Whether messages have keys of their own, set up as part of the work.
    pub(crate) const fn is_each(self) -> bool {
        matches!(self, Self::EachCbcEncrypt | Self::EachCbcDecrypt)
    }
}

impl Row {
    /// What is done, in a word or two, and to how much; the heading of its column.
    pub(crate) fn heading(&self) -> [String; 2] {
        let what = match self.operation {
            Operation::CbcEncrypt => "CBC enc".into(),
            Operation::CbcDecrypt => "CBC dec".into(),
            Operation::EcbEncrypt => "ECB".into(),
            Operation::Ctr => "CTR".into(),
            Operation::Stream => "1 stream".into(),
            Operation::NewKey => "new key,".into(),
            Operation::Streams => format!("{} keys,", count(self.messages)),
            Operation::EachCbcEncrypt => format!("enc, {} keys,", count(self.messages)),
            Operation::EachCbcDecrypt => format!("dec, {} keys,", count(self.messages)),
            Operation::ConstantTime => "const. time,".into(),
        };
        [what, size(self.message_len())]
    }

    /// Bytes of a message.
    pub(crate) fn message_len(&self) -> usize {
        self.bytes / self.messages
    }

    /// Units in a call.
    pub(crate) fn units(&self) -> f64 {
        match self.unit {
            Unit::Block => self.bytes as f64 / 8.0,
            Unit::Byte => self.bytes as f64,
            Unit::Call => 1.0,
            Unit::Record => self.messages as f64,
        }
    }

    /// In how many calls those do it that take messages one by one: a sample of all would take
    /// seconds.
    pub(crate) const fn parts(&self) -> usize {
        if self.messages >= 1 << 16 { 64 } else { 1 }
    }

    /// The cipher and the heading, in one line.
    pub(crate) fn title(&self) -> String {
        let [what, size] = self.heading();
        format!("{} {what} {size}", self.cipher.name())
    }
}

/// A number of bytes as people write it.
pub(crate) fn size(bytes: usize) -> String {
    match bytes {
        0x10_0000.. if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        0x400.. if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} B"),
    }
}

/// A number of messages as people write it.
fn count(messages: usize) -> String {
    if messages.is_multiple_of(1_000_000) {
        format!("{}M", messages / 1_000_000)
    } else {
        messages.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_say_what_is_done_to_how_much() {
        let titles: Vec<String> = ROWS.iter().map(Row::title).collect();
        for title in [
            "DES CBC dec 64 B",
            "DES ECB 1 MiB",
            "3DES const. time, 16 KiB",
            "3DES enc, 512 keys, 1 KiB",
            "3DES dec, 1M keys, 32 B",
            "RC4 4 keys, 16 KiB",
            "RC4 new key, 1500 B",
        ] {
            assert!(titles.iter().any(|other| other == title), "{title} in {titles:?}");
        }
        for (n, title) in titles.iter().enumerate() {
            assert!(!titles[..n].contains(title), "{title} twice");
        }
    }

    #[test]
    fn parts_are_whole_messages() {
        for row in ROWS {
            assert_eq!(row.bytes % row.messages, 0, "{}", row.id);
            assert_eq!(row.messages % row.parts(), 0, "{}", row.id);
        }
    }
}
