//! Batches under random input: every backend gives what the records give one by one.

use cipherloom::batch::{Batch, Flat, Keys, Record, Span};
use cipherloom::{Algorithm, Direction, Error, Padding};
use cipherloom_testkit::checks::batch::{One, Work};
use cipherloom_testkit::oracle::{Kind, PADDINGS};
use cipherloom_testkit::rng::Rng;

const KINDS: [Kind; 3] = [Kind::Ecb, Kind::Cbc, Kind::Ctr];

/// Every kind of work, `rounds` times.
fn every_work(seed: u64, rounds: usize, mut check: impl FnMut(Work, &mut Rng)) {
    let quick = std::env::var_os("CIPHERLOOM_QUICK").is_some();
    let mut rng = Rng::new(seed);
    for _ in 0..if quick { 1 } else { rounds } {
        for kind in KINDS {
            for direction in [Direction::Encrypt, Direction::Decrypt] {
                for padding in PADDINGS {
                    let algorithm = *rng.choose(&Algorithm::ALL);
                    check(Work { kind, algorithm, padding, direction }, &mut rng);
                }
            }
        }
    }
}

/// A record that can be served, of up to `most` blocks. What is decrypted is random: its padding
/// is wrong more often than not, and right now and then.
fn good(work: Work, rng: &mut Rng, most: usize) -> One {
    let mut len = 8 * rng.number(0..=most);
    if work.kind == Kind::Ctr
        || work.direction == Direction::Encrypt && work.padding != Padding::None
    {
        len += rng.number(0..=7);
    }
    let iv_len = if work.kind == Kind::Ecb { 0 } else { 8 };
    let room = len + rng.number(0..=17);
    let mut iv = rng.bytes(iv_len);
    if iv_len == 8 && rng.number(0..=3) == 0 {
        // A counter that is about to wrap.
        iv[..7].fill(0xff);
    }
    One { key: rng.bytes(work.algorithm.key_len()), iv, data: rng.bytes(room), len }
}

#[test]
fn records_of_mixed_lengths() {
    every_work(1, 6, |work, rng| {
        let count = *rng.choose(&[0, 1, 7, 8, 63, 64, 65, 130, 300]);
        let most = *rng.choose(&[0, 1, 4, 30, 80]);
        let records: Vec<One> = (0..count).map(|_| good(work, rng, most)).collect();
        work.check(&records);
    });
}

#[test]
fn a_bad_record_spoils_no_other() {
    every_work(2, 4, |work, rng| {
        let mut records: Vec<One> = (0..150).map(|_| good(work, rng, 6)).collect();
        for one in &mut records {
            match rng.number(0..=15) {
                0 => one.key.push(0),
                1 => one.key.clear(),
                2 => one.iv.push(1),
                3 => one.len = one.data.len() + 1,
                4 => one.len = one.data.len(),
                5 => one.data.truncate(one.len),
                6 => one.len = usize::MAX,
                _ => {}
            }
        }
        work.check(&records);
    });
}

/// Under random keys 255 of 256 random paddings are wrong; these are right.
#[test]
fn what_was_encrypted_comes_back() {
    every_work(3, 2, |work, rng| {
        let there = Work { direction: Direction::Encrypt, ..work };
        let records: Vec<One> = (0..100).map(|_| good(there, rng, 12)).collect();
        let batch = match work.kind {
            Kind::Ecb => Batch::ecb(work.algorithm, work.padding),
            Kind::Cbc => Batch::cbc(work.algorithm, work.padding),
            _ => Batch::ctr(work.algorithm),
        };
        let mut work_data: Vec<Vec<u8>> = records
            .iter()
            .map(|one| {
                let mut data = one.data[..one.len].to_vec();
                // Zero padding cannot tell the message's own zeros from its own.
                if let Some(last) = data.last_mut() {
                    *last |= 1;
                }
                data
            })
            .collect();
        let originals = work_data.clone();
        for data in &mut work_data {
            data.resize(data.len() + 8, 0);
        }
        let mut results = vec![Ok(0); records.len()];
        let mut list: Vec<Record<'_>> = records
            .iter()
            .zip(&mut work_data)
            .map(|(one, data)| Record { key: &one.key, iv: &one.iv, data, len: one.len })
            .collect();
        batch.encrypt(&mut list, &mut results).unwrap();
        for (record, result) in list.iter_mut().zip(&results) {
            record.len = result.unwrap();
        }
        batch.decrypt(&mut list, &mut results).unwrap();
        for (n, original) in originals.iter().enumerate() {
            assert_eq!(results[n], Ok(original.len()), "{work:?}, record {n}");
            assert_eq!(work_data[n][..original.len()], *original, "{work:?}, record {n}");
        }
    });
}

