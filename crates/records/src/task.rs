//! What is to be done with every record of a column, in a cipher.

use cipherloom::{Direction, Padding};
use cipherloom_formats::{Cipher, Kind, ModeName};
use zeroize::Zeroizing;

use crate::{Status, Work};

/// See above.
pub struct Task {
    cipher: Cipher,
    pub(crate) work: Work,
    pub(crate) direction: Direction,
    /// Where keys come from.
    pub key: KeyFrom,
    /// Where IVs come from.
    pub iv: IvFrom,
    /// What is done about weak keys of records.
    pub weak_keys: WeakKeys,
    /// Whether a `Salted__` header before a record's data is left out.
    pub may_have_header: bool,
}

/// Where a record's key comes from.
pub enum KeyFrom {
    /// The same for all.
    Same(Zeroizing<Vec<u8>>),
    /// Each has its own.
    Each {
        /// It is filled up with zeros or cut to so many bytes.
        fill_up: Option<usize>,
    },
}

/// Where a record's IV or first counter comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IvFrom {
    /// ECB and RC4 have none.
    Nowhere,
    /// The same for all.
    Same([u8; 8]),
    /// Each has its own.
    Each,
    /// The first 8 bytes of the encrypted data; random when encrypting.
    Prefix,
}

/// What is done about weak keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeakKeys {
    /// Nothing.
    Taken,
    /// They are told of: [`Marks`](crate::Marks).
    Told,
    /// Their records are refused.
    Refused,
}

impl Task {
    /// The padding counts for ECB and CBC.
    #[must_use]
    pub fn new(
        cipher: Cipher,
        padding: Padding,
        direction: Direction,
        key: KeyFrom,
        iv: IvFrom,
    ) -> Self {
        let work = Work::new(&cipher, padding);
        let (weak_keys, may_have_header) = (WeakKeys::Taken, false);
        Self { cipher, work, direction, key, iv, weak_keys, may_have_header }
    }

    /// The cipher.
    #[must_use]
    pub fn cipher(&self) -> &Cipher {
        &self.cipher
    }

    /// Whether records are encrypted or decrypted.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// What became of records that went through.
    #[must_use]
    pub fn status(&self) -> Status {
        match self.direction {
            Direction::Encrypt => Status::Encrypted,
            Direction::Decrypt => Status::Decrypted,
        }
    }

    /// Whether every record is combined with the same bytes.
    #[must_use]
    pub fn has_one_keystream(&self) -> bool {
        let is_stream = matches!(
            self.cipher.kind,
            Kind::Rc4(_) | Kind::Block(_, ModeName::Ctr | ModeName::Ofb)
        );
        let has_one_iv = matches!(self.iv, IvFrom::Nowhere | IvFrom::Same(_));
        is_stream && has_one_iv && matches!(self.key, KeyFrom::Same(_))
    }

    /// Whether an IV is to be made for each record, and put before its result.
    pub(crate) fn makes_ivs(&self) -> bool {
        self.iv == IvFrom::Prefix && self.direction == Direction::Encrypt
    }
}
