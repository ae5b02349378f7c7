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

/// What vectors do to write an element of S, and to read one: by comparing with all indices.
#[test]
fn a_look_up_by_comparison_is_an_element() {
    let mut bytes = Bytes::default();
    let [start, j, t, x] = [bytes.input(), bytes.input(), bytes.input(), bytes.input()];
    let s = bytes.array();
    let written = bytes.write(s, j, x).unwrap();
    bytes.list(s, start);
    bytes.list(written, start);
    let masks = |bytes: &mut Bytes, at: Term| -> Vec<Term> {
        let [zero, ones, index] =
            [bytes.constant(0), bytes.constant(255), bytes.combine(at, start, 255)];
        let each = (0..=255).map(|n| {
            let n = bytes.constant(n);
            let difference = bytes.combine(index, n, 255);
            bytes.choice(difference, ones, zero)
        });
        each.collect()
    };
    let elements = |bytes: &mut Bytes, s| -> Vec<Term> {
        let each = (0..=255).map(|n| {
            let n = bytes.constant(n);
            let index = bytes.combine(start, n, 1);
            bytes.read(s, index)
        });
        each.collect()
    };
    let before = elements(&mut bytes, s);
    let after: Vec<Term> = masks(&mut bytes, j)
        .into_iter()
        .zip(&before)
        .map(|(mask, &old)| bytes.ternary(0xca, [mask, x, old]).unwrap())
        .collect();
    assert_eq!(after, elements(&mut bytes, written));
    let picked = |bytes: &mut Bytes, s: &[Term], masks: Vec<Term>, added: Term| {
        let mut sum = bytes.constant(0);
        for (mask, &element) in masks.into_iter().zip(s) {
            let element = bytes.logic(Logic::Xor, element, added).unwrap();
            let own = bytes.logic(Logic::And, mask, element).unwrap();
            sum = bytes.logic(Logic::Or, sum, own).unwrap();
        }
        sum
    };
    let all = masks(&mut bytes, t);
    let zero = bytes.constant(0);
    let element = picked(&mut bytes, &after, all.clone(), zero);
    assert_eq!(element, bytes.read(written, t));
    let added = picked(&mut bytes, &before, all.clone(), x);
    let expected = bytes.read(s, t);
    assert_eq!(added, bytes.xor(expected, x));
    // With two elements exchanged it is no element.
    let mut wrong = after.clone();
    wrong.swap(3, 4);
    let other = picked(&mut bytes, &wrong, all, zero);
    assert_ne!(other, element);
}

#[test]
fn the_values_of_a_byte_are_the_byte() {
    let mut bytes = Bytes::default();
    let [x, three] = [bytes.input(), bytes.constant(3)];
    let negative = bytes.combine(three, x, 255);
    let table: Vec<Term> = (0..=255).map(|n| bytes.constant(n)).collect();
    for term in [x, negative] {
        let chosen = bytes.choose(term, 0xff, &|n| &table[usize::from(n)..][..1]).unwrap();
        assert_eq!(chosen, term);
        let low = bytes.choose(term, 0x0f, &|n| &table[usize::from(n)..][..1]).unwrap();
        assert_eq!(low, bytes.logic(Logic::And, term, table[15]).unwrap());
        assert_ne!(low, term);
    }
}

/// Where A\[i\] and A\[j\] differ, i and j do: what was read before a write at j is still there.
#[test]
fn an_element_that_is_read_again_where_another_equals_it_is_what_is_there() {
    let mut bytes = Bytes::default();
    let [i, j, x, k] = [bytes.input(), bytes.input(), bytes.input(), bytes.input()];
    let s = bytes.array();
    let [early, y] = [bytes.read(s, i), bytes.read(s, j)];
    let written = bytes.write(s, j, x).unwrap();
    let again = bytes.read(written, i);
    let differ = bytes.combine(y, early, 255);
    assert_eq!(bytes.choice(differ, again, early), again);
    // Another comparison says nothing of j and i.
    let other = bytes.read(s, k);
    let differ = bytes.combine(other, early, 255);
    assert_ne!(bytes.choice(differ, again, early), again);
    // Nor does one of elements of another array.
    let elsewhere = bytes.array();
    let other = bytes.read(elsewhere, j);
    let differ = bytes.combine(other, early, 255);
    assert_ne!(bytes.choice(differ, again, early), again);
}

#[test]
fn an_index_is_moved_within_eight_alone() {
    let mut bytes = Bytes::default();
    let [number, zero, one] = [bytes.input(), bytes.constant(0), bytes.constant(1)];
    let eights = bytes.combine(zero, number, 8);
    let first = bytes.combine(eights, one, 1);
    assert_eq!(bytes.moved(eights, 1), Some(first));
    assert_eq!(bytes.moved(first, -1), Some(eights));
    assert!(bytes.moved(first, 6).is_some());
    assert_eq!(bytes.moved(first, 7), None);
    assert_eq!(bytes.moved(eights, -1), None);
    assert_eq!(bytes.moved(number, 1), None);
    let fours = bytes.combine(zero, number, 4);
    assert_eq!(bytes.moved(fours, 1), None);
}
