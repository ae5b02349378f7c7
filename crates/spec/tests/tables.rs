//! The tables have the properties that FIPS 46-3 and the design of DES give them, so that a slip
//! of one number shows even where no vector would.

use cipherloom_spec::tables::{E, IP, IP_INV, LEFT_SHIFTS, P, PC1, PC2, S};

/// The numbers of `range` that `table` does not have, if it has no number twice.
fn left_out(table: &[usize], range: std::ops::RangeInclusive<usize>) -> Vec<usize> {
    let mut sorted = table.to_vec();
    sorted.sort_unstable();
    assert!(sorted.windows(2).all(|pair| pair[0] < pair[1]), "a number stands twice");
    assert!(sorted.iter().all(|bit| range.contains(bit)), "a number is out of range");
    range.filter(|bit| !table.contains(bit)).collect()
}

#[test]
fn permutations_take_every_bit_once() {
    assert!(left_out(&IP, 1..=64).is_empty());
    assert!(left_out(&IP_INV, 1..=64).is_empty());
    assert!(left_out(&P, 1..=32).is_empty());
    for n in 0..64 {
        assert_eq!(IP[IP_INV[n] - 1], n + 1, "IP and IP⁻¹ undo each other");
    }
}

#[test]
fn choices_leave_out_what_the_standard_leaves_out() {
    assert_eq!(left_out(&PC1, 1..=64), [8, 16, 24, 32, 40, 48, 56, 64], "the parity bits");
    assert_eq!(left_out(&PC2[..24], 1..=28), [9, 18, 22, 25]);
    assert_eq!(left_out(&PC2[24..], 29..=56), [35, 38, 43, 54]);
    assert_eq!(LEFT_SHIFTS.iter().sum::<usize>(), 28, "C16 = C0, D16 = D0");
}

#[test]
fn e_takes_each_row_and_its_neighbours() {
    for (n, bit) in E.into_iter().enumerate() {
        let (row, column) = (n / 6, n % 6);
        assert_eq!(bit, (4 * row + column + 31) % 32 + 1);
    }
}

#[test]
fn rows_of_s_are_permutations_and_near_inputs_differ() {
    let s = |number: usize, b: usize| {
        cipherloom_spec::des::s(number, std::array::from_fn(|n| b & (0x20 >> n) != 0))
    };
    for number in 1..=8 {
        for row in S[number - 1] {
            let row = row.map(usize::from);
            assert!(left_out(&row, 0..=15).is_empty(), "S{number}");
        }
        // Coppersmith's published criteria: one input bit changes two output bits or more, and so
        // do the two middle bits together.
        for b in 0..64 {
            for change in [1, 2, 4, 8, 16, 32, 0b001100] {
                let (x, y) = (s(number, b), s(number, b ^ change));
                let differ = (0..4).filter(|&n| x[n] != y[n]);
                assert!(differ.count() >= 2, "S{number}({b:06b})");
            }
        }
    }
}
