//! Go's crypto/des and crypto/rc4, linked in; `faces/go` is the other side.

#![allow(unsafe_code, reason = "foreign functions")]

use std::ffi::{CStr, c_char, c_int};

use super::participant::{Kind, Participant};
use crate::rows::{Operation, Row};
use crate::work::{Work, iv, ready_key};

unsafe extern "C" {
    fn go_version() -> *const c_char;
    fn go_open(cipher: c_int, operation: c_int, key: *const u8, iv: *const u8) -> usize;
    fn go_run(
        handle: usize,
        keys: *const u8,
        key_len: usize,
        key_count: usize,
        first: usize,
        calls: usize,
        data: *mut u8,
        len: usize,
    );
    fn go_close(handle: usize);
}

pub(super) fn participant() -> Participant {
    // SAFETY: Go gives a string with an end, made by malloc and never freed.
    let version = unsafe { CStr::from_ptr(go_version()) }.to_string_lossy().into_owned();
    Participant {
        name: "Go".into(),
        kind: Kind::Peer,
        library: "Go",
        version,
        is_constant_time: false,
        open: Box::new(open),
    }
}

/// A handle that Go gave.
struct Handle(usize);

impl Handle {
    /// A closure that calls this takes the whole handle, and not only a copy of the number.
    fn get(&self) -> usize {
        self.0
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: Go gave the handle, and it is given back once.
        unsafe { go_close(self.0) }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the type of all participants")]
fn open(row: &Row) -> Result<Option<Work>, String> {
    // Numbers that `face.go` does not know.
    if matches!(row.operation, Operation::Streams | Operation::ConstantTime)
        || row.operation.is_each()
    {
        return Ok(None);
    }
    let (key, iv) = (ready_key(row.cipher), iv());
    // SAFETY: the numbers are those of `face.go`; `key` has the length that they give the cipher,
    // `iv` has 8 bytes, and Go copies both.
    let handle =
        unsafe { go_open(row.cipher as c_int, row.operation as c_int, key.as_ptr(), iv.as_ptr()) };
    if handle == 0 {
        return Ok(None);
    }
    let handle = Handle(handle);
    Ok(Some(Work::new(move |calls| {
        let (keys, key_len) = calls.keys.flat();
        let (key_count, data) = (keys.len() / key_len, calls.data);
        // SAFETY: Go gave the handle; pointers and lengths are those of slices, and Go keeps none.
        unsafe {
            go_run(
                handle.get(),
                keys.as_ptr(),
                key_len,
                key_count,
                calls.first,
                calls.count,
                data.as_mut_ptr(),
                data.len(),
            );
        }
    })))
}
