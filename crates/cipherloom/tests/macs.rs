//! CBC-MAC, retail MAC and CMAC: published values, agreeing peers, the specification.

use cipherloom::{
    Algorithm, BlockCipher, BlockKey, Des, Error, Mac, Padding, Policy, TdesEde2, TdesEde3,
};
use cipherloom_spec::mac as spec;
use cipherloom_testkit::extra::{self, Cipher, MacVector};
use cipherloom_testkit::nist::cmac;
use cipherloom_testkit::oracle::SpecKey;
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::ways::Way;

/// The two-key bundle of a retail MAC, going a way.
fn bundle(way: Way, key: &[u8]) -> TdesEde2 {
    let key = TdesEde2::from_slice(key).unwrap();
    match way {
        Way::Fastest => key,
        Way::ConstantTime => key.with_policy(Policy::ConstantTime),
        Way::Forced(backend) => backend.force(key).unwrap(),
    }
}

/// The tag of a message in pieces.
fn tag(mut mac: Mac, mut data: &[u8], chunks: &[usize]) -> Result<[u8; 8], Error> {
    for &chunk in chunks {
        let (piece, rest) = data.split_at(chunk);
        mac.update(piece)?;
        data = rest;
    }
    mac.update(data)?;
    mac.finish()
}

fn check(vectors: &[MacVector]) -> usize {
    let mut rng = Rng::new(1);
    for vector in vectors {
        // Method 3 is for messages whose length is known.
        let padding = [Some(Padding::Zero), Some(Padding::Iso7816), None][vector.padding - 1];
        let (data, len) = (&vector.data[..], vector.data.len() as u64);
        let cbc_mac = |key: &BlockKey| match padding {
            Some(padding) => Mac::cbc_mac(key, padding),
            None => Mac::cbc_mac_of_length(key, len),
        };
        let retail = |key: &TdesEde2| match padding {
            Some(padding) => Mac::retail(key, padding),
            None => Mac::retail_of_length(key, len),
        };
        let chunks = rng.chunks(data.len());
        for way in Way::des() {
            let mac = match (vector.algorithm, vector.cipher) {
                (1, Cipher::Des) => cbc_mac(&way.key(Algorithm::Des, &vector.key)),
                (1, Cipher::Tdea2) => cbc_mac(&way.key(Algorithm::TdesEde2, &vector.key)),
                (1, Cipher::Tdea3) => cbc_mac(&way.key(Algorithm::TdesEde3, &vector.key)),
                (3, Cipher::Des) => retail(&bundle(way, &vector.key)),
                other => panic!("{}: {other:?}", vector.place),
            };
            let tag = tag(mac.clone(), data, &chunks).unwrap();
            assert_eq!(tag[..vector.mac.len()], vector.mac, "{}, {way:?}", vector.place);
            let mut whole = mac;
            whole.update(data).unwrap();
            assert_eq!(whole.verify(&vector.mac), Ok(()), "{}, {way:?}", vector.place);
        }
    }
    vectors.len()
}

#[test]
fn published() {
    assert_eq!(check(&extra::published_macs()), 16);
}

#[test]
fn two_peers() {
    assert_eq!(check(&extra::two_peer_macs()), 120);
}

#[test]
fn nist_cmac_examples() {
    let samples = cmac::read();
    for sample in &samples {
        for way in Way::des() {
            let key = way.key(Algorithm::TdesEde3, sample.keys.as_flattened());
            let tag = tag(Mac::cmac(&key), &sample.message, &[]).unwrap();
            assert_eq!(tag, sample.tag, "{}, {way:?}", sample.place);
        }
    }
    assert_eq!(samples.len(), 8);
}

