//! Known answers for every backend, run once before its first use.
//!
//! The expected digests come from the `spec` crate; the tests below make them again there.
//! The work is chosen so that every table entry, every gate and every lane has a part in it.

use core::sync::atomic::{AtomicU8, Ordering};

use crate::backend::{Backend, Status};
use crate::error::Error;
use crate::kernels::{Direction, Passes, Shape, bitslice, rc4, rc4_scan, table};

/// One state per backend: what its self-test said, for the whole process.
static STATES: [AtomicU8; 4] = [const { AtomicU8::new(UNTESTED) }; 4];

const UNTESTED: u8 = 0;
const WORKS: u8 = 1;
const FAILED: u8 = 2;

/// Runs every backend's self-test again and says how each came out. Takes about a millisecond.
///
/// The tests run as the iterator is read, one an item, in the order of [`Backend::all`].
pub fn self_test() -> impl Iterator<Item = (Backend, Result<(), Error>)> {
    Backend::all().iter().map(|&backend| (backend, run(backend)))
}

/// What is known of a backend so far.
pub(crate) fn status(backend: Backend) -> Status {
    match STATES[index(backend)].load(Ordering::Relaxed) {
        UNTESTED => Status::Untested,
        WORKS => Status::Works,
        _ => Status::Failed,
    }
}

/// Whether a backend may compute; its first use waits for its test.
pub(crate) fn is_usable(backend: Backend) -> bool {
    match STATES[index(backend)].load(Ordering::Relaxed) {
        WORKS => true,
        // Under Miri one self-test takes minutes; there are tests of it outside.
        UNTESTED => cfg!(miri) || run(backend).is_ok(),
        _ => false,
    }
}

/// Tests a backend now. Two threads may test at the same time: both find the same.
pub(crate) fn run(backend: Backend) -> Result<(), Error> {
    settle(&STATES[index(backend)], test(backend))
}

/// Keeps a result; a failure is final.
fn settle(state: &AtomicU8, passed: bool) -> Result<(), Error> {
    let result = if passed { WORKS } else { FAILED };
    let before = state.fetch_max(result, Ordering::Relaxed);
    if before.max(result) == WORKS { Ok(()) } else { Err(Error::SelfTest) }
}

fn index(backend: Backend) -> usize {
    match backend {
        Backend::Table => 0,
        Backend::Bitslice => 1,
        Backend::Rc4Loop => 2,
        Backend::Rc4Scan => 3,
    }
}

fn test(backend: Backend) -> bool {
    match backend {
        Backend::Table => SHAPES.iter().all(|case| {
            let schedule = table::Schedule::new(&case.passes());
            is_right(case.table, FEW, |direction, blocks| match direction {
                Direction::Encrypt => schedule.encrypt_blocks(blocks),
                Direction::Decrypt => schedule.decrypt_blocks(blocks),
            })
        }),
        Backend::Bitslice => SHAPES.iter().all(|case| {
            let passes = case.passes();
            is_right(case.bitslice, MANY, |direction, blocks| {
                bitslice::crypt_blocks(&passes, direction, blocks);
            }) && is_right(case.lanes, FEW, |direction, blocks| {
                let keys = core::array::from_fn::<_, FEW, _>(lane_keys);
                let mut work = blocks.iter().map(|block| u64::from_be_bytes(*block));
                let mut work = core::array::from_fn::<_, FEW, _>(|_| work.next().unwrap_or(0));
                bitslice::LaneKeys::new(case.shape, &keys).crypt(direction, &mut work);
                for (block, result) in blocks.iter_mut().zip(work) {
                    *block = result.to_be_bytes();
                }
            })
        }),
        Backend::Rc4Loop => keystream_is_right(|data| rc4::State::new(&RC4_KEY).apply(data)),
        Backend::Rc4Scan => keystream_is_right(|data| rc4_scan::State::new(&RC4_KEY).apply(data)),
    }
}

/// Blocks for a kernel that does them one by one: 1,024 look-ups in each of the eight tables.
const FEW: usize = 64;
/// Blocks for a bulk kernel: more than a wide call, then a partly filled narrow one.
const MANY: usize = 600;

/// Three DES keys with every bit position set in some and clear in others.
const KEYS: [u64; 3] = [0x0123_4567_89ab_cdef, 0x2345_6789_abcd_ef01, 0x4567_89ab_cdef_0123];

struct Case {
    shape: Shape,
    /// Digest of the first [`FEW`] ciphertext blocks.
    table: u64,
    /// Digest of the first [`MANY`].
    bitslice: u64,
    /// Digest of the first [`FEW`], block n under [`lane_keys`] of n.
    lanes: u64,
}

impl Case {
    fn passes(&self) -> Passes {
        Passes { keys: KEYS, shape: self.shape }
    }
}

