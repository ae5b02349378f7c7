//! RC4: RFC 6229, the specification, RustCrypto's `rc4`.

use cipher::{KeyInit as _, StreamCipher as _};
use cipherloom::batch::{Batch, Record};
use cipherloom::{Backend, Error, Rc4};
use cipherloom_spec::rc4 as spec;
use cipherloom_testkit::rfc6229;
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::ways::Way;

#[test]
fn rfc_6229() {
    let vectors = rfc6229::read();
    let mut places = 0;
    for vector in &vectors {
        for way in Way::rc4() {
            for &(offset, expected) in &vector.keystream {
                // The whole stream up to there, and the place alone.
                let mut whole = vec![0; offset + 16];
                way.stream(&vector.key).apply(&mut whole).unwrap();
                assert_eq!(whole[offset..], expected, "{:02x?} at {offset}, {way:?}", vector.key);
                let mut stream = way.stream(&vector.key);
                let mut part = [0; 16];
                stream.skip(offset as u64).unwrap();
                stream.apply(&mut part).unwrap();
                assert_eq!(part, expected, "{:02x?} skip {offset}, {way:?}", vector.key);
            }
        }
        places += vector.keystream.len();
    }
    assert_eq!((vectors.len(), places), (14, 252));
}

/// Every key length, random pieces with skips between them, both faces of `apply`.
#[test]
fn every_key_length_in_random_pieces() {
    let mut rng = Rng::new(1);
    for key_len in 1..=256 {
        let (key, len) = (rng.bytes(key_len), rng.number(0..=600));
        let (message, chunks) = (rng.bytes(len), rng.chunks(len));
        let skips: Vec<usize> = chunks.iter().map(|_| *rng.choose(&[0, 0, 1, 300])).collect();
        let mut peer = rc4::Rc4::new_from_slice(&key).unwrap();
        let mut whole = message.clone();
        peer.apply_keystream(&mut whole);
        assert_eq!(spec::Rc4::new(&key).crypt(&message), whole, "spec and peer");
        for way in Way::rc4() {
            let (mut spec, mut stream) = (spec::Rc4::new(&key), way.stream(&key));
            let mut rest = &message[..];
            for (&chunk, &skip) in chunks.iter().zip(&skips) {
                let (piece, behind) = rest.split_at(chunk);
                rest = behind;
                spec.drop_n(skip);
                stream.skip(skip as u64).unwrap();
                let expected = spec.crypt(piece);
                let mut output = vec![0xa5; chunk + 5];
                let mut again = stream.clone();
                assert_eq!(*again.apply_to(piece, &mut output).unwrap(), expected[..], "{way:?}");
                assert_eq!(output[chunk..], [0xa5; 5], "written behind, {way:?}");
                let mut in_place = piece.to_vec();
                stream.apply(&mut in_place).unwrap();
                assert_eq!(in_place, expected, "{key_len} key bytes, {way:?}");
            }
        }
    }
}

/// Long enough for all of S to move many times; the scan backend a part of it.
#[test]
fn long_streams() {
    let mut rng = Rng::new(2);
    let key = rng.bytes(16);
    let message = rng.bytes(300_000);
    let mut expected = message.clone();
    rc4::Rc4::new_from_slice(&key).unwrap().apply_keystream(&mut expected);
    for way in Way::rc4() {
        let len = if way.stream(&key).backend() == Backend::Rc4Scan { 20_000 } else { 300_000 };
        let mut data = message[..len].to_vec();
        way.stream(&key).apply(&mut data).unwrap();
        assert_eq!(data, expected[..len], "{way:?}");
    }
}

#[test]
fn a_refused_call_takes_no_keystream_and_writes_nothing() {
    for way in Way::rc4() {
        let mut stream = way.stream(b"a key");
        let mut output = [0xa5; 7];
        let refused = stream.apply_to(b"8 bytes.", &mut output).map(|written| written.len());
        assert_eq!(refused, Err(Error::OutputTooSmall { need: 8, got: 7 }));
        assert_eq!(output, [0xa5; 7]);
        let (mut now, mut fresh) = ([0; 20], [0; 20]);
        stream.apply(&mut now).unwrap();
        way.stream(b"a key").apply(&mut fresh).unwrap();
        assert_eq!(now, fresh);
    }
    for got in [0, 257, 1000] {
        let wrong = Rc4::from_slice(&vec![7; got]).map(|_| ());
        assert_eq!(wrong, Err(Error::KeyLength { got, min: 1, max: 256 }));
    }
}