/// Random keys, lengths and pieces, all ciphers.
#[test]
fn every_mac_is_that_of_the_specification() {
    let mut rng = Rng::new(2);
    let methods = [
        (Padding::Zero, spec::PaddingMethod::Method1),
        (Padding::Iso7816, spec::PaddingMethod::Method2),
    ];
    for len in (0..=40).chain([63, 64, 65, 500]) {
        let (message, chunks) = (rng.bytes(len), rng.chunks(len));
        for algorithm in Algorithm::ALL {
            let bytes = rng.bytes(algorithm.key_len());
            let spec_key = SpecKey::new(algorithm, &bytes);
            for way in Way::des() {
                let key = way.key(algorithm, &bytes);
                let what = format!("{algorithm:?}, {len} bytes, {way:?}, {chunks:?}");
                let cmac = spec::cmac(&spec_key, &message);
                assert_eq!(tag(Mac::cmac(&key), &message, &chunks), Ok(cmac), "{what}");
                for (padding, method) in methods {
                    let expected = spec::cbc_mac(&spec_key, method, &message);
                    let mac = Mac::cbc_mac(&key, padding);
                    assert_eq!(tag(mac, &message, &chunks), Ok(expected), "{what}, {padding:?}");
                }
                let expected = spec::cbc_mac(&spec_key, spec::PaddingMethod::Method3, &message);
                let mac = Mac::cbc_mac_of_length(&key, len as u64);
                assert_eq!(tag(mac, &message, &chunks), Ok(expected), "{what}, length first");
            }
        }
        let bytes = rng.bytes(16);
        let part = |n: usize| SpecKey::new(Algorithm::Des, &bytes[n..n + 8]);
        for (padding, method) in methods {
            let expected = spec::retail_mac(&part(0), &part(8), method, &message);
            for way in Way::des() {
                let mac = Mac::retail(&bundle(way, &bytes), padding);
                assert_eq!(tag(mac, &message, &chunks), Ok(expected), "retail {len} {way:?}");
            }
        }
        let method = spec::PaddingMethod::Method3;
        let expected = spec::retail_mac(&part(0), &part(8), method, &message);
        for way in Way::des() {
            let mac = Mac::retail_of_length(&bundle(way, &bytes), len as u64);
            assert_eq!(tag(mac, &message, &chunks), Ok(expected), "retail {len} {way:?}");
        }
    }
}

/// PKCS#7 is no padding of a standard's MAC, but systems exist that use it.
#[test]
fn pkcs7_and_whole_blocks() {
    let mut rng = Rng::new(3);
    let bytes = rng.array::<24>();
    let (key, spec_key) = (TdesEde3::new(&bytes), SpecKey::new(Algorithm::TdesEde3, &bytes));
    for len in 0..40 {
        let message = rng.bytes(len);
        let chunks = rng.chunks(len);
        let padded = cipherloom_spec::padding::pad_pkcs7(&message);
        let expected = spec::cbc_mac(&spec_key, spec::PaddingMethod::Method1, &padded);
        assert_eq!(tag(Mac::cbc_mac(&key, Padding::Pkcs7), &message, &chunks), Ok(expected));
        let expected = match len {
            0 => Err(Error::TooShort { len: 0, min: 8 }),
            len if len % 8 != 0 => Err(Error::NotWholeBlocks { len }),
            _ => Ok(spec::cbc_mac(&spec_key, spec::PaddingMethod::Method1, &message)),
        };
        assert_eq!(tag(Mac::cbc_mac(&key, Padding::None), &message, &chunks), expected);
    }
}

/// A length that was announced must come; what would be too much is not taken.
#[test]
fn the_length_is_what_was_announced() {
    let key = TdesEde2::new(b"0123456789abcdef");
    let macs = [Mac::cbc_mac_of_length, |key: &_, len| Mac::retail_of_length(key, len)];
    for make in macs {
        for len in [0, 1, 7, 8, 9, 16, 21] {
            let message = &b"a message of 21 bytes"[..len];
            let whole = tag(make(&key, len as u64), message, &[]).unwrap();
            let too_long = |got| Error::MessageLength { got, want: len as u64 };
            let mut mac = make(&key, len as u64);
            for (n, byte) in (0..).zip(message) {
                assert_eq!(mac.clone().finish(), Err(too_long(n)), "{n} of {len}");
                assert_eq!(mac.clone().verify(&whole), Err(too_long(n)), "{n} of {len}");
                mac.update(&[*byte]).unwrap();
            }
            assert_eq!(mac.update(b"."), Err(too_long(len as u64 + 1)));
            assert_eq!(mac.update(&[0; 100]), Err(too_long(len as u64 + 100)));
            assert_eq!(mac.finish(), Ok(whole), "{len} bytes");
        }
    }
    // A length that nothing has.
    let mut mac = Mac::cbc_mac_of_length(&key, u64::MAX);
    mac.update(&[0; 100]).unwrap();
    assert_eq!(mac.finish(), Err(Error::MessageLength { got: 100, want: u64::MAX }));
}

#[test]
fn verify_takes_4_to_8_bytes_and_refuses_every_wrong_bit() {
    let key: BlockKey = Des::new(b"some key").into();
    let mut mac = Mac::cmac(&key);
    mac.update(b"a message").unwrap();
    let tag = mac.clone().finish().unwrap();
    for len in 0..=9 {
        let mut given = tag.to_vec();
        given.resize(len, 0);
        let expected =
            if (4..=8).contains(&len) { Ok(()) } else { Err(Error::TagLength { got: len }) };
        assert_eq!(mac.clone().verify(&given), expected, "{len} bytes");
    }
    for len in 4..=8 {
        for bit in 0..8 * len {
            let mut wrong = tag;
            wrong[bit / 8] ^= 0x80 >> (bit % 8);
            assert_eq!(mac.clone().verify(&wrong[..len]), Err(Error::Tag), "bit {bit} of {len}");
        }
    }
}
