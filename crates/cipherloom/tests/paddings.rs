//! Wrong paddings wipe what was decrypted, whatever the size of the work; right ones leave it.

use cipherloom::batch::{Batch, Flat, Keys, Record, Span};
use cipherloom::{Algorithm, BlockKey, Error, Mode, Padding};
use cipherloom_testkit::rng::Rng;

const PADDINGS: [Padding; 3] = [Padding::Pkcs7, Padding::Iso7816, Padding::Zero];

/// Changes the last byte of the plaintext, and nothing else of the last block.
fn spoil(encrypted: &mut [u8], padding: Padding) {
    let at = encrypted.len() - 9;
    // PKCS#7: 1 to 8 becomes 0x41 to 0x48; ISO/IEC 7816-4: 0 or 0x80 becomes 0x40 or 0xc0.
    encrypted[at] ^= if padding == Padding::Zero { 0 } else { 0x40 };
}

/// Messages are decrypted piece by piece from 32 KiB on: around such lengths, and with several of them.
#[test]
fn large_messages_are_left_or_wiped_as_a_whole() {
    let mut rng = Rng::new(1);
    let lens = [32 << 10, 64 << 10, 100_000].into_iter().flat_map(|len| len - 17..len + 2);
    for (n, len) in lens.enumerate() {
        let padding = PADDINGS[n % 3];
        let key = BlockKey::new(Algorithm::TdesEde3, &rng.bytes(24)).unwrap();
        for mode in [Mode::cbc(rng.array(), padding), Mode::ecb(padding)] {
            let mut plain = rng.bytes(len);
            plain[len - 1] |= 1;
            let mut encrypted = vec![0; len + 8];
            let encrypted = mode.encrypt(&key, &plain, &mut encrypted).unwrap();

            let mut output = vec![0x5a; encrypted.len()];
            assert!(mode.decrypt(&key, encrypted, &mut output).unwrap() == plain, "{mode:?} {len}");
            let mut buf = encrypted.to_vec();
            assert!(mode.decrypt_in_place(&key, &mut buf).unwrap() == plain, "{mode:?} {len}");

            if padding == Padding::Zero || mode == Mode::ecb(padding) {
                continue;
            }
            spoil(encrypted, padding);
            let wrong = mode.decrypt(&key, encrypted, &mut output);
            assert_eq!(wrong.err(), Some(Error::Padding));
            assert!(output.iter().all(|&byte| byte == 0), "{mode:?} {len}");
            let mut buf = encrypted.to_vec();
            assert_eq!(mode.decrypt_in_place(&key, &mut buf).err(), Some(Error::Padding));
            assert!(buf.iter().all(|&byte| byte == 0), "{mode:?} {len}");
        }
    }
}

/// What becomes of record `n` of a batch.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Right,
    Wrong,
    /// The key is too long.
    Refused,
}

fn fate(n: usize) -> Fate {
    match n % 7 {
        2 => Fate::Wrong,
        4 => Fate::Refused,
        _ => Fate::Right,
    }
}

