//! What a wrong padding costs beside a right one: `cargo xtask paddings`.
//!
//! Who learns by time whether the padding of a message is right can decrypt it (Vaudenay 2002). Every way
//! to decrypt is called with messages whose padding is right, and with the same messages, of which the
//! last byte but eight was changed so that it is wrong; by the Rust library and by the C face, which is
//! loaded as C programs load it. A sample of right ones and one of wrong ones, some 30 microseconds each,
//! make a pair, in random order; what counts is the median of how much longer the wrong one took.
#![allow(unsafe_code, reason = "calls the C face")]

mod face;

use std::hint::black_box;
use std::time::{Duration, Instant};

use cipherloom_measure::Paired;
use cipherloom_testkit::rng::Rng;
use face::Face;
use library::batch::{Batch, Flat, Keys, Outcome, Record, Span};
use library::{Algorithm, BlockCipher as _, BlockKey, Error, Mode, Padding, Policy};

/// Bytes of a ciphertext.
const SIZES: [usize; 3] = [16, 1 << 10, 16 << 10];
/// Bytes of a batch's records together.
const BATCH: usize = 64 << 10;
/// How long a sample takes at least.
const SAMPLE: Duration = Duration::from_micros(30);
/// Samples of right ones and of wrong ones.
const SAMPLES: usize = 401;
/// By how much right and wrong may differ at most, in percent.
const AIM: f64 = 1.0;

/// Messages of one size, right and wrong.
pub(crate) struct Case {
    pub(crate) algorithm: Algorithm,
    pub(crate) policy: Policy,
    pub(crate) key: [u8; 24],
    pub(crate) iv: [u8; 8],
    /// A right one, then a wrong one.
    pub(crate) messages: [Vec<u8>; 2],
}

impl Case {
    fn new(algorithm: Algorithm, policy: Policy, size: usize) -> Self {
        let mut rng = Rng::new(size as u64);
        let (key, iv): ([u8; 24], [u8; 8]) = (rng.array(), rng.array());
        let block_key = BlockKey::new(algorithm, &key[..algorithm.key_len()]).expect("its length");
        let mut right = vec![0; size];
        let plain = rng.bytes(size - 3);
        Mode::cbc(iv, Padding::Pkcs7).encrypt(&block_key, &plain, &mut right).expect("room");
        let mut wrong = right.clone();
        // In the last block of the plaintext this changes the last byte alone, which is then 0x53.
        wrong[size - 9] ^= 0x50;
        Self { algorithm, policy, key, iv, messages: [right, wrong] }
    }

    pub(crate) fn key_bytes(&self) -> &[u8] {
        &self.key[..self.algorithm.key_len()]
    }

    fn key(&self) -> BlockKey {
        BlockKey::new(self.algorithm, self.key_bytes())
            .expect("its length")
            .with_policy(self.policy)
    }

    /// Records of this message that make a batch; `wrong` of them are wrong.
    pub(crate) fn records(&self, wrong: usize) -> Vec<u8> {
        let count = BATCH / self.messages[0].len();
        (0..count).flat_map(|n| &self.messages[usize::from(n < wrong)]).copied().collect()
    }
}

/// A way to decrypt: what it is called, and a call with right messages (0) or wrong ones (1). It says
/// whether all was right.
pub(crate) type Way<'a> = (&'static str, Box<dyn FnMut(usize) -> bool + 'a>);

fn rust_ways(case: &Case) -> Vec<Way<'_>> {
    let (key, mode) = (case.key(), Mode::cbc(case.iv, Padding::Pkcs7));
    let size = case.messages[0].len();
    let one_shot = {
        let (key, mut output) = (key.clone(), vec![0; size]);
        move |which: usize| mode.decrypt(&key, &case.messages[which], &mut output).is_ok()
    };
    let in_place = {
        let (key, mut buffer) = (key.clone(), vec![0; size]);
        move |which: usize| {
            buffer.copy_from_slice(&case.messages[which]);
            mode.decrypt_in_place(&key, &mut buffer).is_ok()
        }
    };
    let in_pieces = {
        let mut output = vec![0; size + 16];
        move |which: usize| {
            let mut message = mode.decryptor(&key);
            let mut at = 0;
            for piece in case.messages[which].chunks(size.div_ceil(2)) {
                at += message.update(piece, &mut output[at..]).expect("room");
            }
            message.finish(&mut output[at..]).is_ok()
        }
    };
    vec![
        ("one call", Box::new(one_shot)),
        ("in place", Box::new(in_place)),
        ("in pieces", Box::new(in_pieces)),
        ("batch, one wrong", rust_batch(case, 1)),
        ("batch, all wrong", rust_batch(case, usize::MAX)),
        ("slices, all wrong", rust_records(case)),
    ]
}

