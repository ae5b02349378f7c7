use super::sboxes;
use super::slices::Halves;
use crate::kernels::fips;

/// Every circuit on all 64 inputs at once: lane `v` of input bit `i` is bit `i` of `v`.
#[test]
fn circuits_are_the_tables() {
    let inputs = core::array::from_fn(|i| {
        (0..64).fold(0u64, |word, v| word | ((v >> (5 - i) & 1) as u64) << v)
    });
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
        let outputs = circuit(inputs);
        for v in 0..64 {
            let got = outputs.iter().fold(0, |n, word| n << 1 | (word >> v & 1) as u8);
            assert_eq!(got, fips::s_box(s, v), "S{} of {v}", s + 1);
        }
    }
}

#[test]
fn slices_are_named_by_ip() {
    let mut halves = Halves::<1>::ZERO;
    let mut piece = [[[0; 8]]; 64];
    for (lane, block) in piece.as_flattened_mut().iter_mut().enumerate() {
        *block = (1u64 << lane).wrapping_mul(lane as u64 | 1).to_be_bytes();
    }
    halves.load(&piece);
    for number in 1..=64u8 {
        let k = fips::IP.iter().position(|n| *n == number).unwrap();
        let named = if k < 32 { halves.l[k] } else { halves.r[k - 32] };
        let expected =
            piece.as_flattened().iter().rev().fold(0, |word, block| {
                word << 1 | (u64::from_be_bytes(*block) >> (64 - number) & 1)
            });
        // Which end the first lane is at is the transpose's business.
        assert_eq!(named[0].reverse_bits(), expected, "bit {number}");
        assert_eq!(halves.bit(number)[0], named[0], "bit {number}");
    }
    let mut back = [[[0; 8]]; 64];
    halves.store(&mut back);
    assert_eq!(back, piece);
}
