//! RC4 streams, judged by the specification.

use super::super::code::Code;
use super::face::*;
use super::memory::{Memory, judge};
use cipherloom_spec::rc4::Rc4;
use cipherloom_testkit::fuzz::Input;

/// A stream, and what it must be.
struct Stream(Handle, Rc4);

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: a handle that was made and not yet freed.
        unsafe { cl_rc4_free(self.0) }
    }
}

/// Those in progress.
#[derive(Default)]
pub(super) struct Streams(Vec<Stream>);

impl Streams {
    pub(super) fn step(&mut self, input: &mut Input<'_>, memory: &mut Memory) {
        let shape = input.byte();
        let n = usize::from(shape >> 4) % self.0.len().max(1);
        match (shape % 8, self.0.get_mut(n)) {
            (0, _) | (_, None) => self.begin(input, memory),
            (1, Some(_)) => drop(self.0.remove(n)),
            (2, Some(Stream(handle, spec))) => {
                let count = input.number() % 3000;
                spec.drop_n(count);
                // SAFETY: a stream.
                assert_eq!(unsafe { cl_rc4_skip(*handle, count as u64) }, 0);
            }
            (_, Some(stream)) => stream.apply(input, memory),
        }
    }

    fn begin(&mut self, input: &mut Input<'_>, memory: &mut Memory) {
        let part = memory.part(input);
        let policy = i32::from(input.byte() & 15 == 0);
        let expected = if (1..=256).contains(&part.len) { Ok(()) } else { Err(Code::KeyLength) };
        let mut handle = core::ptr::dangling_mut();
        let key = memory.place(part);
        // SAFETY: a place, and a part of memory.
        let got = unsafe { cl_rc4_new(&raw mut handle, key, part.len, policy) };
        judge(got, &expected, &part);
        assert_eq!(handle.is_null(), got != 0);
        if got == 0 {
            self.0.push(Stream(handle, Rc4::new(memory.get(part))));
            if self.0.len() > 3 {
                self.0.remove(0);
            }
        }
    }
}

impl Stream {
    fn apply(&mut self, input: &mut Input<'_>, memory: &mut Memory) {
        let from = memory.part(input);
        let mut to = memory.part_of(input, from.len);
        if input.byte() & 1 == 0 {
            to = from;
        }
        let (start, end) = (memory.place(from), memory.place(to));
        // SAFETY: both parts are memory.
        let got = unsafe { cl_rc4_apply(self.0, start, from.len, end) };
        let expected = super::messages::may_be(from, to).map(|()| self.1.crypt(memory.get(from)));
        judge(got, &expected, &(from, to));
        memory.must_have(to.at, expected.as_deref().unwrap_or_default(), &(from, to));
    }
}
