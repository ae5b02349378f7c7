//! Bulk work at every length: no group of lanes, no rest behind one, no lane and no counter is
//! special, whoever does it.

use cipherloom::batch::{Batch, Flat, Keys, Span};
use cipherloom::{Algorithm, BlockKey, Direction, Padding};
use cipherloom_testkit::checks::batch::{One, Work};
use cipherloom_testkit::oracle::{Case, Kind, SpecKey};
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::ways::Way;

/// Blocks of the longest messages: two groups of the widest registers and more.
const MOST: usize = 1100;

/// Around every width, and twice the widest.
const EDGES: [usize; 16] =
    [1, 15, 16, 17, 63, 64, 65, 127, 129, 255, 257, 511, 512, 513, 1023, 1025];

fn is_quick() -> bool {
    std::env::var_os("CIPHERLOOM_QUICK").is_some()
}

/// Every number of blocks up to [`MOST`], or those around the widths.
fn counts() -> Vec<usize> {
    if is_quick() { EDGES.to_vec() } else { (0..=MOST).collect() }
}

/// Modes in which blocks are independent, and the direction in which they are.
const BULK: [(Kind, Direction); 5] = [
    (Kind::Ecb, Direction::Encrypt),
    (Kind::Ecb, Direction::Decrypt),
    (Kind::Cbc, Direction::Decrypt),
    (Kind::Cfb64, Direction::Decrypt),
    (Kind::Ctr, Direction::Encrypt),
];

fn crypt(case: Case, direction: Direction, key: &BlockKey, data: &mut [u8]) {
    let (mode, len) = (case.mode(), data.len());
    match direction {
        Direction::Encrypt => mode.encrypt_in_place(key, data, len).unwrap(),
        Direction::Decrypt => mode.decrypt_in_place(key, data).unwrap(),
    };
}

fn expected(case: Case, direction: Direction, key: &SpecKey, data: &[u8]) -> Vec<u8> {
    match direction {
        Direction::Encrypt => case.encrypt(key, data).unwrap(),
        Direction::Decrypt => case.decrypt(key, data).unwrap(),
    }
}

/// The beginning of a result is the result of the beginning: the specification works once.
#[test]
fn every_number_of_blocks() {
    let mut rng = Rng::new(1);
    for algorithm in [Algorithm::Des, Algorithm::TdesEde3, Algorithm::TdesEee2, Algorithm::Desx] {
        let bytes = rng.bytes(algorithm.key_len());
        let spec = SpecKey::new(algorithm, &bytes);
        let data = rng.bytes(8 * MOST + 7);
        for (kind, direction) in BULK {
            let case = Case { kind, iv: rng.array(), padding: Padding::None };
            let takes_parts = matches!(kind, Kind::Cfb64 | Kind::Ctr);
            let all = if takes_parts { &data[..] } else { &data[..8 * MOST] };
            let expected = expected(case, direction, &spec, all);
            for way in Way::des() {
                let key = way.key(algorithm, &bytes);
                for count in counts() {
                    let len = 8 * count + if takes_parts { count % 8 } else { 0 };
                    let mut work = data[..len].to_vec();
                    crypt(case, direction, &key, &mut work);
                    let what =
                        format!("{len} bytes, {algorithm:?}, {case:?}, {direction:?}, {way:?}");
                    assert!(work == expected[..len], "{what}");
                }
            }
        }
    }
}

/// Counters that begin anywhere in a group, and carry into every higher part or wrap there.
#[test]
fn counters() {
    let mut rng = Rng::new(2);
    let key = rng.bytes(8);
    let spec = SpecKey::new(Algorithm::Des, &key);
    let blocks = [1, 64, 600];
    let most = 520 + 600;
    for middle in [1 << 9, 1 << 16, 1 << 32, 1 << 48, 1 << 63, 0, rng.number(0..=usize::MAX) as u64]
    {
        // All counters from a little before the carry on.
        let first = (middle - middle % 512).wrapping_sub(512);
        let case = |counter: u64| Case {
            kind: Kind::Ctr,
            iv: counter.to_be_bytes(),
            padding: Padding::None,
        };
        let keystream = case(first).encrypt(&spec, &vec![0; 8 * most]).unwrap();
        for way in Way::des() {
            let key = way.key(Algorithm::Des, &key);
            for offset in (0..=520).step_by(if is_quick() { 65 } else { 3 }) {
                for count in blocks {
                    let mut work = vec![0; 8 * count];
                    let case = case(first.wrapping_add(offset as u64));
                    crypt(case, Direction::Encrypt, &key, &mut work);
                    assert!(
                        work == keystream[8 * offset..][..8 * count],
                        "{count}, {case:?}, {way:?}"
                    );
                }
            }
        }
    }
}

/// A message by several backends in turns, in pieces of up to more than all lanes: what one leaves,
/// the next goes on from.
#[test]
fn backends_take_turns() {
    let mut rng = Rng::new(3);
    let ways: Vec<Way> = Way::des();
    for algorithm in Algorithm::ALL {
        let bytes = rng.bytes(algorithm.key_len());
        let keys: Vec<BlockKey> = ways.iter().map(|way| way.key(algorithm, &bytes)).collect();
        let spec = SpecKey::new(algorithm, &bytes);
        let data = rng.bytes(8 * 5000);
        for (kind, direction) in BULK {
            let mut case = Case { kind, iv: rng.array(), padding: Padding::None };
            let expected = expected(case, direction, &spec, &data);
            let (mut result, mut turns) = (data.clone(), 0);
            let mut rest = &mut result[..];
            while !rest.is_empty() {
                let most = *rng.choose(&[1, 20, 70, 300, 1300]);
                let len = 8 * rng.number(1..=most).min(rest.len() / 8);
                let (piece, behind) = rest.split_at_mut(len);
                let next = match kind {
                    Kind::Ctr => {
                        u64::from_be_bytes(case.iv).wrapping_add(len as u64 / 8).to_be_bytes()
                    }
                    _ => *piece.last_chunk().unwrap(),
                };
                crypt(case, direction, rng.choose(&keys), piece);
                case.iv = next;
                turns += 1;
                rest = behind;
            }
            assert!(result == expected, "{algorithm:?}, {kind:?}, {direction:?}");
            assert!(turns > 3);
        }
    }
}

