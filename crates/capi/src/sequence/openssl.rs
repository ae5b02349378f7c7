//! The functions of OpenSSL, judged by the specification. Input and output may overlap in any way:
//! the result is that of an input that was copied before.

use super::face::*;
use super::memory::{Memory, Part};
use cipherloom_spec::rc4::Rc4;
use cipherloom_testkit::fuzz::Input;
use cipherloom_testkit::oracle::{Case, Kind, SpecKey};
use core::ffi::{c_int, c_long};
use library::{Algorithm, BlockKey, KeyFault, Padding, Parity};

pub(super) fn step(input: &mut Input<'_>, memory: &mut Memory) {
    match input.byte() % 4 {
        0 => key(input),
        1 => rc4(input, memory),
        _ => message(input, memory),
    }
}

/// Checks of a key.
fn key(input: &mut Input<'_>) {
    let key: [u8; 8] = input.array();
    let fault = |parity| BlockKey::fault(Algorithm::Des, &key, parity).expect("8 bytes");
    let is_odd = key.iter().all(|byte| byte.count_ones() % 2 == 1);
    let is_listed = matches!(fault(Parity::Ignore), Some(KeyFault::Weak | KeyFault::SemiWeak));
    assert_eq!(fault(Parity::Odd).is_some(), is_listed || !is_odd, "{key:x?}");
    let mut schedules = [[7; 32]; 2];
    let [checked, unchecked] = &mut schedules;
    // SAFETY: eight bytes, and schedules.
    unsafe {
        assert_eq!(cl_DES_check_key_parity(key.as_ptr()), c_int::from(is_odd), "{key:x?}");
        assert_eq!(cl_DES_is_weak_key(key.as_ptr()), c_int::from(is_odd && is_listed), "{key:x?}");
        let expected = if !is_odd { -1 } else { -2 * c_int::from(is_listed) };
        assert_eq!(cl_DES_set_key_checked(key.as_ptr(), checked), expected, "{key:x?}");
        cl_DES_set_key_unchecked(key.as_ptr(), unchecked);
        assert_eq!(schedules[0] == schedules[1], expected == 0, "{key:x?}");
    }
}

fn rc4(input: &mut Input<'_>, memory: &mut Memory) {
    let (part, mut state) = (memory.part(input), [0; 258]);
    let len = c_int::try_from(part.len).expect("memory is small");
    if len == 0 {
        return;
    }
    let mut spec = Rc4::new(&memory.get(part)[..part.len.min(256)]);
    // SAFETY: a state, and a part of memory.
    unsafe { cl_RC4_set_key(&raw mut state, len, memory.place(part)) };
    for _ in 0..3 {
        let from = memory.part(input);
        let to = memory.part_of(input, from.len);
        let expected = spec.crypt(memory.get(from));
        let (start, end) = (memory.place(from), memory.place(to));
        // SAFETY: a state, and parts of memory.
        unsafe { cl_RC4(&raw mut state, from.len, start, end) };
        memory.must_have(to.at, &expected, &(from, to));
    }
}

/// Messages in modes that the specification has, too, with what OpenSSL does at their end.
fn message(input: &mut Input<'_>, memory: &mut Memory) {
    let (shape, bytes, iv) = (input.byte(), input.bytes(24), input.array::<8>());
    let encrypts = shape & 1 != 0;
    let three = shape & 2 != 0;
    let spec = match three {
        true => SpecKey::new(Algorithm::TdesEde3, &bytes),
        false => SpecKey::new(Algorithm::Des, &bytes[..8]),
    };
    let kind = match shape >> 2 & 3 {
        _ if three => Kind::Cbc,
        0 => Kind::Cfb64,
        1 => Kind::Ofb,
        _ => Kind::Cbc,
    };
    let from = memory.part(input);
    // CBC works on whole blocks: it reads or writes all of the last one.
    let whole = if kind == Kind::Cbc { from.len.next_multiple_of(8) } else { from.len };
    let mut to = memory.part_of(input, whole);
    if shape & 0x40 != 0 {
        to.at = from.at.min(4096 - whole);
    }
    let source = Part { at: from.at.min(4096 - whole), len: whole };
    let from = Part { at: source.at, ..from };
    let mut data = memory.get(source).to_vec();
    if encrypts {
        data[from.len..].fill(0);
    }
    let case = Case { kind, iv, padding: Padding::None };
    let mut expected = match encrypts {
        true => case.encrypt(&spec, &data),
        false => case.decrypt(&spec, &data),
    }
    .expect("whole blocks");
    if !encrypts {
        expected.truncate(from.len);
    }
    let ciphertext = if encrypts { &expected } else { &data };
    let last = ciphertext.last_chunk().copied().unwrap_or(iv);
    let mut schedules = [[0; 32]; 3];
    for (schedule, key) in schedules.iter_mut().zip(bytes.as_chunks::<8>().0) {
        // SAFETY: eight bytes and a schedule.
        unsafe { cl_DES_set_key_unchecked(key.as_ptr(), schedule) };
    }
    let [ks1, ks2, ks3] = &schedules;
    let (mut ivec, mut num) = (iv, 0);
    let (start, end, ivec_place) = (memory.place(source), memory.place(to), ivec.as_mut_ptr());
    let len = from.len as c_long;
    let enc = c_int::from(encrypts);
    // SAFETY: parts of memory, schedules, an IV and a number.
    unsafe {
        match kind {
            Kind::Cfb64 => {
                cl_DES_cfb64_encrypt(start, end, len, ks1, ivec_place, &raw mut num, enc);
            }
            Kind::Ofb => cl_DES_ofb64_encrypt(start, end, len, ks1, ivec_place, &raw mut num),
            _ if three => {
                cl_DES_ede3_cbc_encrypt(start, end, len, ks1, ks2, ks3, ivec_place, enc);
            }
            _ => cl_DES_ncbc_encrypt(start, end, len, ks1, ivec_place, enc),
        }
    }
    let what = (kind, encrypts, from, to);
    memory.must_have(to.at, &expected, &what);
    match kind {
        Kind::Cbc => assert_eq!(ivec, last, "{what:?}"),
        _ => assert_eq!(num, (from.len % 8) as c_int, "{what:?}"),
    }
}
