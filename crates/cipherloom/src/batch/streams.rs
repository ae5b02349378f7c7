//! RC4 over many records.

use super::source::{Item, Outcome, Source};
use crate::dispatch::{Choice, StreamKernels};
use crate::error::Error;
use crate::kernels::asm::rc4::{INTERLEAVED, Streams};
use crate::kernels::cpu::{self, Four, Vectors, Work};
use crate::kernels::{Xor, wipe};
use crate::rc4::Rc4;

/// Every stream from its key's start: several interleaved where there is a kernel for that,
/// else one after the other.
pub(super) fn run(
    choice: Choice,
    mut source: Source<'_, '_>,
    results: &mut [Outcome],
) -> Result<(), Error> {
    let backend = Rc4::pick(choice)?;
    let count = results.len();
    let mut records = results.iter_mut().filter_map(|result| {
        let prepared = source.next()?.and_then(prepare);
        *result = prepared.as_ref().map(|(_, data)| data.len()).map_err(Clone::clone);
        Some((result, prepared.ok()?))
    });
    match StreamKernels::of(backend) {
        Some(StreamKernels::Asm(kernels)) if count > 1 => {
            let records = records.map(|(_, record)| record);
            Streams::with(kernels, |streams| interleaved(streams, records));
        }
        _ => {
            for (result, (key, data)) in &mut records {
                let applied = Rc4::with_choice(key, choice).and_then(|mut rc4| rc4.apply(data));
                if let Err(error) = applied {
                    *result = Err(error);
                }
            }
        }
    }
    Ok(())
}

/// Judges a record before anything is computed: its key, and what is to be transformed.
fn prepare(item: Item<'_>) -> Result<(&[u8], &mut [u8]), Error> {
    let Item { key, iv, data, len } = item;
    if !iv.is_empty() {
        return Err(Error::IvLength { got: iv.len(), want: 0 });
    }
    Rc4::check_key(key)?;
    Ok((key, &mut data[..len]))
}

/// Bytes of a keystream after which i is where it was: there a stream can join others.
const TURN: usize = 256;
/// The most that are made at once: two turns, as long as no record ends in the first.
const MOST: usize = 2 * TURN;
/// Bytes that the kernels make at a time.
const GROUP: usize = 8;

/// A lane per record; when a record ends, another one takes its lane at the next turn.
fn interleaved<'a>(
    mut streams: Streams<'_>,
    records: impl Iterator<Item = (&'a [u8], &'a mut [u8])>,
) {
    let mut waiting = records.filter(|(_, data)| !data.is_empty()).peekable();
    // What is left of each lane's record.
    let mut lanes: [&mut [u8]; INTERLEAVED] = Default::default();
    let mut scratch = [0; MOST * INTERLEAVED];
    loop {
        let (count, mut keys) = (streams.count(), [&[][..]; INTERLEAVED]);
        let idle = lanes[count..].iter_mut().zip(&mut keys);
        let new = idle.zip(&mut waiting).map(|((lane, key), next)| (*key, *lane) = next);
        let new = new.count();
        streams.add(&keys[..new]);
        let lanes = &mut lanes[..streams.count()];
        match lanes {
            [] => break,
            // The others have ended: nothing is left to interleave with.
            [rest] if waiting.peek().is_none() => {
                streams.finish(rest);
                break;
            }
            _ => {}
        }
        let lengths = lanes.iter().map(|rest| rest.len());
        let (least, longest) = (lengths.clone().min(), lengths.max());
        let most = if least < Some(MOST) { TURN } else { MOST };
        let len = longest.unwrap_or(0).min(most).next_multiple_of(GROUP);
        let scratch = &mut scratch[..len * lanes.len()];
        streams.keystreams(scratch);
        let masks = scratch.as_chunks::<GROUP>().0;
        let masks = match <&mut [_; 4]>::try_from(&mut *lanes) {
            Ok(lanes) => xor_square(lanes, masks),
            Err(_) => masks,
        };
        for (n, rest) in lanes.iter_mut().enumerate() {
            // A constant step lets the compiler unroll: a tenth of a cycle a byte.
            let done = match streams.count() {
                1 => xor::<1>(rest, masks, n),
                2 => xor::<2>(rest, masks, n),
                3 => xor::<3>(rest, masks, n),
                _ => xor::<INTERLEAVED>(rest, masks, n),
            };
            *rest = &mut core::mem::take(rest)[done..];
        }
        for n in (0..lanes.len()).rev() {
            if lanes[n].is_empty() {
                streams.remove(n);
                lanes.swap(n, streams.count());
            }
        }
    }
    wipe(&mut scratch);
}

/// XORs masks into four lanes, as long as each has four groups more; moves these on, and returns the masks that
/// are left.
fn xor_square<'m>(lanes: &mut [&mut [u8]; 4], masks: &'m [[u8; GROUP]]) -> &'m [[u8; GROUP]] {
    let least = lanes.iter().map(|rest| rest.len()).min().unwrap_or(0) / (4 * GROUP);
    let (now, behind) = masks.split_at(16 * least.min(masks.len() / 16));
    let len = now.len() / 4 * GROUP;
    let [a, b, c, d] = lanes.each_mut().map(|rest| {
        let (now, behind) = core::mem::take(rest).split_at_mut(len);
        *rest = behind;
        now.as_chunks_mut().0.as_chunks_mut().0
    });
    cpu::widely(Square { lanes: [a, b, c, d], masks: now.as_chunks().0.as_chunks().0 });
    behind
}

/// XORs masks into four lanes: of each square the first row is the first group of every lane.
struct Square<'a> {
    lanes: [&'a mut [Four]; 4],
    masks: &'a [[Four; 4]],
}

impl Work for Square<'_> {
    #[inline(always)]
    fn run(self, vectors: impl Vectors) {
        let [a, b, c, d] = self.lanes;
        let lanes = a.iter_mut().zip(b).zip(c).zip(d);
        for ((((a, b), c), d), masks) in lanes.zip(self.masks) {
            let columns = vectors.turn(*masks);
            for (groups, masks) in [a, b, c, d].into_iter().zip(&columns) {
                Xor { blocks: groups, masks }.run(vectors);
            }
        }
    }
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
