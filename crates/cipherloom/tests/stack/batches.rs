//! Batches: every record has a plaintext that is secret, and a ciphertext that is the same in all runs.

use cipherloom::batch::{Batch, Flat, Keys, Outcome, Record, Span};
use cipherloom::{Algorithm, Direction, Padding};
use cipherloom_testkit::oracle::{Case, Kind};
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::ways::Way;

use crate::calls::{BOTH, there};
use crate::watch::{RUNS, Run, Watch};

/// The most records of a batch: more than any kernel has lanes.
pub(crate) const MOST: usize = 800;

/// Records with slices of their own, and flat ones; a key for each or one for all.
pub(crate) fn batches(
    watch: &mut Watch,
    way: Way,
    algorithm: Algorithm,
    kind: Kind,
    count: usize,
    one_key: bool,
    rng: &mut Rng,
) {
    let key_len = algorithm.key_len();
    let lengths: Vec<usize> = (0..count)
        .map(|n| if kind == Kind::Ctr { 8 * (n % 6) + n % 7 } else { 8 * (n % 6 + 1) })
        .collect();
    let ivs: Vec<[u8; 8]> = (0..count).map(|_| rng.array()).collect();
    let public = rng.bytes(lengths.iter().sum());
    let mut spans: Vec<Span> = Vec::new();
    for len in &lengths {
        let offset = spans.last().map_or(0, |span| span.offset + span.len);
        spans.push(Span::new(offset, *len));
    }
    let batch = way.batch(match kind {
        Kind::Ecb => Batch::ecb(algorithm, Padding::None),
        Kind::Cbc => Batch::cbc(algorithm, Padding::None),
        _ => Batch::ctr(algorithm),
    });
    let secrets: [(Vec<u8>, Vec<u8>); RUNS] = std::array::from_fn(|_| {
        let keys = rng.bytes(if one_key { key_len } else { key_len * count });
        let mut plain = public.clone();
        for (n, span) in spans.iter().enumerate() {
            let bytes = if one_key { &keys[..] } else { &keys[n * key_len..][..key_len] };
            let mode = Case { kind, iv: ivs[n], padding: Padding::None }.mode();
            let data = &mut plain[span.offset..][..span.len];
            mode.decrypt_in_place(&Way::Fastest.key(algorithm, bytes), data).unwrap();
        }
        (keys, plain)
    });
    let iv = |n: usize| if kind == Kind::Ecb { &[][..] } else { &ivs[n][..] };
    let (mut keys, mut buffer) = (secrets[0].0.clone(), public.clone());
    let mut results: Vec<Outcome> = vec![Ok(0); count];
    for (direction, flat) in BOTH.into_iter().flat_map(|way| [false, true].map(|flat| (way, flat)))
    {
        let what = (way, algorithm, kind, count, one_key, direction, flat);
        watch.watch(&what, |stack, run| {
            let (own, plain) = &secrets[run];
            let (from, to) = there(direction, plain, &public);
            keys.copy_from_slice(own);
            buffer.copy_from_slice(from);
            let residue = if flat {
                let mut flat = Some(Flat {
                    keys: if one_key { Keys::One(&keys) } else { Keys::Each(&keys) },
                    ivs: if kind == Kind::Ecb { &[] } else { ivs.as_flattened() },
                    data: &mut buffer,
                    spans: &spans,
                });
                stack.run(|| {
                    let flat = flat.take().unwrap();
                    match direction {
                        Direction::Encrypt => batch.encrypt_flat(flat, &mut results).unwrap(),
                        Direction::Decrypt => batch.decrypt_flat(flat, &mut results).unwrap(),
                    }
                })
            } else {
                let mut rest = &mut buffer[..];
                // Not on the heap, where they would be in another place each time.
                let mut records: [Record<'_>; MOST] = std::array::from_fn(|n| {
                    let Some(len) = lengths.get(n) else { return Record::new(&[], &[], &mut []) };
                    let (data, behind) = std::mem::take(&mut rest).split_at_mut(*len);
                    rest = behind;
                    let key = if one_key { &keys[..] } else { &keys[n * key_len..][..key_len] };
                    Record::new(key, iv(n), data)
                });
                let records = &mut records[..count];
                stack.run(|| match direction {
                    Direction::Encrypt => batch.encrypt(records, &mut results).unwrap(),
                    Direction::Decrypt => batch.decrypt(records, &mut results).unwrap(),
                })
            };
            assert!(results.iter().zip(&lengths).all(|(result, len)| *result == Ok(*len)));
            assert_eq!(buffer, to);
            let secret = vec![("key", own.clone()), ("plaintext", plain.clone())];
            (residue, Run { public: Vec::new(), secret })
        });
    }
}
