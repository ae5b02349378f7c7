//! Known answers of the block ciphers.
//!
//! The work is chosen so that every table entry, every gate and every lane has a part in it.

use crate::dispatch::lookups::LookUps;
use crate::dispatch::sliced::Sliced;
use crate::kernels::bitslice::{Keys, MOST_LANES, Operation, Width};
use crate::kernels::{Direction, Key, Passes, Schedule, Shape};

/// Independent blocks in calls of every kind, and a chain.
pub(super) fn look_ups_are_right(look_ups: LookUps) -> bool {
    SHAPES.iter().all(|case| {
        let passes = case.passes();
        let schedule = &Schedule::new(&passes, None);
        let key = &Key { passes: &passes, schedule, whitening: None };
        is_right(case.table, FEW, |direction, blocks| {
            let mut rest = blocks;
            for count in [1, 2, 5, 7, 6] {
                let (blocks, behind) = rest.split_at_mut(count);
                look_ups.crypt(key, direction, blocks);
                rest = behind;
            }
            look_ups.crypt(key, direction, rest);
        }) && is_right(case.chain, FEW, |direction, blocks| match direction {
            Direction::Encrypt => look_ups.encrypt_chain(key, &mut CHAIN_IV.clone(), blocks),
            Direction::Decrypt => {
                let mut before = CHAIN_IV;
                for block in blocks {
                    let after = u64::from_be_bytes(*block);
                    let plain = look_ups.one(key, direction, after) ^ before;
                    (*block, before) = (plain.to_be_bytes(), after);
                }
            }
        })
    })
}

/// Every width: independent blocks, two modes, and a key for each lane.
pub(super) fn slices_are_right(kernels: Sliced) -> bool {
    [Width::Wide, Width::Narrow].into_iter().all(|width| {
        SHAPES.iter().all(|case| {
            let passes = case.passes();
            let schedule = &Schedule::new(&passes, None);
            let key = Key { passes: &passes, schedule, whitening: None };
            let run = |operation: Operation<'_>| kernels.run(width, &key, operation);
            is_right(case.bitslice, MANY, |direction, blocks| {
                run(Operation::Each(direction, blocks));
            }) && gives(case.cbc, MANY, |blocks| {
                run(Operation::CbcDecrypt(&mut CHAIN_IV.clone(), blocks));
            }) && gives(case.ctr, MANY, |blocks| {
                let data = blocks.as_flattened_mut();
                run(Operation::Ctr(&mut COUNTER.clone(), data, &mut [0; 8]));
            }) && is_right(case.lanes, MOST_LANES, |direction, blocks| {
                crypt_in_lanes(kernels, width, case.shape, direction, blocks);
            })
        })
    })
}

/// Each block under a key of its own.
fn crypt_in_lanes(
    kernels: Sliced,
    width: Width,
    shape: Shape,
    direction: Direction,
    blocks: &mut [[u8; 8]],
) {
    kernels.with_lanes(width, Keys::Each(shape), direction, &mut |lanes| {
        for (group, blocks) in blocks.chunks_exact_mut(lanes.count()).enumerate() {
            let mut keys = [[[0; 8]; MOST_LANES]; 3];
            for (lane, n) in (lanes.count() * group..).take(lanes.count()).enumerate() {
                for (keys, key) in keys.iter_mut().zip(lane_keys(n)) {
                    keys[lane] = key.to_be_bytes();
                }
            }
            lanes.set_keys(keys.each_ref().map(|keys| &keys[..lanes.count()]));
            lanes.crypt(blocks);
        }
    });
}

/// Blocks for a kernel that does them one by one: 1,024 look-ups in each of the eight tables.
const FEW: usize = 64;
/// Blocks for a bulk kernel: more than a wide call, then a partly filled narrow one.
const MANY: usize = 600;

/// Three DES keys with every bit position set in some and clear in others.
const KEYS: [u64; 3] = [0x0123_4567_89ab_cdef, 0x2345_6789_abcd_ef01, 0x4567_89ab_cdef_0123];

/// A counter that carries into all of its higher bits before long.
const COUNTER: u64 = 0x7fff_ffff_ffff_ff77;

/// The block before a chain.
const CHAIN_IV: u64 = 0xfedc_ba98_7654_3210;