const SHAPES: [Case; 3] = [
    Case {
        shape: Shape::Single,
        table: 0xedc4_0e8f_b089_6295,
        bitslice: 0x9e55_1bf5_4ad3_6a04,
        lanes: 0x64d2_b164_5bfa_04fe,
    },
    Case {
        shape: Shape::Ede,
        table: 0x974f_e652_34d5_4bc4,
        bitslice: 0x95e4_1cbf_c5db_e303,
        lanes: 0xaf72_562f_8655_3497,
    },
    Case {
        shape: Shape::Eee,
        table: 0xbf12_f15b_c0f9_184c,
        bitslice: 0xb6fd_2225_d866_6d6d,
        lanes: 0xdf24_ad97_128a_7026,
    },
];

/// The keys of lane n.
fn lane_keys(n: usize) -> [u64; 3] {
    KEYS.map(|key| key.rotate_left(n as u32).wrapping_add(plaintext(n)))
}

/// Plaintext block number n: a multiple of 2^64 divided by the golden ratio, so that all bits vary.
fn plaintext(n: usize) -> u64 {
    (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Order-dependent: a block in the wrong lane changes it.
fn digest(blocks: &[[u8; 8]]) -> u64 {
    blocks.iter().fold(0, |sum: u64, block| {
        (sum.rotate_left(5) ^ u64::from_be_bytes(*block)).wrapping_mul(0x2545_f491_4f6c_dd1d)
    })
}

/// Encrypts, compares with the digest, decrypts, compares with the plaintext.
fn is_right(expected: u64, count: usize, crypt: impl Fn(Direction, &mut [[u8; 8]])) -> bool {
    let mut room = [[0; 8]; MANY];
    let blocks = &mut room[..count];
    for (n, block) in blocks.iter_mut().enumerate() {
        *block = plaintext(n).to_be_bytes();
    }
    crypt(Direction::Encrypt, blocks);
    let encrypted = digest(blocks);
    crypt(Direction::Decrypt, blocks);
    encrypted == expected
        && blocks.iter().enumerate().all(|(n, block)| *block == plaintext(n).to_be_bytes())
}

/// RFC 6229 section 2, the 40-bit key.
const RC4_KEY: [u8; 5] = [1, 2, 3, 4, 5];
/// Its keystream at offset 1008 (3F0h), 16 bytes, and at offset 1024, 16 bytes.
const RC4_AT_1008: [u8; 32] = [
    0x45, 0x12, 0x90, 0x48, 0xe6, 0xa0, 0xed, 0x0b, 0x56, 0xb4, 0x90, 0x33, 0x8f, 0x07, 0x8d, 0xa5,
    0x30, 0xab, 0xbc, 0xc7, 0xc2, 0x0b, 0x01, 0x60, 0x9f, 0x23, 0xee, 0x2d, 0x5f, 0x6b, 0xb7, 0xdf,
];

fn keystream_is_right(apply: impl FnOnce(&mut [u8])) -> bool {
    let mut stream = [0; 1040];
    apply(&mut stream);
    stream[1008..] == RC4_AT_1008
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use cipherloom_spec::BlockCipher as _;
    use cipherloom_spec::des::Des;
    use cipherloom_spec::tdea::{Tdea, TdeaEee};

    use super::*;

    /// Where the digests come from: the same work done by the specification.
    #[test]
    fn the_digests_are_those_of_the_specification() {
        let spec = |shape, keys: [u64; 3], count: usize, lanes: bool| {
            let blocks: Vec<_> = (0..count)
                .map(|n| {
                    let keys = if lanes { lane_keys(n) } else { keys };
                    let [k1, k2, k3] = keys.map(u64::to_be_bytes);
                    let block = plaintext(n).to_be_bytes();
                    match shape {
                        Shape::Single => Des::new(k1).encrypt(block),
                        Shape::Ede => Tdea::option1(k1, k2, k3).encrypt(block),
                        Shape::Eee => TdeaEee::eee3(k1, k2, k3).encrypt(block),
                    }
                })
                .collect();
            digest(&blocks)
        };
        for Case { shape, table, bitslice, lanes } in SHAPES {
            let expected = [
                spec(shape, KEYS, FEW, false),
                spec(shape, KEYS, MANY, false),
                spec(shape, KEYS, FEW, true),
            ];
            assert_eq!([table, bitslice, lanes], expected, "{shape:?}: {expected:#018x?}");
        }
    }

    #[test]
    fn a_failure_is_final() {
        let state = AtomicU8::new(UNTESTED);
        assert_eq!(settle(&state, true), Ok(()));
        assert_eq!(settle(&state, false), Err(Error::SelfTest));
        assert_eq!(settle(&state, true), Err(Error::SelfTest));
    }

    #[test]
    fn the_self_test_finds_a_kernel_that_swaps_two_blocks() {
        let case = &SHAPES[0];
        let schedule = table::Schedule::new(&case.passes());
        let swapped = is_right(case.table, FEW, |direction, blocks| match direction {
            Direction::Encrypt => {
                schedule.encrypt_blocks(blocks);
                blocks.swap(3, 4);
            }
            Direction::Decrypt => {
                blocks.swap(3, 4);
                schedule.decrypt_blocks(blocks);
            }
        });
        assert!(!swapped);
    }

    #[test]
    fn every_backend_passes() {
        for (backend, result) in self_test() {
            assert_eq!(result, Ok(()), "{}", backend.name());
            assert_eq!(backend.status(), Status::Works);
        }
    }
}
