//! Rules of expressions.

use super::*;

#[test]
fn sums_and_xors_have_one_form() {
    let mut bytes = Bytes::default();
    let [x, y] = [bytes.input(), bytes.input()];
    let sum = bytes.combine(x, y, 1);
    assert_eq!(bytes.combine(sum, y, 255), x);
    let twice = bytes.combine(x, x, 127);
    let none = bytes.combine(twice, twice, 1);
    assert_eq!(bytes.known(none), Some(0), "256 times x");
    let xor = bytes.xor(x, y);
    assert_eq!(bytes.xor(xor, x), y);
    let same = bytes.xor(x, x);
    assert_eq!(bytes.known(same), Some(0));
    assert_eq!(bytes.xor(x, Term::UNKNOWN), Term::UNKNOWN);
}

#[test]
fn a_swap_of_an_array_s_elements_is_itself_undone() {
    let mut bytes = Bytes::default();
    let [i, j] = [bytes.input(), bytes.input()];
    let s = bytes.array();
    let swapped = |bytes: &mut Bytes, s| {
        let (x, y) = (bytes.read(s, i), bytes.read(s, j));
        let s = bytes.write(s, i, y).unwrap();
        bytes.write(s, j, x).unwrap()
    };
    let once = swapped(&mut bytes, s);
    assert_eq!(bytes.read(once, i), bytes.read(s, j), "also where i = j");
    assert_ne!(bytes.read(once, i), bytes.read(s, i));
    let twice = swapped(&mut bytes, once);
    assert_eq!(bytes.read(twice, i), bytes.read(s, i));
    assert_eq!(bytes.read(twice, j), bytes.read(s, j));
}

#[test]
fn arrays_are_compared_by_their_elements() {
    let mut bytes = Bytes::default();
    let [x, y] = [bytes.input(), bytes.input()];
    let [one, two] = [bytes.constant(1), bytes.constant(2)];
    let s = bytes.array();
    let up = bytes.write(s, one, x).unwrap();
    let up = bytes.write(up, two, y).unwrap();
    let down = bytes.write(s, two, y).unwrap();
    let down = bytes.write(down, one, x).unwrap();
    assert!(up != down && bytes.same_arrays(up, down));
    let other = bytes.write(down, one, y).unwrap();
    assert!(!bytes.same_arrays(up, other));
}
