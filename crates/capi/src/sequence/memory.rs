//! The memory of a program: one piece, in which every buffer lies somewhere.

use super::super::code::Code;
use cipherloom_testkit::fuzz::Input;
use core::ffi::c_int;
use library::Error;

/// Bytes of it: enough for a few bit-sliced kernels' groups.
const SIZE: usize = 4096;

/// A buffer in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) at: usize,
    pub(super) len: usize,
}

impl Part {
    pub(super) fn overlaps(self, other: Self) -> bool {
        let is_empty = self.len == 0 || other.len == 0;
        !is_empty && self.at < other.at + other.len && other.at < self.at + self.len
    }
}

/// Bytes, and what they were when they were last looked at.
pub(super) struct Memory {
    bytes: Vec<u8>,
    known: Vec<u8>,
}

impl Memory {
    pub(super) fn new(input: &mut Input<'_>) -> Self {
        let step = input.byte() | 1;
        let bytes: Vec<u8> =
            (0..SIZE).map(|n| (n as u8).wrapping_mul(step) ^ (n >> 5) as u8).collect();
        Self { known: bytes.clone(), bytes }
    }

    /// Somewhere, of any length: mostly short, now and then long.
    pub(super) fn part(&self, input: &mut Input<'_>) -> Part {
        let len = match input.byte() {
            long @ 0xf0.. => 64 * usize::from(long - 0xef),
            short => usize::from(short % 80),
        };
        self.part_of(input, len)
    }

    /// Somewhere, of this length; near the start as a rule, so that parts meet.
    pub(super) fn part_of(&self, input: &mut Input<'_>, len: usize) -> Part {
        let len = len.min(SIZE);
        let at = match input.byte() {
            far @ 0xc0.. => 48 * usize::from(far - 0xbf),
            near => usize::from(near),
        };
        Part { at: at.min(SIZE - len), len }
    }

    pub(super) fn get(&self, part: Part) -> &[u8] {
        &self.known[part.at..part.at + part.len]
    }

    /// What C would have: an address.
    pub(super) fn place(&mut self, part: Part) -> *mut u8 {
        self.bytes.as_mut_ptr().wrapping_add(part.at)
    }

    /// Writes what calls read.
    pub(super) fn set(&mut self, part: Part, bytes: &[u8]) {
        self.bytes[part.at..][..part.len].copy_from_slice(bytes);
        self.known[part.at..][..part.len].copy_from_slice(bytes);
    }

    /// A call has written this, and nothing else.
    pub(super) fn must_have(&mut self, at: usize, written: &[u8], what: &dyn core::fmt::Debug) {
        self.known[at..at + written.len()].copy_from_slice(written);
        if let Some(n) = self.bytes.iter().zip(&self.known).position(|(a, b)| a != b) {
            panic!("byte {n} is {:02x}, not {:02x}: {what:?}", self.bytes[n], self.known[n]);
        }
    }

    /// What a call left in a part is its own affair; the rest it has not touched.
    pub(super) fn may_have(&mut self, part: Part, what: &dyn core::fmt::Debug) -> Vec<u8> {
        let left = self.bytes[part.at..][..part.len].to_vec();
        self.must_have(part.at, &left, what);
        left
    }
}

/// The answer that must come: a number, and so many bytes.
pub(super) type Expected<T> = Result<T, Code>;

/// Judges a code.
pub(super) fn judge<T>(got: c_int, expected: &Expected<T>, what: &dyn core::fmt::Debug) {
    let wanted = expected.as_ref().map_or_else(|code| *code as c_int, |_| 0);
    assert_eq!(got, wanted, "{what:?}");
}

/// The code of an error of the library.
pub(super) fn code<T>(result: Result<T, Error>) -> Expected<T> {
    result.map_err(Code::from)
}
