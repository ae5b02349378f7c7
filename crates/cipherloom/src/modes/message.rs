//! Whole messages: one-shot encryption and decryption with padding or stealing.

use super::state::State;
use super::{Kind, Mode, cbc, cfb, cts, ecb};
use crate::error::Error;
use crate::kernels::{Direction, copy};
use crate::keys::{BlockCipher, BlockKey};
use crate::verdict::Verdict;

/// Bytes that are decrypted at a time where a padding is to be judged: some groups of the widest
/// kernel, and less than the nearest cache holds.
const PIECE: usize = 32 << 10;

impl Mode {
    /// Length in bytes of the ciphertext of a message of `len` bytes.
    ///
    /// # Errors
    /// [`Error::NotWholeBlocks`] or [`Error::TooShort`] if the mode cannot take such a message.
    pub fn encrypted_len(&self, len: usize) -> Result<usize, Error> {
        match self.kind {
            Kind::Ecb | Kind::Cbc => self.padding.padded_len(len),
            kind if kind.is_stealing() && len < 8 => Err(Error::TooShort { len, min: 8 }),
            _ => Ok(len),
        }
    }

    /// Encrypts `input` into the start of `output`, and returns that part of it.
    ///
    /// # Errors
    /// [`Error::NotWholeBlocks`], [`Error::TooShort`], [`Error::OutputTooSmall`],
    /// [`Error::SelfTest`]; `output` is unchanged then.
    pub fn encrypt<'o>(
        &self,
        key: &impl BlockCipher,
        input: &[u8],
        output: &'o mut [u8],
    ) -> Result<&'o mut [u8], Error> {
        let need = self.encrypted_len(input.len())?;
        let output = prefix(output, need)?;
        key.as_block_key().check()?;
        copy(&mut output[..input.len()], input);
        self.encrypt_in_place(key, output, input.len())
    }

    /// Encrypts the first `len` bytes of `buf` in place, and returns the ciphertext, for which
    /// `buf` must have room: [`encrypted_len`](Self::encrypted_len) bytes.
    ///
    /// # Errors
    /// [`Error::NotWholeBlocks`], [`Error::TooShort`], [`Error::OutputTooSmall`],
    /// [`Error::SelfTest`]; `buf` is unchanged then.
    pub fn encrypt_in_place<'b>(
        &self,
        key: &impl BlockCipher,
        buf: &'b mut [u8],
        len: usize,
    ) -> Result<&'b mut [u8], Error> {
        let message = prefix(buf, self.encrypted_len(len)?.max(len))?;
        self.seal(key.as_block_key(), message, len)?;
        Ok(message)
    }

    /// Encrypts a message of so many bytes; what is behind them is for its padding. CBC goes the shortest way: a message
    /// of one block, after other work, waits for each part of a longer one.
    fn seal(&self, key: &BlockKey, message: &mut [u8], len: usize) -> Result<(), Error> {
        if self.kind == Kind::Cbc {
            let chain = key.chain()?;
            self.padding.fill(message, len);
            cbc::encrypt(&mut u64::from_be_bytes(self.iv), &chain, message);
            return Ok(());
        }
        key.check()?;
        self.padding.fill(message, len);
        self.crypt(key, Direction::Encrypt, message)
    }

    /// Decrypts `input` into the start of `output`, and returns the plaintext without its padding.
    ///
    /// `output` needs room for all of `input`, as the padding's length is not known before. A wrong
    /// padding takes the same time as a right one.
    ///
    /// # Errors
    /// [`Error::NotWholeBlocks`], [`Error::TooShort`], [`Error::OutputTooSmall`],
    /// [`Error::SelfTest`]: `output` is unchanged. [`Error::Padding`]: what was written to
    /// `output` is zeros.
    pub fn decrypt<'o>(
        &self,
        key: &impl BlockCipher,
        input: &[u8],
        output: &'o mut [u8],
    ) -> Result<&'o mut [u8], Error> {
        self.check_encrypted_len(input.len())?;
        let output = prefix(output, input.len())?;
        key.as_block_key().check()?;
        copy(output, input);
        self.open(key.as_block_key(), output)
    }

    /// Decrypts all of `buf` in place, and returns the plaintext without its padding. A wrong padding
    /// takes the same time as a right one.
    ///
    /// # Errors
    /// [`Error::NotWholeBlocks`], [`Error::TooShort`], [`Error::SelfTest`]: `buf` is unchanged.
    /// [`Error::Padding`]: `buf` is zeros, and the ciphertext is gone. Who may have to try another key
    /// keeps a copy, or calls [`decrypt`](Self::decrypt).
    pub fn decrypt_in_place<'b>(
        &self,
        key: &impl BlockCipher,
        buf: &'b mut [u8],
    ) -> Result<&'b mut [u8], Error> {
        self.check_encrypted_len(buf.len())?;
        self.open(key.as_block_key(), buf)
    }

    /// CFB-1 on the first `bits` bits of `data`, in place; the highest bit of a byte comes first,
    /// and bits behind the message stay as they are.
    ///
    /// # Errors
    /// [`Error::Mode`] for other modes, [`Error::TooShort`] if `data` has fewer bits,
    /// [`Error::SelfTest`]; `data` is unchanged then.
    pub fn encrypt_bits(
        &self,
        key: &impl BlockCipher,
        data: &mut [u8],
        bits: usize,
    ) -> Result<(), Error> {
        self.check_bits(data, bits)?;
        cfb::encrypt_bits(&mut State::new(self), key.as_block_key(), data, bits)
    }

    /// The inverse of [`encrypt_bits`](Self::encrypt_bits).
    ///
    /// # Errors
    /// As there.
    pub fn decrypt_bits(
        &self,
        key: &impl BlockCipher,
        data: &mut [u8],
        bits: usize,
    ) -> Result<(), Error> {
        self.check_bits(data, bits)?;
        cfb::decrypt_bits(&mut State::new(self), key.as_block_key(), data, bits)
    }

    fn check_bits(&self, data: &[u8], bits: usize) -> Result<(), Error> {
        let min = bits.div_ceil(8);
        match self.kind {
            Kind::Cfb1 if data.len() < min => Err(Error::TooShort { len: data.len(), min }),
            Kind::Cfb1 => Ok(()),
            _ => Err(Error::Mode),
        }
    }

    /// Whether a ciphertext can have `len` bytes.
    pub(super) fn check_encrypted_len(&self, len: usize) -> Result<(), Error> {
        match self.kind {
            Kind::Ecb | Kind::Cbc if !len.is_multiple_of(8) => Err(Error::NotWholeBlocks { len }),
            Kind::Ecb | Kind::Cbc if len == 0 && self.padding.is_never_empty() => {
                Err(Error::TooShort { len, min: 8 })
            }
            kind if kind.is_stealing() && len < 8 => Err(Error::TooShort { len, min: 8 }),
            _ => Ok(()),
        }
    }

    /// A message whose padding is in place, or from which it is still to be taken.
    fn crypt(&self, key: &BlockKey, direction: Direction, data: &mut [u8]) -> Result<(), Error> {
        let mut state = State::new(self);
        let (whole, end) = data.split_at_mut(self.whole_len(data.len()));
        state.crypt(self.kind, key, direction, whole)?;
        if end.is_empty() {
            Ok(())
        } else {
            cts::finish(&mut state, self.kind, key, direction, end)
        }
    }

    /// How many of `len` bytes, which may or may not be all, can be transformed without knowing
    /// where the message ends: all whole blocks, less the last two under stealing.
    pub(super) fn whole_len(&self, len: usize) -> usize {
        match self.kind {
            kind if kind.is_stream() => len,
            kind if kind.is_stealing() => len.saturating_sub(9) / 8 * 8,
            _ => len / 8 * 8,
        }
    }

    /// Decrypts a message, and takes its padding off; if that is wrong, wipes the message.
    fn open<'m>(&self, key: &BlockKey, message: &'m mut [u8]) -> Result<&'m mut [u8], Error> {
        if message.is_empty() || !self.padding.is_removed() {
            match self.kind {
                Kind::Cbc => self.decrypt_behind(&[], key, message)?,
                _ => self.crypt(key, Direction::Decrypt, message)?,
            }
            return Ok(message);
        }
        let verdict = self.decrypt_and_judge(key, message)?;
        // Never less than the whole: said so that no check of it depends on the padding.
        let len = (message.len() - 8).wrapping_add(verdict.own()).min(message.len());
        verdict.result(Ok(&mut message[..len]))
    }

    /// Decrypts whole blocks, at least one, and wipes them if the padding in the last one is wrong.
    ///
    /// It goes from the end to the beginning: so the padding is known when the first piece is done, and
    /// each is wiped or kept while it lies in the nearest cache.
    pub(crate) fn decrypt_and_judge(
        &self,
        key: &BlockKey,
        message: &mut [u8],
    ) -> Result<Verdict, Error> {
        let (mut before, end) = message.split_at_mut((message.len() - 1) / PIECE * PIECE);
        self.decrypt_behind(before, key, end)?;
        let verdict = self.padding.judge(end.last_chunk().expect("whole blocks"));
        self.padding.apply(verdict, end);
        while let Some(at) = before.len().checked_sub(PIECE) {
            let (front, piece) = before.split_at_mut(at);
            self.decrypt_behind(front, key, piece)?;
            self.padding.apply(verdict, piece);
            before = front;
        }
        Ok(verdict)
    }

    /// Decrypts blocks that stand behind this ciphertext.
    fn decrypt_behind(
        &self,
        before: &[u8],
        key: &BlockKey,
        blocks: &mut [u8],
    ) -> Result<(), Error> {
        let mut before = u64::from_be_bytes(*before.last_chunk().unwrap_or(&self.iv));
        match self.kind {
            Kind::Cbc => cbc::decrypt(&mut before, key, blocks),
            // No other mode has a padding.
            _ => ecb::crypt(key, Direction::Decrypt, blocks),
        }
    }
}

/// The first `need` bytes of a buffer.
pub(super) fn prefix(buf: &mut [u8], need: usize) -> Result<&mut [u8], Error> {
    let got = buf.len();
    buf.get_mut(..need).ok_or(Error::OutputTooSmall { need, got })
}