struct Case {
    shape: Shape,
    /// Digest of the first [`FEW`] ciphertext blocks.
    table: u64,
    /// Digest of the same plaintext as a chain from [`CHAIN_IV`] on.
    chain: u64,
    /// Digest of the first [`MANY`].
    bitslice: u64,
    /// Digest of the first [`MANY`] plaintext blocks taken as CBC ciphertext behind [`CHAIN_IV`].
    cbc: u64,
    /// Digest of them under CTR from [`COUNTER`] on.
    ctr: u64,
    /// Digest of the first [`MOST_LANES`], block n under [`lane_keys`] of n.
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
        chain: 0x8400_3397_7c88_afb2,
        bitslice: 0x9e55_1bf5_4ad3_6a04,
        cbc: 0xb2c1_6c31_a2fa_02eb,
        ctr: 0xace0_52a1_40bd_1acb,
        lanes: 0xc55e_9330_a957_b78c,
    },
    Case {
        shape: Shape::Ede,
        table: 0x974f_e652_34d5_4bc4,
        chain: 0xcfea_4271_51e0_c387,
        bitslice: 0x95e4_1cbf_c5db_e303,
        cbc: 0xda25_aa27_e378_7a4b,
        ctr: 0x9bba_59d3_807f_61f2,
        lanes: 0x892e_b740_9904_29e2,
    },
    Case {
        shape: Shape::Eee,
        table: 0xbf12_f15b_c0f9_184c,
        chain: 0x59b2_5458_07fb_e9bd,
        bitslice: 0xb6fd_2225_d866_6d6d,
        cbc: 0x2956_5621_e908_1255,
        ctr: 0x2663_0d99_c793_913a,
        lanes: 0xb9b1_3cd1_00aa_46ba,
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
    digest_from(0, blocks)
}

pub(super) fn digest_from(sum: u64, blocks: &[[u8; 8]]) -> u64 {
    blocks.iter().fold(sum, |sum, block| {
        (sum.rotate_left(5) ^ u64::from_be_bytes(*block)).wrapping_mul(0x2545_f491_4f6c_dd1d)
    })
}

/// Works on plaintext, and compares with the digest.
fn gives(expected: u64, count: usize, work: impl Fn(&mut [[u8; 8]])) -> bool {
    with_plaintext(count, |blocks| {
        work(blocks);
        digest(blocks) == expected
    })
}

/// Encrypts, compares with the digest, decrypts, compares with the plaintext.
fn is_right(expected: u64, count: usize, crypt: impl Fn(Direction, &mut [[u8; 8]])) -> bool {
    with_plaintext(count, |blocks| {
        crypt(Direction::Encrypt, blocks);
        let encrypted = digest(blocks);
        crypt(Direction::Decrypt, blocks);
        encrypted == expected
            && blocks.iter().enumerate().all(|(n, block)| *block == plaintext(n).to_be_bytes())
    })
}

fn with_plaintext(count: usize, work: impl FnOnce(&mut [[u8; 8]]) -> bool) -> bool {
    let mut scratch = [[0; 8]; MANY];
    let blocks = &mut scratch[..count];
    for (n, block) in blocks.iter_mut().enumerate() {
        *block = plaintext(n).to_be_bytes();
    }
    work(blocks)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::boxed::Box;
    use std::vec::Vec;

    use cipherloom_spec::BlockCipher;
    use cipherloom_spec::des::Des;
    use cipherloom_spec::modes::{cbc, ctr};
    use cipherloom_spec::tdea::{Tdea, TdeaEee};

    use super::*;

    fn specified(shape: Shape, keys: [u64; 3]) -> Box<dyn BlockCipher> {
        let [k1, k2, k3] = keys.map(u64::to_be_bytes);
        match shape {
            Shape::Single => Box::new(Des::new(k1)),
            Shape::Ede => Box::new(Tdea::option1(k1, k2, k3)),
            Shape::Eee => Box::new(TdeaEee::eee3(k1, k2, k3)),
        }
    }

    /// Where the digests come from: the same work done by the specification.
    #[test]
    fn the_digests_are_those_of_the_specification() {
        let block = |n| plaintext(n).to_be_bytes();
        for Case { shape, table, chain, bitslice, cbc: opened, ctr: counted, lanes } in SHAPES {
            let spec = specified(shape, KEYS);
            let blocks: Vec<_> = (0..MANY).map(|n| spec.encrypt(block(n))).collect();
            let plain: Vec<u8> = (0..FEW).flat_map(block).collect();
            let chained = cbc::encrypt(&spec, CHAIN_IV.to_be_bytes(), &plain);
            let many: Vec<u8> = (0..MANY).flat_map(block).collect();
            let decrypted = cbc::decrypt(&spec, CHAIN_IV.to_be_bytes(), &many);
            let keyed = ctr::crypt(&spec, COUNTER.to_be_bytes(), &many);
            let by_lanes: Vec<_> =
                (0..MOST_LANES).map(|n| specified(shape, lane_keys(n)).encrypt(block(n))).collect();
            let expected = [
                digest(&blocks[..FEW]),
                digest(chained.as_chunks().0),
                digest(&blocks),
                digest(decrypted.as_chunks().0),
                digest(keyed.as_chunks().0),
                digest(&by_lanes),
            ];
            let got = [table, chain, bitslice, opened, counted, lanes];
            assert_eq!(got, expected, "{shape:?}: {expected:#018x?}");
        }
    }

    #[test]
    fn the_self_test_finds_a_kernel_that_swaps_two_blocks() {
        let case = &SHAPES[0];
        let schedule = Schedule::new(&case.passes(), None);
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
}
