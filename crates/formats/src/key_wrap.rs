//! The Triple-DES key wrap of CMS (RFC 3217, section 3): a key is sealed by another key.
//!
//! The parity of the wrapped key is not looked at, and any number of whole blocks is taken, as OpenSSL does.

use cipherloom::{BlockCipher, Mode, Padding};
use sha1::{Digest, Sha1};
use std::fmt;
use zeroize::Zeroizing;

/// Bytes by which data grows: an IV and a checksum.
pub const GROWTH: usize = 2 * BLOCK;
/// Fewest bytes of wrapped data that hold any.
pub const MIN_WRAPPED: usize = GROWTH + BLOCK;

const BLOCK: usize = 8;

/// The IV of the outer encryption, the same for all (RFC 3217, section 3.1, step 7).
const OUTER_IV: [u8; BLOCK] = [0x4a, 0xdd, 0xa2, 0x2c, 0x79, 0xe8, 0x21, 0x05];

/// Why data is not wrapped or unwrapped.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The data has no whole blocks, or is too short to be wrapped data.
    Length(usize),
    /// The checksum is wrong: another key, or damaged data.
    Checksum,
    /// The library could not encrypt or decrypt.
    Cipher(cipherloom::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(len) => write!(f, "{len} bytes are not the length of a wrapped key"),
            Self::Checksum => f.write_str("the checksum is wrong: another key, or damaged data"),
            Self::Cipher(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<cipherloom::Error> for Error {
    fn from(error: cipherloom::Error) -> Self {
        Self::Cipher(error)
    }
}

/// Wraps data of whole blocks. `iv` is random and new for each call. The result is [`GROWTH`] bytes longer.
///
/// # Errors
/// [`Error::Length`]; those of the library.
pub fn wrap(key: &impl BlockCipher, iv: [u8; BLOCK], data: &[u8]) -> Result<Vec<u8>, Error> {
    if !data.len().is_multiple_of(BLOCK) {
        return Err(Error::Length(data.len()));
    }
    let len = data.len() + GROWTH;
    let mut work = Zeroizing::new(Vec::with_capacity(len));
    work.extend_from_slice(&iv);
    work.extend_from_slice(data);
    work.extend_from_slice(&checksum(data));
    Mode::cbc(iv, Padding::None).encrypt_in_place(key, &mut work[BLOCK..], len - BLOCK)?;
    work.reverse();
    Mode::cbc(OUTER_IV, Padding::None).encrypt_in_place(key, &mut work, len)?;
    Ok(std::mem::take(&mut *work))
}

/// Unwraps what [`wrap`] made. The result is [`GROWTH`] bytes shorter.
///
/// # Errors
/// [`Error::Length`]; [`Error::Checksum`], in the time that a right one takes; those of the library.
pub fn unwrap(key: &impl BlockCipher, wrapped: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    if !wrapped.len().is_multiple_of(BLOCK) || wrapped.len() < MIN_WRAPPED {
        return Err(Error::Length(wrapped.len()));
    }
    let mut work = Zeroizing::new(wrapped.to_vec());
    Mode::cbc(OUTER_IV, Padding::None).decrypt_in_place(key, &mut work)?;
    work.reverse();
    let mut iv = [0; BLOCK];
    iv.copy_from_slice(&work[..BLOCK]);
    Mode::cbc(iv, Padding::None).decrypt_in_place(key, &mut work[BLOCK..])?;
    let end = work.len() - BLOCK;
    let expected = checksum(&work[BLOCK..end]);
    let difference =
        expected.iter().zip(&work[end..]).fold(0, |all, (one, other)| all | (one ^ other));
    if difference != 0 {
        return Err(Error::Checksum);
    }
    work.truncate(end);
    work.drain(..BLOCK);
    Ok(work)
}

/// The first bytes of SHA-1.
fn checksum(data: &[u8]) -> [u8; BLOCK] {
    let digest = Sha1::digest(data);
    std::array::from_fn(|n| digest[n])
}

#[cfg(test)]
mod tests {
    use super::{Error, GROWTH, unwrap, wrap};
    use cipherloom::TdesEde3;

    fn key() -> TdesEde3 {
        let bytes: Vec<u8> = (1..=24).map(|n| n * 7).collect();
        TdesEde3::from_slice(&bytes).unwrap()
    }

    /// RFC 3217, section 3.4.
    #[test]
    fn the_example_of_the_standard() {
        let hex = |text: &str| -> Vec<u8> {
            let digits: Vec<u8> = text.bytes().filter(|byte| *byte != b' ').collect();
            let pairs = digits.chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
            pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
        };
        let own = hex("2923bf85e06dd6ae 529149f1f1bae9ea b3a7da3d860d3e98");
        let key = hex("255e0d1c07b646df b3134cc843ba8aa7 1f025b7c0838251f");
        let wrapped = hex(
            "690107618ef092b3 b48ca1796b234ae9 fa33ebb415960403 7db5d6a84eb3aac2 768c632775a467d4",
        );
        let key = TdesEde3::from_slice(&key).unwrap();
        let iv = hex("5dd4cbfc96f5453b").try_into().unwrap();
        assert_eq!(wrap(&key, iv, &own).unwrap(), wrapped);
        assert_eq!(*unwrap(&key, &wrapped).unwrap(), own);
    }

    #[test]
    fn every_damaged_bit_is_noticed() {
        let data = [0x5a; 16];
        let mut wrapped = wrap(&key(), [3; 8], &data).unwrap();
        assert_eq!(wrapped.len(), data.len() + GROWTH);
        for bit in 0..wrapped.len() * 8 {
            wrapped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(unwrap(&key(), &wrapped), Err(Error::Checksum), "bit {bit}");
            wrapped[bit / 8] ^= 1 << (bit % 8);
        }
        assert_eq!(*unwrap(&key(), &wrapped).unwrap(), data);
    }

    #[test]
    fn lengths_that_nothing_has() {
        for len in [1, 7, 9, 23] {
            assert_eq!(wrap(&key(), [0; 8], &vec![0; len]), Err(Error::Length(len)));
        }
        for len in [0, 8, 16, 23, 25] {
            assert_eq!(unwrap(&key(), &vec![0; len]), Err(Error::Length(len)));
        }
    }
}
