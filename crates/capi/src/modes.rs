//! Whole messages.

use crate::code::{Code, answer};
use crate::keys::Key;
use crate::memory::{Buffers, Written, buffers, slice_mut, written};
use crate::names;
use core::ffi::c_int;
use library::{Mode, Padding};

/// `cl_mode`.
#[repr(C)]
pub(crate) struct CMode {
    mode: c_int,
    padding: c_int,
    iv: [u8; 8],
}

impl CMode {
    /// # Errors
    /// [`Code::Argument`], also for a padding where the mode has none.
    pub(crate) fn read(&self) -> Result<Mode, Code> {
        let padding = names::padding(self.padding)?;
        if let Ok(make) = names::padded_mode(self.mode) {
            return Ok(make(self.iv, padding));
        }
        let make = names::unpadded_mode(self.mode)?;
        if padding == Padding::None { Ok(make(self.iv)) } else { Err(Code::Argument) }
    }
}

#[unsafe(no_mangle)]
extern "C" fn cl_encrypted_len(mode: Option<&CMode>, len: usize, result: Written<'_>) -> c_int {
    answer(|| written(result, || Ok(mode.ok_or(Code::Null)?.read()?.encrypted_len(len)?)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_encrypt(
    key: Option<&Key>,
    mode: Option<&CMode>,
    input: *const u8,
    len: usize,
    output: *mut u8,
    room: usize,
    result: Written<'_>,
) -> c_int {
    answer(|| {
        written(result, || {
            let Key(key) = key.ok_or(Code::Null)?;
            let mode = mode.ok_or(Code::Null)?.read()?;
            // SAFETY: the header asks for so many bytes.
            let ciphertext = match unsafe { buffers(input, len, output, room) }? {
                Buffers::Same(buffer) => mode.encrypt_in_place(key, buffer, len)?,
                Buffers::Apart(input, output) => mode.encrypt(key, input, output)?,
            };
            Ok(ciphertext.len())
        })
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_decrypt(
    key: Option<&Key>,
    mode: Option<&CMode>,
    input: *const u8,
    len: usize,
    output: *mut u8,
    room: usize,
    result: Written<'_>,
) -> c_int {
    answer(|| {
        written(result, || {
            let Key(key) = key.ok_or(Code::Null)?;
            let mode = mode.ok_or(Code::Null)?.read()?;
            // SAFETY: the header asks for so many bytes.
            let plaintext = match unsafe { buffers(input, len, output, room) }? {
                Buffers::Same(buffer) => mode.decrypt_in_place(key, &mut buffer[..len])?,
                Buffers::Apart(input, output) => mode.decrypt(key, input, output)?,
            };
            Ok(plaintext.len())
        })
    })
}

/// What [`Mode::encrypt_bits`] and its inverse are.
type Bits = fn(&Mode, &library::BlockKey, &mut [u8], usize) -> Result<(), library::Error>;

/// # Safety
/// As the header says of `cl_encrypt_bits`.
unsafe fn bits(
    key: Option<&Key>,
    mode: Option<&CMode>,
    data: *mut u8,
    count: usize,
    work: Bits,
) -> c_int {
    answer(|| {
        let Key(key) = key.ok_or(Code::Null)?;
        let mode = mode.ok_or(Code::Null)?.read()?;
        // SAFETY: the header asks for as many bytes as hold the bits.
        let data = unsafe { slice_mut(data, count.div_ceil(8)) }?;
        Ok(work(&mode, key, data, count)?)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_encrypt_bits(
    key: Option<&Key>,
    mode: Option<&CMode>,
    data: *mut u8,
    count: usize,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { bits(key, mode, data, count, Mode::encrypt_bits) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_decrypt_bits(
    key: Option<&Key>,
    mode: Option<&CMode>,
    data: *mut u8,
    count: usize,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { bits(key, mode, data, count, Mode::decrypt_bits) }
}
