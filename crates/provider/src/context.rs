//! A cipher at work: what an `EVP_CIPHER_CTX` holds of us.

use crate::chain::{Chain, copy_bits};
use crate::ciphers::{Cipher, Kind, Mode};
use crate::fault::Fault;
use crate::record_mac::{self, RecordMac};
use crate::tls::Tls;
use cipherloom::{Algorithm, BlockKey, Direction, Error, Rc4, copy, leaving_nothing};
use cipherloom_formats::key_wrap;
use zeroize::{Zeroize, Zeroizing};

/// KiB that keys of block ciphers and last blocks use of the stack.
const SHALLOW: usize = 2;
/// KiB that key set-up and copies of RC4 use of it, whose state is moved more than once; and MACs.
const DEEP: usize = 6;

/// A cipher with its key, in the middle of a message.
pub(crate) struct Context {
    pub(crate) cipher: &'static Cipher,
    pub(crate) key_len: usize,
    pub(crate) chain: Chain,
    /// The IV with which the message began.
    pub(crate) first_iv: [u8; 8],
    has_iv: bool,
    key: Key,
    has_key: bool,
    pub(crate) direction: Direction,
    /// Whether a message is filled up to whole blocks.
    pub(crate) pads: bool,
    /// Whether lengths are of bits, in CFB-1.
    pub(crate) counts_bits: bool,
    pub(crate) tls: Tls,
    /// The MACs of records, for the cipher that makes them.
    mac: RecordMac,
    /// What came and cannot be transformed yet: part of a block, or the last one, with its padding.
    held: [u8; 8],
    held_len: usize,
}

#[expect(clippy::large_enum_variant, reason = "it stays where it is, on the heap")]
enum Key {
    Block(BlockKey),
    Rc4(Option<Box<Rc4>>),
}

/// Input and output of a call, of as many bytes as it reads and writes.
pub(crate) enum Buffers<'a> {
    /// They start at the same place; the first bytes, so many, are the input.
    Same(&'a mut [u8], usize),
    /// They have nothing in common.
    Apart(&'a [u8], &'a mut [u8]),
}

impl Context {
    /// Without a key.
    pub(crate) fn new(cipher: &'static Cipher) -> Self {
        let key = match cipher.kind {
            Kind::Block(algorithm, _) => Key::Block(BlockKey::blank(algorithm)),
            Kind::Wrap => Key::Block(BlockKey::blank(Algorithm::TdesEde3)),
            Kind::Rc4(_) | Kind::Rc4HmacMd5 => Key::Rc4(None),
        };
        Self {
            cipher,
            key_len: cipher.key_len(),
            chain: Chain::default(),
            first_iv: [0; 8],
            has_iv: false,
            key,
            has_key: false,
            direction: Direction::Encrypt,
            pads: true,
            counts_bits: false,
            tls: Tls::none(),
            mac: RecordMac::default(),
            held: [0; 8],
            held_len: 0,
        }
    }

