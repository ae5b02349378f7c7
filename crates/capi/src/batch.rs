//! Many records in one call, a key each.

use super::code::{Code, answer};
use super::memory::{Region, apart, copied, region, slice, slice_mut};
use super::names::{self, CBC, CTR, ECB};
use core::ffi::{c_char, c_int};
use library::batch::{Batch, Flat, Keys, Outcome, Record, Span};
use library::{Error, Padding};
use zeroize::Zeroizing;

/// `cl_batch`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct CBatch {
    cipher: c_int,
    mode: c_int,
    padding: c_int,
    policy: c_int,
    backend: *const c_char,
}

impl CBatch {
    fn read(&self) -> Result<Batch, Code> {
        let padding = names::padding(self.padding)?;
        let batch = match (names::rc4(self.cipher), self.mode, padding) {
            (Ok(()), 0, Padding::None) => Batch::rc4(),
            (Ok(()), ..) => return Err(Code::Argument),
            (_, ECB, _) => Batch::ecb(names::algorithm(self.cipher)?, padding),
            (_, CBC, _) => Batch::cbc(names::algorithm(self.cipher)?, padding),
            (_, CTR, Padding::None) => Batch::ctr(names::algorithm(self.cipher)?),
            _ => return Err(Code::Argument),
        };
        let batch = batch.with_policy(names::policy(self.policy)?);
        if self.backend.is_null() {
            return Ok(batch);
        }
        // SAFETY: the header asks for a string.
        Ok(batch.with_backend(unsafe { names::backend(self.backend) }?)?)
    }
}

/// Which way a batch goes.
#[derive(Clone, Copy)]
enum Way {
    There,
    Back,
}

/// `cl_record`.
#[repr(C)]
pub(crate) struct CRecord {
    key: *const u8,
    key_len: usize,
    iv: *const u8,
    iv_len: usize,
    data: *mut u8,
    len: usize,
    room: usize,
    result_len: usize,
    error: c_int,
}

/// The longest key or IV that can be right, and one byte more, so that a longer one is wrong.
const LONGEST: usize = library::Rc4::MAX_KEY_LEN + 1;

/// A length and a code. (By reference: a copy is made in pieces that a load of the length waits for, and
/// so a right padding took longer than a wrong one.)
fn split(outcome: &Outcome) -> (usize, c_int) {
    match outcome {
        Ok(len) => (*len, 0),
        Err(Error::Padding) => (0, Code::Padding as c_int),
        Err(error) => (0, Code::from(*error) as c_int),
    }
}

/// A list with room for `count` values.
fn list<T>(count: usize) -> Result<Vec<T>, Code> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| Code::Memory)?;
    Ok(list)
}

/// # Errors
/// [`Code::Overlap`] if two of these have a byte in common.
fn all_apart(mut regions: Vec<Region>) -> Result<(), Code> {
    regions.retain(|(_, bytes)| *bytes > 0);
    if !regions.is_sorted() {
        regions.sort_unstable();
    }
    regions.windows(2).try_for_each(|pair| apart(pair[0], pair[1]))
}

