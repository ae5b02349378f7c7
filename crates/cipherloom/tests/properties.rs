//! Properties of single messages under random input: every backend and face gives what the
//! specification says, and every error leaves what the documentation promises.
//!
//! Seeds are fixed, so that a run is as good as the one before; a failure prints its input.

use cipherloom::{Algorithm, Padding};
use cipherloom_testkit::checks::message::Message;
use cipherloom_testkit::oracle::{Case, Kind, PADDINGS};
use cipherloom_testkit::rng::Rng;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// `cases` in a full run, a fifth of them in a quick one.
fn config(cases: u32, seed: u64) -> ProptestConfig {
    let quick = std::env::var_os("CIPHERLOOM_QUICK").is_some();
    ProptestConfig {
        cases: if quick { cases / 5 } else { cases },
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The bytes come from a seed: shrinking random keys and texts tells nothing, lengths do.
fn message(kinds: &'static [Kind], max_len: usize) -> impl Strategy<Value = Message> {
    let parts = (
        prop::sample::select(&Algorithm::ALL[..]),
        prop::sample::select(kinds),
        prop::sample::select(&PADDINGS[..]),
        0..=max_len,
        0..8usize,
        any::<u64>(),
    );
    parts.prop_map(|(algorithm, kind, padding, len, shift, seed)| {
        let mut rng = Rng::new(seed);
        let (key, mut iv) = (rng.bytes(algorithm.key_len()), rng.array());
        if seed % 4 == 0 {
            // A counter that is about to wrap.
            iv[..7].fill(0xff);
        }
        let (data, chunks) = (rng.bytes(len), rng.chunks(len));
        Message { algorithm, key, case: Case { kind, iv, padding }, shift, chunks, data }
    })
}

proptest! {
    #![proptest_config(config(300, 1))]

    #[test]
    fn every_mode_short(message in message(&Kind::ALL, 80)) {
        message.check();
    }
}

proptest! {
    #![proptest_config(config(40, 2))]

    /// A block cipher call for 8 bytes.
    #[test]
    fn block_modes_long(
        message in message(
            &[Kind::Ecb, Kind::Cbc, Kind::CbcCs1, Kind::CbcCs2, Kind::CbcCs3, Kind::Cfb64,
              Kind::Ofb, Kind::Ctr],
            5000,
        ),
    ) {
        message.check();
    }
}

proptest! {
    #![proptest_config(config(10, 3))]

    /// A block cipher call for each byte or bit: shorter messages.
    #[test]
    fn byte_and_bit_modes(message in message(&[Kind::Cfb8, Kind::Cfb1], 300)) {
        message.check();
    }
}

proptest! {
    #![proptest_config(config(2, 4))]

    #[test]
    fn byte_modes_long(message in message(&[Kind::Cfb8], 5000)) {
        message.check();
    }
}

proptest! {
    #![proptest_config(config(200, 5))]

    /// Blocks whose last bytes are near to a padding, or are one.
    #[test]
    fn endings_that_look_like_a_padding(
        mut message in message(&[Kind::Ecb, Kind::Cbc], 24),
        end in prop::collection::vec(0..=9u8, 0..10),
        mark in prop::option::of(0..8usize),
    ) {
        use cipherloom_testkit::oracle::SpecKey;
        // A plaintext with this ending, encrypted without padding and decrypted with one.
        let mut plain = message.data.clone();
        plain.extend(&end);
        if let (Some(mark), Some(byte)) = (mark, end.len().checked_sub(1)) {
            let len = plain.len();
            plain[len - 1 - byte.min(mark)] = 0x80;
        }
        plain.resize(plain.len().next_multiple_of(8), end.last().copied().unwrap_or(1));
        let spec = SpecKey::new(message.algorithm, &message.key);
        let bare = Case { padding: Padding::None, ..message.case };
        message.data = bare.encrypt(&spec, &plain).expect("whole blocks");
        message.check();
    }
}
