//! DES in the terms of libdes: a block is two 32-bit words, a key schedule sixteen pairs of them.
//!
//! For programs that hold such words: the C face has `DES_key_schedule` and `DES_encrypt1` from
//! here. A block's words are its bytes in little-endian reading; between IP and IP⁻¹ the first one
//! is R, the second L, bit 1 of FIPS 46-3 lowest.
//!
//! In a pair of subkey words, byte n (the lowest is 0) of the first has the six bits for S-box
//! 2n + 1, the first of them in bit 2; so has the second for S-box 2n + 2, rotated left by 4. (The
//! layout was read off `DES_set_key_unchecked` of OpenSSL 3.0, a key bit at a time.) A half that is
//! rotated left by 3 has the input of S1 in the same place, and E never runs.
//!
//! The addresses of the look-ups depend on secrets: these kernels are not constant-time.

use super::asm::{self, libdes::Functions};
use super::key_schedule::subkeys;
use super::schedule::group_shift;
use super::{fips, wipe};

pub use super::asm::libdes::{Schedule, Words};

/// P after S1 to S8, in the form of a rotated half.
static SP: [[u32; 64]; 8] = {
    let mut tables = [[0; 64]; 8];
    let mut i = 0;
    while i < 8 * 64 {
        let (s, input) = (i / 64, i % 64);
        // The first of the six bits is the lowest here.
        let b = (input as u8).reverse_bits() >> 2;
        let out = (fips::s_box(s, b as usize) as u32) << (28 - 4 * s);
        let mut half = 0;
        let mut bit = 0;
        while bit < 32 {
            half |= (out >> (32 - fips::P[bit] as usize) & 1) << bit;
            bit += 1;
        }
        tables[s][input] = half.rotate_left(3);
        i += 1;
    }
    tables
};

/// The bits that IP exchanges between two words, step by step: those of the second word, shifted
/// right, with those of the first within the mask; the words change roles with each step.
const IP_SWAPS: [(u32, u32); 5] =
    [(4, 0x0f0f_0f0f), (16, 0x0000_ffff), (2, 0x3333_3333), (8, 0x00ff_00ff), (1, 0x5555_5555)];

#[inline(always)]
fn swap_bits(words: &mut Words, step: usize) {
    let (shift, mask) = IP_SWAPS[step];
    let [from, to] = if step.is_multiple_of(2) { [1, 0] } else { [0, 1] };
    let swap = (words[from] >> shift ^ words[to]) & mask;
    words[to] ^= swap;
    words[from] ^= swap << shift;
}

/// The initial permutation: from a block to R and L.
#[inline(always)]
fn ip(mut block: Words) -> Words {
    (0..5).for_each(|step| swap_bits(&mut block, step));
    block
}

/// Its inverse.
#[inline(always)]
fn ip_inv(mut halves: Words) -> Words {
    (0..5).rev().for_each(|step| swap_bits(&mut halves, step));
    halves
}

/// The function f of a rotated half; `salt` exchanges bits of E (0 is DES).
#[inline(always)]
fn f(half: u32, [k0, k1]: Words, [salt0, salt1]: Words) -> u32 {
    let other = half ^ half.rotate_left(16);
    let odd = half ^ (other & salt0) ^ k0;
    let even = (half ^ (other & salt1) ^ k1).rotate_right(4);
    let s = |i: usize, word: u32| SP[i][(word >> (i / 2 * 8 + 2)) as usize & 63];
    s(0, odd)
        ^ s(2, odd)
        ^ s(4, odd)
        ^ s(6, odd)
        ^ (s(1, even) ^ s(3, even))
        ^ (s(5, even) ^ s(7, even))
}

/// Sixteen rounds, with the exchange of halves that the preoutput wants.
#[inline(always)]
fn rounds(halves: Words, schedule: &Schedule, encrypt: bool, salt: Words) -> Words {
    let [mut r, mut l] = halves;
    for i in 0..8 {
        let key = |n: usize| schedule[if encrypt { n } else { 15 - n }];
        l ^= f(r, key(2 * i), salt);
        r ^= f(l, key(2 * i + 1), salt);
    }
    [l, r]
}

fn rotated(halves: Words) -> Words {
    halves.map(|half| half.rotate_left(3))
}