/// A key, an IV and a length for every lane, and more of them than there are lanes.
#[test]
fn every_lane_of_a_batch() {
    let mut rng = Rng::new(4);
    let counts: &[usize] = if is_quick() { &[513] } else { &[257, 511, 512, 513, 1023, 1025] };
    for &count in counts {
        for kind in [Kind::Ecb, Kind::Cbc, Kind::Ctr] {
            for direction in [Direction::Encrypt, Direction::Decrypt] {
                let algorithm = *rng.choose(&Algorithm::ALL);
                let records: Vec<One> = (0..count)
                    .map(|n| {
                        let len = 8 * (1 + n % 3);
                        One {
                            key: rng.bytes(algorithm.key_len()),
                            iv: rng.bytes(if kind == Kind::Ecb { 0 } else { 8 }),
                            data: rng.bytes(len),
                            len,
                        }
                    })
                    .collect();
                Work { kind, algorithm, padding: Padding::None, direction }.check(&records);
            }
        }
    }
}

/// One bit of one key is one record's business. Which lane is whose does not show otherwise where
/// all lanes are wrong in the same way.
#[test]
fn a_bit_of_a_key_changes_its_own_lane() {
    const COUNT: usize = 512;
    let mut rng = Rng::new(5);
    let keys = rng.bytes(8 * COUNT);
    let data = rng.bytes(8 * COUNT);
    let spans: Vec<Span> = (0..COUNT).map(|n| Span::new(8 * n, 8)).collect();
    for way in Way::des() {
        let run = |keys: &[u8]| {
            let (mut work, mut results) = (data.clone(), vec![Ok(0); COUNT]);
            let flat = Flat { keys: Keys::Each(keys), ivs: &[], data: &mut work, spans: &spans };
            let batch = way.batch(Batch::ecb(Algorithm::Des, Padding::None));
            batch.encrypt_flat(flat, &mut results).unwrap();
            work
        };
        let before = run(&keys);
        for lane in (0..COUNT).step_by(if is_quick() { 73 } else { 1 }) {
            // A bit that the cipher looks at: 7 of 8.
            let mut keys = keys.clone();
            keys[8 * lane + lane % 8] ^= 2 << (lane / 8 % 7);
            let after = run(&keys);
            for (n, (a, b)) in before.chunks(8).zip(after.chunks(8)).enumerate() {
                assert_eq!(a != b, n == lane, "record {n}, key of {lane}, {way:?}");
            }
        }
    }
}

/// Buffers between inaccessible pages, as long as the lanes are many.
#[cfg(unix)]
mod guarded {
    use super::*;
    use cipherloom_testkit::guard::GuardedBuf;

    const SIDES: [fn(&[u8]) -> GuardedBuf; 2] =
        [GuardedBuf::copy_ending_at_guard, GuardedBuf::copy_beginning_after_guard];

    #[test]
    fn messages() {
        let mut rng = Rng::new(6);
        for count in EDGES {
            let algorithm = *rng.choose(&Algorithm::ALL);
            let (bytes, data) = (rng.bytes(algorithm.key_len()), rng.bytes(8 * count));
            let spec = SpecKey::new(algorithm, &bytes);
            for (kind, direction) in BULK {
                let case = Case { kind, iv: rng.array(), padding: Padding::None };
                let expected = expected(case, direction, &spec, &data);
                for way in Way::des() {
                    let key = way.key(algorithm, &bytes);
                    for side in SIDES {
                        let mut buf = side(&data);
                        crypt(case, direction, &key, buf.as_mut_slice());
                        assert!(buf.as_slice() == expected, "{count}, {case:?}, {way:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn batches() {
        let mut rng = Rng::new(7);
        for count in [128, 129, 256, 257, 512, 513] {
            let algorithm = *rng.choose(&Algorithm::ALL);
            let keys = rng.bytes(count * algorithm.key_len());
            let (ivs, data) = (rng.bytes(8 * count), rng.bytes(16 * count));
            let spans: Vec<Span> = (0..count).map(|n| Span::new(16 * n, 16)).collect();
            for way in Way::des() {
                let batch = way.batch(Batch::cbc(algorithm, Padding::None));
                for side in SIDES {
                    let (keys, ivs, mut buf) = (side(&keys), side(&ivs), side(&data));
                    let mut results = vec![Ok(0); count];
                    for encrypts in [true, false] {
                        let flat = Flat {
                            keys: Keys::Each(keys.as_slice()),
                            ivs: ivs.as_slice(),
                            data: buf.as_mut_slice(),
                            spans: &spans,
                        };
                        if encrypts {
                            batch.encrypt_flat(flat, &mut results).unwrap();
                        } else {
                            batch.decrypt_flat(flat, &mut results).unwrap();
                        }
                        assert!(results.iter().all(|&result| result == Ok(16)));
                        assert_eq!(buf.as_slice() == data, !encrypts, "{count}, {way:?}");
                    }
                }
            }
        }
    }
}
