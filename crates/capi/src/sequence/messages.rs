//! Whole messages and messages in pieces, judged by the specification.

use super::super::code::Code;
use super::face::*;
use super::keys::{Keys, Known};
use super::memory::{Expected, Memory, Part, code, judge};
use cipherloom_testkit::fuzz::Input;
use cipherloom_testkit::oracle::{Case, Kind, PADDINGS, SpecKey};
use core::ffi::c_int;
use library::{Algorithm, Padding};

/// The header's number of a padding.
pub(super) fn padding(padding: Padding) -> c_int {
    match padding {
        Padding::None => 0,
        Padding::Pkcs7 => 1,
        Padding::Iso7816 => 2,
        Padding::Zero => 3,
    }
}

/// What to do, and that as C has it.
fn case(input: &mut Input<'_>) -> (Case, CMode) {
    let (kind, pads, iv) = (input.choose(&Kind::ALL), input.choose(&PADDINGS), input.array());
    let number = Kind::ALL.iter().position(|other| *other == kind).expect("one of all");
    let number = c_int::try_from(number).expect("there are ten") + 1;
    (Case { kind, iv, padding: pads }, CMode { mode: number, padding: padding(pads), iv })
}

/// # Errors
/// [`Code::Argument`] for a padding where the mode has none.
fn known(case: Case) -> Expected<()> {
    if case.kind.pads() || case.padding == Padding::None { Ok(()) } else { Err(Code::Argument) }
}

/// As much as the specification can do in a moment.
fn bounded(kind: Kind, part: Part) -> Part {
    let most = match kind {
        Kind::Cfb1 => 20,
        Kind::Cfb8 => 150,
        _ => 1024,
    };
    Part { len: part.len.min(most), ..part }
}

/// Input and output: the same place, apart, or an error.
pub(super) fn may_be(from: Part, to: Part) -> Expected<()> {
    match () {
        () if from.len > 0 && from.at == to.at && from.len > to.len => Err(Code::OutputTooSmall),
        () if from.at != to.at && from.overlaps(to) => Err(Code::Overlap),
        () => Ok(()),
    }
}

fn spec(case: Case, key: &SpecKey, encrypts: bool, data: &[u8]) -> Expected<Vec<u8>> {
    code(if encrypts { case.encrypt(key, data) } else { case.decrypt(key, data) })
}

/// A whole message, blocks, or bits.
pub(super) fn whole(keys: &Keys, input: &mut Input<'_>, memory: &mut Memory) {
    let key = keys.pick(input);
    let shape = input.byte();
    if shape & 7 == 0 {
        return blocks(key, shape & 8 != 0, input, memory);
    }
    let (case, mode) = case(input);
    let from = bounded(case.kind, memory.part(input));
    let mut to = memory.part(input);
    if shape & 8 != 0 {
        // In place, with room for a padding.
        to = Part { at: from.at, len: (from.len + 16).min(4096 - from.at) };
    }
    let encrypts = shape & 0x10 != 0;
    if shape & 7 == 1 {
        return bits(key, case, &mode, from, memory);
    }
    let result = spec(case, &key.spec(), encrypts, memory.get(from));
    let needs = match &result {
        Ok(result) if encrypts => result.len(),
        _ => from.len,
    };
    let fits = if needs > to.len { Err(Code::OutputTooSmall) } else { Ok(()) };
    let before = known(case).and_then(|()| may_be(from, to));
    let mut len = 77;
    let crypt: Crypt = if encrypts { cl_encrypt } else { cl_decrypt };
    let (start, end) = (memory.place(from), memory.place(to));
    // SAFETY: both parts are memory.
    let got = unsafe { crypt(key.handle, &mode, start, from.len, end, to.len, &raw mut len) };
    let what = (case, encrypts, from, to);
    // Of two errors either may be told.
    let expected = before.and_then(|()| match (result, fits) {
        (Err(_), Err(small)) if got == small as c_int => Err(small),
        (Err(error), _) => Err(error),
        (Ok(result), fits) => fits.map(|()| result),
    });
    judge(got, &expected, &what);
    match &expected {
        Ok(result) => {
            assert_eq!(len, result.len(), "{what:?}");
            if !encrypts {
                // Behind the message stays what was its padding.
                let left = memory.may_have(Part { at: to.at, len: from.len }, &what);
                assert_eq!(&left[..len], result, "{what:?}");
            } else {
                memory.must_have(to.at, result, &what);
                let mut told = 77;
                // SAFETY: a place.
                assert_eq!(unsafe { cl_encrypted_len(&mode, from.len, &raw mut told) }, 0);
                assert_eq!(told, len, "{what:?}");
            }
        }
        Err(error) => {
            assert_eq!(len, 0, "{what:?}");
            let lost = if *error == Code::Padding { from.len } else { 0 };
            memory.may_have(Part { at: to.at, len: lost }, &what);
        }
    }
}

fn blocks(key: &Known, encrypts: bool, input: &mut Input<'_>, memory: &mut Memory) {
    let part = memory.part(input);
    let part = Part { len: part.len / 8 * 8, ..part };
    let ecb = Case { kind: Kind::Ecb, iv: [0; 8], padding: Padding::None };
    let expected = spec(ecb, &key.spec(), encrypts, memory.get(part)).expect("whole blocks");
    let place = memory.place(part);
    // SAFETY: the part is memory.
    let got = unsafe {
        if encrypts {
            cl_encrypt_blocks(key.handle, place, part.len / 8)
        } else {
            cl_decrypt_blocks(key.handle, place, part.len / 8)
        }
    };
    assert_eq!(got, 0);
    memory.must_have(part.at, &expected, &(part, encrypts));
}

