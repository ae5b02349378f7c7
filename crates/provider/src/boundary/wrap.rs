//! The functions of the key wrap, which takes a key in one call.

use super::handle::Handle;
use super::memory::with_buffers;
use crate::fault::Fault;
use core::ffi::{CStr, c_int};

/// # Safety
/// As provider-cipher(7) says of `OSSL_FUNC_cipher_update`; and there is room for the result. The room that
/// OpenSSL names does not say so: it is eight bytes more than the input, and OpenSSL's own wrap writes sixteen.
unsafe fn work(
    handle: Option<&mut Handle>,
    function: &CStr,
    (output, room): (*mut u8, usize),
    written: *mut usize,
    (input, len): (*const u8, usize),
) -> c_int {
    let Some(handle) = handle else { return 0 };
    // SAFETY: as the caller says.
    unsafe {
        *written = 0;
        let (core, context) = handle.parts();
        core.answer(function, || {
            if len > room {
                return Err(Fault::OutputTooSmall);
            }
            let need = context.wrapped_len(len)?;
            // Without an output, a program asks for the length.
            *written = if output.is_null() {
                need
            } else {
                with_buffers((input, len), (output, need), false, |it| context.wrap(it))?
            };
            Ok(())
        })
    }
}

pub(super) unsafe extern "C" fn update(
    handle: Option<&mut Handle>,
    output: *mut u8,
    written: *mut usize,
    room: usize,
    input: *const u8,
    len: usize,
) -> c_int {
    // SAFETY: OpenSSL calls it as provider-cipher(7) says.
    unsafe {
        if len == 0 {
            *written = 0;
            return 1;
        }
        work(handle, c"cipher_update", (output, room), written, (input, len))
    }
}

pub(super) unsafe extern "C" fn once(
    handle: Option<&mut Handle>,
    output: *mut u8,
    written: *mut usize,
    room: usize,
    input: *const u8,
    len: usize,
) -> c_int {
    // SAFETY: OpenSSL calls it as provider-cipher(7) says.
    unsafe { work(handle, c"cipher_cipher", (output, room), written, (input, len)) }
}
