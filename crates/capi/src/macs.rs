//! Message authentication codes.

use super::code::{Code, answer};
use super::keys::Key;
use super::memory::{SHALLOW, Slot, boxed, hand_out, release, slice, slice_mut};
use super::names;
use core::ffi::c_int;
use library::{BlockCipher, BlockKey, Mac, TdesEde2, leaving_nothing};

/// `cl_mac`.
pub(crate) struct CMac {
    mac: Mac,
    is_finished: bool,
}

impl CMac {
    fn in_progress(&mut self) -> Result<&mut Mac, Code> {
        if self.is_finished { Err(Code::Finished) } else { Ok(&mut self.mac) }
    }

    /// The MAC is finished whatever becomes of it.
    fn last(&mut self) -> Result<&mut Mac, Code> {
        self.in_progress()?;
        self.is_finished = true;
        Ok(&mut self.mac)
    }
}

/// A MAC by what `make` makes of a key without a secret; that of the key is copied where it stays.
///
/// # Safety
/// `place` is null or leads to a pointer.
unsafe fn new(
    place: Slot<CMac>,
    key: Option<&Key>,
    make: impl FnOnce(BlockKey) -> Result<Mac, Code>,
) -> c_int {
    let make = || {
        let Key(key) = key.ok_or(Code::Null)?;
        let mac = make(BlockKey::blank(key.algorithm()))?;
        let mut made = boxed(CMac { mac, is_finished: false })?;
        made.mac.set_key(key);
        Ok(made)
    };
    // SAFETY: as the caller says.
    answer(|| unsafe { hand_out::<SHALLOW, _>(place, make) })
}

/// # Errors
/// [`Code::Cipher`] for a key that is none of a retail MAC.
fn bundle(key: BlockKey) -> Result<TdesEde2, Code> {
    TdesEde2::try_from(key).map_err(|_| Code::Cipher)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_mac_new_cbc(mac: Slot<CMac>, key: Option<&Key>, padding: c_int) -> c_int {
    // SAFETY: as the header says.
    unsafe { new(mac, key, |key| Ok(Mac::cbc_mac(&key, names::padding(padding)?))) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_mac_new_cbc_of_length(
    mac: Slot<CMac>,
    key: Option<&Key>,
    len: u64,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { new(mac, key, |key| Ok(Mac::cbc_mac_of_length(&key, len))) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_mac_new_retail(
    mac: Slot<CMac>,
    key: Option<&Key>,
    padding: c_int,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { new(mac, key, |key| Ok(Mac::retail(&bundle(key)?, names::padding(padding)?))) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_mac_new_retail_of_length(
    mac: Slot<CMac>,
    key: Option<&Key>,
    len: u64,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { new(mac, key, |key| Ok(Mac::retail_of_length(&bundle(key)?, len))) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_mac_new_cmac(mac: Slot<CMac>, key: Option<&Key>) -> c_int {
    // SAFETY: as the header says.
    unsafe { new(mac, key, |key| Ok(Mac::cmac(&key))) }
}

#[unsafe(no_mangle)]
extern "C" fn cl_mac_free(mac: Option<Box<CMac>>) {
    release(mac);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_mac_update(mac: Option<&mut CMac>, data: *const u8, len: usize) -> c_int {
    answer(|| {
        // SAFETY: the header asks for `len` bytes.
        let data = unsafe { slice(data, len) }?;
        Ok(mac.ok_or(Code::Null)?.in_progress()?.update(data)?)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_mac_finish(mac: Option<&mut CMac>, tag: *mut u8) -> c_int {
    answer(|| {
        // SAFETY: the header asks for 8 bytes.
        let tag = unsafe { slice_mut(tag, 8) }?;
        let mac = mac.ok_or(Code::Null)?.last()?;
        leaving_nothing::<SHALLOW, _>(|| {
            tag.copy_from_slice(&mac.end()?);
            Ok(())
        })
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_mac_verify(mac: Option<&mut CMac>, tag: *const u8, len: usize) -> c_int {
    answer(|| {
        // SAFETY: the header asks for `len` bytes.
        let tag = unsafe { slice(tag, len) }?;
        let mac = mac.ok_or(Code::Null)?.last()?;
        Ok(leaving_nothing::<SHALLOW, _>(|| mac.end_with(tag))?)
    })
}
