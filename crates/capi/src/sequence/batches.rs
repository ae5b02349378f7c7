//! Batches, judged by the library's own, which `batch_equals_single` judges.

use super::super::code::Code;
use super::face::*;
use super::keys::number;
use super::memory::{Memory, Part, code, judge};
use super::messages::padding;
use cipherloom_testkit::fuzz::Input;
use cipherloom_testkit::oracle::PADDINGS;
use core::ffi::c_int;
use library::batch::{Batch, Flat, Keys, Outcome, Record, Span};
use library::{Algorithm, Padding, Policy};

/// What to do with every record.
struct Work {
    ours: Batch,
    c: CBatch,
    encrypts: bool,
    key_len: usize,
    iv_len: usize,
}

fn work(input: &mut Input<'_>) -> Work {
    let (shape, algorithm, pads) =
        (input.byte(), input.choose(&Algorithm::ALL), input.choose(&PADDINGS));
    let policy = if shape & 0x40 == 0 { Policy::Fastest } else { Policy::ConstantTime };
    let (ours, cipher, mode, padding, iv_len) = match shape & 3 {
        0 => (Batch::ecb(algorithm, pads), number(algorithm), 1, padding(pads), 0),
        1 => (Batch::cbc(algorithm, pads), number(algorithm), 2, padding(pads), 8),
        2 => (Batch::ctr(algorithm), number(algorithm), 10, padding(Padding::None), 8),
        _ => (Batch::rc4(), 7, 0, padding(Padding::None), 0),
    };
    let key_len = if cipher == 7 { usize::from(shape >> 2 & 7) + 1 } else { algorithm.key_len() };
    let c = CBatch { cipher, mode, padding, policy: policy as c_int, backend: core::ptr::null() };
    Work { ours: ours.with_policy(policy), c, encrypts: shape & 0x80 != 0, key_len, iv_len }
}

fn judge_one(len: usize, error: c_int, outcome: Outcome, what: &dyn core::fmt::Debug) {
    judge(error, &code(outcome), what);
    assert_eq!(len, outcome.unwrap_or(0), "{what:?}");
}

/// Records with parts of their own.
pub(super) fn records(input: &mut Input<'_>, memory: &mut Memory) {
    let work = work(input);
    let count = usize::from(input.byte() % 12);
    let mut places = Vec::new();
    for _ in 0..count {
        let wrong = input.byte();
        let key = memory.part_of(input, work.key_len + usize::from(wrong == 1));
        let iv = memory.part_of(input, work.iv_len + usize::from(wrong == 2));
        let room = usize::from(input.byte() % 60);
        let data = memory.part_of(input, room);
        let data = Part { at: (data.at * 37 + 60 * places.len()) % (4096 - room), ..data };
        let short = room - usize::from(input.byte() % 9).min(room);
        let len = match wrong {
            3 => room + 1,
            _ if wrong & 8 == 0 => short,
            _ => short / 8 * 8,
        };
        places.push((key, iv, data, len));
    }
    let mut c: Vec<CRecord> = places
        .iter()
        .map(|&(key, iv, data, len)| CRecord {
            key: memory.place(key),
            key_len: key.len,
            iv: memory.place(iv),
            iv_len: iv.len,
            data: memory.place(data),
            len,
            room: data.len,
            result_len: 77,
            error: 77,
        })
        .collect();
    let bytes = |part: Part| memory.get(part).to_vec();
    let mut copies: Vec<[Vec<u8>; 3]> =
        places.iter().map(|&(key, iv, data, _)| [key, iv, data].map(bytes)).collect();
    let clash = (0..count).any(|n| (0..n).any(|m| places[n].2.overlaps(places[m].2)));
    let mut ours: Vec<Record<'_>> = copies
        .iter_mut()
        .zip(&places)
        .map(|([key, iv, data], &(.., len))| Record { key, iv, data, len })
        .collect();
    let mut outcomes = vec![Ok(0); count];
    let expected = match clash {
        true => Err(Code::Overlap),
        false if work.encrypts => code(work.ours.encrypt(&mut ours, &mut outcomes)),
        false => code(work.ours.decrypt(&mut ours, &mut outcomes)),
    };
    let run = if work.encrypts { cl_batch_encrypt } else { cl_batch_decrypt };
    // SAFETY: a batch, and records whose parts are memory.
    let got = unsafe { run(&work.c, c.as_mut_ptr(), count) };
    judge(got, &expected, &places);
    let mut whole = memory.get(Part { at: 0, len: 4096 }).to_vec();
    for (n, record) in c.iter().enumerate() {
        if expected.is_err() {
            assert_eq!((record.result_len, record.error), (77, 77), "{places:?}");
            continue;
        }
        judge_one(record.result_len, record.error, outcomes[n], &(n, &places));
        let (.., data, _) = places[n];
        whole[data.at..][..data.len].copy_from_slice(&copies[n][2]);
    }
    memory.must_have(0, &whole, &places);
}

