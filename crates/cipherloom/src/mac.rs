//! Message authentication codes: CBC-MAC, retail MAC, CMAC.

use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::error::Error;
use crate::kernels::{scrubbed, with_scratch};
use crate::keys::{Algorithm, BlockCipher, BlockKey, TdesEde2};

use crate::padding::Padding;

/// A MAC of a message that comes in pieces.
///
/// ```
/// use cipherloom::{Mac, Padding, TdesEde2};
///
/// let key = TdesEde2::new(b"0123456789abcdef");
/// let mut mac = Mac::retail(&key, Padding::Iso7816);
/// mac.update(b"a payment ")?;
/// mac.update(b"message")?;
/// let tag = mac.finish()?;
/// # Ok::<(), cipherloom::Error>(())
/// ```
///
/// A MAC of 64 bits by these ciphers is for talking to systems that ask for it; CBC-MAC is safe
/// only where all messages of a key have one length. Wiped on drop.
#[derive(Clone)]
pub struct Mac {
    scheme: Scheme,
    /// Encrypts every block but the last.
    chain_key: BlockKey,
    /// Encrypts the last block.
    last_key: BlockKey,
    chain: u64,
    held: [u8; 8],
    held_len: usize,
    /// Bytes that came, in all.
    total: u64,
}

#[derive(Clone, Copy, Debug)]
enum Scheme {
    CbcMac(Padding),
    /// ISO/IEC 9797-1 padding method 3: the number of the message's bits is a block before it, and
    /// zeros fill up the last one. The message has so many bytes.
    LengthFirst(u64),
    Cmac,
}

impl Mac {
    /// CBC-MAC (ISO/IEC 9797-1 algorithm 1; FIPS 113 with DES). [`Padding::Zero`] is the
    /// standard's padding method 1, [`Padding::Iso7816`] its method 2; for method 3 see
    /// [`cbc_mac_of_length`](Self::cbc_mac_of_length).
    pub fn cbc_mac(key: &impl BlockCipher, padding: Padding) -> Self {
        Self::of_one(Scheme::CbcMac(padding), key.as_block_key())
    }

    /// CBC-MAC with padding method 3 of ISO/IEC 9797-1, which puts the message's length in front:
    /// `len` is the number of bytes that will come.
    pub fn cbc_mac_of_length(key: &impl BlockCipher, len: u64) -> Self {
        Self::of_one(Scheme::LengthFirst(len), key.as_block_key())
    }

    /// ISO/IEC 9797-1 algorithm 3, known as retail MAC (ANSI X9.19): a CBC-MAC by DES with the
    /// first key, of which the last block is encrypted with the whole two-key bundle.
    #[must_use]
    pub fn retail(key: &TdesEde2, padding: Padding) -> Self {
        Self::of_two(Scheme::CbcMac(padding), key)
    }

    /// Retail MAC with padding method 3 of ISO/IEC 9797-1, which puts the message's length in
    /// front: `len` is the number of bytes that will come.
    #[must_use]
    pub fn retail_of_length(key: &TdesEde2, len: u64) -> Self {
        Self::of_two(Scheme::LengthFirst(len), key)
    }

    /// CMAC (SP 800-38B) with a 64-bit block.
    pub fn cmac(key: &impl BlockCipher) -> Self {
        Self::of_one(Scheme::Cmac, key.as_block_key())
    }

    fn of_one(scheme: Scheme, key: &BlockKey) -> Self {
        Self::new(scheme, || key.copy(), key)
    }

    fn of_two(scheme: Scheme, key: &TdesEde2) -> Self {
        let last_key = key.as_block_key();
        let chain_key = || {
            let mut chain_key = BlockKey::blank(Algorithm::Des);
            chain_key.set_first_of(last_key);
            chain_key
        };
        Self::new(scheme, chain_key, last_key)
    }

    fn new(scheme: Scheme, chain_key: impl FnOnce() -> BlockKey, last_key: &BlockKey) -> Self {
        let (held, held_len) = match scheme {
            // Nobody can bring so many bytes that their bits need a longer number.
            Scheme::LengthFirst(len) => (len.wrapping_mul(8).to_be_bytes(), 8),
            _ => ([0; 8], 0),
        };
        scrubbed(2 * size_of::<Self>(), || Self {
            scheme,
            chain_key: chain_key(),
            last_key: last_key.copy(),
            chain: 0,
            held,
            held_len,
            total: 0,
        })
    }

    /// The same under another key of the same cipher, before anything came: each part of it is
    /// copied or made where it stays. For the C face.
    #[doc(hidden)]
    pub fn set_key(&mut self, key: &BlockKey) {
        if self.chain_key.algorithm == self.last_key.algorithm {
            self.chain_key.clone_from(key);
        } else {
            self.chain_key.set_first_of(key);
        }
        self.last_key.clone_from(key);
    }

