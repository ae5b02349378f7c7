//! Messages that come in pieces.

use crate::code::{Code, answer};
use crate::keys::Key;
use crate::memory::{Buffers, Place, Written, buffers, hand_out, slice_mut, written};
use crate::modes::CMode;
use core::ffi::c_int;
use library::{Decryptor, Encryptor, Error, Mode};

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

fn begin(
    message: Place<'_, Message>,
    key: Option<&Key>,
    mode: Option<&CMode>,
    make: impl FnOnce(Mode, &Key) -> State,
) -> c_int {
    answer(|| {
        hand_out(message, || {
            let mode = mode.ok_or(Code::Null)?.read()?;
            Ok(Message(make(mode, key.ok_or(Code::Null)?)))
        })
    })
}

#[unsafe(no_mangle)]
extern "C" fn cl_encryptor_new(
    message: Place<'_, Message>,
    key: Option<&Key>,
    mode: Option<&CMode>,
) -> c_int {
    begin(message, key, mode, |mode, key| State::Encrypts(mode.encryptor(&key.0)))
}

#[unsafe(no_mangle)]
extern "C" fn cl_decryptor_new(
    message: Place<'_, Message>,
    key: Option<&Key>,
    mode: Option<&CMode>,
) -> c_int {
    begin(message, key, mode, |mode, key| State::Decrypts(mode.decryptor(&key.0)))
}

/// Messages wipe themselves.
#[unsafe(no_mangle)]
extern "C" fn cl_message_free(_: Option<Box<Message>>) {}

#[unsafe(no_mangle)]
extern "C" fn cl_message_update_len(
    message: Option<&Message>,
    len: usize,
    result: Written<'_>,
) -> c_int {
    answer(|| written(result, || message.ok_or(Code::Null)?.0.update_len(len)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_message_update(
    message: Option<&mut Message>,
    input: *const u8,
    len: usize,
    output: *mut u8,
    room: usize,
    result: Written<'_>,
) -> c_int {
    answer(|| {
        written(result, || {
            let message = message.ok_or(Code::Null)?;
            // SAFETY: the header asks for so many bytes.
            match unsafe { buffers(input, len, output, room) }? {
                Buffers::Apart(input, output) => message.0.update(input, output),
                // What was held back goes first, and would overtake the input.
                Buffers::Same(_) => Err(Code::Overlap),
            }
        })
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_message_finish(
    message: Option<&mut Message>,
    output: *mut u8,
    room: usize,
    result: Written<'_>,
) -> c_int {
    answer(|| {
        written(result, || {
            // SAFETY: the header asks for `room` bytes that nobody else uses.
            let output = unsafe { slice_mut(output, room) }?;
            message.ok_or(Code::Null)?.0.finish(output)
        })
    })
}