    /// Becomes a copy, in the middle of the same message.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        match (&mut self.key, &other.key) {
            (Key::Block(key), Key::Block(other)) => key.clone_from(other),
            (key, Key::Rc4(other)) => leaving_nothing::<DEEP, _>(|| *key = Key::Rc4(other.clone())),
            // Both are of one cipher.
            (Key::Rc4(_), Key::Block(_)) => return,
        }
        self.cipher = other.cipher;
        self.key_len = other.key_len;
        self.chain.clone_from(&other.chain);
        self.first_iv = other.first_iv;
        self.has_iv = other.has_iv;
        self.has_key = other.has_key;
        self.direction = other.direction;
        self.pads = other.pads;
        self.counts_bits = other.counts_bits;
        self.tls.clone_from(&other.tls);
        if self.cipher.makes_macs() {
            leaving_nothing::<DEEP, _>(|| self.mac.clone_from(&other.mac));
        }
        self.held = other.held;
        self.held_len = other.held_len;
    }

    /// Begins a message: with another key, or the last one; with another IV, or the last one.
    ///
    /// # Errors
    /// A key or IV of another length; the library's self-test.
    pub(crate) fn begin(
        &mut self,
        direction: Direction,
        key: Option<&[u8]>,
        iv: Option<&[u8]>,
    ) -> Result<(), Fault> {
        self.direction = direction;
        self.held_len = 0;
        self.chain.num = 0;
        if self.cipher.iv_len() > 0 {
            if let Some(iv) = iv {
                self.first_iv = iv.try_into().map_err(|_| Fault::IvLength)?;
                self.has_iv = true;
            }
            if self.has_iv {
                self.chain.iv = self.first_iv;
            }
        }
        key.map_or(Ok(()), |key| self.set_key(key))
    }

    fn set_key(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.has_key = false;
        match &mut self.key {
            Key::Block(key) => leaving_nothing::<SHALLOW, _>(|| key.set(bytes))?,
            Key::Rc4(_) if self.cipher.makes_macs() && bytes.len() != self.key_len => {
                return Err(Fault::KeyLength);
            }
            Key::Rc4(stream) => {
                // RC4's key set-up reads no more; OpenSSL takes longer keys, too.
                let used = &bytes[..bytes.len().min(Rc4::MAX_KEY_LEN)];
                leaving_nothing::<DEEP, _>(|| {
                    let new = Rc4::from_slice(used)?;
                    match stream {
                        Some(place) => **place = new,
                        None => *stream = Some(Box::new(new)),
                    }
                    Ok::<(), Error>(())
                })?;
                self.key_len = bytes.len();
            }
        }
        self.has_key = true;
        Ok(())
    }

    /// Takes the key of the records' MACs.
    ///
    /// # Errors
    /// As [`RecordMac::set_key`].
    pub(crate) fn set_mac_key(&mut self, key: &[u8]) -> Result<(), Fault> {
        leaving_nothing::<DEEP, _>(|| self.mac.set_key(key))
    }

    /// Takes a record's header: the next call brings the record.
    ///
    /// # Errors
    /// As [`RecordMac::begin`].
    pub(crate) fn begin_record(&mut self, header: &[u8]) -> Result<(), Fault> {
        leaving_nothing::<DEEP, _>(|| self.mac.begin(self.direction, header))
    }

    /// Says how long keys are; one of another length is gone.
    pub(crate) fn set_key_len(&mut self, len: usize) {
        if self.key_len != len {
            (self.key_len, self.has_key) = (len, false);
        }
    }

    /// Bytes of the buffers that `len` bytes of input take, or `len` bits.
    pub(crate) fn input_len(&self, len: usize) -> usize {
        if self.counts_bits { len.div_ceil(8) } else { len }
    }

    /// Whether this is a record of TLS, whole, with a padding of its own.
    fn is_record(&self) -> bool {
        self.tls.version > 0 && self.cipher.is_in_blocks()
    }

    /// How many bytes [`update`](Self::update) writes for so much input. A record becomes shorter yet.
    ///
    /// # Errors
    /// There is no key.
    #[inline]
    pub(crate) fn update_len(&self, len: usize) -> Result<usize, Fault> {
        if !self.has_key {
            return Err(Fault::NoKey);
        }
        if !self.cipher.is_in_blocks() {
            return Ok(self.input_len(len));
        }
        if self.is_record() {
            return Ok(if self.encrypts() { (len & !7) + 8 } else { len });
        }
        let here = self.held_len + len;
        Ok(if self.holds_back() { here.saturating_sub(1) } else { here } & !7)
    }

    /// Whether input and output of the next call may start at the same place.
    #[inline]
    pub(crate) fn works_in_place(&self) -> bool {
        self.held_len == 0
    }

    /// Whose chain this is, if it encrypts by CBC.
    pub(crate) fn encrypts_by_cbc(&self) -> Option<Algorithm> {
        match self.cipher.kind {
            Kind::Block(algorithm, Mode::Cbc) if self.encrypts() => Some(algorithm),
            _ => None,
        }
    }

    fn encrypts(&self) -> bool {
        self.direction == Direction::Encrypt
    }

    /// Whether a last block waits for what comes behind it, as it may have a padding.
    fn holds_back(&self) -> bool {
        self.pads && !self.encrypts()
    }

    /// Takes the next piece of a message; gives the length of what was written, in the input's unit.
    ///
    /// # Errors
    /// A record that is none; the library's self-test. What was written is zeros then.
    #[inline]
    pub(crate) fn update(&mut self, buffers: Buffers<'_>, len: usize) -> Result<usize, Fault> {
        if self.is_record() {
            return match buffers {
                Buffers::Same(record, own) if self.pads => self.record(record, own),
                _ => Err(Fault::Internal),
            };
        }
        if !self.cipher.is_in_blocks() {
            return self.stream(buffers, len);
        }
        let now = self.place(buffers)?;
        self.crypt(now)?;
        Ok(now.len())
    }

    /// Puts what is to be transformed now into the output, and holds back what is not.
    ///
    /// # Errors
    /// There is no key.
    #[inline(always)]
    pub(crate) fn place<'o>(&mut self, buffers: Buffers<'o>) -> Result<&'o mut [u8], Fault> {
        let (now, kept, rest) = match buffers {
            Buffers::Same(data, own) => {
                let done = self.update_len(own)?;
                let (now, rest) = data[..own].split_at_mut(done);
                (now, 0, &*rest)
            }
            Buffers::Apart(input, output) => {
                let from_held = output.len().min(self.held_len);
                let (now, rest) = input.split_at(output.len() - from_held);
                let (first, others) = output.split_at_mut(from_held);
                first.copy_from_slice(&self.held[..from_held]);
                copy(others, now);
                (output, self.held_len - from_held, rest)
            }
        };
        self.held[kept..kept + rest.len()].copy_from_slice(rest);
        self.held_len = kept + rest.len();
        Ok(now)
    }

    /// A piece of a message whose length stays.
    #[inline(always)]
    fn stream(&mut self, buffers: Buffers<'_>, len: usize) -> Result<usize, Fault> {
        let output = match buffers {
            Buffers::Same(data, _) => data,
            Buffers::Apart(input, output) => {
                if self.counts_bits && !len.is_multiple_of(8) {
                    copy_bits(input, output, len);
                } else {
                    copy(output, input);
                }
                output
            }
        };
        if self.counts_bits {
            return self.bits(output, len);
        }
        if self.cipher.makes_macs() {
            let len = self.seal(output)?;
            // OpenSSL's own counts the MAC, unless a program names the protocol.
            return match self.tls.version > 0 && !self.encrypts() {
                true => len.checked_sub(record_mac::LEN).ok_or(Fault::Operation),
                false => Ok(len),
            };
        }
        self.crypt(output)?;
        if self.tls.version > 0 && self.tls.mac_len > 0 && !self.encrypts() {
            return self.tls.cut_mac(output);
        }
        Ok(len)
    }

    /// A record of which the header came before, with its MAC; or data without one. Gives the length.
    ///
    /// # Errors
    /// The record has another length or another MAC; there is no key; the library's self-test. What was written is
    /// zeros then.
    fn seal(&mut self, data: &mut [u8]) -> Result<usize, Fault> {
        let len = data.len();
        let Some(record) = self.mac.take() else { return self.crypt(data).map(|()| len) };
        let encrypts = self.encrypts();
        let done = leaving_nothing::<DEEP, _>(|| {
            let (own, mac) = record.split(data)?;
            if encrypts {
                record.write(own, mac);
                return self.crypt(data);
            }
            self.crypt(data)?;
            let (own, mac) = record.split(data)?;
            record.check(own, mac)
        });
        if done.is_err() {
            data.fill(0);
        }
        done.map(|()| len)
    }

    /// The first bits of a piece.
    #[cold]
    fn bits(&mut self, data: &mut [u8], count: usize) -> Result<usize, Fault> {
        match (&self.key, self.cipher.kind) {
            (Key::Block(key), Kind::Block(_, Mode::Cfb1)) => {
                self.chain.bits(key, self.direction, data, count)?;
                Ok(count)
            }
            _ => Err(Fault::Operation),
        }
    }

    /// A record of TLS, whose own bytes are `len`; gives its length.
    fn record(&mut self, record: &mut [u8], len: usize) -> Result<usize, Fault> {
        if self.encrypts() {
            self.tls.pad(record, len);
            self.crypt(record)?;
            return Ok(record.len());
        }
        if !record.len().is_multiple_of(8) {
            return Err(Fault::Internal);
        }
        self.crypt(record)?;
        self.tls.open(record)
    }

    /// Transforms bytes as they come, whole blocks where the mode wants them, and holds nothing back.
    ///
    /// # Errors
    /// The data is not of whole blocks; there is no key; the library's self-test. What was written is zeros
    /// then.
    #[inline]
    pub(crate) fn once(&mut self, buffers: Buffers<'_>) -> Result<usize, Fault> {
        let data = match buffers {
            Buffers::Same(data, _) => data,
            Buffers::Apart(input, output) => {
                output.copy_from_slice(input);
                output
            }
        };
        if !data.len().is_multiple_of(self.cipher.block_size()) {
            data.fill(0);
            return Err(Fault::FinalBlock);
        }
        if self.cipher.makes_macs() {
            return self.seal(data);
        }
        self.crypt(data)?;
        Ok(data.len())
    }

    /// Transforms what was placed.
    ///
    /// # Errors
    /// There is no key; the library's self-test.
    #[inline(always)]
    pub(crate) fn crypt(&mut self, data: &mut [u8]) -> Result<(), Fault> {
        if data.is_empty() {
            return Ok(());
        }
        let done = match (&mut self.key, self.cipher.kind) {
            (Key::Block(key), Kind::Block(_, mode)) => {
                self.chain.crypt(mode, key, self.direction, data)
            }
            (Key::Rc4(Some(stream)), _) => stream.apply(data),
            _ => return Err(Fault::NoKey),
        };
        done.map_err(|error| failed(error, data))
    }

    /// How many bytes [`wrap`](Self::wrap) gives for so much input.
    ///
    /// # Errors
    /// There is no key; nothing of this length is wrapped, or a wrapped key.
    pub(crate) fn wrapped_len(&self, len: usize) -> Result<usize, Fault> {
        if !self.has_key {
            return Err(Fault::NoKey);
        }
        if !len.is_multiple_of(8) {
            return Err(Fault::Operation);
        }
        if self.encrypts() {
            return len.checked_add(key_wrap::GROWTH).ok_or(Fault::Operation);
        }
        if len < key_wrap::MIN_WRAPPED {
            return Err(Fault::Operation);
        }
        Ok(len - key_wrap::GROWTH)
    }

    /// Wraps a key, or unwraps one, as whole as it comes.
    ///
    /// # Errors
    /// The checksum is wrong; no random bytes for an IV; the library's self-test. The output is zeros then.
    pub(crate) fn wrap(&self, buffers: Buffers<'_>) -> Result<usize, Fault> {
        let (Buffers::Apart(input, output), Key::Block(key)) = (buffers, &self.key) else {
            return Err(Fault::Internal);
        };
        let done = leaving_nothing::<SHALLOW, _>(|| {
            if self.encrypts() {
                let mut iv = [0; 8];
                getrandom::fill(&mut iv).map_err(|_| Fault::Internal)?;
                output.copy_from_slice(&key_wrap::wrap(key, iv, input)?);
            } else {
                output.copy_from_slice(&key_wrap::unwrap(key, input)?);
            }
            Ok(output.len())
        });
        if done.is_err() {
            output.fill(0);
        }
        done
    }

    /// How many bytes [`end`](Self::end) gives; how long a padding is that is to be taken off, it says itself.
    pub(crate) fn last_len(&self) -> usize {
        let pads = self.pads && self.encrypts() && self.cipher.is_in_blocks();
        if pads && !self.is_record() { 8 } else { 0 }
    }

    /// Ends a message: gives the length of its last block.
    ///
    /// # Errors
    /// There is no key; the message has no whole blocks; its padding is wrong; the library's self-test.
    pub(crate) fn end(&mut self, output: &mut [u8; 8]) -> Result<usize, Fault> {
        if !self.has_key {
            return Err(Fault::NoKey);
        }
        let (Key::Block(key), Kind::Block(_, mode)) = (&self.key, self.cipher.kind) else {
            return Ok(0);
        };
        if !self.cipher.is_in_blocks() {
            return Ok(0);
        }
        if self.is_record() {
            return Err(Fault::Operation);
        }
        let held = Zeroizing::new(self.held);
        let held = &held[..self.held_len];
        if self.pads {
            if !self.encrypts() && held.len() != 8 {
                return Err(Fault::FinalBlock);
            }
            let direction = self.direction;
            let len = leaving_nothing::<SHALLOW, _>(|| {
                self.chain.last(mode, key, direction, held, output)
            })?;
            self.held_len = 0;
            return Ok(len);
        }
        match held.len() {
            0 => Ok(0),
            // Held back for a padding, before the program said that there is none.
            8 => {
                output.copy_from_slice(held);
                self.crypt(output)?;
                self.held_len = 0;
                Ok(8)
            }
            _ => Err(Fault::FinalBlock),
        }
    }
}

/// What was not transformed must not stay in an output.
#[cold]
fn failed(error: Error, data: &mut [u8]) -> Fault {
    data.fill(0);
    error.into()
}

impl Drop for Context {
    fn drop(&mut self) {
        // Keys, chain and records wipe themselves.
        self.held.zeroize();
        self.first_iv.zeroize();
    }
}
