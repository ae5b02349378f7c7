//! DES or Triple-DES from schedules that a program holds: block by block, or by the library's
//! kernels, which want the key and pay for it from a few blocks on.

use super::{Block, Schedule, need, stop, xor};
use core::sync::atomic::{AtomicBool, Ordering};
use library::libdes::{self, Words};
use library::{Algorithm, BlockKey};
use zeroize::Zeroizing;

/// What transforms a block.
#[derive(Clone, Copy)]
pub(super) enum Cipher<'a> {
    One(&'a Schedule),
    /// Encryption, decryption, encryption.
    Three([&'a Schedule; 3]),
    /// DESX: a schedule, and what is XORed into input and output.
    Whitened(&'a Schedule, [Block; 2]),
}

/// Work for which it may pay to find out the key.
#[derive(Clone, Copy)]
pub(super) enum Work {
    /// So many blocks, each of which waits for the one before.
    Chain(usize),
    /// So many independent blocks.
    Bulk(usize),
}

impl<'a> Cipher<'a> {
    pub(super) fn one(schedule: Option<&'a Schedule>) -> Self {
        be_ready();
        Self::One(need(schedule))
    }

    pub(super) fn three(schedules: [Option<&'a Schedule>; 3]) -> Self {
        be_ready();
        Self::Three(schedules.map(need))
    }

    pub(super) fn whitened(schedule: Option<&'a Schedule>, whitening: [Block; 2]) -> Self {
        be_ready();
        Self::Whitened(need(schedule), whitening)
    }

    pub(super) fn encrypt(self, block: Block) -> Block {
        self.with_words(block, |cipher, words| match cipher {
            Self::One(schedule) | Self::Whitened(schedule, _) => {
                libdes::encrypt1(words, schedule, true);
            }
            Self::Three(schedules) => libdes::encrypt3(words, schedules),
        })
    }

    pub(super) fn decrypt(self, block: Block) -> Block {
        let cipher = match self {
            Self::Whitened(schedule, [input, output]) => Self::Whitened(schedule, [output, input]),
            other => other,
        };
        cipher.with_words(block, |cipher, words| match cipher {
            Self::One(schedule) | Self::Whitened(schedule, _) => {
                libdes::encrypt1(words, schedule, false);
            }
            Self::Three(schedules) => libdes::decrypt3(words, schedules),
        })
    }

    fn with_words(self, block: Block, work: impl FnOnce(Self, &mut Words)) -> Block {
        let [before, after] = match self {
            Self::Whitened(_, whitening) => whitening,
            _ => [[0; 8]; 2],
        };
        let mut words = words_of(xor(block, before));
        work(self, &mut words);
        xor(block_of(words), after)
    }

    /// The key, if the work is large enough to pay for finding it out; also `None` for schedules
    /// that no key has.
    pub(super) fn key(self, work: Work) -> Option<BlockKey> {
        // Measured on Zen 5: to find the key and check it costs as much as two blocks.
        let pays = match work {
            Work::Chain(blocks) => blocks >= 8,
            Work::Bulk(blocks) => blocks >= 4,
        };
        if !pays {
            return None;
        }
        let mut bytes = Zeroizing::new([[0; 8]; 3]);
        let (algorithm, schedules) = match self {
            Self::One(schedule) => (Algorithm::Des, [Some(schedule), None, None]),
            Self::Three(schedules) => (Algorithm::TdesEde3, schedules.map(Some)),
            Self::Whitened(schedule, [input, output]) => {
                *bytes = [[0; 8], input, output];
                (Algorithm::Desx, [Some(schedule), None, None])
            }
        };
        for (bytes, schedule) in bytes.iter_mut().zip(schedules) {
            if let Some(schedule) = schedule {
                *bytes = libdes::key(schedule)?.to_be_bytes();
            }
        }
        BlockKey::new(algorithm, &bytes.as_flattened()[..algorithm.key_len()]).ok()
    }
}

/// A block as libdes has it.
pub(super) fn words_of(block: Block) -> Words {
    let word = u64::from_le_bytes(block);
    [word as u32, (word >> 32) as u32]
}

/// The inverse.
pub(super) fn block_of([first, second]: Words) -> Block {
    (u64::from(second) << 32 | u64::from(first)).to_le_bytes()
}

/// Tests the kernel for words once, before its first use.
#[inline]
pub(super) fn be_ready() {
    static IS_READY: AtomicBool = AtomicBool::new(false);
    if !IS_READY.load(Ordering::Relaxed) {
        if !is_right() {
            stop("the kernel of the DES functions failed its self-test");
        }
        IS_READY.store(true, Ordering::Relaxed);
    }
}

/// The known answer of FIPS 81 (ECB, first block), in both directions and in Triple-DES, and one
/// between IP and IP⁻¹.
#[cold]
fn is_right() -> bool {
    /// What libcrypto's `DES_encrypt2` gives.
    const WITHOUT_IP: Words = [0x8b39_f22f, 0x6222_afbb];
    let plaintext = words_of(*b"Now is t");
    let ciphertext = words_of([0x3f, 0xa4, 0x0e, 0x8a, 0x98, 0x4d, 0x48, 0x15]);
    let key = 0x0123_4567_89ab_cdef;
    let mut schedule = [[0; 2]; 16];
    libdes::schedule(key, &mut schedule);
    let three = [&schedule; 3];
    let run = |from: Words, work: &dyn Fn(&mut Words)| {
        let mut words = from;
        work(&mut words);
        words
    };
    run(plaintext, &|words| libdes::encrypt1(words, &schedule, true)) == ciphertext
        && run(ciphertext, &|words| libdes::encrypt1(words, &schedule, false)) == plaintext
        && run(plaintext, &|words| libdes::encrypt2(words, &schedule, true)) == WITHOUT_IP
        && run(WITHOUT_IP, &|words| libdes::encrypt2(words, &schedule, false)) == plaintext
        && run(plaintext, &|words| libdes::encrypt3(words, three)) == ciphertext
        && run(ciphertext, &|words| libdes::decrypt3(words, three)) == plaintext
        && libdes::key(&schedule) == Some(key & 0xfefe_fefe_fefe_fefe)
}
