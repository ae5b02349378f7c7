//! Message authentication codes: CBC-MAC, retail MAC, CMAC.

use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::error::Error;
use crate::kernels::scrubbed;
use crate::keys::{BlockCipher, BlockKey, Des, TdesEde2};
use crate::modes::with_room;
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
    total: usize,
}

#[derive(Clone, Copy, Debug)]
enum Scheme {
    CbcMac(Padding),
    Cmac,
}

impl Mac {
    /// CBC-MAC (ISO/IEC 9797-1 algorithm 1; FIPS 113 with DES). [`Padding::Zero`] is the
    /// standard's padding method 1, [`Padding::Iso7816`] its method 2.
    pub fn cbc_mac(key: &impl BlockCipher, padding: Padding) -> Self {
        let key = key.as_block_key();
        Self::new(Scheme::CbcMac(padding), || key.copy(), key)
    }

    /// ISO/IEC 9797-1 algorithm 3, known as retail MAC (ANSI X9.19): a CBC-MAC by DES with the
    /// first key, of which the last block is encrypted with the whole two-key bundle.
    #[must_use]
    pub fn retail(key: &TdesEde2, padding: Padding) -> Self {
        let last_key = key.as_block_key();
        let chain_key = || {
            let first = last_key.passes.keys[0].to_be_bytes();
            let mut chain_key: BlockKey = Des::new(&first).into();
            chain_key.choice = last_key.choice;
            chain_key
        };
        Self::new(Scheme::CbcMac(padding), chain_key, last_key)
    }

    /// CMAC (SP 800-38B) with a 64-bit block.
    pub fn cmac(key: &impl BlockCipher) -> Self {
        let key = key.as_block_key();
        Self::new(Scheme::Cmac, || key.copy(), key)
    }

    fn new(scheme: Scheme, chain_key: impl FnOnce() -> BlockKey, last_key: &BlockKey) -> Self {
        scrubbed(2 * size_of::<Self>(), || Self {
            scheme,
            chain_key: chain_key(),
            last_key: last_key.copy(),
            chain: 0,
            held: [0; 8],
            held_len: 0,
            total: 0,
        })
    }

    /// Takes the next piece of the message.
    ///
    /// # Errors
    /// [`Error::SelfTest`]; nothing was taken then.
    pub fn update(&mut self, mut data: &[u8]) -> Result<(), Error> {
        let cipher = self.chain_key.chain()?;
        self.total = self.total.saturating_add(data.len());
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
            with_room(blocks.len(), |room| {
                for blocks in blocks.chunks(room.len()) {
                    let room = &mut room[..blocks.len()];
                    room.copy_from_slice(blocks);
                    cipher.encrypt_chain(&mut self.chain, room);
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
    /// [`Padding::None`]; [`Error::SelfTest`].
    pub fn finish(mut self) -> Result<[u8; 8], Error> {
        scrubbed(0, || self.tag())
    }

    fn tag(&mut self) -> Result<[u8; 8], Error> {
        let cipher = self.last_key.chain()?;
        let len = self.held_len;
        let mask = match self.scheme {
            Scheme::Cmac => {
                let [k1, k2] = cmac_subkeys(cipher.encrypt(0));
                if len == 8 {
                    k1
                } else {
                    Padding::Iso7816.fill(&mut self.held, len);
                    k2
                }
            }
            Scheme::CbcMac(Padding::None) if self.total == 0 => {
                return Err(Error::TooShort { len: 0, min: 8 });
            }
            Scheme::CbcMac(Padding::None) if len < 8 => {
                return Err(Error::NotWholeBlocks { len: self.total });
            }
            Scheme::CbcMac(padding) if len == 8 && padding.is_never_empty() => {
                // A padding of its own block: the full one before it is not the last.
                let chain = self.chain_key.chain()?;
                self.chain = chain.encrypt(self.chain ^ u64::from_be_bytes(self.held));
                padding.fill(&mut self.held, 0);
                0
            }
            Scheme::CbcMac(padding) => {
                padding.fill(&mut self.held, len);
                0
            }
        };
        Ok(cipher.encrypt(self.chain ^ u64::from_be_bytes(self.held) ^ mask).to_be_bytes())
    }

    /// Compares the tag, or its first bytes, in constant time.
    ///
    /// # Errors
    /// [`Error::Tag`] if it does not fit; [`Error::TagLength`] if `tag` has fewer than 4 or more
    /// than 8 bytes; those of [`finish`](Self::finish).
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        if !(4..=8).contains(&tag.len()) {
            return Err(Error::TagLength { got: tag.len() });
        }
        let expected = self.finish()?;
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