/// A batch whose records are slices, all of them wrong.
fn rust_records(case: &Case) -> Box<dyn FnMut(usize) -> bool + '_> {
    let batch = Batch::cbc(case.algorithm, Padding::Pkcs7).with_policy(case.policy);
    let inputs = [case.records(0), case.records(usize::MAX)];
    let size = case.messages[0].len();
    let (mut data, mut results) = (vec![0; BATCH], vec![Outcome::Ok(0); BATCH / size]);
    Box::new(move |which| {
        data.copy_from_slice(&inputs[which]);
        let chunks = data.chunks_mut(size);
        let mut records: Vec<_> =
            chunks.map(|data| Record::new(case.key_bytes(), &case.iv, data)).collect();
        batch.decrypt(&mut records, &mut results).expect("everything is there");
        let wrong = black_box(&results).iter().filter(|result| **result == Err(Error::Padding));
        wrong.count() == 0
    })
}

fn rust_batch(case: &Case, wrong: usize) -> Box<dyn FnMut(usize) -> bool + '_> {
    let batch = Batch::cbc(case.algorithm, Padding::Pkcs7).with_policy(case.policy);
    let inputs = [case.records(0), case.records(wrong)];
    let size = case.messages[0].len();
    let spans: Vec<Span> = (0..BATCH / size).map(|n| Span::new(n * size, size)).collect();
    let (ivs, keys) = (case.iv.repeat(spans.len()), case.key_bytes().repeat(spans.len()));
    let (mut data, mut results) = (vec![0; BATCH], vec![Outcome::Ok(0); spans.len()]);
    Box::new(move |which| {
        data.copy_from_slice(&inputs[which]);
        let flat = Flat { keys: Keys::Each(&keys), ivs: &ivs, data: &mut data, spans: &spans };
        batch.decrypt_flat(flat, &mut results).expect("everything is there");
        let wrong = black_box(&results).iter().filter(|result| **result == Err(Error::Padding));
        wrong.count() == 0
    })
}

/// What was measured of a way.
struct Figures {
    /// Medians in nanoseconds a call, of right ones and of wrong ones.
    medians: [f64; 2],
    /// The median of how much longer a wrong one took than the right one beside it, in percent.
    apart: f64,
}

fn measure(call: &mut dyn FnMut(usize) -> bool, rng: &mut Rng) -> Figures {
    for which in [0, 1] {
        assert_eq!(call(which), which == 0, "a padding was judged wrongly");
    }
    let start = Instant::now();
    let mut calls = 0;
    while start.elapsed() < 10 * SAMPLE {
        black_box(call(calls % 2));
        calls += 1;
    }
    let calls = calls.div_ceil(10);
    let mut sample = |which| {
        // The first call of a sample is not counted: it begins where the sample before has left.
        black_box(call(which));
        let start = Instant::now();
        for _ in 0..calls {
            black_box(call(black_box(which)));
        }
        start.elapsed().as_secs_f64() * 1e9 / calls as f64
    };
    // The core's clock changes from one millisecond to the next: those side by side are compared.
    let paired = Paired::new(SAMPLES, |_| rng.number(0..=1), |which| sample(1 - which));
    let [wrong, right] = paired.medians();
    Figures { medians: [right, wrong], apart: (paired.ratio() - 1.0) * 100.0 }
}

/// Where a row belongs.
struct Row {
    algorithm: Algorithm,
    policy: Policy,
    face: &'static str,
    way: &'static str,
    size: usize,
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { algorithm, policy, face, way, size } = self;
        let (cipher, policy) = (algorithm.name(), format!("{policy:?}"));
        write!(f, "{cipher:<9} {policy:<13} {face:<5} {way:<17} {size:>6}")
    }
}

/// Rows that have every one of the arguments in them.
fn main() {
    // Cargo adds an option of its own.
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let face = std::env::var_os("CIPHERLOOM_SHARED_LIBRARY").map(|path| Face::load(&path));
    let face = face.expect("`cargo xtask paddings` says where the shared library is");
    println!(
        "{:<9} {:<13} {:<5} {:<17} {:>6} {:>11} {:>11} {:>9}",
        "cipher", "policy", "face", "way", "bytes", "right, ns", "wrong, ns", "apart"
    );
    let mut rng = Rng::new(0);
    let mut widest: f64 = 0.0;
    for algorithm in [Algorithm::Des, Algorithm::TdesEde3] {
        for policy in [Policy::Fastest, Policy::ConstantTime] {
            for size in SIZES {
                let case = Case::new(algorithm, policy, size);
                for (face, ways) in [("Rust", rust_ways(&case)), ("C", face.ways(&case))] {
                    for (way, mut call) in ways {
                        let row = Row { algorithm, policy, face, way, size }.to_string();
                        if !words.iter().all(|word| row.contains(word)) {
                            continue;
                        }
                        let Figures { medians: [right, wrong], apart } =
                            measure(&mut *call, &mut rng);
                        widest = widest.max(apart.abs());
                        println!("{row} {right:>11.1} {wrong:>11.1} {apart:>+7.2} %");
                    }
                }
            }
        }
    }
    println!("\nwidest: {widest:.2} %; the aim on an idle machine: less than {AIM} %");
}
