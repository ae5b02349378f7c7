//! Paddings of the last block: PKCS#7, ISO/IEC 7816-4, zeros, none.

use crate::error::Error;
use crate::verdict::Verdict;

/// How a message is filled up to whole 8-byte blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Padding {
    /// RFC 5652 section 6.3 (PKCS#7): n bytes of value n, 1 to 8 of them. What OpenSSL does.
    Pkcs7,
    /// ISO/IEC 7816-4 (also ISO/IEC 9797-1 padding method 2): one byte 80, then zeros.
    Iso7816,
    /// ISO/IEC 9797-1 padding method 1: as few zeros as fill the block, so none if it is full.
    /// Removing takes up to 7 zeros away and cannot tell them from zeros of the message.
    Zero,
    /// No padding: the message must consist of whole blocks.
    None,
}

impl Padding {
    /// The length of a message of `len` bytes with its padding.
    ///
    /// # Errors
    /// [`Error::NotWholeBlocks`] with [`Padding::None`] and a length that is no multiple of 8.
    pub fn padded_len(self, len: usize) -> Result<usize, Error> {
        match self {
            // Slices never reach usize::MAX - 8 bytes, lengths given as numbers may.
            Self::Pkcs7 | Self::Iso7816 => Ok(len.saturating_add(8 - len % 8)),
            Self::Zero => Ok(len.saturating_add((8 - len % 8) % 8)),
            Self::None if len.is_multiple_of(8) => Ok(len),
            Self::None => Err(Error::NotWholeBlocks { len }),
        }
    }

    /// Writes the padding behind the first `len` bytes of `message`, whose own length is
    /// [`padded_len`](Self::padded_len) of `len`.
    pub(crate) fn fill(self, message: &mut [u8], len: usize) {
        let added = message.len() - len;
        let fill = &mut message[len..];
        if fill.is_empty() {
            return;
        }
        match self {
            Self::Pkcs7 => fill.fill(added as u8),
            Self::Zero | Self::None => fill.fill(0),
            Self::Iso7816 => {
                fill.fill(0);
                fill[0] = 0x80;
            }
        }
    }

    /// What `block`, the last of a decrypted message, says of its padding.
    ///
    /// The check looks at all 8 bytes, has no branch on them, and takes the same time for every
    /// content.
    pub(crate) fn judge(self, block: &[u8; 8]) -> Verdict {
        match self {
            Self::Pkcs7 => {
                let count = block[7];
                let mut wrong = u8::from(count == 0) | u8::from(count > 8);
                for (i, &byte) in block.iter().enumerate() {
                    let inside = u8::from(i + usize::from(count) >= 8);
                    wrong |= inside & u8::from(byte != count);
                }
                Verdict::new(8u8.wrapping_sub(count), wrong)
            }
            Self::Iso7816 => {
                // Backwards: zeros, then the mark; `open` until the first byte that is not zero.
                let (mut open, mut own, mut found) = (1u8, 0u8, 0u8);
                for (i, &byte) in block.iter().enumerate().rev() {
                    let mark = open & u8::from(byte == 0x80);
                    own |= mark * i as u8;
                    found |= mark;
                    open &= u8::from(byte == 0);
                }
                Verdict::new(own, found ^ 1)
            }
            Self::Zero => {
                // One byte at least stays, whatever it is.
                let mut own = 1;
                for (i, &byte) in block.iter().enumerate() {
                    let mask = u8::from(byte != 0).wrapping_neg();
                    own = (own & !mask) | ((i as u8 + 1) & mask);
                }
                Verdict::new(own, 0)
            }
            Self::None => Verdict::new(8, 0),
        }
    }

    /// Makes zeros of decrypted blocks if [`Self::judge`] found this padding wrong.
    pub(crate) fn apply(self, verdict: Verdict, blocks: &mut [u8]) {
        if self.is_never_empty() {
            verdict.apply(blocks);
        }
    }

    /// Whether a padded message has at least one block, and its last one must be kept back until
    /// the message is known to end.
    pub(crate) fn is_removed(self) -> bool {
        !matches!(self, Self::None)
    }

    /// Whether even an empty message gets a block of padding, which can then be wrong.
    pub(crate) fn is_never_empty(self) -> bool {
        matches!(self, Self::Pkcs7 | Self::Iso7816)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_padding_returns_what_it_filled() {
        for padding in [Padding::Pkcs7, Padding::Iso7816, Padding::Zero] {
            for len in 0..=8usize {
                let mut message = [0x5a; 16];
                let total = padding.padded_len(len).unwrap();
                padding.fill(&mut message[..total], len);
                if total == 0 {
                    continue;
                }
                let last: [u8; 8] = message[total - 8..total].try_into().unwrap();
                let verdict = padding.judge(&last);
                assert_eq!(verdict.result(Ok(total - 8 + verdict.own())), Ok(len));
            }
        }
    }

    #[test]
    fn wrong_paddings_are_errors() {
        for (padding, block) in [
            (Padding::Pkcs7, [0; 8]),
            (Padding::Pkcs7, [9; 8]),
            (Padding::Pkcs7, [1, 1, 1, 1, 1, 1, 1, 2]),
            (Padding::Pkcs7, [7, 8, 8, 8, 8, 8, 8, 8]),
            (Padding::Pkcs7, [0xff; 8]),
            (Padding::Iso7816, [0; 8]),
            (Padding::Iso7816, [0x80, 0, 0, 0, 0, 0, 0, 1]),
            (Padding::Iso7816, [0x80, 0, 0x40, 0, 0, 0, 0, 0]),
        ] {
            let verdict = padding.judge(&block);
            assert_eq!(verdict.result(Ok(())), Err(Error::Padding), "{padding:?} {block:02x?}");
            assert_eq!((verdict.own(), verdict.wrong()), (0, 1));
        }
    }

    #[test]
    fn the_nearest_mark_counts() {
        let block = [0x80, 1, 2, 0x80, 0x80, 0, 0, 0];
        let verdict = Padding::Iso7816.judge(&block);
        assert_eq!((verdict.own(), verdict.wrong()), (4, 0));
    }
}
