//! Many records in one call, a key each.

use crate::code::{Code, answer};
use crate::memory::{slice, slice_mut};
use crate::names::{self, CBC, CTR, ECB};
use core::ffi::{c_char, c_int};
use library::batch::{Batch, Flat, Keys, Outcome, Record, Span};
use library::{Error, Padding};
use zeroize::Zeroizing;

/// `cl_batch`.
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

impl CRecord {
    fn set(&mut self, outcome: Outcome) {
        (self.result_len, self.error) = split(outcome);
    }
}

fn split(outcome: Outcome) -> (usize, c_int) {
    match outcome {
        Ok(len) => (len, 0),
        Err(error) => (0, Code::from(error) as c_int),
    }
}

/// A list with room for `count` values.
fn list<T>(count: usize) -> Result<Vec<T>, Code> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| Code::Memory)?;
    Ok(list)
}

/// Whether records' data have bytes in common; `places` are their starts and lengths.
fn overlap(mut places: Vec<(usize, usize)>) -> bool {
    places.retain(|(_, len)| *len > 0);
    if !places.is_sorted() {
        places.sort_unstable();
    }
    places.windows(2).any(|pair| pair[0].0 + pair[0].1 > pair[1].0)
}

fn run(batch: Option<&CBatch>, records: &mut [CRecord], way: Way) -> Result<(), Code> {
    let batch = batch.ok_or(Code::Null)?.read()?;
    // Keys and IVs are copied, so that they may lie anywhere, also within records.
    let lens = |record: &CRecord| (record.key_len.min(LONGEST), record.iv_len.min(LONGEST));
    let bytes = records.iter().map(lens).map(|(key, iv)| key + iv).sum();
    let mut secrets = Zeroizing::new(list::<u8>(bytes)?);
    let mut places = list(records.len())?;
    for record in &*records {
        let (key_len, iv_len) = lens(record);
        // SAFETY: the header asks for so many bytes of each.
        secrets.extend_from_slice(unsafe { slice(record.key, key_len) }?);
        // SAFETY: the same.
        secrets.extend_from_slice(unsafe { slice(record.iv, iv_len) }?);
        // SAFETY: the header asks for `room` bytes; the slice is gone before the next is made.
        let data = unsafe { slice_mut(record.data, record.room) }?;
        places.push((data.as_ptr().addr(), data.len()));
    }
    if overlap(places) {
        return Err(Code::Overlap);
    }
    let mut rest = secrets.as_slice();
    let mut ours: Vec<Record<'_>> = list(records.len())?;
    for record in &*records {
        let (key_len, iv_len) = lens(record);
        let (key, behind) = rest.split_at(key_len);
        let (iv, behind) = behind.split_at(iv_len);
        rest = behind;
        // SAFETY: the header asks for `room` bytes; they overlap with those of no other record.
        let data = unsafe { slice_mut(record.data, record.room) }?;
        ours.push(Record { key, iv, data, len: record.len });
    }
    let mut outcomes = list(records.len())?;
    outcomes.resize(records.len(), Ok(0));
    match way {
        Way::There => batch.encrypt(&mut ours, &mut outcomes)?,
        Way::Back => batch.decrypt(&mut ours, &mut outcomes)?,
    }
    records.iter_mut().zip(outcomes).for_each(|(record, outcome)| record.set(outcome));
    Ok(())
}

/// # Safety
/// As the header says of `cl_batch_encrypt`.
unsafe fn run_records(
    batch: Option<&CBatch>,
    records: *mut CRecord,
    count: usize,
    way: Way,
) -> c_int {
    // SAFETY: the header asks for `count` records.
    answer(|| run(batch, unsafe { slice_mut(records, count) }?, way))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_batch_encrypt(
    batch: Option<&CBatch>,
    records: *mut CRecord,
    count: usize,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { run_records(batch, records, count, Way::There) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_batch_decrypt(
    batch: Option<&CBatch>,
    records: *mut CRecord,
    count: usize,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { run_records(batch, records, count, Way::Back) }
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
unsafe fn run_flat(batch: Option<&CBatch>, flat: Option<&CFlat>, way: Way) -> c_int {
    answer(|| {
        let batch = batch.ok_or(Code::Null)?.read()?;
        let flat = flat.ok_or(Code::Null)?;
        let keys_len = flat.key_len.checked_mul(flat.key_count).ok_or(Code::Length)?;
        // SAFETY: the header asks for so many bytes, of which the data are nobody else's, and for
        // `count` spans.
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
        let mut ours = list(spans.len())?;
        let span = |span: &CSpan| Span { offset: span.offset, len: span.len, room: span.room };
        ours.extend(spans.iter().map(span));
        let mut outcomes: Vec<Result<usize, Error>> = list(spans.len())?;
        outcomes.resize(spans.len(), Ok(0));
        let flat = Flat { keys, ivs, data, spans: &ours };
        match way {
            Way::There => batch.encrypt_flat(flat, &mut outcomes)?,
            Way::Back => batch.decrypt_flat(flat, &mut outcomes)?,
        }
        for (span, outcome) in spans.iter_mut().zip(outcomes) {
            (span.result_len, span.error) = split(outcome);
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_batch_encrypt_flat(batch: Option<&CBatch>, flat: Option<&CFlat>) -> c_int {
    // SAFETY: as the header says.
    unsafe { run_flat(batch, flat, Way::There) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_batch_decrypt_flat(batch: Option<&CBatch>, flat: Option<&CFlat>) -> c_int {
    // SAFETY: as the header says.
    unsafe { run_flat(batch, flat, Way::Back) }
}