/// A batch of streams is the streams one by one, and a bad record spoils no other.
#[test]
fn batch() {
    let mut rng = Rng::new(3);
    for way in Way::rc4() {
        let keys: Vec<Vec<u8>> =
            (0..40).map(|n| rng.bytes([0, 1, 5, 16, 256, 257][n % 6])).collect();
        let messages: Vec<Vec<u8>> = (0..40).map(|n| rng.bytes(n * 3)).collect();
        let mut work = messages.clone();
        let mut records: Vec<Record<'_>> =
            keys.iter().zip(&mut work).map(|(key, data)| Record::new(key, &[], data)).collect();
        records[1].iv = &[0; 8];
        records[2].len += 1;
        let mut results = vec![Ok(0); 40];
        way.batch(Batch::rc4()).encrypt(&mut records, &mut results).unwrap();
        for (n, (message, result)) in messages.iter().zip(&results).enumerate() {
            let got = keys[n].len();
            let expected = match n {
                1 => Err(Error::IvLength { got: 8, want: 0 }),
                2 => Err(Error::Overlap),
                _ if !(1..=256).contains(&got) => Err(Error::KeyLength { got, min: 1, max: 256 }),
                _ => Ok(message.len()),
            };
            assert_eq!(*result, expected, "record {n}, {way:?}");
            match expected {
                Ok(_) => assert_eq!(work[n], spec::Rc4::new(&keys[n]).crypt(message)),
                Err(_) => assert_eq!(work[n], *message, "changed on error"),
            }
        }
    }
}

/// Interleaved streams: every number of them, of lengths around the kernels' groups and the
/// places where another stream may join.
#[test]
fn batches_of_every_shape() {
    const LENGTHS: [usize; 18] =
        [0, 1, 7, 8, 9, 16, 100, 255, 256, 257, 263, 264, 511, 512, 513, 700, 1024, 2000];
    let mut rng = Rng::new(4);
    for (n, count) in (0..=13).chain([40, 41]).enumerate() {
        let keys: Vec<Vec<u8>> = (0..count).map(|_| rng_key(&mut rng)).collect();
        let messages: Vec<Vec<u8>> = (0..count)
            .map(|record| {
                // Now all of one length, now of any.
                let len = if n % 3 == 0 { LENGTHS[n % 18] } else { *rng.choose(&LENGTHS) };
                rng.bytes(if record == 5 { 0 } else { len })
            })
            .collect();
        let expected: Vec<Vec<u8>> =
            keys.iter().zip(&messages).map(|(key, m)| spec::Rc4::new(key).crypt(m)).collect();
        for way in Way::rc4() {
            let mut work = messages.clone();
            let mut records: Vec<Record<'_>> =
                keys.iter().zip(&mut work).map(|(key, data)| Record::new(key, &[], data)).collect();
            let mut results = vec![Ok(1); count];
            way.batch(Batch::rc4()).encrypt(&mut records, &mut results).unwrap();
            assert_eq!(work, expected, "{count} records, {way:?}");
            assert!(results.iter().zip(&messages).all(|(result, m)| *result == Ok(m.len())));
        }
    }
}

/// A key of a length that is as often short as long.
fn rng_key(rng: &mut Rng) -> Vec<u8> {
    let longest = *rng.choose(&[5, 16, 256]);
    let len = rng.number(1..=longest);
    rng.bytes(len)
}

/// From every address within a quarter of a cache line on.
#[test]
fn alignments() {
    let mut rng = Rng::new(5);
    for (shift, len) in (0..=16).flat_map(|shift| [1, 7, 8, 9, 40, 77].map(|len| (shift, len))) {
        let (key, data) = (rng.bytes(16), rng.bytes(len));
        let expected = spec::Rc4::new(&key).crypt(&data);
        for way in Way::rc4() {
            let mut buffer = [0xa5; 128];
            let start = buffer.as_ptr().align_offset(16) + shift;
            buffer[start..][..len].copy_from_slice(&data);
            way.stream(&key).apply(&mut buffer[start..][..len]).unwrap();
            assert_eq!(buffer[start..][..len], expected, "{len} bytes at {shift}, {way:?}");
            buffer[start..][..len].fill(0xa5);
            assert!(buffer.iter().all(|&byte| byte == 0xa5), "written outside, {way:?}");
        }
    }
}
