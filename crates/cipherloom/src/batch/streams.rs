//! RC4 over many records.

use super::Outcome;
use super::source::Source;
use crate::backend::Backend;
use crate::dispatch::Choice;
use crate::error::Error;
use crate::kernels::wipe;
use crate::kernels::x86_64::X64;
use crate::kernels::x86_64::rc4::{Streams, WOVEN};
use crate::rc4::Rc4;

/// Every stream from its key's start: several woven together where there is a kernel for that,
/// else one after the other.
pub(super) fn run<S: Source + ?Sized>(
    choice: Choice,
    records: &mut S,
    results: &mut [Outcome],
) -> Result<(), Error> {
    let backend = Rc4::pick(choice)?;
    for (n, result) in results.iter_mut().enumerate() {
        *result = prepare(records, n);
    }
    match X64::detect() {
        Some(x64) if backend == Backend::X64Rc4Loop && results.len() > 1 => {
            woven(x64, records, results);
        }
        _ => {
            for (n, result) in results.iter_mut().enumerate() {
                if let Ok(len) = *result
                    && let Err(error) = one(choice, records, n, len)
                {
                    *result = Err(error);
                }
            }
        }
    }
    Ok(())
}

/// Judges one record before anything is computed.
fn prepare<S: Source + ?Sized>(records: &mut S, n: usize) -> Outcome {
    let len = records.check_span(n)?;
    let got = records.iv(n).len();
    if got != 0 {
        return Err(Error::IvLength { got, want: 0 });
    }
    Rc4::check_key(records.key(n))?;
    Ok(len)
}

fn one<S: Source + ?Sized>(
    choice: Choice,
    records: &mut S,
    n: usize,
    len: usize,
) -> Result<(), Error> {
    Rc4::with_choice(records.key(n), choice)?.apply(&mut records.data(n)[..len])
}

/// Bytes of a keystream after which i is where it was: there a stream can join others.
const TURN: usize = 256;
/// Bytes that the kernels make at a time.
const GROUP: usize = 8;

/// A record whose stream is one of those woven together.
#[derive(Clone, Copy, Default)]
struct Lane {
    record: usize,
    /// The next byte.
    offset: usize,
    len: usize,
}

/// A lane per record; when a record ends, another one takes its lane at the next turn.
fn woven<S: Source + ?Sized>(x64: X64, records: &mut S, results: &[Outcome]) {
    let mut waiting = results
        .iter()
        .enumerate()
        .filter_map(|(record, result)| result.ok().map(|len| Lane { record, offset: 0, len }))
        .filter(|lane| lane.len > 0)
        .peekable();
    let mut streams = Streams::new(x64);
    let mut lanes = [Lane::default(); WOVEN];
    let mut room = [0; TURN * WOVEN];
    loop {
        let (count, mut keys) = (streams.count(), [&[][..]; WOVEN]);
        let idle = lanes[count..].iter_mut().zip(&mut keys);
        let new = idle.zip(&mut waiting).map(|((lane, key), next)| {
            (*lane, *key) = (next, records.key(next.record));
        });
        let new = new.count();
        streams.add(&keys[..new]);
        let lanes = &mut lanes[..streams.count()];
        match lanes {
            [] => break,
            // The others have ended: nothing is left to weave.
            [Lane { record, offset, len }] if waiting.peek().is_none() => {
                streams.into_first().apply(&mut records.data(*record)[*offset..*len]);
                break;
            }
            _ => {}
        }
        let longest = lanes.iter().map(|lane| lane.len - lane.offset).max().unwrap_or(0);
        let room = &mut room[..longest.min(TURN).next_multiple_of(GROUP) * lanes.len()];
        streams.keystreams(room);
        let masks = room.as_chunks::<GROUP>().0;
        for (n, lane) in lanes.iter_mut().enumerate() {
            let data = &mut records.data(lane.record)[lane.offset..lane.len];
            // A constant step lets the compiler unroll: a tenth of a cycle a byte.
            lane.offset += match streams.count() {
                1 => xor::<1>(data, masks, n),
                2 => xor::<2>(data, masks, n),
                3 => xor::<3>(data, masks, n),
                _ => xor::<WOVEN>(data, masks, n),
            };
        }
        for n in (0..lanes.len()).rev() {
            if lanes[n].offset == lanes[n].len {
                streams.remove(n);
                lanes[n] = lanes[streams.count()];
            }
        }
    }
    wipe(&mut room);
}

/// XORs mask `n` of every `STEP` into data, as far as both reach; returns how many bytes these were.
fn xor<const STEP: usize>(data: &mut [u8], masks: &[[u8; GROUP]], n: usize) -> usize {
    let masks = masks.as_chunks::<STEP>().0;
    let len = data.len().min(masks.len() * GROUP);
    let (groups, last) = data[..len].as_chunks_mut::<GROUP>();
    let (whole, part) = masks.split_at(groups.len());
    for (group, masks) in groups.iter_mut().zip(whole) {
        *group = (u64::from_ne_bytes(*group) ^ u64::from_ne_bytes(masks[n])).to_ne_bytes();
    }
    if let Some(masks) = part.first() {
        last.iter_mut().zip(&masks[n]).for_each(|(byte, mask)| *byte ^= mask);
    }
    len
}
