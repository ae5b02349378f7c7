//! Bytes in and out.

use std::ops::Deref;

use cipherloom::Error as LibraryError;
use cipherloom_records::Wiped;
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};

use crate::fault;

/// From so many bytes on, others may run Python meanwhile: less work takes less time than to tell them.
const LONG: usize = 4096;

/// The bytes of any object that has a buffer.
pub(crate) enum Input {
    /// Nobody can change them.
    Bytes(PyBackedBytes),
    Copied(Wiped),
}

impl Deref for Input {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Copied(bytes) => bytes,
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Input {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.to_owned().into()));
        }
        let buffer = PyUntypedBuffer::get(&object)?;
        Ok(Self::Copied(copied(object.py(), &buffer)?))
    }
}

/// Hands out the bytes of a list's place, if it has that and a `bytes` is there. `take` must run nothing of
/// Python's: the list holds them, and nobody else.
#[inline]
#[expect(unsafe_code, reason = "objects that a list holds, without a count and a call for each")]
pub(crate) fn with_bytes_at<R>(
    list: &Bound<'_, PyList>,
    place: usize,
    take: impl FnOnce(&[u8]) -> R,
) -> Option<R> {
    // SAFETY: Python's lock is held, so that the list keeps what it has until `take` is done. Its place is that of an
    // object, or null with an error; a `bytes` has so many bytes from its start on, which nobody changes.
    unsafe {
        let object = ffi::PyList_GetItem(list.as_ptr(), place as ffi::Py_ssize_t);
        if object.is_null() {
            ffi::PyErr_Clear();
            return None;
        }
        if ffi::PyBytes_CheckExact(object) == 0 {
            return None;
        }
        let (mut start, mut len) = (std::ptr::null_mut(), 0);
        ffi::PyBytes_AsStringAndSize(object, &raw mut start, &raw mut len);
        Some(take(std::slice::from_raw_parts(start.cast::<u8>(), len as usize)))
    }
}

/// A copy of a buffer's bytes.
///
/// # Errors
/// It has gaps.
#[expect(unsafe_code, reason = "a buffer of Python's is a pointer and a length")]
pub(crate) fn copied(_: Python<'_>, buffer: &PyUntypedBuffer) -> PyResult<Wiped> {
    if !buffer.is_c_contiguous() {
        return Err(PyBufferError::new_err("the buffer has gaps: give a copy of it"));
    }
    let mut bytes = Wiped::with_room(buffer.len_bytes());
    bytes.resize(buffer.len_bytes(), 0);
    if !bytes.is_empty() {
        let from = buffer.buf_ptr().cast::<u8>();
        // SAFETY: the buffer is without gaps, so it has `len_bytes` bytes from `buf_ptr` on, until it is
        // released; the copy is as long, and apart from it. Python's lock is held.
        unsafe { std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), bytes.len()) };
    }
    Ok(bytes)
}

/// Writes bytes to the start of an object with a buffer, and returns their number.
///
/// # Errors
/// It cannot be written, has gaps, or is too short.
#[expect(unsafe_code, reason = "a buffer of Python's is a pointer and a length")]
pub(crate) fn write(bytes: &[u8], output: &Bound<'_, PyAny>) -> PyResult<usize> {
    let buffer = PyUntypedBuffer::get(output)?;
    if buffer.readonly() {
        return Err(PyTypeError::new_err("the output cannot be written"));
    }
    if !buffer.is_c_contiguous() {
        return Err(PyBufferError::new_err("the output has gaps"));
    }
    let (need, got) = (bytes.len(), buffer.len_bytes());
    if got < need {
        return Err(fault::library(LibraryError::OutputTooSmall { need, got }));
    }
    if need > 0 {
        // SAFETY: the buffer can be written, is without gaps and has room enough until it is released; the
        // bytes are Rust's or those of a `bytes`, so they are apart from it. Python's lock is held.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), buffer.buf_ptr().cast::<u8>(), need);
        }
    }
    Ok(need)
}

/// Does work on so many bytes, without Python's lock if that is long.
pub(crate) fn detached<R: Send>(py: Python<'_>, len: usize, work: impl FnOnce() -> R + Send) -> R {
    if len < LONG { work() } else { py.detach(work) }
}

/// New bytes of this length, which `fill` makes.
pub(crate) fn filled<'py>(
    py: Python<'py>,
    len: usize,
    fill: impl FnOnce(&mut [u8]) -> Result<(), LibraryError> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, len, |out| detached(py, len, || fill(out)).map_err(fault::library))
}
