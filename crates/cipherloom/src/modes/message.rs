//! Whole messages: one-shot encryption and decryption with padding or stealing.

use super::state::State;
use super::{Kind, Mode, cfb, cts};
use crate::error::Error;
use crate::kernels::Direction;
use crate::keys::{BlockCipher, BlockKey};
use crate::padding::Padding;

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
        let output = room(output, need)?;
        key.as_block_key().check()?;
        output[..input.len()].copy_from_slice(input);
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
        let message = room(buf, self.encrypted_len(len)?.max(len))?;
        let key = key.as_block_key();
        key.check()?;
        self.padding.fill(message, len);
        self.crypt(key, Direction::Encrypt, message)?;
        Ok(message)
    }

    /// Decrypts `input` into the start of `output`, and returns the plaintext without its padding.
    ///
    /// `output` needs room for all of `input`, as the padding's length is not known before.
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
        let output = room(output, input.len())?;
        let key = key.as_block_key();
        key.check()?;
        output.copy_from_slice(input);
        self.crypt(key, Direction::Decrypt, output)?;
        match self.own_len(output) {
            Ok(len) => Ok(&mut output[..len]),
            Err(error) => {
                output.fill(0);
                Err(error)
            }
        }
    }

    /// Decrypts all of `buf` in place, and returns the plaintext without its padding.
    ///
    /// # Errors
    /// [`Error::NotWholeBlocks`], [`Error::TooShort`], [`Error::Padding`], [`Error::SelfTest`];
    /// `buf` is unchanged then (after a wrong padding by encrypting it again).
    pub fn decrypt_in_place<'b>(
        &self,
        key: &impl BlockCipher,
        buf: &'b mut [u8],
    ) -> Result<&'b mut [u8], Error> {
        self.check_encrypted_len(buf.len())?;
        let key = key.as_block_key();
        key.check()?;
        self.crypt(key, Direction::Decrypt, buf)?;
        match self.own_len(buf) {
            Ok(len) => Ok(&mut buf[..len]),
            Err(error) => {
                self.crypt(key, Direction::Encrypt, buf)?;
                Err(error)
            }
        }
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

    /// How many bytes of a decrypted message are its own.
    fn own_len(&self, message: &[u8]) -> Result<usize, Error> {
        match message.as_chunks::<8>().0.last() {
            Some(last) if self.padding != Padding::None => {
                Ok(message.len() - 8 + self.padding.own_bytes(last)?)
            }
            _ => Ok(message.len()),
        }
    }
}

/// The first `need` bytes of a buffer.
pub(super) fn room(buf: &mut [u8], need: usize) -> Result<&mut [u8], Error> {
    let got = buf.len();
    buf.get_mut(..need).ok_or(Error::OutputTooSmall { need, got })
}