fn straight(halves: Words) -> Words {
    halves.map(|half| half.rotate_right(3))
}

/// In portable Rust.
static PORTABLE: Functions = Functions {
    encrypt1: |data, schedule, encrypt| {
        *data = ip_inv(straight(rounds(rotated(ip(*data)), schedule, encrypt, [0; 2])));
    },
    encrypt2: |data, schedule, encrypt| {
        *data = straight(rounds(rotated(*data), schedule, encrypt, [0; 2]));
    },
    encrypt3: |data, schedules| triple(data, schedules, true),
    decrypt3: |data, [first, second, third]| triple(data, [third, second, first], false),
};

/// The fastest ones here.
#[inline(always)]
fn functions() -> &'static Functions {
    asm::libdes_functions().unwrap_or(&PORTABLE)
}

/// DES of a block.
#[inline]
pub fn encrypt1(data: &mut Words, schedule: &Schedule, encrypt: bool) {
    (functions().encrypt1)(data, schedule, encrypt);
}

/// The same without IP and IP⁻¹.
#[inline]
pub fn encrypt2(data: &mut Words, schedule: &Schedule, encrypt: bool) {
    (functions().encrypt2)(data, schedule, encrypt);
}

/// Triple-DES of a block: encryption, decryption, encryption.
#[inline]
pub fn encrypt3(data: &mut Words, schedules: [&Schedule; 3]) {
    (functions().encrypt3)(data, schedules);
}

/// The inverse of [`encrypt3`], with the schedules in the same order.
#[inline]
pub fn decrypt3(data: &mut Words, schedules: [&Schedule; 3]) {
    (functions().decrypt3)(data, schedules);
}

#[inline(always)]
fn triple(data: &mut Words, schedules: [&Schedule; 3], encrypt: bool) {
    let mut halves = rotated(ip(*data));
    halves = rounds(halves, schedules[0], encrypt, [0; 2]);
    halves = rounds(halves, schedules[1], !encrypt, [0; 2]);
    halves = rounds(halves, schedules[2], encrypt, [0; 2]);
    *data = ip_inv(straight(halves));
}

/// 25 encryptions of zeros in which bit n of `salt` (the lowest is 0) exchanges bits n + 1 and
/// n + 25 of E's result: what crypt(3) makes of a password.
pub fn encrypt_salted(schedule: &Schedule, salt: u16) -> Words {
    // Bits of S1 and S3, in both words' places; with those of S2 and S4, rotated.
    let bits = u32::from(salt & 0xfff);
    let masks = [bits & 0x3f, bits >> 6].map(|bits| bits << 2 | bits << 18);
    let salt = [masks[0], masks[1].rotate_left(4)];
    let mut halves = [0; 2];
    for _ in 0..25 {
        halves = rounds(halves, schedule, true, salt);
    }
    ip_inv(straight(halves))
}

/// The schedule of a key, read as a big-endian number; in constant time.
pub fn schedule(key: u64, schedule: &mut Schedule) {
    let mut subkeys = [0; 16];
    self::subkeys(key, &mut subkeys);
    for (words, subkey) in schedule.iter_mut().zip(&subkeys) {
        // The first group lowest, its first bit in bit 2.
        let groups = subkey.reverse_bits();
        *words = [even_bytes(groups), even_bytes(groups >> 8).rotate_left(4)];
    }
    wipe(&mut subkeys);
}

/// The key of a schedule, without its parity bits; in constant time. `None` if no key has this
/// schedule, so that it must be used as it is.
pub fn key(of: &Schedule) -> Option<u64> {
    let expanded = |[odd, even]: Words| {
        (spread_bytes(odd) | spread_bytes(even.rotate_right(4)) << 8).reverse_bits()
    };
    let [first, last] = [expanded(of[0]), expanded(of[15])];
    let bits = |subkey: u64, table: &[(u8, u8)]| {
        table.iter().fold(0, |key, &(from, to)| key | (subkey >> from & 1) << to)
    };
    let key = bits(last, &OF_LAST) | bits(first, &OF_FIRST);
    let mut again = [[0; 2]; 16];
    schedule(key, &mut again);
    let difference =
        of.iter().zip(&again).fold(0, |sum, (a, b)| sum | (a[0] ^ b[0]) | (a[1] ^ b[1]));
    wipe(&mut again);
    (difference == 0).then_some(key)
}

