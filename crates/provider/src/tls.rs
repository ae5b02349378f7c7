//! Records of TLS up to 1.2 under CBC (RFC 5246, section 6.2.3.2; RFC 6101 for SSL 3.0): padding put on and
//! taken off, and the MAC cut out of what is left.
//!
//! Who learns how long a record's padding is, or whether it is right before the MAC is checked, decrypts
//! records (Vaudenay 2002; AlFardan and Paterson 2013, "Lucky Thirteen"). So all work goes over the same bytes
//! whatever stands in them, and a record whose padding is wrong gets a MAC that no record has.

use crate::fault::Fault;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, ConstantTimeGreater};
use zeroize::Zeroize;

/// `SSL3_VERSION`; greater numbers are TLS, and DTLS counts from above (`prov_ssl.h`).
const SSL3: u32 = 0x0300;
const TLS1: u32 = 0x0301;
const TLS1_1: u32 = 0x0302;
const TLS1_2: u32 = 0x0303;
const DTLS1_BAD: u32 = 0x0100;
const DTLS1: u32 = 0xfeff;
const DTLS1_2: u32 = 0xfefd;

/// Bytes of the longest MAC (`EVP_MAX_MD_SIZE`).
const LONGEST_MAC: usize = 64;

/// What is known of the records of a connection.
#[derive(Clone)]
pub(crate) struct Tls {
    /// The protocol's number; 0: no TLS.
    pub(crate) version: u32,
    /// Bytes of the MAC behind each record; 0 where it was checked before.
    pub(crate) mac_len: usize,
    /// That of the last record.
    mac: [u8; LONGEST_MAC],
}

impl Tls {
    /// No TLS.
    pub(crate) fn none() -> Self {
        Self { version: 0, mac_len: 0, mac: [0; LONGEST_MAC] }
    }

    /// The MAC of the last record that was decrypted.
    pub(crate) fn mac(&self) -> &[u8] {
        &self.mac[..self.mac_len.min(LONGEST_MAC)]
    }

    /// Puts a padding behind the first `len` bytes of whole blocks, one to eight bytes.
    pub(crate) fn pad(&self, record: &mut [u8], len: usize) {
        let Some((last, others)) = record[len..].split_last_mut() else { return };
        *last = others.len() as u8;
        others.fill(if self.version == SSL3 { 0 } else { *last });
    }

    /// Takes the MAC from the end of a record of RC4; gives the length of what stands before it.
    pub(crate) fn cut_mac(&mut self, record: &[u8]) -> Result<usize, Fault> {
        let len = record.len().checked_sub(self.mac_len).ok_or(Fault::Operation)?;
        let mac = self.mac.get_mut(..self.mac_len).ok_or(Fault::Internal)?;
        mac.copy_from_slice(&record[len..]);
        Ok(len)
    }

    /// Takes padding and MAC from the end of a decrypted record of whole blocks; gives the length of its
    /// own bytes, which stand behind the explicit IV where the protocol has one.
    ///
    /// # Errors
    /// What anybody can see is wrong: the length, or the protocol; without a MAC, the padding, too.
    pub(crate) fn open(&mut self, record: &[u8]) -> Result<usize, Fault> {
        let start = match self.version {
            SSL3 | TLS1 => 0,
            TLS1_1 | TLS1_2 | DTLS1_BAD | DTLS1 | DTLS1_2 => 8,
            _ => return Err(Fault::Operation),
        };
        let body = record.get(start..).ok_or(Fault::Operation)?;
        let mac_len = self.mac_len;
        if mac_len > LONGEST_MAC {
            return Err(Fault::Internal);
        }
        let Some(&padding) = body.last().filter(|_| body.len() > mac_len) else {
            return Err(Fault::Operation);
        };
        let is_right = self.judge(body, padding);
        let taken = u64::from(padding) + 1;
        let with_mac = body.len() as u64 - u64::conditional_select(&0, &taken, is_right);
        if mac_len == 0 {
            return if bool::from(is_right) {
                Ok(with_mac as usize)
            } else {
                Err(Fault::Operation)
            };
        }
        let mut random = [0; LONGEST_MAC];
        getrandom::fill(&mut random[..mac_len]).map_err(|_| Fault::Internal)?;
        self.find_mac(body, with_mac);
        for (byte, other) in self.mac.iter_mut().zip(&random[..mac_len]) {
            byte.conditional_assign(other, !is_right);
        }
        Ok(with_mac as usize - mac_len)
    }

    /// Whether the padding whose last byte is `padding` is right, and leaves room for a MAC.
    fn judge(&self, body: &[u8], padding: u8) -> Choice {
        let room = (body.len() - self.mac_len - 1) as u64;
        let fits = !u64::from(padding).ct_gt(&room);
        if self.version == SSL3 {
            // What stands in it means nothing.
            return fits & !padding.ct_gt(&7);
        }
        body.iter()
            .rev()
            .take(256)
            .zip(0..=255_u8)
            .fold(fits, |is_right, (byte, n)| is_right & (n.ct_gt(&padding) | byte.ct_eq(&padding)))
    }

