//! Whole messages.

use super::code::{Code, answer};
use super::keys::Key;
use super::memory::{Buffers, buffers, copied, not_into, slice_mut, written};
use super::names;
use core::ffi::c_int;
use library::{Mode, Padding};

/// `cl_mode`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct CMode {
    mode: c_int,
    padding: c_int,
    iv: [u8; 8],
}

impl CMode {
    /// # Errors
    /// [`Code::Argument`], also for a padding where the mode has none.
    ///
    /// # Safety
    /// `mode` is null or leads to one.
    pub(crate) unsafe fn read(mode: *const Self) -> Result<Mode, Code> {
        // SAFETY: as the caller says.
        unsafe { copied(mode) }?.mode()
    }

    fn mode(self) -> Result<Mode, Code> {
        let padding = names::padding(self.padding)?;
        if let Ok(make) = names::padded_mode(self.mode) {
            return Ok(make(self.iv, padding));
        }
        let make = names::unpadded_mode(self.mode)?;
        if padding == Padding::None { Ok(make(self.iv)) } else { Err(Code::Argument) }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_encrypted_len(mode: *const CMode, len: usize, result: *mut usize) -> c_int {
    // SAFETY: the header asks for a mode and a place.
    answer(|| unsafe { written(result, || Ok(CMode::read(mode)?.encrypted_len(len)?)) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_encrypt(
    key: Option<&Key>,
    mode: *const CMode,
    input: *const u8,
    len: usize,
    output: *mut u8,
    room: usize,
    result: *mut usize,
) -> c_int {
    let work = || {
        let Key(key) = key.ok_or(Code::Null)?;
        // SAFETY: the header asks for a mode, and for so many bytes.
        let (mode, buffers) = unsafe { (CMode::read(mode)?, buffers(input, len, output, room)?) };
        let ciphertext = match buffers {
            Buffers::Same(buffer) => mode.encrypt_in_place(key, buffer, len)?,
            Buffers::Apart(input, output) => mode.encrypt(key, input, output)?,
        };
        Ok(ciphertext.len())
    };
    answer(|| {
        not_into(result, output, room)?;
        // SAFETY: the header asks for a place.
        unsafe { written(result, work) }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_decrypt(
    key: Option<&Key>,
    mode: *const CMode,
    input: *const u8,
    len: usize,
    output: *mut u8,
    room: usize,
    result: *mut usize,
) -> c_int {
    let work = || {
        let Key(key) = key.ok_or(Code::Null)?;
        // SAFETY: the header asks for a mode, and for so many bytes.
        let (mode, buffers) = unsafe { (CMode::read(mode)?, buffers(input, len, output, room)?) };
        let plaintext = match buffers {
            Buffers::Same(buffer) => mode.decrypt_in_place(key, &mut buffer[..len])?,
            Buffers::Apart(input, output) => mode.decrypt(key, input, output)?,
        };
        Ok(plaintext.len())
    };
    answer(|| {
        not_into(result, output, room)?;
        // SAFETY: the header asks for a place.
        unsafe { written(result, work) }
    })
}

/// What [`Mode::encrypt_bits`] and its inverse are.
type Bits = fn(&Mode, &library::BlockKey, &mut [u8], usize) -> Result<(), library::Error>;

/// # Safety
/// As the header says of `cl_encrypt_bits`.
unsafe fn bits(
    key: Option<&Key>,
    mode: *const CMode,
    data: *mut u8,
    count: usize,
    work: Bits,
) -> c_int {
    answer(|| {
        let Key(key) = key.ok_or(Code::Null)?;
        // SAFETY: the header asks for a mode, and for as many bytes as hold the bits.
        let (mode, data) = unsafe { (CMode::read(mode)?, slice_mut(data, count.div_ceil(8))?) };
        Ok(work(&mode, key, data, count)?)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_encrypt_bits(
    key: Option<&Key>,
    mode: *const CMode,
    data: *mut u8,
    count: usize,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { bits(key, mode, data, count, Mode::encrypt_bits) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_decrypt_bits(
    key: Option<&Key>,
    mode: *const CMode,
    data: *mut u8,
    count: usize,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { bits(key, mode, data, count, Mode::decrypt_bits) }
}
