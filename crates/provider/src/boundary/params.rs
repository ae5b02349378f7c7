//! Parameters: lists of OSSL_PARAM(3), read and answered.

use super::memory::bytes;
use super::structures::{BYTES, BYTES_POINTER, INTEGER, Param, TEXT, TEXT_POINTER, UNSIGNED};
use crate::fault::Fault;
use core::ffi::{CStr, c_void};
use core::ptr;
use zeroize::Zeroizing;

/// A parameter that is passed to us.
pub(super) struct Given<'a>(&'a Param);

impl<'a> Given<'a> {
    /// Its bytes, as many as there are.
    ///
    /// # Errors
    /// [`Fault::GetParameter`] for anything else.
    pub(super) fn bytes(&self) -> Result<&'a [u8], Fault> {
        let Param { kind: BYTES, data, size, .. } = *self.0 else {
            return Err(Fault::GetParameter);
        };
        // SAFETY: OSSL_PARAM(3): there are so many bytes, which nobody writes while a list is read.
        unsafe { bytes(data.cast(), size) }.map_err(|_| Fault::GetParameter)
    }

    /// Its number, which is not negative, in four or eight bytes.
    ///
    /// # Errors
    /// [`Fault::GetParameter`] for anything else.
    pub(super) fn number(&self) -> Result<u64, Fault> {
        let Param { kind, data, size, .. } = *self.0;
        if data.is_null() {
            return Err(Fault::GetParameter);
        }
        // SAFETY: OSSL_PARAM(3): there is so much data of this kind, wherever it lies.
        let number = unsafe {
            match (kind, size) {
                (UNSIGNED, 4) => Some(u64::from(data.cast::<u32>().read_unaligned())),
                (UNSIGNED, 8) => Some(data.cast::<u64>().read_unaligned()),
                (INTEGER, 4) => data.cast::<i32>().read_unaligned().try_into().ok(),
                (INTEGER, 8) => data.cast::<i64>().read_unaligned().try_into().ok(),
                _ => None,
            }
        };
        number.ok_or(Fault::GetParameter)
    }

    /// The same in 32 bits.
    ///
    /// # Errors
    /// As [`number`](Self::number).
    pub(super) fn number_32(&self) -> Result<u32, Fault> {
        self.number()?.try_into().map_err(|_| Fault::GetParameter)
    }

    /// The same as a length.
    ///
    /// # Errors
    /// As [`number`](Self::number).
    pub(super) fn len(&self) -> Result<usize, Fault> {
        self.number()?.try_into().map_err(|_| Fault::GetParameter)
    }
}

/// Reads a list, which may be null.
///
/// # Errors
/// Those of `take`, which gets each parameter by name.
///
/// # Safety
/// A list of parameters, with an end.
pub(super) unsafe fn read(
    mut list: *const Param,
    mut take: impl FnMut(&[u8], &Given<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    // SAFETY: as the caller says; names are strings.
    unsafe {
        while !list.is_null() && !(*list).key.is_null() {
            take(CStr::from_ptr((*list).key).to_bytes(), &Given(&*list))?;
            list = list.add(1);
        }
    }
    Ok(())
}

/// What a parameter is that somebody asks for.
pub(super) enum Value<'a> {
    Number(u64),
    Text(&'static CStr),
    /// Bytes that stay where they are as long as the cipher is not used.
    Bytes(&'a [u8]),
    /// Bytes for which there is room, whatever the parameter says: EVP_CIPHER_CTX_rand_key(3) says 0.
    Secret(Zeroizing<Vec<u8>>),
}

/// Answers a list, which may be null: parameters that `know` does not know stay as they are.
///
/// # Errors
/// [`Fault::SetParameter`] where the answer has no room or another kind; those of `know`.
///
/// # Safety
/// A list of parameters, with an end, that nobody else uses.
pub(super) unsafe fn answer<'a>(
    mut list: *mut Param,
    mut know: impl FnMut(&[u8]) -> Result<Option<Value<'a>>, Fault>,
) -> Result<(), Fault> {
    // SAFETY: as the caller says; names are strings.
    unsafe {
        while !list.is_null() && !(*list).key.is_null() {
            if let Some(value) = know(CStr::from_ptr((*list).key).to_bytes())? {
                write(&mut *list, &value).ok_or(Fault::SetParameter)?;
            }
            list = list.add(1);
        }
    }
    Ok(())
}

/// Writes a value; `None` where it does not fit. Where only its size is asked for, that is written.
fn write(param: &mut Param, value: &Value<'_>) -> Option<()> {
    let Param { kind, data, size, .. } = *param;
    let bytes = match value {
        Value::Number(number) => {
            // What fits into fewer bits is the same in both kinds.
            let wide = size != 4;
            let fits = match (kind, wide) {
                (UNSIGNED, false) => u32::try_from(*number).is_ok(),
                (INTEGER, false) => i32::try_from(*number).is_ok(),
                (UNSIGNED, true) => true,
                (INTEGER, true) => i64::try_from(*number).is_ok(),
                _ => false,
            };
            param.returned = if wide { 8 } else { 4 };
            if !fits || data.is_null() {
                return (fits && data.is_null()).then_some(());
            }
            // SAFETY: OSSL_PARAM(3): there are `size` bytes.
            unsafe {
                match size {
                    4 => data.cast::<u32>().write_unaligned(*number as u32),
                    8 => data.cast::<u64>().write_unaligned(*number),
                    _ => return None,
                }
            }
            return Some(());
        }
        Value::Text(text) => text.to_bytes(),
        Value::Bytes(bytes) => bytes,
        Value::Secret(bytes) => bytes,
    };
    let is_text = matches!(value, Value::Text(_));
    match (kind, is_text) {
        (TEXT, true) | (BYTES, false) => {
            param.returned = bytes.len();
            if data.is_null() {
                return Some(());
            }
            if size < bytes.len() && !matches!(value, Value::Secret(_)) {
                return None;
            }
            // SAFETY: OSSL_PARAM(3): there are `size` bytes, no fewer than these, or as many as a key has. A
            // text ends with a zero where there is room for one.
            unsafe {
                ptr::copy_nonoverlapping(bytes.as_ptr(), data.cast(), bytes.len());
                if is_text && size > bytes.len() {
                    data.cast::<u8>().add(bytes.len()).write(0);
                }
            }
        }
        (TEXT_POINTER, true) | (BYTES_POINTER, false) if !matches!(value, Value::Secret(_)) => {
            param.returned = bytes.len();
            if !data.is_null() {
                // SAFETY: OSSL_PARAM(3): there is a pointer. A text is a string, which ends.
                unsafe { data.cast::<*const c_void>().write_unaligned(bytes.as_ptr().cast()) };
            }
        }
        _ => return None,
    }
    Some(())
}
