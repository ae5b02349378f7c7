//! The functions of a cipher, as provider-cipher(7) has them.

use super::cipher_params as cipher;
use super::handle::Handle;
use super::memory::{bytes, bytes_mut, release, with_buffers};
use super::pipes;
use super::structures::{Dispatch, Param, cipher_functions as number};
use super::upcalls::Core;
use super::wrap;
use crate::ciphers::CIPHERS;
use crate::fault::Fault;
use cipherloom::Direction;
use core::ffi::{c_int, c_void};
use std::ptr;
use zeroize::Zeroizing;

/// The functions of the cipher in row N.
pub(super) struct Of<const N: usize>;

impl<const N: usize> Of<N> {
    pub(super) const FUNCTIONS: &'static [Dispatch] = &[
        Dispatch::new(number::NEW, new::<N> as *const ()),
        Dispatch::new(number::FREE, free as *const ()),
        Dispatch::new(number::DUPLICATE, duplicate as *const ()),
        Dispatch::new(number::ENCRYPT_INIT, encrypt_init as *const ()),
        Dispatch::new(number::DECRYPT_INIT, decrypt_init as *const ()),
        Dispatch::new(number::UPDATE, Self::UPDATE),
        Dispatch::new(number::FINAL, end as *const ()),
        Dispatch::new(number::CIPHER, Self::ONCE),
        Dispatch::new(number::GET_PARAMS, get_params::<N> as *const ()),
        Dispatch::new(number::GET_CONTEXT_PARAMS, get_context_params as *const ()),
        Dispatch::new(number::SET_CONTEXT_PARAMS, set_context_params as *const ()),
        Dispatch::new(number::GETTABLE_PARAMS, gettable_params as *const ()),
        Dispatch::new(number::GETTABLE_CONTEXT_PARAMS, gettable_context_params as *const ()),
        Dispatch::new(number::SETTABLE_CONTEXT_PARAMS, settable_context_params::<N> as *const ()),
        // A number of 0 ends the table.
        Dispatch::new(Self::piped(number::PIPELINE_ENCRYPT_INIT), pipes::encrypt_init as *const ()),
        Dispatch::new(Self::piped(number::PIPELINE_DECRYPT_INIT), pipes::decrypt_init as *const ()),
        Dispatch::new(Self::piped(number::PIPELINE_UPDATE), pipes::update as *const ()),
        Dispatch::new(Self::piped(number::PIPELINE_FINAL), pipes::end as *const ()),
        Dispatch::END,
    ];

    const UPDATE: *const () =
        if CIPHERS[N].wraps() { wrap::update as *const () } else { update as *const () };

    const ONCE: *const () =
        if CIPHERS[N].wraps() { wrap::once as *const () } else { once as *const () };

    /// A number, where messages side by side make sense: without an IV of its own each would be the same.
    const fn piped(number: c_int) -> c_int {
        if CIPHERS[N].iv_len() > 0 { number } else { 0 }
    }
}

extern "C" fn new<const N: usize>(core: *const Core) -> *mut Handle {
    Box::into_raw(Handle::new(core, &CIPHERS[N]))
}

unsafe extern "C" fn free(handle: Option<Box<Handle>>) {
    handle.into_iter().for_each(release);
}

unsafe extern "C" fn duplicate(handle: Option<&Handle>) -> *mut Handle {
    let Some(Handle { core, context, pipes }) = handle else { return ptr::null_mut() };
    let mut copy = Handle::new(*core, context.cipher);
    copy.context.copy_from(context);
    copy.pipes.copy_from(pipes);
    Box::into_raw(copy)
}

/// # Safety
/// As provider-cipher(7) says of `OSSL_FUNC_cipher_encrypt_init`.
unsafe fn init(
    handle: Option<&mut Handle>,
    direction: Direction,
    (key, key_len): (*const u8, usize),
    (iv, iv_len): (*const u8, usize),
    params: *const Param,
) -> c_int {
    let Some(handle) = handle else { return 0 };
    // SAFETY: as the caller says.
    unsafe {
        let (core, context) = handle.parts();
        core.answer(c"cipher_init", || {
            let key = if key.is_null() { None } else { Some(bytes(key, key_len)?) };
            let iv = if iv.is_null() { None } else { Some(bytes(iv, iv_len)?) };
            context.begin(direction, key, iv)?;
            cipher::set(context, params)
        })
    }
}

