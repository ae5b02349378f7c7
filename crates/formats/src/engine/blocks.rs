//! A block cipher on a message in pieces.
//!
//! Each piece is a message of its own to the library, of whole blocks, without padding, and with the IV
//! that the pieces before it lead to. Where that IV is known before they are transformed, in ECB, CTR, and
//! the decryption of CBC and CFB, pieces can be worked on at the same time. Only the end of the message,
//! with its padding or stealing, is left to the mode as a whole.

use std::sync::Arc;

use cipherloom::{BlockKey, Direction, Error, Padding};
use zeroize::{Zeroize, Zeroizing};

use super::piece::{HEADROOM, Piece};
use crate::cipher::ModeName;
use crate::damage::Damage;

/// A message in progress.
pub(super) struct Blocks {
    cipher: Arc<BlockCipher>,
    padding: Padding,
    /// IV of the next block.
    iv: [u8; 8],
    /// The end of what came so far, kept back as it may be the message's, or is no whole block.
    held: Zeroizing<Vec<u8>>,
    /// Bytes that came so far; of more than there are numbers for, as many as there are.
    total: usize,
}

/// What is the same for all pieces.
struct BlockCipher {
    key: BlockKey,
    mode: ModeName,
    direction: Direction,
}

/// What is left to do to a piece: at any time, on any thread.
pub struct Part(Option<(Arc<BlockCipher>, [u8; 8])>);

impl Part {
    /// Nothing.
    pub(super) const DONE: Self = Self(None);

    /// Does it, to the bytes of the piece for which it was made.
    ///
    /// # Errors
    /// The library's self-test.
    pub fn run(self, piece: &mut Piece<'_>) -> Result<(), Error> {
        self.0.map_or(Ok(()), |(cipher, iv)| cipher.transform(iv, piece.bytes_mut()))
    }
}

impl BlockCipher {
    /// Transforms whole blocks in the middle of the message.
    fn transform(&self, iv: [u8; 8], blocks: &mut [u8]) -> Result<(), Error> {
        let mode = match self.mode {
            ModeName::CbcCs1 | ModeName::CbcCs2 | ModeName::CbcCs3 => ModeName::Cbc,
            mode => mode,
        };
        let mode = mode.with(iv, Padding::None);
        match self.direction {
            Direction::Encrypt => mode.encrypt_in_place(&self.key, blocks, blocks.len()),
            Direction::Decrypt => mode.decrypt_in_place(&self.key, blocks),
        }
        .map(drop)
    }

    /// Whether a block waits for the one before to be transformed.
    fn is_chain(&self) -> bool {
        match self.direction {
            Direction::Encrypt => !matches!(self.mode, ModeName::Ecb | ModeName::Ctr),
            Direction::Decrypt => self.mode == ModeName::Ofb,
        }
    }
}

impl Blocks {
    pub(super) fn new(
        key: BlockKey,
        mode: ModeName,
        iv: [u8; 8],
        direction: Direction,
        padding: Padding,
    ) -> Self {
        let is_padded = matches!(mode, ModeName::Ecb | ModeName::Cbc);
        Self {
            cipher: Arc::new(BlockCipher { key, mode, direction }),
            padding: if is_padded { padding } else { Padding::None },
            iv,
            // As much as is ever held: the vector never moves.
            held: Zeroizing::new(Vec::with_capacity(HEADROOM)),
            total: 0,
        }
    }

    pub(super) fn is_chain(&self) -> bool {
        self.cipher.is_chain()
    }

    pub(super) fn advance(&mut self, piece: &mut Piece<'_>) -> Result<Part, Error> {
        self.total = self.total.saturating_add(piece.bytes().len());
        piece.prepend(&self.held);
        let ready = self.ready(piece.bytes().len());
        self.held.clear();
        self.held.extend_from_slice(piece.split_off(ready));
        let Some(&before) = piece.bytes().last_chunk() else { return Ok(Part::DONE) };
        if self.cipher.is_chain() {
            self.cipher.transform(self.iv, piece.bytes_mut())?;
            let after = piece.bytes().last_chunk().copied().unwrap_or(before);
            self.iv = match self.cipher.mode {
                // The last block of the keystream.
                ModeName::Ofb => std::array::from_fn(|byte| before[byte] ^ after[byte]),
                _ => after,
            };
            return Ok(Part::DONE);
        }
        let iv = match self.cipher.mode {
            ModeName::Ctr => {
                let blocks = (ready / 8) as u64;
                u64::from_be_bytes(self.iv).wrapping_add(blocks).to_be_bytes()
            }
            _ => before,
        };
        Ok(Part(Some((Arc::clone(&self.cipher), std::mem::replace(&mut self.iv, iv)))))
    }

    pub(super) fn salvage(mut self, out: &mut Vec<u8>) -> Result<Option<Damage>, Error> {
        let error = match self.finish(out) {
            Ok(()) => return Ok(None),
            Err(error @ Error::SelfTest) => return Err(error),
            Err(error) => error,
        };
        if self.cipher.mode.is_stealing() {
            return Ok(Some(Damage::Stealing(error)));
        }
        let whole = self.held.len() / 8 * 8;
        let lost = self.held.len() - whole;
        let blocks = &mut self.held[..whole];
        self.cipher.transform(self.iv, blocks)?;
        out.extend_from_slice(blocks);
        Ok(Some(if lost == 0 { Damage::Padding } else { Damage::End { lost } }))
    }

    /// The end of the message by the mode itself.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        let BlockCipher { key, mode, direction } = &*self.cipher;
        let mode = mode.with(self.iv, self.padding);
        let mut buffer = [0; 32];
        let result = match direction {
            Direction::Encrypt => mode.encrypt(key, &self.held, &mut buffer),
            Direction::Decrypt => mode.decrypt(key, &self.held, &mut buffer),
        };
        let result = match result {
            Ok(last) => {
                out.extend_from_slice(last);
                Ok(())
            }
            // The library saw the end only; the user wants to hear of the whole.
            Err(Error::NotWholeBlocks { .. }) => Err(Error::NotWholeBlocks { len: self.total }),
            Err(error) => Err(error),
        };
        buffer.zeroize();
        result
    }

    /// How many of `len` bytes can be worked on now: whole blocks that are surely not the end.
    fn ready(&self, len: usize) -> usize {
        let kept_back = match self.cipher.direction {
            _ if self.cipher.mode.is_stealing() => 9,
            Direction::Decrypt if self.padding != Padding::None => 1,
            _ => 0,
        };
        len.saturating_sub(kept_back) / 8 * 8
    }
}
