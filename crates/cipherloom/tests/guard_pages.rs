//! Buffers between inaccessible pages: a read or a write past either end ends the process.
#![cfg(unix)]

use cipherloom::batch::{Batch, Flat, Keys, Record, Span};
use cipherloom::{Algorithm, BlockCipher as _, Mac, Padding};
use cipherloom_testkit::guard::GuardedBuf;
use cipherloom_testkit::oracle::{Case, Kind, SpecKey};
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::ways::Way;

/// On which side of the buffer the inaccessible page lies.
#[derive(Clone, Copy, Debug)]
enum Side {
    End,
    Beginning,
}

const SIDES: [Side; 2] = [Side::End, Side::Beginning];

impl Side {
    fn copy(self, bytes: &[u8]) -> GuardedBuf {
        match self {
            Self::End => GuardedBuf::copy_ending_at_guard(bytes),
            Self::Beginning => GuardedBuf::copy_beginning_after_guard(bytes),
        }
    }

    fn buffer(self, len: usize) -> GuardedBuf {
        self.copy(&vec![0xa5; len])
    }
}

/// Lengths in bytes: nothing, parts of blocks, and around the kernels' widths.
const LENGTHS: [usize; 17] =
    [0, 1, 7, 8, 9, 64, 96, 120, 128, 129, 504, 512, 520, 1032, 4088, 4096, 4104];

/// Every mode, in both directions, buffer to buffer, in place and in pieces.
#[test]
fn messages() {
    let mut rng = Rng::new(1);
    for (n, len) in LENGTHS.into_iter().enumerate() {
        for kind in Kind::ALL {
            if kind.calls(len) > 1100 {
                continue;
            }
            let algorithm = Algorithm::ALL[n % 6];
            let (key, iv, data) = (rng.bytes(algorithm.key_len()), rng.array(), rng.bytes(len));
            let padding = if len % 8 == 0 && n % 2 == 0 { Padding::None } else { Padding::Pkcs7 };
            let case = Case { kind, iv, padding };
            let Ok(expected) = case.encrypt(&SpecKey::new(algorithm, &key), &data) else {
                continue;
            };
            for way in Way::des() {
                for side in SIDES {
                    message(&case, way, side, algorithm, &key, &data, &expected);
                }
            }
        }
    }
}

fn message(
    case: &Case,
    way: Way,
    side: Side,
    algorithm: Algorithm,
    key: &[u8],
    data: &[u8],
    expected: &[u8],
) {
    let (mode, what) = (case.mode(), format!("{case:?}, {way:?}, {side:?}, {} bytes", data.len()));
    let key = way.key(algorithm, side.copy(key).as_slice());
    let (input, mut output) = (side.copy(data), side.buffer(expected.len()));
    let written = mode.encrypt(&key, input.as_slice(), output.as_mut_slice()).unwrap();
    assert_eq!(written, expected, "{what}");

    let mut plain = side.buffer(expected.len());
    let back = mode.decrypt(&key, output.as_slice(), plain.as_mut_slice()).unwrap();
    assert_eq!(back, data, "{what}");

    let mut message = data.to_vec();
    message.resize(expected.len(), 0xa5);
    let mut buf = side.copy(&message);
    let written = mode.encrypt_in_place(&key, buf.as_mut_slice(), data.len()).unwrap();
    assert_eq!(written, expected, "{what}");
    let back = mode.decrypt_in_place(&key, buf.as_mut_slice()).unwrap();
    assert_eq!(back, data, "{what}");

    // One piece, and the exact buffer for it.
    let mut encryptor = mode.encryptor(&key);
    let mut output = side.buffer(encryptor.update_len(data.len()));
    encryptor.update(input.as_slice(), output.as_mut_slice()).unwrap();
    let mut end = side.buffer(expected.len() - output.as_slice().len());
    encryptor.finish(end.as_mut_slice()).unwrap();
    assert_eq!([output.as_slice(), end.as_slice()].concat(), expected, "{what}");

    let input = side.copy(expected);
    let mut decryptor = mode.decryptor(&key);
    let mut output = side.buffer(decryptor.update_len(expected.len()));
    decryptor.update(input.as_slice(), output.as_mut_slice()).unwrap();
    let mut end = side.buffer(data.len() - output.as_slice().len());
    decryptor.finish(end.as_mut_slice()).unwrap();
    assert_eq!([output.as_slice(), end.as_slice()].concat(), data, "{what}");
}

/// Lists of blocks, every length up to more than one word of lanes.
#[test]
fn blocks() {
    let mut rng = Rng::new(2);
    for count in (0..=70).chain([127, 128, 129, 511, 512, 513]) {
        let algorithm = Algorithm::ALL[count % 6];
        let (key, data) = (rng.bytes(algorithm.key_len()), rng.bytes(8 * count));
        for way in Way::des() {
            let key = way.key(algorithm, &key);
            for side in SIDES {
                let mut buf = side.copy(&data);
                key.encrypt_blocks(buf.as_mut_slice().as_chunks_mut().0).unwrap();
                key.decrypt_blocks(buf.as_mut_slice().as_chunks_mut().0).unwrap();
                assert_eq!(buf.as_slice(), data, "{count} blocks, {way:?}, {side:?}");
            }
        }
    }
}

