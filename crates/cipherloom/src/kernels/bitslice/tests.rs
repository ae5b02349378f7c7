use super::sboxes;
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
