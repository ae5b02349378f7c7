//! Modes whose blocks do not wait for each other: ECB, CTR, and the decryption of CBC and CFB.
//!
//! A piece is cut on block boundaries, and each part goes to a thread with the IV it needs: for CBC
//! and CFB that is the ciphertext block before, for CTR the counter. Only the end of the message,
//! with its padding or stealing, is left to the mode as a whole.

use cipherloom::{BlockKey, Direction, Error, Padding};
use zeroize::{Zeroize, Zeroizing};

use super::setup::Setup;
use crate::cipher::ModeName;
use crate::damage::Damage;

/// A part is worth a thread from this many bytes on, and is a multiple of it.
const PART: usize = 16 * 1024;

/// A message in progress.
pub(super) struct Split {
    key: BlockKey,
    mode: ModeName,
    direction: Direction,
    padding: Padding,
    threads: usize,
    /// IV of the next block.
    iv: [u8; 8],
    /// The end of what came so far, kept back as it may be the message's: at most 16 bytes.
    held: Zeroizing<Vec<u8>>,
    /// Bytes that came so far.
    total: usize,
}

impl Split {
    pub(super) fn new(key: BlockKey, mode: ModeName, iv: [u8; 8], setup: &Setup<'_>) -> Self {
        let is_padded = matches!(mode, ModeName::Ecb | ModeName::Cbc);
        Self {
            key,
            mode,
            direction: setup.direction,
            padding: if is_padded { setup.padding } else { Padding::None },
            threads: setup.threads.max(1),
            iv,
            // This is room for 16 bytes and the rest of a block: the vector never moves.
            held: Zeroizing::new(Vec::with_capacity(24)),
            total: 0,
        }
    }

    pub(super) fn update(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.total += input.len();
        let ready = self.ready(self.held.len() + input.len());
        // First come the blocks that begin in what is held, then those that the input has as a whole.
        let first = self.held.len().next_multiple_of(8).min(ready);
        let (rest_of_first, input) = input.split_at(first.saturating_sub(self.held.len()));
        self.held.extend_from_slice(rest_of_first);
        let mut held = std::mem::take(&mut self.held);
        self.blocks(&held[..first], out)?;
        held.drain(..first);
        let (whole, rest) = input.split_at(ready - first);
        self.blocks(whole, out)?;
        held.extend_from_slice(rest);
        self.held = held;
        Ok(())
    }

    pub(super) fn finish(mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        self.last(out)
    }

    pub(super) fn salvage(mut self, out: &mut Vec<u8>) -> Result<Option<Damage>, Error> {
        let error = match self.last(out) {
            Ok(()) => return Ok(None),
            Err(error @ Error::SelfTest) => return Err(error),
            Err(error) => error,
        };
        if self.mode.is_stealing() {
            return Ok(Some(Damage::Stealing(error)));
        }
        let held = std::mem::take(&mut self.held);
        let (whole, cut) = held.split_at(held.len() / 8 * 8);
        self.blocks(whole, out)?;
        Ok(Some(match cut.len() {
            0 => Damage::Padding,
            lost => Damage::End { lost },
        }))
    }

    /// How many of `len` held bytes can be worked on now: whole blocks that are surely not the end.
    fn ready(&self, len: usize) -> usize {
        let kept_back = match self.direction {
            _ if self.mode.is_stealing() => 9,
            Direction::Decrypt if self.padding != Padding::None => 1,
            _ => 0,
        };
        len.saturating_sub(kept_back) / 8 * 8
    }

    /// Transforms whole blocks in the middle of the message onto `out`, in parts, a thread each.
    fn blocks(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        if input.is_empty() {
            return Ok(());
        }
        let start = out.len();
        out.resize(start + input.len(), 0);
        let size = input.len().div_ceil(self.threads).next_multiple_of(PART);
        let mut parts = Vec::with_capacity(self.threads);
        for (from, to) in input.chunks(size).zip(out[start..].chunks_mut(size)) {
            parts.push((self.iv, from, to));
            self.iv = self.iv_behind(from);
        }
        let this = &*self;
        let mut parts = parts.into_iter();
        let first = parts.next();
        std::thread::scope(|scope| {
            let others: Vec<_> =
                parts.map(|(iv, from, to)| scope.spawn(move || this.part(iv, from, to))).collect();
            let mut result = first.map_or(Ok(()), |(iv, from, to)| this.part(iv, from, to));
            for other in others {
                let other = other.join().unwrap_or(Err(Error::SelfTest));
                result = result.and(other);
            }
            result
        })
    }

    fn part(&self, iv: [u8; 8], from: &[u8], to: &mut [u8]) -> Result<(), Error> {
        let mode = match self.mode {
            ModeName::CbcCs1 | ModeName::CbcCs2 | ModeName::CbcCs3 => ModeName::Cbc,
            mode => mode,
        };
        let mode = mode.with(iv, Padding::None);
        match self.direction {
            Direction::Encrypt => mode.encrypt(&self.key, from, to),
            Direction::Decrypt => mode.decrypt(&self.key, from, to),
        }
        .map(drop)
    }

    /// The IV of the block behind `input`, which is not empty and of whole blocks.
    fn iv_behind(&self, input: &[u8]) -> [u8; 8] {
        match self.mode {
            ModeName::Ctr => {
                let blocks = (input.len() / 8) as u64;
                u64::from_be_bytes(self.iv).wrapping_add(blocks).to_be_bytes()
            }
            _ => input.last_chunk().copied().unwrap_or(self.iv),
        }
    }

    /// The end of the message by the mode itself.
    fn last(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        let mode = self.mode.with(self.iv, self.padding);
        let mut buffer = [0; 32];
        let result = match self.direction {
            Direction::Encrypt => mode.encrypt(&self.key, &self.held, &mut buffer),
            Direction::Decrypt => mode.decrypt(&self.key, &self.held, &mut buffer),
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
}
