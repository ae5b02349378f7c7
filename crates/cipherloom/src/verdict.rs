//! Whether a padding is right, as a number until the call ends.
//!
//! Who can send ciphertexts and learns of each whether its padding is right can decrypt any message
//! (Vaudenay 2002). A program may keep the answer to itself, but not the time of its answers: so a
//! right padding and a wrong one cost the same work, and nothing branches on which it is. A verdict is
//! used as a mask, and becomes a `Result` in the last step.

use core::hint::black_box;

use crate::error::Error;
use crate::kernels;

/// What a message's last block says of its padding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verdict {
    /// Bytes of the block that are the message's own, 0 to 8; 0 if the padding is wrong.
    own: u8,
    /// 1 if the padding is wrong, else 0.
    wrong: u8,
}

impl Verdict {
    /// The lowest bit of `wrong` counts, and of `own`, if the padding is right, the lowest four.
    #[inline]
    pub(crate) fn new(own: u8, wrong: u8) -> Self {
        // What the compiler does not know it cannot make a branch of.
        let wrong = black_box(wrong & 1);
        Self { own: own & 0x0f & wrong.wrapping_sub(1), wrong }
    }

    /// Bytes of the last block that are the message's own; 0 if the padding is wrong.
    #[inline]
    pub(crate) fn own(self) -> usize {
        usize::from(self.own)
    }

    /// 1 if the padding is wrong, else 0.
    #[inline]
    pub(crate) fn wrong(self) -> u8 {
        self.wrong
    }

    /// Makes zeros of blocks if the padding is wrong, and writes them just as well if it is right.
    #[inline]
    pub(crate) fn apply(self, blocks: &mut [u8]) {
        kernels::mask(blocks.as_chunks_mut().0, u64::from(self.wrong).wrapping_sub(1));
    }

    /// The result of a call: `right`, unless the padding is wrong.
    #[inline]
    pub(crate) fn result<T>(self, right: Result<T, Error>) -> Result<T, Error> {
        choose(self.wrong, right, Err(Error::Padding))
    }
}

/// One of two by a bit: the one branch on a verdict, with which a call returns. (Without a branch the
/// result would be loaded from where it was stored in pieces, which took longer for one of the two.)
#[inline]
pub(crate) fn choose<T>(bit: u8, zero: T, one: T) -> T {
    if bit == 0 { zero } else { one }
}
