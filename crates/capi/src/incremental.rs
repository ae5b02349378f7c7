//! Messages that come in pieces.

use super::code::{Code, answer};
use super::keys::Key;
use super::memory::{
    Buffers, DEEP, Slot, boxed, buffers, hand_out, not_into, release, slice_mut, written,
};
use super::modes::CMode;
use core::ffi::c_int;
use library::{Decryptor, Encryptor, Error, Mode, leaving_nothing};
use zeroize::Zeroizing;

/// Bytes that are taken at a time where input and output are the same.
const PIECE: usize = 4096;

/// `cl_message`.
pub(crate) struct Message(State);

#[derive(Clone)]
enum State {
    Encrypts(Encryptor),
    Decrypts(Decryptor),
    Finished,
}

impl State {
    fn update_len(&self, len: usize) -> Result<usize, Code> {
        match self {
            Self::Encrypts(message) => Ok(message.update_len(len)),
            Self::Decrypts(message) => Ok(message.update_len(len)),
            Self::Finished => Err(Code::Finished),
        }
    }

    fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Code> {
        match self {
            Self::Encrypts(message) => Ok(message.update(input, output)?),
            Self::Decrypts(message) => Ok(message.update(input, output)?),
            Self::Finished => Err(Code::Finished),
        }
    }

    /// Takes the first `len` bytes of a buffer, and writes to its start.
    ///
    /// What was held back goes first and would overtake the input: each piece is read before the
    /// output of the one before it is written, which is at most 16 bytes ahead.
    fn update_in_place(&mut self, buffer: &mut [u8], len: usize) -> Result<usize, Code> {
        if self.update_len(len)? > buffer.len() {
            return Err(Code::OutputTooSmall);
        }
        let mut pieces = Zeroizing::new([[0; PIECE]; 2]);
        let [mut now, mut next] = pieces.each_mut();
        let (mut read, mut done) = (len.min(PIECE), 0);
        now[..read].copy_from_slice(&buffer[..read]);
        let mut now_len = read;
        loop {
            let next_len = PIECE.min(len - read);
            next[..next_len].copy_from_slice(&buffer[read..read + next_len]);
            // If no kernel works, the first piece says so, and nothing has changed.
            done += self.update(&now[..now_len], &mut buffer[done..])?;
            if next_len == 0 {
                return Ok(done);
            }
            read += next_len;
            (now, next, now_len) = (next, now, next_len);
        }
    }

    /// A message whose end did not fit can be finished again, into more room.
    fn finish(&mut self, output: &mut [u8]) -> Result<usize, Code> {
        let result = match self.clone() {
            Self::Encrypts(message) => message.finish(output),
            Self::Decrypts(message) => message.finish(output),
            Self::Finished => return Err(Code::Finished),
        };
        if !matches!(result, Err(Error::OutputTooSmall { .. } | Error::SelfTest)) {
            *self = Self::Finished;
        }
        Ok(result?)
    }
}

/// # Safety
/// As the header says of `cl_encryptor_new`.
unsafe fn begin(
    message: Slot<Message>,
    key: Option<&Key>,
    mode: *const CMode,
    make: impl FnOnce(Mode, &Key) -> State,
) -> c_int {
    let make = || {
        // SAFETY: as the caller says.
        let mode = unsafe { CMode::read(mode) }?;
        boxed(Message(make(mode, key.ok_or(Code::Null)?)))
    };
    // SAFETY: as the caller says.
    answer(|| unsafe { hand_out::<DEEP, _>(message, make) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_encryptor_new(
    message: Slot<Message>,
    key: Option<&Key>,
    mode: *const CMode,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { begin(message, key, mode, |mode, key| State::Encrypts(mode.encryptor(&key.0))) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_decryptor_new(
    message: Slot<Message>,
    key: Option<&Key>,
    mode: *const CMode,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { begin(message, key, mode, |mode, key| State::Decrypts(mode.decryptor(&key.0))) }
}

#[unsafe(no_mangle)]
extern "C" fn cl_message_free(message: Option<Box<Message>>) {
    release(message);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_message_update_len(
    message: Option<&Message>,
    len: usize,
    result: *mut usize,
) -> c_int {
    // SAFETY: the header asks for a place.
    answer(|| unsafe { written(result, || message.ok_or(Code::Null)?.0.update_len(len)) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_message_update(
    message: Option<&mut Message>,
    input: *const u8,
    len: usize,
    output: *mut u8,
    room: usize,
    result: *mut usize,
) -> c_int {
    let work = || {
        let message = message.ok_or(Code::Null)?;
        // SAFETY: the header asks for so many bytes.
        match unsafe { buffers(input, len, output, room) }? {
            Buffers::Apart(input, output) => message.0.update(input, output),
            Buffers::Same(buffer) => message.0.update_in_place(buffer, len),
        }
    };
    answer(|| {
        not_into(result, output, room)?;
        // SAFETY: the header asks for a place.
        unsafe { written(result, work) }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_message_finish(
    message: Option<&mut Message>,
    output: *mut u8,
    room: usize,
    result: *mut usize,
) -> c_int {
    let work = || {
        // SAFETY: the header asks for `room` bytes that nobody else uses.
        let output = unsafe { slice_mut(output, room) }?;
        let message = message.ok_or(Code::Null)?;
        leaving_nothing::<DEEP, _>(|| message.0.finish(output))
    };
    answer(|| {
        not_into(result, output, room)?;
        // SAFETY: the header asks for a place.
        unsafe { written(result, work) }
    })
}
