//! Messages side by side: the functions that OpenSSL has from 3.5 on (EVP_CipherPipelineEncryptInit(3)).

use super::cipher_params as cipher;
use super::handle::Handle;
use super::memory::{bytes, bytes_mut, with_buffers};
use super::structures::Param;
use crate::context::Context;
use crate::fault::Fault;
use cipherloom::Direction;
use core::ffi::c_int;
use zeroize::Zeroizing;

/// `EVP_MAX_PIPES`
const MOST: usize = 32;

/// # Safety
/// As EVP_CipherPipelineEncryptInit(3) says: `count` IVs of `iv_len` bytes, or none.
unsafe fn init(
    handle: Option<&mut Handle>,
    direction: Direction,
    (key, key_len): (*const u8, usize),
    (ivs, iv_len): (*const *const u8, usize),
    count: usize,
    params: *const Param,
) -> c_int {
    let Some(handle) = handle else { return 0 };
    // SAFETY: as the caller says.
    unsafe {
        handle.core().answer(c"cipher_pipeline_init", || {
            if count > MOST {
                return Err(Fault::Operation);
            }
            let key = if key.is_null() { None } else { Some(bytes(key, key_len)?) };
            let mut each = [None; MOST];
            for (n, iv) in each[..count].iter_mut().enumerate() {
                if !ivs.is_null() && !(*ivs.add(n)).is_null() {
                    *iv = Some(bytes(*ivs.add(n), iv_len)?);
                }
            }
            let Handle { context, pipes, .. } = handle;
            context.begin(direction, key, None)?;
            cipher::set(context, params)?;
            pipes.begin(context, key, &each[..count])
        })
    }
}

pub(super) unsafe extern "C" fn encrypt_init(
    handle: Option<&mut Handle>,
    key: *const u8,
    key_len: usize,
    count: usize,
    ivs: *const *const u8,
    iv_len: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: OpenSSL calls it as EVP_CipherPipelineEncryptInit(3) says.
    unsafe { init(handle, Direction::Encrypt, (key, key_len), (ivs, iv_len), count, params) }
}

pub(super) unsafe extern "C" fn decrypt_init(
    handle: Option<&mut Handle>,
    key: *const u8,
    key_len: usize,
    count: usize,
    ivs: *const *const u8,
    iv_len: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: OpenSSL calls it as EVP_CipherPipelineEncryptInit(3) says.
    unsafe { init(handle, Direction::Decrypt, (key, key_len), (ivs, iv_len), count, params) }
}

pub(super) unsafe extern "C" fn update(
    handle: Option<&mut Handle>,
    count: usize,
    outputs: *const *mut u8,
    written: *mut usize,
    rooms: *const usize,
    inputs: *const *const u8,
    lens: *const usize,
) -> c_int {
    let Some(handle) = handle else { return 0 };
    // SAFETY: OpenSSL calls it as EVP_CipherPipelineUpdate(3) says: arrays of `count`, and buffers of different
    // messages have nothing in common.
    unsafe {
        handle.core().answer(c"cipher_pipeline_update", || {
            let Handle { context, pipes, .. } = handle;
            let all = pipes.all(context, count)?;
            let mut needs = Vec::with_capacity(count);
            for (n, pipe) in all.iter().enumerate() {
                let need = pipe.update_len(*lens.add(n))?;
                if need > *rooms.add(n) {
                    return Err(Fault::OutputTooSmall);
                }
                needs.push(need);
            }
            let mut placed = Vec::with_capacity(count);
            for (n, (pipe, &need)) in all.iter_mut().zip(&needs).enumerate() {
                let (input, output) = ((*inputs.add(n), *lens.add(n)), (*outputs.add(n), need));
                with_buffers(input, output, pipe.works_in_place(), |it| pipe.place(it).map(drop))?;
                placed.push(bytes_mut(output.0, need)?);
                *written.add(n) = need;
            }
            pipes.crypt(&mut placed)
        })
    }
}

pub(super) unsafe extern "C" fn end(
    handle: Option<&mut Handle>,
    count: usize,
    outputs: *const *mut u8,
    written: *mut usize,
    rooms: *const usize,
) -> c_int {
    let Some(handle) = handle else { return 0 };
    // SAFETY: OpenSSL calls it as EVP_CipherPipelineFinal(3) says: arrays of `count`.
    unsafe {
        handle.core().answer(c"cipher_pipeline_final", || {
            let Handle { context, pipes, .. } = handle;
            let all = pipes.all(context, count)?;
            let too_small = |(n, pipe): (usize, &Context)| pipe.last_len() > *rooms.add(n);
            if all.iter().enumerate().any(too_small) {
                return Err(Fault::OutputTooSmall);
            }
            for (n, pipe) in all.iter_mut().enumerate() {
                let mut last = Zeroizing::new([0; 8]);
                let len = pipe.end(&mut last)?;
                if len > *rooms.add(n) {
                    return Err(Fault::OutputTooSmall);
                }
                bytes_mut(*outputs.add(n), len)?.copy_from_slice(&last[..len]);
                *written.add(n) = len;
            }
            Ok(())
        })
    }
}