    /// Takes the next piece of the message.
    ///
    /// # Errors
    /// [`Error::MessageLength`] if the message becomes longer than was announced;
    /// [`Error::SelfTest`]. Nothing was taken then.
    pub fn update(&mut self, mut data: &[u8]) -> Result<(), Error> {
        let cipher = self.chain_key.chain()?;
        let total = self.total.saturating_add(data.len() as u64);
        if let Scheme::LengthFirst(len) = self.scheme
            && total > len
        {
            return Err(Error::MessageLength { got: total, want: len });
        }
        self.total = total;
        // The last block is special: a full one waits until more comes.
        if self.held_len > 0 && self.held_len + data.len() > 8 {
            let (head, tail) = data.split_at(8 - self.held_len);
            self.held[self.held_len..].copy_from_slice(head);
            self.chain = cipher.encrypt(self.chain ^ u64::from_be_bytes(self.held));
            self.held_len = 0;
            data = tail;
        }
        if data.len() > 8 {
            let (bytes, last) = data.split_at((data.len() - 1) / 8 * 8);
            let blocks = bytes.as_chunks::<8>().0;
            with_scratch(blocks.len(), |scratch| {
                for blocks in blocks.chunks(scratch.len()) {
                    let scratch = &mut scratch[..blocks.len()];
                    scratch.copy_from_slice(blocks);
                    cipher.encrypt_chain(&mut self.chain, scratch);
                }
            });
            data = last;
        }
        self.held[self.held_len..self.held_len + data.len()].copy_from_slice(data);
        self.held_len += data.len();
        Ok(())
    }

    /// The tag, 8 bytes; protocols that want fewer take the first ones.
    ///
    /// # Errors
    /// [`Error::NotWholeBlocks`], or [`Error::TooShort`] for an empty message, with
    /// [`Padding::None`]; [`Error::MessageLength`] if fewer bytes came than were announced;
    /// [`Error::SelfTest`].
    pub fn finish(mut self) -> Result<[u8; 8], Error> {
        self.end()
    }

    /// What [`finish`](Self::finish) does, in place; nothing may follow but the drop. For the C
    /// face.
    #[doc(hidden)]
    pub fn end(&mut self) -> Result<[u8; 8], Error> {
        scrubbed(0, || self.tag())
    }

    fn tag(&mut self) -> Result<[u8; 8], Error> {
        let cipher = self.last_key.chain()?;
        // What fills up the last block, and whether that is a block of its own.
        let (padding, is_own_block) = match self.scheme {
            Scheme::CbcMac(Padding::None) if self.total == 0 => {
                return Err(Error::TooShort { len: 0, min: 8 });
            }
            Scheme::CbcMac(Padding::None) if self.held_len < 8 => {
                let len = usize::try_from(self.total).unwrap_or(usize::MAX);
                return Err(Error::NotWholeBlocks { len });
            }
            Scheme::LengthFirst(want) if self.total != want => {
                return Err(Error::MessageLength { got: self.total, want });
            }
            Scheme::CbcMac(padding) => (padding, self.held_len == 8 && padding.is_never_empty()),
            // Behind its length the empty message is a block of zeros.
            Scheme::LengthFirst(want) => (Padding::Zero, want == 0),
            Scheme::Cmac => (Padding::Iso7816, false),
        };
        if is_own_block {
            // The full block before it is not the last.
            let chain_cipher = self.chain_key.chain()?;
            self.chain = chain_cipher.encrypt(self.chain ^ u64::from_be_bytes(self.held));
            self.held_len = 0;
        }
        let mask = match self.scheme {
            Scheme::Cmac => cmac_subkeys(cipher.encrypt(0))[usize::from(self.held_len < 8)],
            _ => 0,
        };
        if self.held_len < 8 {
            padding.fill(&mut self.held, self.held_len);
        }
        Ok(cipher.encrypt(self.chain ^ u64::from_be_bytes(self.held) ^ mask).to_be_bytes())
    }

    /// Compares the tag, or its first bytes, in constant time.
    ///
    /// # Errors
    /// [`Error::Tag`] if it does not fit; [`Error::TagLength`] if `tag` has fewer than 4 or more
    /// than 8 bytes; those of [`finish`](Self::finish).
    pub fn verify(mut self, tag: &[u8]) -> Result<(), Error> {
        self.end_with(tag)
    }

    /// What [`verify`](Self::verify) does, in place, as [`end`](Self::end). For the C face.
    #[doc(hidden)]
    pub fn end_with(&mut self, tag: &[u8]) -> Result<(), Error> {
        if !(4..=8).contains(&tag.len()) {
            return Err(Error::TagLength { got: tag.len() });
        }
        let expected = self.end()?;
        let difference = expected.iter().zip(tag).fold(0, |sum, (a, b)| sum | (a ^ b));
        if difference == 0 { Ok(()) } else { Err(Error::Tag) }
    }
}

/// K1 and K2 of SP 800-38B section 6.1: L doubled once and twice, with R64 = 1Bh.
fn cmac_subkeys(l: u64) -> [u64; 2] {
    let double = |x: u64| x << 1 ^ (0x1b & (x >> 63).wrapping_neg());
    [double(l), double(double(l))]
}

impl Drop for Mac {
    fn drop(&mut self) {
        // The keys wipe themselves.
        self.chain.zeroize();
        self.held.zeroize();
    }
}

impl ZeroizeOnDrop for Mac {}

impl fmt::Debug for Mac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mac")
            .field("scheme", &self.scheme)
            .field("key", &self.last_key)
            .finish_non_exhaustive()
    }
}