/// For each bit of K16 its place there and in the key: K16 has C and D as PC-1 makes them.
const OF_LAST: [(u8, u8); 48] = {
    let mut table = [(0, 0); 48];
    let mut bit = 0;
    while bit < 48 {
        table[bit] = (group_shift(bit) as u8, 64 - fips::key_bit(15, bit) as u8);
        bit += 1;
    }
    table
};

/// The eight bits that K16 lacks, in K1.
const OF_FIRST: [(u8, u8); 8] = {
    let mut table = [(0, 0); 8];
    let (mut bit, mut count) = (0, 0);
    while bit < 48 {
        let to = 64 - fips::key_bit(0, bit) as u8;
        let mut is_there = false;
        let mut other = 0;
        while other < 48 {
            is_there |= OF_LAST[other].1 == to;
            other += 1;
        }
        if !is_there {
            table[count] = (group_shift(bit) as u8, to);
            count += 1;
        }
        bit += 1;
    }
    assert!(count == 8);
    table
};

/// Bytes 0, 2, 4 and 6.
#[inline(always)]
fn even_bytes(word: u64) -> u32 {
    let pairs = word & 0x00ff_00ff_00ff_00ff;
    let pairs = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
    (pairs | pairs >> 16) as u32
}

/// The inverse.
#[inline(always)]
fn spread_bytes(word: u32) -> u64 {
    let pairs = u64::from(word);
    let pairs = (pairs | pairs << 16) & 0x0000_ffff_0000_ffff;
    (pairs | pairs << 8) & 0x00ff_00ff_00ff_00ff
}

#[cfg(test)]
mod tests {
    use super::*;
    use cipherloom_spec::BlockCipher;
    use cipherloom_spec::des::Des;

    /// Numbers with nothing in common.
    fn random() -> impl Iterator<Item = u64> {
        let next = |x: &u64| Some(x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e));
        core::iter::successors(Some(0x0123_4567_89ab_cdef), next).map(|x| x ^ x >> 32)
    }

    fn words(block: u64) -> Words {
        [(block >> 32) as u32, block as u32].map(u32::swap_bytes)
    }

    #[test]
    fn blocks_are_the_specification_s() {
        let mut random = random();
        let mut next = || random.next().unwrap();
        for _ in 0..300 {
            let keys = [next(), next(), next()];
            let block = next();
            let schedules = keys.map(|key| {
                let mut made = [[0; 2]; 16];
                schedule(key, &mut made);
                made
            });
            let des = keys.map(|key| Des::new(key.to_be_bytes()));
            let of = |bytes: [u8; 8]| words(u64::from_be_bytes(bytes));
            let once = des[0].encrypt(block.to_be_bytes());

            for kind in [Some(&PORTABLE), asm::libdes_functions()].into_iter().flatten() {
                let mut data = words(block);
                (kind.encrypt1)(&mut data, &schedules[0], true);
                assert_eq!(data, of(once));
                (kind.encrypt1)(&mut data, &schedules[0], false);
                assert_eq!(data, words(block));

                let mut halves = ip(data);
                (kind.encrypt2)(&mut halves, &schedules[0], true);
                assert_eq!(ip_inv(halves), of(once));
                (kind.encrypt2)(&mut halves, &schedules[0], false);
                assert_eq!(ip_inv(halves), words(block));

                let [a, b, c] = &schedules;
                (kind.encrypt3)(&mut data, [a, b, c]);
                assert_eq!(data, of(des[2].encrypt(des[1].decrypt(once))));
                (kind.decrypt3)(&mut data, [a, b, c]);
                assert_eq!(data, words(block));
            }
        }
    }

    #[test]
    fn a_schedule_has_its_key_in_it_and_a_damaged_one_has_none() {
        let mut made = [[0; 2]; 16];
        for given in random().take(300) {
            schedule(given, &mut made);
            assert_eq!(key(&made), Some(given & 0xfefe_fefe_fefe_fefe));
            let bit = given as usize >> 20 & 1023;
            made[bit / 64][bit / 32 % 2] ^= 1 << (bit % 32);
            assert_eq!(key(&made), None, "bit {bit}");
        }
    }
}