/// Of whole bytes, where the specification has CFB-1.
fn bits(key: &Known, case: Case, mode: &CMode, part: Part, memory: &mut Memory) {
    let expected = known(case).and_then(|()| match case.kind {
        Kind::Cfb1 => spec(case, &key.spec(), true, memory.get(part)),
        _ => Err(Code::Mode),
    });
    let place = memory.place(part);
    // SAFETY: the part is memory.
    let got = unsafe { cl_encrypt_bits(key.handle, mode, place, 8 * part.len) };
    judge(got, &expected, &case);
    memory.must_have(part.at, expected.as_deref().unwrap_or_default(), &case);
}

/// A message in pieces, and all that came and went.
struct Message {
    handle: Handle,
    case: Case,
    encrypts: bool,
    algorithm: Algorithm,
    key: Vec<u8>,
    taken: Vec<u8>,
    given: Vec<u8>,
    is_finished: bool,
}

impl Drop for Message {
    fn drop(&mut self) {
        // SAFETY: a handle that was made and not yet freed.
        unsafe { cl_message_free(self.handle) }
    }
}

/// Those in progress.
#[derive(Default)]
pub(super) struct Messages(Vec<Message>);

impl Messages {
    pub(super) fn step(&mut self, keys: &Keys, input: &mut Input<'_>, memory: &mut Memory) {
        let shape = input.byte();
        let n = usize::from(shape >> 4) % self.0.len().max(1);
        match (shape % 8, self.0.get_mut(n)) {
            (0, _) | (_, None) => self.begin(keys, input),
            (1, Some(_)) => drop(self.0.remove(n)),
            (2 | 3, Some(message)) => message.finish(input, memory),
            (_, Some(message)) => message.update(input, memory),
        }
    }

    fn begin(&mut self, keys: &Keys, input: &mut Input<'_>) {
        let (key, encrypts, (case, mode)) = (keys.pick(input), input.byte() & 1 != 0, case(input));
        let new = if encrypts { cl_encryptor_new } else { cl_decryptor_new };
        let mut handle = key.handle;
        // SAFETY: a place, a key and a mode.
        let got = unsafe { new(&raw mut handle, key.handle, &mode) };
        judge(got, &known(case), &case);
        assert_eq!(handle.is_null(), got != 0, "{case:?}");
        if got == 0 {
            let (algorithm, key) = (key.algorithm, key.bytes().to_vec());
            let (taken, given) = (Vec::new(), Vec::new());
            let is_finished = false;
            self.0.push(Message {
                handle,
                case,
                encrypts,
                algorithm,
                key,
                taken,
                given,
                is_finished,
            });
            if self.0.len() > 3 {
                self.0.remove(0);
            }
        }
    }
}

impl Message {
    fn update(&mut self, input: &mut Input<'_>, memory: &mut Memory) {
        let from = bounded(self.case.kind, memory.part(input));
        let mut to = memory.part(input);
        if input.byte() & 3 == 0 {
            to.at = from.at.min(4096 - to.len);
        }
        if self.taken.len() + from.len > bounded(self.case.kind, Part { at: 0, len: 4096 }).len {
            return;
        }
        let what = (self.case, self.encrypts, from, to, self.taken.len());
        let mut told = 77;
        // SAFETY: a message and a place.
        let got = unsafe { cl_message_update_len(self.handle, from.len, &raw mut told) };
        let finished = if self.is_finished { Err(Code::Finished) } else { Ok(()) };
        judge(got, &finished, &what);
        assert!(told <= if self.is_finished { 0 } else { from.len + 8 }, "{what:?}");
        let mut expected = may_be(from, to).and(finished);
        if expected.is_ok() && told > to.len {
            expected = Err(Code::OutputTooSmall);
        }
        let data = memory.get(from).to_vec();
        let mut len = 77;
        let (start, end) = (memory.place(from), memory.place(to));
        // SAFETY: both parts are memory.
        let got =
            unsafe { cl_message_update(self.handle, start, from.len, end, to.len, &raw mut len) };
        judge(got, &expected, &what);
        assert_eq!(len, if got == 0 { told } else { 0 }, "{what:?}");
        let given = memory.may_have(Part { at: to.at, len }, &what);
        if got == 0 {
            self.given.extend(given);
            self.taken.extend(data);
        }
    }

    /// Now the specification can say what all of it must have been.
    fn finish(&mut self, input: &mut Input<'_>, memory: &mut Memory) {
        let room = memory.part_of(input, usize::from(input.0.first().map_or(16, |n| n % 20)));
        let key = SpecKey::new(self.algorithm, &self.key);
        let whole = spec(self.case, &key, self.encrypts, &self.taken);
        let what = (self.case, self.encrypts, self.taken.len(), room);
        let expected = match (self.is_finished, whole) {
            (true, _) => Err(Code::Finished),
            (false, Ok(whole)) => {
                let rest = whole.strip_prefix(&self.given[..]);
                let rest = rest.unwrap_or_else(|| panic!("pieces differ from the whole: {what:?}"));
                if rest.len() > room.len { Err(Code::OutputTooSmall) } else { Ok(rest.to_vec()) }
            }
            (false, Err(error)) => Err(error),
        };
        let mut len = 77;
        let place = memory.place(room);
        // SAFETY: the room is memory.
        let got = unsafe { cl_message_finish(self.handle, place, room.len, &raw mut len) };
        judge(got, &expected, &what);
        self.is_finished |= expected != Err(Code::OutputTooSmall);
        let rest = expected.unwrap_or_default();
        assert_eq!(len, rest.len(), "{what:?}");
        memory.must_have(room.at, &rest, &what);
    }
}
