//! Everything that the library does with secrets, with secrets that memcheck knows as undefined.
//!
//! Secret are keys, plaintexts and ciphertexts (more than need be), keystreams and tags. Public are
//! IVs, first counters and lengths, and every result once it is compared with what the
//! specification says.

use cipherloom::batch::{Batch, Flat, Keys, Outcome, Record, Span};
use cipherloom::{
    Algorithm, BlockCipher as _, BlockKey, Error, Mac, Mode, Padding, Policy, TdesEde2, fix_parity,
};
use cipherloom_spec::mac::{PaddingMethod, algorithm_1, algorithm_3, cmac};
use cipherloom_spec::{self as spec, BlockCipher as _};
use cipherloom_testkit::oracle::{Case, Kind, SpecKey};
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::valgrind::{make_defined, make_undefined};
use cipherloom_testkit::ways::Way;

/// A copy that is secret.
pub(crate) fn secret(bytes: &[u8]) -> Vec<u8> {
    let mut copy = bytes.to_vec();
    make_undefined(&mut copy);
    copy
}

/// A result becomes public, and must be right.
fn must_be(result: &mut [u8], expected: &[u8], what: &dyn std::fmt::Debug) {
    make_defined(result);
    assert_eq!(result, expected, "{what:?}");
}

/// Everything there is for block ciphers, in messages of up to `most` blocks.
pub(crate) fn des(way: Way, most: usize) {
    let mut rng = Rng::new(1);
    for (n, algorithm) in Algorithm::ALL.into_iter().enumerate() {
        blocks(way, algorithm, most, &mut rng);
        for (m, kind) in Kind::ALL.into_iter().enumerate() {
            // One block, parts of one, and many where each may have a lane of its own.
            for len in [8, 13, 8 * most + 5] {
                if kind.calls(len) > most + 1 || len > 100 && ![0, 2, 5].contains(&n) {
                    continue;
                }
                let padding = [Padding::Pkcs7, Padding::Iso7816, Padding::Zero][(n + m) % 3];
                message(way, algorithm, Case { kind, iv: rng.array(), padding }, len, &mut rng);
            }
        }
        macs(way, algorithm, &mut rng);
        for kind in [Kind::Ecb, Kind::Cbc, Kind::Ctr] {
            for count in [1, 12, 70, most] {
                batches(way, algorithm, kind, count, n % 2 == 0, &mut rng);
            }
        }
    }
    bits(way, &mut rng);
    retail(way, &mut rng);
    #[cfg(feature = "cipher")]
    traits(way, &mut rng);
    parity(&mut rng);
}

/// One block under one key.
pub(crate) fn one_block(way: Way) {
    let key = way.key(Algorithm::Des, &secret(b"some key"));
    let mut block = [5; 8];
    make_undefined(&mut block);
    key.encrypt_block(&mut block).unwrap();
    let expected = SpecKey::new(Algorithm::Des, b"some key").encrypt([5; 8]);
    must_be(&mut block, &expected, &"one block");
}

/// Blocks one by one and together.
fn blocks(way: Way, algorithm: Algorithm, most: usize, rng: &mut Rng) {
    let bytes = rng.bytes(algorithm.key_len());
    let (key, spec) = (way.key(algorithm, &secret(&bytes)), SpecKey::new(algorithm, &bytes));
    for count in [1, 7, 20, 64, 65, most] {
        let plain: Vec<[u8; 8]> = (0..count).map(|_| rng.array()).collect();
        let expected: Vec<[u8; 8]> = plain.iter().map(|&block| spec.encrypt(block)).collect();
        let mut blocks = plain.clone();
        make_undefined(blocks.as_flattened_mut());
        match &mut blocks[..] {
            [block] => key.encrypt_block(block).unwrap(),
            blocks => key.encrypt_blocks(blocks).unwrap(),
        }
        let mut back = blocks.clone();
        match &mut back[..] {
            [block] => key.decrypt_block(block).unwrap(),
            blocks => key.decrypt_blocks(blocks).unwrap(),
        }
        must_be(blocks.as_flattened_mut(), expected.as_flattened(), &(algorithm, count));
        must_be(back.as_flattened_mut(), plain.as_flattened(), &(algorithm, count));
    }
}

