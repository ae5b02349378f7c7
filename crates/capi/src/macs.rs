//! Message authentication codes.

use crate::code::{Code, answer};
use crate::keys::Key;
use crate::memory::{Place, hand_out, slice, slice_mut};
use crate::names;
use core::ffi::c_int;
use library::{Mac, TdesEde2};

/// `cl_mac`; `None` when it is finished.
pub(crate) struct CMac(Option<Mac>);

#[unsafe(no_mangle)]
extern "C" fn cl_mac_new_cbc(mac: Place<'_, CMac>, key: Option<&Key>, padding: c_int) -> c_int {
    answer(|| {
        hand_out(mac, || {
            Ok(CMac(Some(Mac::cbc_mac(&key.ok_or(Code::Null)?.0, names::padding(padding)?))))
        })
    })
}

#[unsafe(no_mangle)]
extern "C" fn cl_mac_new_retail(mac: Place<'_, CMac>, key: Option<&Key>, padding: c_int) -> c_int {
    answer(|| {
        hand_out(mac, || {
            let key = key.ok_or(Code::Null)?.0.clone();
            let key = TdesEde2::try_from(key).map_err(|_| Code::Cipher)?;
            Ok(CMac(Some(Mac::retail(&key, names::padding(padding)?))))
        })
    })
}

#[unsafe(no_mangle)]
extern "C" fn cl_mac_new_cmac(mac: Place<'_, CMac>, key: Option<&Key>) -> c_int {
    answer(|| hand_out(mac, || Ok(CMac(Some(Mac::cmac(&key.ok_or(Code::Null)?.0))))))
}

/// MACs wipe themselves.
#[unsafe(no_mangle)]
extern "C" fn cl_mac_free(_: Option<Box<CMac>>) {}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_mac_update(mac: Option<&mut CMac>, data: *const u8, len: usize) -> c_int {
    answer(|| {
        // SAFETY: the header asks for `len` bytes.
        let data = unsafe { slice(data, len) }?;
        Ok(mac.ok_or(Code::Null)?.0.as_mut().ok_or(Code::Finished)?.update(data)?)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_mac_finish(mac: Option<&mut CMac>, tag: *mut u8) -> c_int {
    answer(|| {
        // SAFETY: the header asks for 8 bytes.
        let tag = unsafe { slice_mut(tag, 8) }?;
        let mac = mac.ok_or(Code::Null)?.0.take().ok_or(Code::Finished)?;
        tag.copy_from_slice(&mac.finish()?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_mac_verify(mac: Option<&mut CMac>, tag: *const u8, len: usize) -> c_int {
    answer(|| {
        // SAFETY: the header asks for `len` bytes.
        let tag = unsafe { slice(tag, len) }?;
        let mac = mac.ok_or(Code::Null)?.0.take().ok_or(Code::Finished)?;
        Ok(mac.verify(tag)?)
    })
}
