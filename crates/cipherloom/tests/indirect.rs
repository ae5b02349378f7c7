//! Calls of a block or two go straight to their work. After other work a processor does not foresee where an
//! indirect call leads, and each takes as long as some rounds of DES
//! (`bench/record/2026-11-28-xeon-short-messages.md`).
//!
//! In the tests' own build calls are counted; in one that is optimised as a release is, the numbers are judged.
#![cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]

use std::hint::black_box;

use cipherloom::{BlockCipher as _, Des, Mode, Padding, Rc4, TdesEde3};
use cipherloom_testkit::indirect::indirect_calls;

/// How often a call is done before it is looked at: what is chosen once has been chosen.
const BEFORE: usize = 3;

/// The indirect calls of some work, where they are judged.
fn no_more_than(most: usize, name: &str, mut work: impl FnMut()) {
    (0..BEFORE).for_each(|_| work());
    let seen = indirect_calls(work);
    println!("{name}: {seen:?}");
    assert!(seen.steps > 300, "{name}: {} instructions are no cipher", seen.steps);
    assert!(
        cfg!(debug_assertions) || seen.calls <= most,
        "{name}: {} indirect calls, {most} at most; `addr2line` names the places: {seen:?}",
        seen.calls,
    );
}

#[test]
fn an_indirect_call_is_seen() {
    #[inline(never)]
    fn work() {
        black_box(7);
    }
    let work: fn() = work;
    let seen = indirect_calls(|| (0..3).for_each(|_| black_box(work)()));
    assert_eq!(seen.calls, 3, "{seen:?}");
    assert_eq!(indirect_calls(|| _ = black_box(7)).calls, 0);
}

/// Under a key that is there. The one call is this program's, of the library.
#[test]
fn blocks() {
    let (des, tdes) = (Des::new(&[0x13; 8]), TdesEde3::new(&[0x57; 24]));
    let cbc = Mode::cbc([1; 8], Padding::None);
    let mut buffer = [2; 16];
    for len in [8, 16] {
        no_more_than(1, "DES, CBC encryption", || {
            cbc.encrypt_in_place(&des, black_box(&mut buffer), len).map(drop).expect("blocks");
        });
        no_more_than(1, "DES, CBC decryption", || {
            cbc.decrypt_in_place(&des, black_box(&mut buffer[..len])).map(drop).expect("blocks");
        });
        no_more_than(1, "3DES, CBC encryption", || {
            cbc.encrypt_in_place(&tdes, black_box(&mut buffer), len).map(drop).expect("blocks");
        });
        no_more_than(1, "3DES, CBC decryption", || {
            cbc.decrypt_in_place(&tdes, black_box(&mut buffer[..len])).map(drop).expect("blocks");
        });
    }
    let mut block = [3; 8];
    no_more_than(1, "DES, a block", || des.encrypt_block(black_box(&mut block)).expect("a block"));
    no_more_than(1, "3DES, a block", || {
        tdes.decrypt_block(black_box(&mut block)).expect("a block");
    });
}

/// Up to three calls are `memcpy` or `memset`, the others this program's: a key is made, used and, at the end, wiped.
#[test]
fn new_keys() {
    let mut block = [3; 8];
    no_more_than(2, "a DES key and a block", || {
        Des::new(black_box(&[7; 8])).encrypt_block(black_box(&mut block)).expect("a block");
    });
    no_more_than(4, "a 3DES key and a block", || {
        TdesEde3::new(black_box(&[7; 24])).encrypt_block(black_box(&mut block)).expect("a block");
    });
    let mut data = [3; 16];
    no_more_than(6, "an RC4 key and 16 bytes", || {
        let mut rc4 = Rc4::from_slice(black_box(&[7; 16])).expect("a key");
        rc4.apply(black_box(&mut data)).expect("room");
    });
}