#[test]
fn flat_buffers_with_gaps_and_overlaps() {
    every_work(4, 5, |work, rng| {
        let count = *rng.choose(&[0, 1, 9, 64, 100, 200]);
        let data_len = count * 40 + rng.number(0..=50);
        let data = rng.bytes(data_len);
        let iv_len = if work.kind == Kind::Ecb { 0 } else { 8 };
        let ivs = rng.bytes(count * iv_len);
        let key_len = work.algorithm.key_len();
        let key_count = *rng.choose(&[1, count]);
        let keys = rng.bytes(key_len * key_count);
        let spans: Vec<Span> = (0..count)
            .map(|n| {
                let len = 8 * rng.number(0..=3) + if rng.number(0..=3) == 0 { 3 } else { 0 };
                let span = Span { offset: n * 40 + rng.number(0..=6), len, room: len + 8 };
                match rng.number(0..=20) {
                    0 => Span { offset: span.offset.saturating_sub(40), ..span },
                    1 => Span { offset: usize::MAX - 2, ..span },
                    2 => Span { len: span.room + 1, ..span },
                    3 => Span { offset: data_len - 1, ..span },
                    4 => Span::new(span.offset, len),
                    5 => Span { room: usize::MAX, ..span },
                    _ => span,
                }
            })
            .collect();
        work.check_flat(&keys, &ivs, &data, &spans);
    });
}

/// As many as lanes, or fewer, are served together, cut into parts where they are few; one that is otherwise ends that.
#[test]
fn records_of_one_length() {
    every_work(6, 6, |work, rng| {
        let count = *rng.choose(&[2, 3, 16, 63, 64, 100, 200, 513, 1100]);
        let len = 8 * *rng.choose(&[0, 1, 2, 4, 7, 9, 20, 24, 64]) + *rng.choose(&[0, 0, 0, 3]);
        let room = len + *rng.choose(&[0, 0, 8, 11]);
        let distance = room + *rng.choose(&[0, 0, 5]);
        let start = rng.number(0..=9);
        let data_len = start + count * distance + rng.number(0..=9);
        let data = rng.bytes(data_len);
        let mut spans: Vec<Span> =
            (0..count).map(|n| Span { offset: start + n * distance, len, room }).collect();
        let other = &mut spans[rng.number(0..=count - 1)];
        match rng.number(0..=8) {
            0 => other.len = len.saturating_sub(8),
            1 => other.len = room + 1,
            2 => other.offset = 0,
            3 => other.offset = usize::MAX / 2,
            4 => other.room = usize::MAX,
            _ => {}
        }
        let mut ivs = rng.bytes(if work.kind == Kind::Ecb { 0 } else { 8 * count });
        // A counter that wraps within its record.
        ivs.as_chunks_mut::<8>().0.iter_mut().step_by(3).for_each(|iv| iv[..7].fill(0xff));
        let key_count = *rng.choose(&[1, count]);
        let keys = rng.bytes(work.algorithm.key_len() * key_count);
        work.check_flat(&keys, &ivs, &data, &spans);
    });
    // At a distance so large that every second one seems to stand at the same place.
    let far = |n: usize| Span { offset: n.wrapping_mul(1 << (usize::BITS - 1)), len: 8, room: 8 };
    let spans: Vec<Span> = (0..1025).map(far).collect();
    let mut results = vec![Ok(0); spans.len()];
    let (ivs, mut data) = (vec![0; 8 * spans.len()], [7; 8]);
    let flat = Flat { keys: Keys::One(&[1; 8]), ivs: &ivs, data: &mut data, spans: &spans };
    Batch::cbc(Algorithm::Des, Padding::None).encrypt_flat(flat, &mut results).unwrap();
    assert_eq!(results[0], Ok(8));
    assert!(results[1..].iter().all(|&result| result == Err(Error::Overlap)));
}