/// A message there and back.
fn message(way: Way, algorithm: Algorithm, case: Case, len: usize, rng: &mut Rng) {
    let (bytes, data) = (rng.bytes(algorithm.key_len()), rng.bytes(len));
    let key = way.key(algorithm, &secret(&bytes));
    let spec = SpecKey::new(algorithm, &bytes);
    let encrypted = case.encrypt(&spec, &data).unwrap();
    // A chain is the same work for each block, and there are enough short ones.
    if len < 100 || matches!(case.kind, Kind::Ecb | Kind::Ctr) {
        encryption(case, &key, &data, &encrypted);
    }

    // What a padding leaves is a decision for everybody to know (see `decisions.rs`): here it stays.
    let case = Case { padding: Padding::None, ..case };
    let data = case.decrypt(&spec, &encrypted).unwrap();
    decryption(case, &key, &encrypted, &data);
}

/// From buffer to buffer, in place and in pieces.
fn encryption(case: Case, key: &BlockKey, data: &[u8], encrypted: &[u8]) {
    let (mode, what, len) = (case.mode(), (key, case, data.len()), data.len());
    let mut output = vec![0; encrypted.len()];
    mode.encrypt(key, &secret(data), &mut output).unwrap();
    must_be(&mut output, encrypted, &what);

    let mut buf = secret(data);
    buf.resize(encrypted.len(), 0);
    mode.encrypt_in_place(key, &mut buf, len).unwrap();
    must_be(&mut buf, encrypted, &what);

    let (first, second) = data.split_at(len / 3);
    let mut message = mode.encryptor(key);
    let (mut output, mut at) = (vec![0; len + 16], 0);
    for piece in [first, second] {
        at += message.update(&secret(piece), &mut output[at..]).unwrap();
    }
    at += message.finish(&mut output[at..]).unwrap();
    must_be(&mut output[..at], encrypted, &what);
}

/// From buffer to buffer, in place and in pieces.
fn decryption(case: Case, key: &BlockKey, encrypted: &[u8], data: &[u8]) {
    let (mode, what) = (case.mode(), (key, case, data.len()));
    let mut output = vec![0; data.len()];
    mode.decrypt(key, &secret(encrypted), &mut output).unwrap();
    must_be(&mut output, data, &what);

    let mut buf = secret(encrypted);
    mode.decrypt_in_place(key, &mut buf).unwrap();
    must_be(&mut buf, data, &what);

    let (first, second) = encrypted.split_at(encrypted.len() / 2);
    let mut message = mode.decryptor(key);
    let (mut output, mut at) = (vec![0; data.len() + 16], 0);
    for piece in [first, second] {
        at += message.update(&secret(piece), &mut output[at..]).unwrap();
    }
    at += message.finish(&mut output[at..]).unwrap();
    must_be(&mut output[..at], data, &what);
}

/// CFB-1 by numbers of bits.
fn bits(way: Way, rng: &mut Rng) {
    for bits in [1, 13, 100] {
        let (bytes, iv) = (rng.bytes(24), rng.array());
        let key = way.key(Algorithm::TdesEde3, &secret(&bytes));
        let (data, mode) = (rng.bytes(13), Mode::cfb1(iv));
        let mut buf = secret(&data);
        mode.encrypt_bits(&key, &mut buf, bits).unwrap();
        mode.decrypt_bits(&key, &mut buf, bits).unwrap();
        must_be(&mut buf, &data, &bits);
    }
}

/// CBC-MAC and CMAC; the tag is public when it is compared, and not before.
fn macs(way: Way, algorithm: Algorithm, rng: &mut Rng) {
    for len in [0, 5, 8, 37, 640] {
        let (bytes, data) = (rng.bytes(algorithm.key_len()), rng.bytes(len));
        let key = way.key(algorithm, &secret(&bytes));
        let spec = SpecKey::new(algorithm, &bytes);
        let (first, second) = data.split_at(len / 2);
        let expected = [
            cmac(&spec, &data),
            algorithm_1(&spec, PaddingMethod::Method2, &data),
            algorithm_1(&spec, PaddingMethod::Method1, &data),
            algorithm_1(&spec, PaddingMethod::Method3, &data),
        ];
        let macs = [
            Mac::cmac(&key),
            Mac::cbc_mac(&key, Padding::Iso7816),
            Mac::cbc_mac(&key, Padding::Zero),
            Mac::cbc_mac_of_length(&key, len as u64),
        ];
        for (mut mac, expected) in macs.into_iter().zip(expected) {
            mac.update(&secret(first)).unwrap();
            mac.update(&secret(second)).unwrap();
            must_be(&mut mac.finish().unwrap(), &expected, &(algorithm, len));
        }
    }
}

