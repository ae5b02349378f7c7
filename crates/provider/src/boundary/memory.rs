//! From C's pointers and lengths to slices.

use crate::context::Buffers;
use crate::fault::Fault;
use core::mem::MaybeUninit;
use core::slice;
use zeroize::{Zeroizing, optimization_barrier};

/// Bytes to read.
///
/// # Errors
/// [`Fault::Null`] for null with a length other than 0.
///
/// # Safety
/// Unless it is null, there are `len` bytes at `start`, which nothing writes while the result is used.
pub(super) unsafe fn bytes<'a>(start: *const u8, len: usize) -> Result<&'a [u8], Fault> {
    match len {
        0 => Ok(&[]),
        _ if start.is_null() || len > isize::MAX as usize => Err(Fault::Null),
        // SAFETY: as the caller says; not null, and of a length that a slice can have.
        _ => Ok(unsafe { slice::from_raw_parts(start, len) }),
    }
}

/// Bytes to write.
///
/// # Errors
/// As [`bytes`].
///
/// # Safety
/// As [`bytes`]; nothing else uses them. They may be uninitialised as far as C is concerned: they come
/// from memory that this compiler knows nothing of.
pub(super) unsafe fn bytes_mut<'a>(start: *mut u8, len: usize) -> Result<&'a mut [u8], Fault> {
    match len {
        0 => Ok(&mut []),
        _ if start.is_null() || len > isize::MAX as usize => Err(Fault::Null),
        // SAFETY: as the caller says; not null, and of a length that a slice can have.
        _ => Ok(unsafe { slice::from_raw_parts_mut(start, len) }),
    }
}

/// Calls `work` with the input and the output of a call. Where they overlap it gets a copy of the input, but
/// for a call that may work in place and has both start at the same place.
///
/// # Errors
/// As [`bytes`]; no memory for a copy; those of `work`.
///
/// # Safety
/// As [`bytes`] for `read` bytes of input, and as [`bytes_mut`] for `written` bytes of output.
#[inline(always)]
pub(super) unsafe fn with_buffers<R>(
    (input, read): (*const u8, usize),
    (output, written): (*mut u8, usize),
    in_place: bool,
    work: impl FnOnce(Buffers<'_>) -> Result<R, Fault>,
) -> Result<R, Fault> {
    if in_place && input.addr() == output.addr() {
        // SAFETY: as the caller says; the input lies in it, and is not used beside it.
        return work(Buffers::Same(unsafe { bytes_mut(output, read.max(written)) }?, read));
    }
    let (from, to) = (input.addr(), output.addr());
    let overlap = from < to.saturating_add(written) && to < from.saturating_add(read);
    // SAFETY: as the caller says; the output is not there yet.
    let input = unsafe { bytes(input, read) }?;
    if !overlap {
        // SAFETY: as the caller says; no byte is in both.
        return work(Buffers::Apart(input, unsafe { bytes_mut(output, written) }?));
    }
    let mut copy = Zeroizing::new(Vec::new());
    copy.try_reserve_exact(read).map_err(|_| Fault::Memory)?;
    copy.extend_from_slice(input);
    // SAFETY: as the caller says; the input is not used any more.
    work(Buffers::Apart(&copy, unsafe { bytes_mut(output, written) }?))
}

/// Frees a value, and wipes all of its memory: what was moved into it may have brought leftovers of the stack
/// where it has no fields.
pub(super) fn release<T>(value: Box<T>) {
    let place = Box::into_raw(value);
    // SAFETY: the value is dropped once; its memory is then one of bytes, and goes back to the allocator that
    // it came from.
    unsafe {
        place.drop_in_place();
        place.write_bytes(0, 1);
        let memory = Box::from_raw(place.cast::<MaybeUninit<T>>());
        optimization_barrier(&*memory);
    }
}