/// Paddings are taken off a window of records at a time: several windows, of short records and of some that
/// are served alone; some wrong, and some that never had a chance.
#[test]
fn every_record_of_a_large_batch_is_left_or_wiped() {
    let mut rng = Rng::new(2);
    for (padding, count, most) in
        [(Padding::Pkcs7, 20_000, 60), (Padding::Iso7816, 5_000, 300), (Padding::Zero, 6_000, 60)]
    {
        let keys: Vec<Vec<u8>> =
            (0..count).map(|n| rng.bytes(if fate(n) == Fate::Refused { 23 } else { 24 })).collect();
        let ivs: Vec<[u8; 8]> = (0..count).map(|_| rng.array()).collect();
        let mut plains: Vec<Vec<u8>> = (0..count).map(|_| rng.bytes(most)).collect();
        for (n, plain) in plains.iter_mut().enumerate() {
            plain.truncate(rng.number(9..=most));
            if n % 1000 == 3 {
                *plain = rng.bytes(70_000);
            }
            *plain.last_mut().unwrap() |= 1;
        }
        let mut encrypted: Vec<Vec<u8>> = Vec::new();
        for (n, plain) in plains.iter().enumerate() {
            let key = &keys[n][..];
            let mut output = vec![0; plain.len() + 8];
            if let Ok(key) = BlockKey::new(Algorithm::TdesEde3, key) {
                let mode = Mode::cbc(ivs[n], padding);
                let len = mode.encrypt(&key, plain, &mut output).unwrap().len();
                output.truncate(len);
                if fate(n) == Fate::Wrong {
                    spoil(&mut output, padding);
                }
            }
            encrypted.push(output);
        }

        let mut data = encrypted.clone();
        let mut records: Vec<Record<'_>> = data
            .iter_mut()
            .enumerate()
            .map(|(n, data)| Record::new(&keys[n], &ivs[n], data))
            .collect();
        let mut results = vec![Ok(0); count];
        Batch::cbc(Algorithm::TdesEde3, padding).decrypt(&mut records, &mut results).unwrap();
        for (n, result) in results.into_iter().enumerate() {
            let what = (padding, n, plains[n].len());
            match fate(n) {
                Fate::Refused => {
                    assert!(matches!(result, Err(Error::KeyLength { .. })), "{what:?}");
                    assert!(data[n] == encrypted[n], "{what:?}");
                }
                Fate::Wrong if padding != Padding::Zero => {
                    assert_eq!(result, Err(Error::Padding), "{what:?}");
                    assert!(data[n].iter().all(|&byte| byte == 0), "{what:?}");
                }
                _ => {
                    assert_eq!(result, Ok(plains[n].len()), "{what:?}");
                    assert!(data[n][..plains[n].len()] == plains[n], "{what:?}");
                }
            }
        }
    }
}

/// Flat buffers are cut where windows end: spans with gaps between them, and some that overlap.
#[test]
fn flat_batches_are_the_same_in_windows() {
    let mut rng = Rng::new(3);
    let key = rng.bytes(24);
    let block_key = BlockKey::new(Algorithm::TdesEde3, &key).unwrap();
    let count = 9_000;
    let (mut spans, mut data, mut ivs, mut plains) = (vec![], vec![], vec![], vec![]);
    for n in 0..count {
        data.resize(data.len() + n % 5, 0x5a);
        let (iv, plain): ([u8; 8], _) = (rng.array(), rng.bytes(9 + n % 90));
        let mut encrypted = vec![0; plain.len() + 8];
        let mode = Mode::cbc(iv, Padding::Pkcs7);
        let len = mode.encrypt(&block_key, &plain, &mut encrypted).unwrap().len();
        encrypted.truncate(len);
        if n % 11 == 5 {
            spoil(&mut encrypted, Padding::Pkcs7);
        }
        // One that begins within the record before it, and one behind everything.
        let offset = match n % 1000 {
            999 => data.len() - 8,
            500 => usize::MAX - 100,
            _ => data.len(),
        };
        spans.push(Span::new(offset, len));
        ivs.extend(iv);
        data.extend(encrypted);
        plains.push(plain);
    }
    let before = data.clone();
    let mut results = vec![Ok(0); count];
    let flat = Flat { keys: Keys::One(&key), ivs: &ivs, data: &mut data, spans: &spans };
    let batch = Batch::cbc(Algorithm::TdesEde3, Padding::Pkcs7);
    batch.decrypt_flat(flat, &mut results).unwrap();
    let mut end = 0;
    for (n, (result, span)) in results.into_iter().zip(&spans).enumerate() {
        if n % 1000 == 999 || n % 1000 == 500 {
            assert_eq!(result, Err(Error::Overlap), "{n}");
            continue;
        }
        let place = span.offset..span.offset + span.len;
        assert_eq!(data[end..place.start], before[end..place.start], "between spans, {n}");
        end = place.end;
        if n % 11 == 5 {
            assert_eq!(result, Err(Error::Padding), "{n}");
            assert!(data[place].iter().all(|&byte| byte == 0), "{n}");
        } else {
            assert_eq!(result, Ok(plains[n].len()), "{n}");
            assert_eq!(data[place][..plains[n].len()], plains[n], "{n}");
        }
    }
    assert_eq!(data[end..], before[end..], "behind all spans");
}
