//! HMAC-MD5 (RFC 2104) of TLS records, which the cipher `RC4-HMAC-MD5` computes beside RC4: a record's header comes
//! first, and then the record with its MAC, in one call.

use crate::fault::Fault;
use cipherloom::Direction;
use hmac::{Hmac, KeyInit, Mac};
use md5::Md5;

/// Bytes of a MAC.
pub(crate) const LEN: usize = 16;

/// Bytes of a header as it is authenticated: a number, the type, the version, the length (RFC 5246, section 6.2.3.1).
const HEADER_LEN: usize = 13;

/// The key of a connection's MACs, and the record that is begun.
#[derive(Clone, Default)]
pub(crate) struct RecordMac {
    key: Option<Hmac<Md5>>,
    record: Option<Record>,
}

/// A record of which the header is known.
#[derive(Clone)]
pub(crate) struct Record {
    mac: Hmac<Md5>,
    /// Bytes of the record without its MAC.
    len: usize,
}

impl RecordMac {
    /// Takes the key, of any length. A record that was begun is forgotten.
    ///
    /// # Errors
    /// Of no length there is: [`Fault::KeyLength`].
    pub(crate) fn set_key(&mut self, key: &[u8]) -> Result<(), Fault> {
        self.record = None;
        self.key = Some(Hmac::new_from_slice(key).map_err(|_| Fault::KeyLength)?);
        Ok(())
    }

    /// Begins a record. The length in the header is that of the data: for decryption, with the MAC, which is not
    /// authenticated.
    ///
    /// # Errors
    /// There is no key: [`Fault::NoKey`]. The header has another length, or a record of this length has no room for a
    /// MAC: [`Fault::GetParameter`].
    pub(crate) fn begin(&mut self, direction: Direction, header: &[u8]) -> Result<(), Fault> {
        self.record = None;
        let key = self.key.as_ref().ok_or(Fault::NoKey)?;
        let mut header: [u8; HEADER_LEN] = header.try_into().map_err(|_| Fault::GetParameter)?;
        let [.., high, low] = &mut header;
        let mut len = u16::from_be_bytes([*high, *low]);
        if direction == Direction::Decrypt {
            len = len.checked_sub(LEN as u16).ok_or(Fault::GetParameter)?;
        }
        [*high, *low] = len.to_be_bytes();
        self.record = Some(Record { mac: key.clone().chain_update(header), len: len.into() });
        Ok(())
    }

    /// The record that was begun, which is over with the next data.
    pub(crate) fn take(&mut self) -> Option<Record> {
        self.record.take()
    }
}

impl Record {
    /// The two parts of a record, its own bytes and its MAC.
    ///
    /// # Errors
    /// It has another length than its header says: [`Fault::Operation`].
    pub(crate) fn split<'d>(
        &self,
        data: &'d mut [u8],
    ) -> Result<(&'d mut [u8], &'d mut [u8]), Fault> {
        if data.len() != self.len + LEN {
            return Err(Fault::Operation);
        }
        Ok(data.split_at_mut(self.len))
    }

    /// Writes the MAC of a record.
    pub(crate) fn write(self, own: &[u8], mac: &mut [u8]) {
        mac.copy_from_slice(&self.mac.chain_update(own).finalize().into_bytes());
    }

    /// Compares the MAC of a record, in a time that does not depend on where they differ.
    ///
    /// # Errors
    /// It is another: [`Fault::Operation`], which OpenSSL's own has for that.
    pub(crate) fn check(self, own: &[u8], mac: &[u8]) -> Result<(), Fault> {
        self.mac.chain_update(own).verify_slice(mac).map_err(|_| Fault::Operation)
    }
}
