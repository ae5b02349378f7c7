extern crate std;
use std::vec;
use std::vec::Vec;

use super::counters::Counters;
use super::kernel::{Broadcast as _, Kernel, Vector as _};
use super::portable::{Narrow, Portable, Wide};
use super::sboxes;
use crate::kernels::fips;

/// Every circuit on all 64 inputs at once: lane `v` of input bit `i` is bit `i` of `v`, or its inverse where
/// that is what the circuits want.
#[test]
fn circuits_are_the_tables() {
    let inputs: [u64; 6] = core::array::from_fn(|i| {
        (0..64).fold(0u64, |word, v| word | ((v >> (5 - i) & 1) as u64) << v)
    });
    let is_inverted = |bit: u8| sboxes::INVERTED >> (32 - bit) & 1 == 1;
    let circuits: [fn([u64; 6]) -> [u64; 4]; 8] = [
        sboxes::s1,
        sboxes::s2,
        sboxes::s3,
        sboxes::s4,
        sboxes::s5,
        sboxes::s6,
        sboxes::s7,
        sboxes::s8,
    ];
    for (s, circuit) in circuits.iter().enumerate() {
        let kept = core::array::from_fn(|i| {
            if is_inverted(fips::E[6 * s + i]) { !inputs[i] } else { inputs[i] }
        });
        let outputs = circuit(kept);
        for v in 0..64 {
            let got = outputs.iter().fold(0, |n, word| n << 1 | (word >> v & 1) as u8);
            assert_eq!(got, fips::s_box(s, v), "S{} of {v}", s + 1);
        }
    }
}

/// A number of blocks that are all different.
fn some_blocks(count: usize) -> Vec<[u8; 8]> {
    (0..count as u64).map(|n| (1 << (n % 64) ^ n.wrapping_mul(0x9e37_79b9)).to_be_bytes()).collect()
}

/// Blocks go in and come out, numbers are the blocks that they are, and names are the standard's.
fn transposes<K: Kernel>(kernel: K) {
    let blocks = some_blocks(K::LANES);
    let mut state = [K::Vector::ZERO; 64];
    kernel.enter(&blocks, &mut state);
    for (slice, number) in state.iter().zip(fips::IP) {
        // The lanes' own numbers say which block is in which lane.
        for (lane, block) in blocks.iter().enumerate() {
            let bits = K::low().iter().enumerate().map(|(bit, low)| (lane >> bit & 1, low));
            let mut place = vec![u64::MAX; K::LANES / 64];
            for (bit, low) in bits {
                for (place, low) in place.iter_mut().zip(low.words()) {
                    *place &= if bit == 1 { *low } else { !*low };
                }
            }
            assert_eq!(place.iter().map(|word| word.count_ones()).sum::<u32>(), 1, "lane {lane}");
            let got = place.iter().zip(slice.words()).any(|(place, slice)| place & slice != 0);
            let expected = u64::from_be_bytes(*block) >> (64 - number) & 1 == 1;
            assert_eq!(got, expected, "bit {number} of block {lane}");
        }
    }
    // Blocks leave as FIPS 46-3's preoutput: with their halves changed.
    state.rotate_left(32);
    let mut mixed = blocks.clone();
    let mut again = state;
    kernel.leave_xor(&mut again, &mut mixed);
    assert!(mixed.iter().all(|block| *block == [0; 8]));
    kernel.leave(&mut state, &mut mixed);
    assert_eq!(mixed, blocks);
    for count in [0, 1, 7, 8, K::LANES / 2, K::LANES - 1] {
        kernel.enter(&blocks[..count], &mut state);
        state.rotate_left(32);
        let mut again = state;
        mixed.fill([0; 8]);
        kernel.leave(&mut again, &mut mixed[..count]);
        assert_eq!(mixed[..count], blocks[..count]);
        kernel.leave_xor(&mut state, &mut mixed[..count]);
        assert!(mixed.iter().all(|block| *block == [0; 8]), "{count} blocks");
    }
}

/// The bits of a lane's number are added to each first number's lowest bits: all of these, and all lanes.
fn sums_of_low_bits<K: Kernel>() {
    for first in 0..K::LANES {
        let counters = Counters::<K>::new(first as u64, &K::Des::none());
        for word in 0..K::LANES / 64 {
            for lane in 0..64 {
                let bit = |vector: &K::Vector| (vector.words()[word] >> lane & 1) as usize;
                let number = |vectors: &[K::Vector]| {
                    vectors.iter().rev().fold(0, |number, vector| 2 * number + bit(vector))
                };
                let sum = number(&counters.low) + bit(&counters.carry) * K::LANES;
                assert_eq!(sum, first + number(K::low()), "from {first} on");
            }
        }
    }
}

/// A carry goes from the lowest bits to as many bits above as there are ones, and one more: all such numbers.
fn counts<K: Kernel>(kernel: K) {
    let lanes = K::LANES as u64;
    let edges = (Counters::<K>::BITS..=64).flat_map(|bits| {
        let edge = 1u64.checked_shl(bits).unwrap_or(0);
        [0, 1, lanes - 1, lanes, 3 * lanes + 1].map(|before| edge.wrapping_sub(before))
    });
    for first in edges {
        let mut counters = Counters::<K>::new(first, &K::Des::none());
        for group in 0..3 {
            let mut state = [K::Vector::ZERO; 64];
            counters.enter(kernel, &mut state);
            state.rotate_left(32);
            let mut blocks = vec![[0; 8]; K::LANES];
            kernel.leave(&mut state, &mut blocks);
            let next = first.wrapping_add(group * lanes);
            for (n, block) in (0..).zip(blocks) {
                let number = u64::from_be_bytes(block);
                assert_eq!(number, next.wrapping_add(n), "from {first:#x} on, group {group}");
            }
        }
    }
}

#[test]
fn kernels_know_their_lanes() {
    transposes::<Narrow>(Portable);
    transposes::<Wide>(Portable);
}

#[test]
fn counters_are_numbers() {
    sums_of_low_bits::<Narrow>();
    sums_of_low_bits::<Wide>();
    counts::<Narrow>(Portable);
    counts::<Wide>(Portable);
}
