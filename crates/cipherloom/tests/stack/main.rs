//! What calls leave on the stack: no secret, whatever the mode, the amount of work and the backend.
#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]

mod batches;
mod calls;
mod depth;
mod streams;
mod watch;

use std::hint::black_box;

use cipherloom::Algorithm;
use cipherloom_testkit::ways::Way;
use watch::{RUNS, Run, Watch};

/// Who leaves a secret is found out: a key as it is, turned around, or spread over many words.
#[test]
fn a_deliberate_leak_is_found() {
    #[inline(never)]
    fn leave<const N: usize>(words: [u64; N]) {
        black_box(&words);
    }
    let mut watch = Watch::new();
    let secrets: [u64; RUNS] = [3, 5, 0xfeed_beef].map(|n: u64| n.wrapping_mul(0x0123_4567_89ab));
    let leaks: [fn(u64); 4] = [
        |key| leave([key]),
        |key| leave([key.swap_bytes() ^ 0x5555]),
        |key| leave::<64>(std::array::from_fn(|bit| (key >> bit & 1).wrapping_neg())),
        |_| leave([7]),
    ];
    for (n, leak) in leaks.iter().enumerate() {
        let before = watch.count().1;
        watch.watch(&n, |stack, n| {
            let secret = secrets[n];
            (stack.run(|| leak(secret)), Run::default())
        });
        assert_eq!(watch.count().1 - before, usize::from(n < 3), "leak {n}");
    }
    // A public value is none, where it is the run's own, and most of it is there.
    for (own, kept, found) in
        [(0, u64::MAX, 0), (1, u64::MAX, 1), (0, !0xffff, 0), (0, 0xff_ffff, 1)]
    {
        let before = watch.count().1;
        watch.watch(&"public", |stack, n| {
            let public = vec![secrets[(n + own) % RUNS].to_le_bytes()];
            (stack.run(|| leave([secrets[n] & kept])), Run { public, ..Run::default() })
        });
        assert_eq!(
            watch.count().1 - before,
            found,
            "bits {kept:#x} of the public value of run {own}"
        );
    }
}

/// A cipher, by each way to it. Each cipher has a test of its own, as they take long and can run side by side.
fn leaves_no_secrets(algorithm: Algorithm) {
    let mut watch = Watch::new();
    for way in Way::des() {
        calls::block_cipher(&mut watch, way, algorithm);
    }
    watch.must_be_clean();
}

#[test]
fn slow_des_leaves_no_secrets() {
    leaves_no_secrets(Algorithm::Des);
}

#[test]
fn slow_triple_des_leaves_no_secrets() {
    leaves_no_secrets(Algorithm::TdesEde3);
}

/// One with whitening.
#[test]
fn slow_desx_leaves_no_secrets() {
    leaves_no_secrets(Algorithm::Desx);
}

#[test]
fn rc4_leaves_no_secrets() {
    let mut watch = Watch::new();
    for way in Way::rc4() {
        streams::rc4(&mut watch, way);
    }
    watch.must_be_clean();
}