/// Retail MAC, whose key objects are of two kinds.
fn retail(way: Way, rng: &mut Rng) {
    let (bytes, data) = (rng.array::<16>(), rng.bytes(45));
    let [first, second] =
        [0, 8].map(|at| spec::des::Des::new(bytes[at..at + 8].try_into().unwrap()));
    let mut secret_bytes = bytes;
    make_undefined(&mut secret_bytes);
    let key = own(way, TdesEde2::new(&secret_bytes));
    for (mut mac, method) in [
        (Mac::retail(&key, Padding::Iso7816), PaddingMethod::Method2),
        (Mac::retail_of_length(&key, data.len() as u64), PaddingMethod::Method3),
    ] {
        mac.update(&secret(&data)).unwrap();
        let expected = algorithm_3(&first, &second, method, &data);
        must_be(&mut mac.finish().unwrap(), &expected, &("retail", method));
    }
}

/// Records with slices of their own, and flat ones; a key for each or one for all.
fn batches(way: Way, algorithm: Algorithm, kind: Kind, count: usize, one_key: bool, rng: &mut Rng) {
    let key_len = algorithm.key_len();
    let keys = rng.bytes(if one_key { key_len } else { key_len * count });
    let key = |n: usize| if one_key { &keys[..] } else { &keys[n * key_len..][..key_len] };
    let lengths: Vec<usize> = (0..count).map(|n| 8 * (n % 4) + n % 7).collect();
    let data: Vec<Vec<u8>> = lengths.iter().map(|&len| rng.bytes(len)).collect();
    let ivs: Vec<[u8; 8]> = (0..count).map(|_| rng.array()).collect();
    let case = |n: usize, padding| Case { kind, iv: ivs[n], padding };
    let batch = |padding| {
        way.batch(match kind {
            Kind::Ecb => Batch::ecb(algorithm, padding),
            Kind::Cbc => Batch::cbc(algorithm, padding),
            _ => Batch::ctr(algorithm),
        })
    };
    let what = (algorithm, kind, count, one_key);
    let iv = |n: usize| if kind == Kind::Ecb { &[][..] } else { &ivs[n][..] };
    let encrypted: Vec<Vec<u8>> = (0..count)
        .map(|n| {
            let spec = SpecKey::new(algorithm, key(n));
            case(n, Padding::Pkcs7).encrypt(&spec, &data[n]).unwrap()
        })
        .collect();
    let padded: Vec<Vec<u8>> = (0..count)
        .map(|n| {
            let spec = SpecKey::new(algorithm, key(n));
            case(n, Padding::None).decrypt(&spec, &encrypted[n]).unwrap()
        })
        .collect();

    // Slices: encryption with a padding.
    let secret_keys: Vec<Vec<u8>> = (0..count).map(|n| secret(key(n))).collect();
    let mut work: Vec<Vec<u8>> = (0..count)
        .map(|n| {
            let mut buf = secret(&data[n]);
            buf.resize(encrypted[n].len(), 0);
            buf
        })
        .collect();
    let mut records: Vec<Record<'_>> = work
        .iter_mut()
        .enumerate()
        .map(|(n, buf)| Record { key: &secret_keys[n], iv: iv(n), data: buf, len: lengths[n] })
        .collect();
    let mut results: Vec<Outcome> = vec![Err(Error::Tag); count];
    batch(Padding::Pkcs7).encrypt(&mut records, &mut results).unwrap();
    for n in 0..count {
        assert_eq!(results[n], Ok(encrypted[n].len()), "{what:?}");
        must_be(&mut work[n], &encrypted[n], &what);
    }

    // Flat: decryption that leaves the padding.
    let mut spans = Vec::new();
    for bytes in &encrypted {
        let offset = spans.last().map_or(0, |span: &Span| span.offset + span.len);
        spans.push(Span::new(offset, bytes.len()));
    }
    let (secret_keys, mut buf) = (secret(&keys), secret(&encrypted.concat()));
    let flat = Flat {
        keys: if one_key { Keys::One(&secret_keys) } else { Keys::Each(&secret_keys) },
        ivs: if kind == Kind::Ecb { &[] } else { ivs.as_flattened() },
        data: &mut buf,
        spans: &spans,
    };
    batch(Padding::None).decrypt_flat(flat, &mut results).unwrap();
    for n in 0..count {
        assert_eq!(results[n], Ok(encrypted[n].len()), "{what:?}");
    }
    must_be(&mut buf, &padded.concat(), &what);
}