    /// Finds the MAC that ends behind `end` bytes, of which only where it may be is known.
    fn find_mac(&mut self, body: &[u8], end: u64) {
        let len = self.mac_len;
        let first = body.len().saturating_sub(len + 256);
        let start = end - len as u64;
        // Each byte goes to its place modulo the length; the rest is a rotation.
        let mut rotated = [0; LONGEST_MAC];
        let (mut place, mut rotation) = (0, 0_u64);
        for (n, byte) in (first as u64..).zip(&body[first..]) {
            let is_inside = !start.ct_gt(&n) & end.ct_gt(&n);
            rotated[place] |= u8::conditional_select(&0, byte, is_inside);
            rotation.conditional_assign(&(place as u64), n.ct_eq(&start));
            place = if place + 1 == len { 0 } else { place + 1 };
        }
        for (n, to) in self.mac[..len].iter_mut().enumerate() {
            *to = 0;
            for (m, from) in rotated[..len].iter().enumerate() {
                // Byte m goes where it is n behind the rotation.
                let at = ((m + len - n) % len) as u64;
                *to |= u8::conditional_select(&0, from, at.ct_eq(&rotation));
            }
        }
        rotated.zeroize();
    }
}

impl Drop for Tls {
    fn drop(&mut self) {
        self.mac.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record: `own` bytes, a MAC of `mac_len`, and a padding of `padding` bytes and its length.
    fn record(version: u32, own: usize, mac_len: usize, padding: u8) -> (Tls, Vec<u8>) {
        let mut tls = Tls::none();
        (tls.version, tls.mac_len) = (version, mac_len);
        let start = if [SSL3, TLS1].contains(&version) { 0 } else { 8 };
        let own = (0..start + own).map(|n| n as u8 | 1);
        let mac = (0..mac_len).map(|n| 0x80 | n as u8);
        let record = own.chain(mac).chain(std::iter::repeat_n(padding, usize::from(padding) + 1));
        (tls, record.collect())
    }

    #[test]
    fn every_padding_and_every_mac_is_found() {
        for version in [TLS1, TLS1_2, DTLS1_BAD] {
            for mac_len in [0, 16, 20, 32, 48] {
                for padding in 0..=255 {
                    for own in [0, 7, 300] {
                        let (mut tls, record) = record(version, own, mac_len, padding);
                        assert_eq!(tls.open(&record), Ok(own), "{version:x} {mac_len} {padding}");
                        let mac: Vec<u8> = (0..mac_len).map(|n| 0x80 | n as u8).collect();
                        assert_eq!(tls.mac(), mac, "{version:x} {mac_len} {padding} {own}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_wrong_padding_gets_a_mac_that_no_record_has() {
        for padding in [0_u8, 1, 7, 40, 255] {
            for wrong in 0..=usize::from(padding) {
                let (mut tls, mut bytes) = record(TLS1_2, 30, 20, padding);
                let end = bytes.len() - 1;
                bytes[end - wrong] ^= 0x40;
                let len = tls.open(&bytes).expect("the MAC says it");
                assert!(len <= bytes.len() - 28);
                let tail = &bytes[8 + len..8 + len + 20];
                assert_ne!(tls.mac(), tail, "padding {padding}, wrong at {wrong}");
                let (mut without, mut bytes) = record(TLS1_2, 30, 0, padding);
                let end = bytes.len() - 1;
                bytes[end - wrong] ^= 0x40;
                assert_eq!(without.open(&bytes), Err(Fault::Operation), "{padding} {wrong}");
            }
        }
        // A padding that would reach into the MAC.
        let (mut tls, mut bytes) = record(TLS1, 0, 20, 11);
        bytes.fill(12);
        assert_eq!(tls.open(&bytes), Ok(12));
        assert_ne!(tls.mac(), [12; 20]);
    }

    #[test]
    fn ssl_3_has_short_paddings_of_any_bytes() {
        let (mut tls, mut bytes) = record(SSL3, 29, 20, 7);
        let end = bytes.len() - 1;
        bytes[end - 7..end].copy_from_slice(b"garbage");
        assert_eq!(tls.open(&bytes), Ok(29));
        assert_eq!(tls.mac()[..2], [0x80, 0x81]);
        let (mut tls, bytes) = record(SSL3, 29, 20, 8);
        assert_eq!(tls.open(&bytes), Ok(bytes.len() - 20));
        assert_ne!(tls.mac()[..2], [0x80, 0x81]);
    }

    #[test]
    fn what_anybody_can_see_is_refused() {
        for (version, len) in [(TLS1_2, 0), (TLS1_2, 8), (TLS1_2, 28), (TLS1, 20), (0x0304, 80)] {
            let mut tls = Tls::none();
            (tls.version, tls.mac_len) = (version, 20);
            assert_eq!(tls.open(&vec![0; len]), Err(Fault::Operation), "{version:x} {len}");
            assert_eq!(tls.cut_mac(&[0; 19]), Err(Fault::Operation));
        }
    }

    #[test]
    fn paddings_are_put_on_as_they_are_taken_off() {
        let mut tls = Tls::none();
        for len in 0..8 {
            tls.version = TLS1;
            let mut block = [0xee; 8];
            tls.pad(&mut block, len);
            assert_eq!(tls.open(&block), Ok(len));
            assert!(block[len..].iter().all(|byte| usize::from(*byte) == 7 - len));
            tls.version = SSL3;
            tls.pad(&mut block, len);
            assert_eq!(tls.open(&block), Ok(len));
            assert!(block[len..7].iter().all(|byte| *byte == 0));
        }
    }
}
