//! A mode at work from call to call: the IV as OpenSSL shows it, and the position in a segment.

use crate::ciphers::Mode;
use cipherloom::{BlockCipher, BlockKey, Direction, Error, Padding};
use zeroize::Zeroize;

/// What the next bytes of a message depend on.
#[derive(Clone, Default)]
pub(crate) struct Chain {
    /// The IV, as `updated-iv` tells it. CBC: the last ciphertext block. CFB: the shift register; in the
    /// middle of a segment of 64 bits, ciphertext up to `num`, and keystream that waits behind it. OFB: the
    /// last block of keystream.
    pub(crate) iv: [u8; 8],
    /// Bytes of the segment in progress that are done, as programs read and set it, 0 to 7; 0 between segments.
    pub(crate) num: u32,
}

impl Chain {
    /// Transforms what comes next, in place: whole blocks in ECB and CBC, any number of bytes else.
    ///
    /// # Errors
    /// The library's self-test.
    pub(crate) fn crypt(
        &mut self,
        mode: Mode,
        key: &BlockKey,
        direction: Direction,
        data: &mut [u8],
    ) -> Result<(), Error> {
        if !matches!(mode, Mode::Cfb64 | Mode::Ofb) {
            return self.whole(mode, key, direction, data);
        }
        let used = self.num as usize;
        let end = (used + data.len()) & 7;
        let (first, rest) = data.split_at_mut(data.len().min((8 - used) & 7));
        self.segment(mode, direction, used, first);
        let (blocks, last) = rest.split_at_mut(rest.len() & !7);
        self.whole(mode, key, direction, blocks)?;
        if !last.is_empty() {
            key.encrypt_block(&mut self.iv)?;
            self.segment(mode, direction, 0, last);
        }
        self.num = end as u32;
        Ok(())
    }

    /// Bytes of a segment whose keystream is there.
    fn segment(&mut self, mode: Mode, direction: Direction, used: usize, data: &mut [u8]) {
        for (byte, waiting) in data.iter_mut().zip(&mut self.iv[used..]) {
            let other = *byte ^ *waiting;
            if mode == Mode::Cfb64 {
                *waiting = if direction == Direction::Encrypt { other } else { *byte };
            }
            *byte = other;
        }
    }

    /// What needs no keystream of the segment before.
    fn whole(
        &mut self,
        mode: Mode,
        key: &BlockKey,
        direction: Direction,
        data: &mut [u8],
    ) -> Result<(), Error> {
        let before = last_of(self.iv, data);
        let work = self.library_s(mode);
        match direction {
            Direction::Encrypt => work.encrypt_in_place(key, data, data.len())?,
            Direction::Decrypt => work.decrypt_in_place(key, data)?,
        };
        match (mode, direction) {
            (Mode::Ecb, _) => {}
            (Mode::Ofb, _) if data.is_empty() => {}
            (Mode::Ofb, _) => {
                let after = last_of(self.iv, data);
                self.iv = core::array::from_fn(|n| before[n] ^ after[n]);
            }
            (_, Direction::Encrypt) => self.iv = last_of(self.iv, data),
            (_, Direction::Decrypt) => self.iv = before,
        }
        Ok(())
    }

    /// CFB-1 on the first `count` bits, in place; the others stay.
    ///
    /// # Errors
    /// The library's self-test.
    pub(crate) fn bits(
        &mut self,
        key: &BlockKey,
        direction: Direction,
        data: &mut [u8],
        count: usize,
    ) -> Result<(), Error> {
        let before = bits_behind(self.iv, data, count);
        let work = self.library_s(Mode::Cfb1);
        match direction {
            Direction::Encrypt => {
                work.encrypt_bits(key, data, count)?;
                self.iv = bits_behind(self.iv, data, count);
            }
            Direction::Decrypt => {
                work.decrypt_bits(key, data, count)?;
                self.iv = before;
            }
        }
        Ok(())
    }

    /// The last, padded block of a message from what came of it; its length in bytes.
    ///
    /// # Errors
    /// Wrong padding, in the time that a right one takes; the library's self-test.
    pub(crate) fn last(
        &mut self,
        mode: Mode,
        key: &BlockKey,
        direction: Direction,
        input: &[u8],
        output: &mut [u8; 8],
    ) -> Result<usize, Error> {
        let work = match mode {
            Mode::Ecb => cipherloom::Mode::ecb(Padding::Pkcs7),
            _ => cipherloom::Mode::cbc(self.iv, Padding::Pkcs7),
        };
        let result = match direction {
            Direction::Encrypt => work.encrypt(key, input, output),
            Direction::Decrypt => work.decrypt(key, input, output),
        };
        let len = result.map(|own| own.len());
        if mode == Mode::Cbc {
            let ciphertext = if direction == Direction::Encrypt { &output[..] } else { input };
            self.iv = last_of(self.iv, ciphertext);
        }
        len
    }

    /// The mode from here on.
    fn library_s(&self, mode: Mode) -> cipherloom::Mode {
        match mode {
            Mode::Ecb => cipherloom::Mode::ecb(Padding::None),
            Mode::Cbc => cipherloom::Mode::cbc(self.iv, Padding::None),
            Mode::Ofb => cipherloom::Mode::ofb(self.iv),
            Mode::Cfb64 => cipherloom::Mode::cfb64(self.iv),
            Mode::Cfb8 => cipherloom::Mode::cfb8(self.iv),
            Mode::Cfb1 => cipherloom::Mode::cfb1(self.iv),
        }
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        self.iv.zeroize();
    }
}

/// The last eight bytes of a block and what stands behind it.
#[inline]
fn last_of(block: [u8; 8], behind: &[u8]) -> [u8; 8] {
    behind.last_chunk().copied().unwrap_or_else(|| {
        let mut last = [0; 8];
        let (first, end) = last.split_at_mut(8 - behind.len());
        first.copy_from_slice(&block[behind.len()..]);
        end.copy_from_slice(behind);
        last
    })
}

/// The last 64 bits of a block and the `count` bits behind it.
fn bits_behind(block: [u8; 8], behind: &[u8], count: usize) -> [u8; 8] {
    let (bytes, bits) = (count / 8, count % 8);
    let whole = last_of(block, &behind[..bytes]);
    match behind.get(bytes) {
        Some(byte) if bits > 0 => {
            (u64::from_be_bytes(whole) << bits | u64::from(byte >> (8 - bits))).to_be_bytes()
        }
        _ => whole,
    }
}

/// Copies the first `count` bits; those behind them in the last byte stay.
#[cold]
pub(crate) fn copy_bits(input: &[u8], output: &mut [u8], count: usize) {
    if let (Some((end, first)), Some((last, others))) =
        (input.split_last(), output.split_last_mut())
    {
        let behind = 0xff_u8 >> (count % 8);
        others.copy_from_slice(first);
        *last = *last & behind | end & !behind;
    }
}