/// Parity bits are set where no branch tells what they were.
fn parity(rng: &mut Rng) {
    let bytes = rng.array::<24>();
    let mut key = bytes;
    make_undefined(&mut key);
    fix_parity(&mut key);
    make_defined(&mut key);
    assert!(key.iter().zip(bytes).all(|(a, b)| a.count_ones() % 2 == 1 && (a ^ b) < 2));
}

/// The `cipher` traits, whose callers bring the modes.
#[cfg(feature = "cipher")]
fn traits(way: Way, rng: &mut Rng) {
    use cipher::{BlockCipherDecrypt, BlockCipherEncrypt};
    let bytes = rng.array::<24>();
    let mut secret_bytes = bytes;
    make_undefined(&mut secret_bytes);
    let key = own(way, cipherloom::TdesEde3::new(&secret_bytes));
    let spec = SpecKey::new(Algorithm::TdesEde3, &bytes);
    for count in [1, 64, 300] {
        let plain: Vec<[u8; 8]> = (0..count).map(|_| rng.array()).collect();
        let expected: Vec<[u8; 8]> = plain.iter().map(|&block| spec.encrypt(block)).collect();
        let mut blocks = plain.clone();
        make_undefined(blocks.as_flattened_mut());
        let mut arrays: Vec<cipher::array::Array<u8, _>> =
            blocks.iter().map(|&block| block.into()).collect();
        BlockCipherEncrypt::encrypt_blocks(&key, &mut arrays);
        for (block, array) in blocks.iter_mut().zip(&arrays) {
            *block = array.0;
        }
        must_be(blocks.as_flattened_mut(), expected.as_flattened(), &count);
        BlockCipherDecrypt::decrypt_blocks(&key, &mut arrays);
        for (block, array) in blocks.iter_mut().zip(&arrays) {
            *block = array.0;
        }
        must_be(blocks.as_flattened_mut(), plain.as_flattened(), &count);
    }
}

/// A key that goes this way; ways make keys without a type themselves.
fn own<C: cipherloom::BlockCipher>(way: Way, key: C) -> C {
    match way {
        Way::Forced(backend) => backend.force(key).unwrap(),
        Way::ConstantTime => key.with_policy(Policy::ConstantTime),
        Way::Fastest => key,
    }
}

/// RC4: streams in pieces, skipped, from buffer to buffer; batches.
pub(crate) fn rc4(way: Way) {
    let mut rng = Rng::new(2);
    for key_len in [1, 5, 16, 256] {
        let (bytes, data) = (rng.bytes(key_len), rng.bytes(100));
        let mut spec = spec::rc4::Rc4::new(&bytes);
        spec.drop_n(20);
        let expected = spec.crypt(&data);
        let mut stream = way.stream(&secret(&bytes));
        stream.skip(20).unwrap();
        let mut buf = secret(&data);
        let mut output = vec![0; 63];
        let (first, second) = buf.split_at_mut(37);
        stream.apply(first).unwrap();
        stream.clone().apply_to(second, &mut output).unwrap();
        stream.apply(second).unwrap();
        must_be(&mut buf, &expected, &key_len);
        must_be(&mut output, &expected[37..], &key_len);
    }
    for count in [1, 5] {
        let (keys, data) = (rng.bytes(7 * count), rng.bytes(60 * count));
        let spans: Vec<Span> = (0..count).map(|n| Span::new(60 * n, 60)).collect();
        let (secret_keys, mut buf) = (secret(&keys), secret(&data));
        let flat = Flat { keys: Keys::Each(&secret_keys), ivs: &[], data: &mut buf, spans: &spans };
        let mut results = vec![Err(Error::Tag); count];
        way.batch(Batch::rc4()).encrypt_flat(flat, &mut results).unwrap();
        assert_eq!(results, vec![Ok(60); count]);
        let expected: Vec<u8> = (0..count)
            .flat_map(|n| spec::rc4::Rc4::new(&keys[7 * n..][..7]).crypt(&data[60 * n..][..60]))
            .collect();
        must_be(&mut buf, &expected, &count);
    }
}