/// # Safety
/// As the header says of `cl_batch_encrypt`.
unsafe fn run_records(
    batch: *const CBatch,
    records: *mut CRecord,
    count: usize,
    way: Way,
) -> Result<(), Code> {
    // SAFETY: the header asks for a batch and for `count` records, which nothing writes until they
    // get their results.
    let (batch, given) = unsafe { (copied(batch)?.read()?, slice(records, count)?) };
    // Keys and IVs are copied, so that they may lie anywhere, also within records.
    let lens = |record: &CRecord| (record.key_len.min(LONGEST), record.iv_len.min(LONGEST));
    let bytes = given.iter().map(lens).map(|(key, iv)| key + iv).sum();
    let mut secrets = Zeroizing::new(list::<u8>(bytes)?);
    let mut regions = list(count + 1)?;
    regions.push(region(records, count)?);
    for record in given {
        let (key_len, iv_len) = lens(record);
        // SAFETY: the header asks for so many bytes of each.
        secrets.extend_from_slice(unsafe { slice(record.key, key_len) }?);
        // SAFETY: the same.
        secrets.extend_from_slice(unsafe { slice(record.iv, iv_len) }?);
        regions.push(region(record.data, record.room)?);
    }
    all_apart(regions)?;
    let mut rest = secrets.as_slice();
    let mut ours: Vec<Record<'_>> = list(count)?;
    for record in given {
        let (key_len, iv_len) = lens(record);
        let (key, behind) = rest.split_at(key_len);
        let (iv, behind) = behind.split_at(iv_len);
        rest = behind;
        // SAFETY: the header asks for `room` bytes; they are those of no other record, and not the
        // records themselves.
        let data = unsafe { slice_mut(record.data, record.room) }?;
        ours.push(Record { key, iv, data, len: record.len });
    }
    let mut outcomes = list(count)?;
    outcomes.resize(count, Ok(0));
    match way {
        Way::There => batch.encrypt(&mut ours, &mut outcomes)?,
        Way::Back => batch.decrypt(&mut ours, &mut outcomes)?,
    }
    // SAFETY: the header asks for `count` records; `given` is not used any more.
    let records = unsafe { slice_mut(records, count) }?;
    for (record, outcome) in records.iter_mut().zip(&outcomes) {
        (record.result_len, record.error) = split(outcome);
    }
    Ok(())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_batch_encrypt(
    batch: *const CBatch,
    records: *mut CRecord,
    count: usize,
) -> c_int {
    // SAFETY: as the header says.
    answer(|| unsafe { run_records(batch, records, count, Way::There) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_batch_decrypt(
    batch: *const CBatch,
    records: *mut CRecord,
    count: usize,
) -> c_int {
    // SAFETY: as the header says.
    answer(|| unsafe { run_records(batch, records, count, Way::Back) })
}

/// `cl_span`.
#[repr(C)]
pub(crate) struct CSpan {
    offset: usize,
    len: usize,
    room: usize,
    result_len: usize,
    error: c_int,
}

/// `cl_flat`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct CFlat {
    keys: *const u8,
    key_len: usize,
    key_count: usize,
    ivs: *const u8,
    ivs_len: usize,
    data: *mut u8,
    data_len: usize,
    spans: *mut CSpan,
    count: usize,
}

/// # Safety
/// As the header says of `cl_batch_encrypt_flat`.
unsafe fn run_flat(batch: *const CBatch, flat: *const CFlat, way: Way) -> Result<(), Code> {
    // SAFETY: the header asks for both.
    let (batch, flat) = unsafe { (copied(batch)?.read()?, copied(flat)?) };
    let keys_len = flat.key_len.checked_mul(flat.key_count).ok_or(Code::Length)?;
    let read = [region(flat.keys, keys_len)?, region(flat.ivs, flat.ivs_len)?];
    let [data, spans] = [region(flat.data, flat.data_len)?, region(flat.spans, flat.count)?];
    for other in read {
        apart(data, other)?;
        apart(spans, other)?;
    }
    apart(data, spans)?;
    // SAFETY: the header asks for so many bytes of each and for `count` spans. The data, which
    // alone are written until there are results, have nothing in common with the others.
    let (keys, ivs, data, spans) = unsafe {
        (
            slice(flat.keys, keys_len)?,
            slice(flat.ivs, flat.ivs_len)?,
            slice_mut(flat.data, flat.data_len)?,
            slice_mut(flat.spans, flat.count)?,
        )
    };
    let keys = match flat.key_count {
        1 => Keys::One(keys),
        n if n == spans.len() => Keys::Each(keys),
        _ => return Err(Code::Count),
    };
    let iv_len = ivs.len() / spans.len().max(1);
    if iv_len * spans.len() != ivs.len() {
        return Err(Code::Count);
    }
    let most = window(spans.len());
    let room = spans.len().min(most);
    let (mut ours, mut outcomes) = (list(room)?, list(room)?);
    let mut free = 0;
    for (n, window) in spans.chunks_mut(most).enumerate() {
        let records = n * most..n * most + window.len();
        let of = |len: usize| records.start * len..records.end * len;
        let keys = match keys {
            Keys::One(key) => Keys::One(key),
            Keys::Each(keys) => Keys::Each(&keys[of(flat.key_len)]),
        };
        // What begins in the place of one before these gets a place that there is not.
        let place = |offset| if offset < free { usize::MAX } else { offset };
        let span = |&CSpan { offset, len, room, .. }: &_| Span { offset: place(offset), len, room };
        ours.clear();
        ours.extend(window.iter().map(span));
        outcomes.clear();
        outcomes.resize(window.len(), Ok(0));
        let flat = Flat { keys, ivs: &ivs[of(iv_len)], data: &mut *data, spans: &ours };
        match way {
            Way::There => batch.encrypt_flat(flat, &mut outcomes)?,
            Way::Back => batch.decrypt_flat(flat, &mut outcomes)?,
        }
        for (span, outcome) in window.iter_mut().zip(&outcomes) {
            (span.result_len, span.error) = split(outcome);
            if span.error != Code::Overlap as c_int {
                free = span.offset + span.room;
            }
        }
    }
    Ok(())
}

/// How many of so many spans are copied and served at a time, a multiple of any kernel's lanes: so few that what is made
/// of them stays in a cache, and for a call of some thousands in memory that `malloc` does not take from the system
/// each time. An error of the call comes with the first of them, before anything has changed.
fn window(count: usize) -> usize {
    (count / 8).next_power_of_two().clamp(2048, 8192)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_batch_encrypt_flat(batch: *const CBatch, flat: *const CFlat) -> c_int {
    // SAFETY: as the header says.
    answer(|| unsafe { run_flat(batch, flat, Way::There) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_batch_decrypt_flat(batch: *const CBatch, flat: *const CFlat) -> c_int {
    // SAFETY: as the header says.
    answer(|| unsafe { run_flat(batch, flat, Way::Back) })
}
