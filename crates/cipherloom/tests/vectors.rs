//! Known answers of standards and of agreeing peers: every backend, every face, both directions.

use cipherloom::{Algorithm, Direction, Padding};
use cipherloom_testkit::extra::{self, Cipher};
use cipherloom_testkit::faces::Call;
use cipherloom_testkit::nist::modes;
use cipherloom_testkit::oracle::{Case, Kind};
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::rsp::{self, Mode};
use cipherloom_testkit::ways::Way;

/// A plaintext and its ciphertext.
struct Vector<'a> {
    place: &'a str,
    kind: Kind,
    key: &'a [u8],
    iv: Option<[u8; 8]>,
    plaintext: &'a [u8],
    ciphertext: &'a [u8],
    /// Length of either text.
    bits: usize,
}

impl Vector<'_> {
    /// Checks both directions by every face of every backend.
    fn check(&self, algorithm: Algorithm, chunks: &[usize]) {
        let iv = self.iv.unwrap_or_default();
        let mode = Case { kind: self.kind, iv, padding: Padding::None }.mode();
        for way in Way::des() {
            let key = way.key(algorithm, self.key);
            let what = format!("{}: {algorithm:?} {:?}, {way:?}", self.place, self.kind);
            if self.kind == Kind::Cfb1 {
                let mut bits = self.plaintext.to_vec();
                mode.encrypt_bits(&key, &mut bits, self.bits).unwrap();
                assert_eq!(bits, self.ciphertext, "{what}");
                mode.decrypt_bits(&key, &mut bits, self.bits).unwrap();
                assert_eq!(bits, self.plaintext, "{what}");
            }
            if self.bits.is_multiple_of(8) {
                for (direction, from, to) in [
                    (Direction::Encrypt, self.plaintext, self.ciphertext),
                    (Direction::Decrypt, self.ciphertext, self.plaintext),
                ] {
                    let call = Call { direction, mode, key: &key, shift: 3, chunks };
                    assert_eq!(call.run(from).as_deref(), Ok(to), "{what}, {direction:?}");
                }
            }
        }
    }

    /// Checks TDEA with all key types in which the three keys can be written.
    fn check_tdea(&self, [key1, key2, key3]: [[u8; 8]; 3], chunks: &[usize]) {
        let bundle = [key1, key2, key3].concat();
        Vector { key: &bundle, ..*self }.check(Algorithm::TdesEde3, chunks);
        if key1 == key3 {
            Vector { key: &bundle[..16], ..*self }.check(Algorithm::TdesEde2, chunks);
        }
        if key1 == key2 {
            Vector { key: &bundle[16..], ..*self }.check(Algorithm::Des, chunks);
        }
    }
}

fn check_cavp(vectors: &[rsp::Vector]) -> usize {
    let mut rng = Rng::new(1);
    for vector in vectors {
        let rsp::Vector { place, iv, plaintext, ciphertext, bit_len, .. } = vector;
        let kind = match vector.mode {
            Mode::Ecb => Kind::Ecb,
            Mode::Cbc => Kind::Cbc,
            Mode::Cfb1 => Kind::Cfb1,
            Mode::Cfb8 => Kind::Cfb8,
            Mode::Cfb64 => Kind::Cfb64,
            Mode::Ofb => Kind::Ofb,
        };
        let chunks = rng.chunks(plaintext.len());
        let (key, bits) = (&[][..], *bit_len);
        Vector { place, kind, key, iv: *iv, plaintext, ciphertext, bits }
            .check_tdea(vector.keys, &chunks);
    }
    vectors.len()
}

#[test]
fn cavp_known_answers() {
    // 235 in each direction of each of 6 modes.
    assert_eq!(check_cavp(&rsp::known_answers()), 2 * 6 * 235);
}

#[test]
fn cavp_multi_block_messages() {
    // 10 in each direction of each of 6 modes, for two keying options.
    assert_eq!(check_cavp(&rsp::multi_block_messages()), 2 * 2 * 6 * 10);
}

#[test]
fn nist_worked_examples() {
    let mut rng = Rng::new(2);
    let examples = modes::read();
    for example in &examples {
        let modes::Example { place, iv, plaintext, ciphertext, .. } = example;
        let kind = match example.mode {
            modes::Mode::Ecb => Kind::Ecb,
            modes::Mode::Cbc => Kind::Cbc,
            modes::Mode::Cfb(1) => Kind::Cfb1,
            modes::Mode::Cfb(8) => Kind::Cfb8,
            modes::Mode::Cfb(64) => Kind::Cfb64,
            modes::Mode::Cfb(s) => panic!("{place}: segments of {s} bits"),
            modes::Mode::Ofb => Kind::Ofb,
            modes::Mode::Ctr => Kind::Ctr,
        };
        let (chunks, bits) = (rng.chunks(plaintext.len()), 8 * plaintext.len());
        Vector { place, kind, key: &[], iv: *iv, plaintext, ciphertext, bits }
            .check_tdea(example.keys, &chunks);
    }
    assert_eq!(examples.len(), 60);
}

/// Ciphertext stealing, wrapping counters, DESX, EEE.
#[test]
fn two_peers() {
    let mut rng = Rng::new(3);
    let vectors = extra::cipher_vectors();
    for vector in &vectors {
        let extra::CipherVector { place, key, iv, plaintext, ciphertext, .. } = vector;
        let algorithm = match vector.cipher {
            Cipher::Des => Algorithm::Des,
            Cipher::Tdea2 => Algorithm::TdesEde2,
            Cipher::Tdea3 => Algorithm::TdesEde3,
            Cipher::Eee2 => Algorithm::TdesEee2,
            Cipher::Eee3 => Algorithm::TdesEee3,
            Cipher::Desx => Algorithm::Desx,
        };
        let kind = match vector.mode {
            extra::Mode::Ecb => Kind::Ecb,
            extra::Mode::Cbc => Kind::Cbc,
            extra::Mode::CbcCs1 => Kind::CbcCs1,
            extra::Mode::CbcCs2 => Kind::CbcCs2,
            extra::Mode::CbcCs3 => Kind::CbcCs3,
            extra::Mode::Ctr => Kind::Ctr,
        };
        let (chunks, bits) = (rng.chunks(plaintext.len()), 8 * plaintext.len());
        Vector { place, kind, key, iv: *iv, plaintext, ciphertext, bits }.check(algorithm, &chunks);
    }
    assert_eq!(vectors.len(), 261);
}