/// Records in flat buffers, which may meet each other.
pub(super) fn flat(input: &mut Input<'_>, memory: &mut Memory) {
    let work = work(input);
    let (shape, count) = (input.byte(), usize::from(input.byte() % 20));
    let key_count = if shape & 1 == 0 { 1 } else { count + usize::from(shape & 0x0e == 2) };
    let keys = memory.part_of(input, work.key_len * key_count);
    let key_count = if work.key_len * key_count == keys.len { key_count } else { return };
    let ivs = memory.part_of(input, work.iv_len * count + usize::from(shape & 0x0e == 4));
    let mut data = memory.part(input);
    if shape & 0x10 != 0 {
        data = Part { at: 2048, len: 2048 };
    }
    let mut at = 0;
    let spans: Vec<Span> = (0..count)
        .map(|_| {
            let (len, more, gap) = (input.byte() % 48, input.byte() % 17, input.byte() % 9);
            let len = usize::from(if more & 1 == 0 { len / 8 * 8 } else { len });
            let span = Span { offset: at + usize::from(gap), len, room: len + usize::from(more) };
            at = (at + span.room + 4).saturating_sub(usize::from(gap == 8) * 10);
            span
        })
        .collect();
    let mut c: Vec<CSpan> = spans
        .iter()
        .map(|&Span { offset, len, room }| CSpan { offset, len, room, result_len: 77, error: 77 })
        .collect();
    let flat = CFlat {
        keys: memory.place(keys),
        key_len: work.key_len,
        key_count,
        ivs: memory.place(ivs),
        ivs_len: ivs.len,
        data: memory.place(data),
        data_len: data.len,
        spans: c.as_mut_ptr(),
        count,
    };
    let (own_keys, own_ivs) = (memory.get(keys).to_vec(), memory.get(ivs).to_vec());
    let mut own = memory.get(data).to_vec();
    let mut outcomes = vec![Ok(0); count];
    let expected = if data.overlaps(keys) || data.overlaps(ivs) {
        Err(Code::Overlap)
    } else if key_count != 1 && key_count != count {
        Err(Code::Count)
    } else {
        let keys = if key_count == 1 { Keys::One(&own_keys) } else { Keys::Each(&own_keys) };
        let flat = Flat { keys, ivs: &own_ivs, data: &mut own, spans: &spans };
        code(match work.encrypts {
            true => work.ours.encrypt_flat(flat, &mut outcomes),
            false => work.ours.decrypt_flat(flat, &mut outcomes),
        })
    };
    let run = if work.encrypts { cl_batch_encrypt_flat } else { cl_batch_decrypt_flat };
    // SAFETY: a batch, and buffers that are memory or lists.
    let got = unsafe { run(&work.c, &flat) };
    let what = (keys, ivs, data, &spans);
    judge(got, &expected, &what);
    for (span, outcome) in c.iter().zip(outcomes) {
        match expected {
            Ok(()) => judge_one(span.result_len, span.error, outcome, &what),
            Err(_) => assert_eq!((span.result_len, span.error), (77, 77), "{what:?}"),
        }
    }
    memory.must_have(data.at, if expected.is_ok() { &own } else { &[] }, &what);
}