/// Records that lie side by side, so few that each is cut into parts, of one block and of more.
#[test]
fn few_records_of_many_blocks() {
    let mut rng = Rng::new(7);
    let ways = [
        (Kind::Ecb, Direction::Encrypt),
        (Kind::Cbc, Direction::Decrypt),
        (Kind::Ctr, Direction::Encrypt),
    ];
    for count in [2, 3, 17, 100, 130] {
        for blocks in [2, 4, 6, 8, 12, 24, 40] {
            for (kind, direction) in ways {
                let algorithm = *rng.choose(&Algorithm::ALL);
                let padding =
                    if kind == Kind::Cbc { *rng.choose(&PADDINGS) } else { Padding::None };
                let spans: Vec<Span> =
                    (0..count).map(|n| Span::new(3 + 8 * blocks * n, 8 * blocks)).collect();
                let mut ivs = rng.bytes(if kind == Kind::Ecb { 0 } else { 8 * count });
                ivs.as_chunks_mut::<8>().0.iter_mut().step_by(2).for_each(|iv| iv[..7].fill(0xff));
                let key_count = *rng.choose(&[1, count, count]);
                let keys = rng.bytes(algorithm.key_len() * key_count);
                let data = rng.bytes(3 + 8 * blocks * count);
                let work = Work { kind, algorithm, padding, direction };
                work.check_flat(&keys, &ivs, &data, &spans);
            }
        }
    }
}

#[test]
fn wrong_counts_change_nothing() {
    let batch = Batch::cbc(Algorithm::Des, Padding::None);
    let (keys, ivs, spans) = ([1; 16], [2; 16], [Span::new(0, 8), Span::new(8, 8)]);
    let mut data = [3; 16];
    for (keys, ivs, results, expected) in [
        (&keys[..], &ivs[..], 1, Error::Count { got: 1, want: 2 }),
        (&keys[..], &ivs[..], 3, Error::Count { got: 3, want: 2 }),
        (&keys[..15], &ivs[..], 2, Error::Count { got: 15, want: 2 }),
        (&keys[..], &ivs[..8], 2, Error::Count { got: 1, want: 2 }),
        (&keys[..], &ivs[..0], 2, Error::Count { got: 0, want: 2 }),
    ] {
        let mut results = vec![Ok(77); results];
        let flat = Flat { keys: Keys::Each(keys), ivs, data: &mut data, spans: &spans };
        assert_eq!(batch.encrypt_flat(flat, &mut results), Err(expected));
        assert!(results.iter().all(|&result| result == Ok(77)));
    }
    let mut work = [4; 8];
    let mut records = [Record::new(&[1; 8], &[2; 8], &mut work)];
    let refused = batch.decrypt(&mut records, &mut []);
    assert_eq!(refused, Err(Error::Count { got: 0, want: 1 }));
    assert_eq!((data, work), ([3; 16], [4; 8]));
}

/// A backend without lanes must go on after as many records as another one has lanes.
#[test]
fn more_records_than_any_backend_has_lanes() {
    every_work(5, 1, |work, rng| {
        let records: Vec<One> = (0..1100).map(|_| good(work, rng, 2)).collect();
        work.check(&records);
    });
}