/// Batches: keys, IVs, data and results all end, or begin, at a guard page.
#[test]
fn batches() {
    let mut rng = Rng::new(3);
    let algorithm = Algorithm::TdesEde3;
    for (kind, batch) in [
        (Kind::Ecb, Batch::ecb(algorithm, Padding::None)),
        (Kind::Cbc, Batch::cbc(algorithm, Padding::None)),
        (Kind::Ctr, Batch::ctr(algorithm)),
    ] {
        for count in [1, 7, 8, 9, 63, 64, 65, 130] {
            for len in [0, 8, 40, 520] {
                let (keys, data) = (rng.bytes(24 * count), rng.bytes(len * count));
                let ivs = rng.bytes(if kind == Kind::Ecb { 0 } else { 8 * count });
                let spans: Vec<Span> = (0..count).map(|n| Span::new(n * len, len)).collect();
                for way in Way::des() {
                    for side in SIDES {
                        let batch = way.batch(batch);
                        let (keys, ivs) = (side.copy(&keys), side.copy(&ivs));
                        let mut buf = side.copy(&data);
                        let mut results = vec![Ok(0); count];
                        let mut run = |encrypts: bool, data: &mut [u8]| {
                            let keys = Keys::Each(keys.as_slice());
                            let flat = Flat { keys, ivs: ivs.as_slice(), data, spans: &spans };
                            if encrypts {
                                batch.encrypt_flat(flat, &mut results).unwrap();
                            } else {
                                batch.decrypt_flat(flat, &mut results).unwrap();
                            }
                            assert!(results.iter().all(|&result| result == Ok(len)));
                        };
                        run(true, buf.as_mut_slice());
                        run(false, buf.as_mut_slice());
                        assert_eq!(buf.as_slice(), data, "{kind:?}, {count}, {way:?}, {side:?}");
                    }
                }
            }
        }
    }
}

/// Records with slices of their own, each at a guard page.
#[test]
fn records() {
    let mut rng = Rng::new(4);
    let batch = Batch::cbc(Algorithm::Des, Padding::Pkcs7);
    for way in Way::des() {
        for side in SIDES {
            let mut bufs: Vec<_> = (0..70)
                .map(|n| {
                    let len = n % 40;
                    let data = rng.bytes(len + 8 - len % 8);
                    (side.copy(&rng.array::<8>()), side.copy(&rng.array::<8>()), side.copy(&data))
                })
                .collect();
            let mut list: Vec<Record<'_>> = bufs
                .iter_mut()
                .zip(0..)
                .map(|((key, iv, data), n)| Record {
                    key: key.as_slice(),
                    iv: iv.as_slice(),
                    data: data.as_mut_slice(),
                    len: n % 40,
                })
                .collect();
            let mut results = vec![Ok(0); list.len()];
            way.batch(batch).encrypt(&mut list, &mut results).unwrap();
            for (record, result) in list.iter_mut().zip(&results) {
                record.len = result.unwrap();
            }
            way.batch(batch).decrypt(&mut list, &mut results).unwrap();
            for (n, result) in results.iter().enumerate() {
                assert_eq!(*result, Ok(n % 40), "{way:?}, {side:?}");
            }
        }
    }
}

/// MACs, RC4 and CFB-1 by bits.
#[test]
fn the_rest() {
    let mut rng = Rng::new(5);
    for len in (1..=40).chain([255, 256, 257, 1000]) {
        let data = rng.bytes(len);
        for side in SIDES {
            for way in Way::rc4() {
                let key = side.copy(&rng.bytes(len.min(256)));
                let (input, mut output) = (side.copy(&data), side.buffer(len));
                let mut stream = way.stream(key.as_slice());
                stream.apply_to(input.as_slice(), output.as_mut_slice()).unwrap();
                way.stream(key.as_slice()).apply(output.as_mut_slice()).unwrap();
                assert_eq!(output.as_slice(), data, "{way:?}, {side:?}");
            }
            for way in Way::des() {
                let key = way.key(Algorithm::Des, b"some key");
                let mut mac = Mac::cmac(&key);
                mac.update(side.copy(&data).as_slice()).unwrap();
                let tag = mac.clone().finish().unwrap();
                mac.verify(side.copy(&tag).as_slice()).unwrap();

                let mut buf = side.copy(&data);
                let mode = cipherloom::Mode::cfb1([3; 8]);
                mode.encrypt_bits(&key, buf.as_mut_slice(), 8 * len - 3).unwrap();
                mode.decrypt_bits(&key, buf.as_mut_slice(), 8 * len - 3).unwrap();
                assert_eq!(buf.as_slice(), data, "{way:?}, {side:?}");
            }
        }
    }
}

/// RC4 batches: interleaved streams write nothing but their records.
#[test]
fn streams() {
    let mut rng = Rng::new(6);
    for count in [1, 2, 3, 4, 5, 9] {
        for len in [1, 8, 255, 256, 257, 600] {
            // The last record is longer or shorter than the others.
            let lengths: Vec<usize> =
                (0..count).map(|n| if n + 1 == count { len + n % 3 } else { len }).collect();
            let (keys, data) = (rng.bytes(7 * count), rng.bytes(lengths.iter().sum()));
            let spans: Vec<Span> = lengths
                .iter()
                .scan(0, |offset, &len| {
                    *offset += len;
                    Some(Span::new(*offset - len, len))
                })
                .collect();
            for way in Way::rc4() {
                for side in SIDES {
                    let (keys, mut buf) = (side.copy(&keys), side.copy(&data));
                    let mut results = vec![Ok(0); count];
                    for _ in 0..2 {
                        let keys = Keys::Each(keys.as_slice());
                        let flat = Flat { keys, ivs: &[], data: buf.as_mut_slice(), spans: &spans };
                        way.batch(Batch::rc4()).encrypt_flat(flat, &mut results).unwrap();
                    }
                    assert_eq!(buf.as_slice(), data, "{count}, {len}, {way:?}, {side:?}");
                }
            }
        }
    }
}
