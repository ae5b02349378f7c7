//! RC4 streams.

use crate::code::{Code, answer};
use crate::memory::{Buffers, Place, buffers, hand_out, slice};
use crate::names;
use core::ffi::{c_char, c_int};
use library::Rc4;

/// `cl_rc4`.
pub(crate) struct Stream(Rc4);

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_rc4_new(
    stream: Place<'_, Stream>,
    key: *const u8,
    len: usize,
    policy: c_int,
) -> c_int {
    answer(|| {
        hand_out(stream, || {
            // SAFETY: the header asks for `len` bytes.
            let key = unsafe { slice(key, len) }?;
            Ok(Stream(Rc4::with_policy(key, names::policy(policy)?)?))
        })
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_rc4_new_by_backend(
    stream: Place<'_, Stream>,
    key: *const u8,
    len: usize,
    name: *const c_char,
) -> c_int {
    answer(|| {
        hand_out(stream, || {
            // SAFETY: the header asks for `len` bytes, and for a string.
            let (key, backend) = unsafe { (slice(key, len)?, names::backend(name)?) };
            Ok(Stream(backend.force_rc4(key)?))
        })
    })
}

/// Streams wipe themselves.
#[unsafe(no_mangle)]
extern "C" fn cl_rc4_free(_: Option<Box<Stream>>) {}

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