unsafe extern "C" fn encrypt_init(
    handle: Option<&mut Handle>,
    key: *const u8,
    key_len: usize,
    iv: *const u8,
    iv_len: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: OpenSSL calls it as provider-cipher(7) says.
    unsafe { init(handle, Direction::Encrypt, (key, key_len), (iv, iv_len), params) }
}

unsafe extern "C" fn decrypt_init(
    handle: Option<&mut Handle>,
    key: *const u8,
    key_len: usize,
    iv: *const u8,
    iv_len: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: OpenSSL calls it as provider-cipher(7) says.
    unsafe { init(handle, Direction::Decrypt, (key, key_len), (iv, iv_len), params) }
}

unsafe extern "C" fn update(
    handle: Option<&mut Handle>,
    output: *mut u8,
    written: *mut usize,
    room: usize,
    input: *const u8,
    len: usize,
) -> c_int {
    let Some(handle) = handle else { return 0 };
    // SAFETY: OpenSSL calls it as provider-cipher(7) says.
    unsafe {
        let (core, context) = handle.parts();
        core.answer(c"cipher_update", || {
            let need = context.update_len(len)?;
            if need > room {
                return Err(Fault::OutputTooSmall);
            }
            let (input, output) = ((input, context.input_len(len)), (output, need));
            let in_place = context.works_in_place();
            *written = with_buffers(input, output, in_place, |it| context.update(it, len))?;
            Ok(())
        })
    }
}

unsafe extern "C" fn end(
    handle: Option<&mut Handle>,
    output: *mut u8,
    written: *mut usize,
    room: usize,
) -> c_int {
    let Some(handle) = handle else { return 0 };
    // SAFETY: OpenSSL calls it as provider-cipher(7) says.
    unsafe {
        let (core, context) = handle.parts();
        core.answer(c"cipher_final", || {
            if context.last_len() > room {
                return Err(Fault::OutputTooSmall);
            }
            let mut last = Zeroizing::new([0; 8]);
            let len = context.end(&mut last)?;
            if len > room {
                return Err(Fault::OutputTooSmall);
            }
            bytes_mut(output, len)?.copy_from_slice(&last[..len]);
            *written = len;
            Ok(())
        })
    }
}

unsafe extern "C" fn once(
    handle: Option<&mut Handle>,
    output: *mut u8,
    written: *mut usize,
    room: usize,
    input: *const u8,
    len: usize,
) -> c_int {
    let Some(handle) = handle else { return 0 };
    // SAFETY: OpenSSL calls it as provider-cipher(7) says.
    unsafe {
        let (core, context) = handle.parts();
        core.answer(c"cipher_cipher", || {
            if len > room {
                return Err(Fault::OutputTooSmall);
            }
            let (input, output) = ((input, len), (output, len));
            *written = with_buffers(input, output, true, |it| context.once(it))?;
            Ok(())
        })
    }
}

unsafe extern "C" fn get_params<const N: usize>(list: *mut Param) -> c_int {
    // SAFETY: OpenSSL hands over a list. There is nobody to tell what is wrong with it.
    c_int::from(unsafe { cipher::of_cipher(&CIPHERS[N], list) }.is_ok())
}

unsafe extern "C" fn get_context_params(handle: Option<&mut Handle>, list: *mut Param) -> c_int {
    let Some(handle) = handle else { return 0 };
    // SAFETY: OpenSSL calls it as provider-cipher(7) says.
    unsafe {
        let (core, context) = handle.parts();
        core.answer(c"cipher_get_ctx_params", || cipher::of_context(context, list))
    }
}

unsafe extern "C" fn set_context_params(handle: Option<&mut Handle>, list: *const Param) -> c_int {
    let Some(handle) = handle else { return 0 };
    // SAFETY: OpenSSL calls it as provider-cipher(7) says.
    unsafe {
        let (core, context) = handle.parts();
        core.answer(c"cipher_set_ctx_params", || cipher::set(context, list))
    }
}

extern "C" fn gettable_params(_: *const Core) -> *const Param {
    cipher::OF_CIPHER.as_ptr()
}

extern "C" fn gettable_context_params(_: *const c_void, _: *const Core) -> *const Param {
    cipher::OF_CONTEXT.as_ptr()
}

extern "C" fn settable_context_params<const N: usize>(
    _: *const c_void,
    _: *const Core,
) -> *const Param {
    cipher::to_context(&CIPHERS[N]).as_ptr()
}
