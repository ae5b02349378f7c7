//! Messages that come in pieces.

use core::fmt;
use core::hint::black_box;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::message::prefix;
use super::state::State;
use super::{Mode, cts};
use crate::error::Error;
use crate::kernels::{Direction, copy, scrubbed};
use crate::keys::{BlockCipher, BlockKey};
use crate::verdict::{Verdict, choose};

/// A message in progress, in either direction.
#[derive(Clone)]
struct Message {
    mode: Mode,
    key: BlockKey,
    direction: Direction,
    state: State,
    /// Bytes that came and cannot be transformed yet: part of a block, or the end of what came.
    held: [u8; 16],
    held_len: usize,
    /// Bytes that came, in all, by [`count_on`].
    total: usize,
}

/// The sum; one too large for a number keeps what matters: that it is large, and the part of a
/// block. (4 GiB are nothing special on a 32-bit processor.)
const fn count_on(total: usize, more: usize) -> usize {
    let (sum, overflows) = total.overflowing_add(more);
    sum | (overflows as usize) << (usize::BITS - 1)
}

impl Message {
    fn new(mode: &Mode, key: &BlockKey, direction: Direction) -> Self {
        Self {
            mode: *mode,
            key: key.copy(),
            direction,
            state: State::new(mode),
            held: [0; 16],
            held_len: 0,
            total: 0,
        }
    }

    fn update_len(&self, len: usize) -> usize {
        let available = self.held_len.saturating_add(len);
        let removes = self.mode.padding.is_removed() && self.direction == Direction::Decrypt;
        // A padding can only be judged in the last block, so one block stays behind.
        let free = if removes { available.saturating_sub(1) } else { available };
        self.mode.whole_len(free)
    }

    fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        let len = self.update_len(input.len());
        let output = prefix(output, len)?;
        self.key.check()?;
        let used = len.saturating_sub(self.held_len);
        let from_held = len.min(self.held_len);
        output[..from_held].copy_from_slice(&self.held[..from_held]);
        copy(&mut output[from_held..], &input[..used]);
        self.state.crypt(self.mode.kind, &self.key, self.direction, output)?;
        self.held.copy_within(from_held..self.held_len, 0);
        let kept = self.held_len - from_held;
        self.held_len = kept + input.len() - used;
        self.held[kept..self.held_len].copy_from_slice(&input[used..]);
        self.total = count_on(self.total, input.len());
        Ok(len)
    }

    /// Where it stands, so that there is one message to be wiped.
    fn finish(&mut self, output: &mut [u8]) -> Result<usize, Error> {
        let Self { mode, key, direction, state, held, held_len, total } = self;
        key.check()?;
        let mut len = *held_len;
        match direction {
            Direction::Encrypt => {
                mode.encrypted_len(*total)?;
                if !mode.kind.is_stealing() && !mode.is_stream() {
                    len = mode.padding.padded_len(*held_len)?;
                    mode.padding.fill(&mut held[..len], *held_len);
                }
            }
            Direction::Decrypt => mode.check_encrypted_len(*total)?,
        }
        // Transformed here and not in `output`, which gets nothing if the padding is wrong.
        let end = &mut held[..len];
        if mode.kind.is_stealing() {
            cts::finish(state, mode.kind, key, *direction, end)?;
        } else {
            state.crypt(mode.kind, key, *direction, end)?;
            if let (Direction::Decrypt, true, Some(last)) =
                (direction, mode.padding.is_removed(), end.last_chunk())
            {
                return hand_out(mode.padding.judge(last), last, output);
            }
        }
        prefix(output, len)?.copy_from_slice(end);
        Ok(len)
    }
}

/// Writes what of a last block is the message's own, if the padding is right and there is room for it.
/// Nothing branches on which it is.
fn hand_out(verdict: Verdict, last: &[u8; 8], output: &mut [u8]) -> Result<usize, Error> {
    let (own, got) = (verdict.own(), output.len());
    let lacks = black_box(u8::from(own > got));
    for (n, (to, from)) in output.iter_mut().zip(last).enumerate() {
        let mask = (u8::from(n < own) & !lacks).wrapping_neg();
        *to = *to & !mask | from & mask;
    }
    let too_small = Err(Error::OutputTooSmall { need: own, got });
    verdict.result(choose(lacks, Ok(own), too_small))
}

impl Drop for Message {
    fn drop(&mut self) {
        // `key` and `state` wipe themselves.
        self.held.zeroize();
    }
}

/// Defines the two faces of [`Message`], which differ in direction only.
macro_rules! faces {
    ($($name:ident, $direction:ident, $make:ident, $doc:literal, $finish:literal;)*) => {$(
        #[doc = $doc]
        ///
        /// Any chunking of a message gives the same bytes. Wiped on drop.
        #[derive(Clone)]
        pub struct $name(Message);

        impl $name {
            /// How many bytes [`update`](Self::update) will write for `len` bytes of input.
            #[must_use]
            pub fn update_len(&self, len: usize) -> usize {
                self.0.update_len(len)
            }

            /// Takes the next piece of the message, writes what can be written already to the
            /// start of `output`, and returns its length: [`update_len`](Self::update_len), at
            /// most `input.len() + 8`.
            ///
            /// # Errors
            /// [`Error::OutputTooSmall`], [`Error::SelfTest`]; nothing was taken or written then,
            /// and the call can be repeated.
            pub fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
                self.0.update(input, output)
            }

            #[doc = $finish]
            pub fn finish(mut self, output: &mut [u8]) -> Result<usize, Error> {
                self.0.finish(output)
            }
        }

        impl Mode {
            #[doc = concat!("Begins a message in pieces; see [`", stringify!($name), "`].")]
            #[must_use]
            pub fn $make(&self, key: &impl BlockCipher) -> $name {
                $name::begin(self, key.as_block_key())
            }
        }

        impl $name {
            fn begin(mode: &Mode, key: &BlockKey) -> Self {
                scrubbed(2 * size_of::<Message>(), || Self(Message::new(mode, key, Direction::$direction)))
            }
        }

        impl ZeroizeOnDrop for $name {}

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("mode", &self.0.mode)
                    .field("key", &self.0.key)
                    .finish_non_exhaustive()
            }
        }
    )*};
}

faces! {
    Encryptor, Encrypt, encryptor, "Encrypts a message that comes in pieces.",
    "Ends the message: writes what is left, with its padding, and returns its length, at most 16.

# Errors
[`Error::NotWholeBlocks`], [`Error::TooShort`], [`Error::OutputTooSmall`] (a buffer of 16 bytes is
always enough), [`Error::SelfTest`]; nothing is written then.";
    Decryptor, Decrypt, decryptor, "Decrypts a message that comes in pieces.",
    "Ends the message: writes what is left, without its padding, and returns its length, at most 16.

# Errors
[`Error::NotWholeBlocks`], [`Error::TooShort`], [`Error::Padding`], [`Error::OutputTooSmall`] (a
buffer of 16 bytes is always enough), [`Error::SelfTest`]; nothing is written then. What `update`
gave out before is then worth nothing: discard it.";
}

#[cfg(test)]
mod tests {
    use super::count_on;

    #[test]
    fn a_message_longer_than_numbers_keeps_its_part_of_a_block() {
        assert_eq!(count_on(3, 14), 17);
        for more in 1..=16 {
            let sum = count_on(usize::MAX, more);
            assert_eq!(sum % 8, (more - 1) % 8);
            assert!(sum > usize::MAX / 2);
        }
    }
}
