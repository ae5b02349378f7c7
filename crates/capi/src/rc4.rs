//! RC4 streams.

use super::code::{Code, answer};
use super::memory::{Buffers, DEEP, Slot, boxed, buffers, hand_out, release, slice};
use super::names;
use core::ffi::{c_char, c_int};
use library::Rc4;

/// `cl_rc4`.
pub(crate) struct Stream(Rc4);

/// # Safety
/// `place` is null or leads to a pointer.
unsafe fn new(place: Slot<Stream>, make: impl FnOnce() -> Result<Rc4, Code>) -> c_int {
    // SAFETY: as the caller says.
    answer(|| unsafe { hand_out::<DEEP, _>(place, || boxed(Stream(make()?))) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_rc4_new(
    stream: Slot<Stream>,
    key: *const u8,
    len: usize,
    policy: c_int,
) -> c_int {
    // SAFETY: the header asks for `len` bytes, and for a place.
    unsafe { new(stream, || Ok(Rc4::with_policy(slice(key, len)?, names::policy(policy)?)?)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_rc4_new_by_backend(
    stream: Slot<Stream>,
    key: *const u8,
    len: usize,
    name: *const c_char,
) -> c_int {
    // SAFETY: the header asks for `len` bytes, for a string, and for a place.
    unsafe { new(stream, || Ok(names::backend(name)?.force_rc4(slice(key, len)?)?)) }
}

#[unsafe(no_mangle)]
extern "C" fn cl_rc4_free(stream: Option<Box<Stream>>) {
    release(stream);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_rc4_apply(
    stream: Option<&mut Stream>,
    input: *const u8,
    len: usize,
    output: *mut u8,
) -> c_int {
    answer(|| {
        let Stream(stream) = stream.ok_or(Code::Null)?;
        // SAFETY: the header asks for `len` bytes in both places.
        match unsafe { buffers(input, len, output, len) }? {
            Buffers::Same(data) => stream.apply(data)?,
            Buffers::Apart(input, output) => {
                stream.apply_to(input, output)?;
            }
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn cl_rc4_skip(stream: Option<&mut Stream>, count: u64) -> c_int {
    answer(|| Ok(stream.ok_or(Code::Null)?.0.skip(count)?))
}
