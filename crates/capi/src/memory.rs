//! From C's pointers and lengths to slices: the promises of the header, which a compiler cannot
//! check, and everything about them that can be checked.

use crate::code::Code;
use core::mem::MaybeUninit;

/// Where a handle goes. C's variable is not initialised: what was in it is never dropped.
pub(crate) type Place<'a, T> = Option<&'a mut MaybeUninit<Option<Box<T>>>>;

/// Where a length goes; null if the caller does not want it.
pub(crate) type Written<'a> = Option<&'a mut MaybeUninit<usize>>;

/// Makes a handle, or writes null.
///
/// # Errors
/// [`Code::Null`] if there is no place; those of `make`.
pub(crate) fn hand_out<T>(
    place: Place<'_, T>,
    make: impl FnOnce() -> Result<T, Code>,
) -> Result<(), Code> {
    let place = place.ok_or(Code::Null)?;
    // In place of what a panic would leave there.
    place.write(None);
    place.write(Some(Box::new(make()?)));
    Ok(())
}

/// Writes a length: what `work` gives, and 0 if it fails.
///
/// # Errors
/// Those of `work`.
pub(crate) fn written(
    place: Written<'_>,
    work: impl FnOnce() -> Result<usize, Code>,
) -> Result<(), Code> {
    let result = work();
    if let Some(place) = place {
        place.write(*result.as_ref().unwrap_or(&0));
    }
    result.map(|_| ())
}

fn check<T>(start: *const T, len: usize) -> Result<(), Code> {
    let bytes = len.checked_mul(size_of::<T>()).filter(|bytes| *bytes <= isize::MAX as usize);
    match bytes {
        None => Err(Code::Length),
        Some(bytes) if start.addr().checked_add(bytes).is_none() => Err(Code::Length),
        Some(1..) if start.is_null() => Err(Code::Null),
        Some(_) => Ok(()),
    }
}

/// What C calls an array to read.
///
/// # Errors
/// [`Code::Null`] for null with a length other than 0, [`Code::Length`].
///
/// # Safety
/// Unless it is null, there are `len` values at `start`, and nothing writes them while the result
/// is used.
pub(crate) unsafe fn slice<'a, T>(start: *const T, len: usize) -> Result<&'a [T], Code> {
    check(start, len)?;
    if len == 0 {
        return Ok(&[]);
    }
    // SAFETY: as the caller says; not null, and of a length that a slice can have.
    Ok(unsafe { core::slice::from_raw_parts(start, len) })
}

/// What C calls an array to write.
///
/// # Errors
/// As [`slice`].
///
/// # Safety
/// Unless it is null, there are `len` values at `start`, and nothing else uses them while the
/// result is used. Bytes may be uninitialised as far as C is concerned: they come from memory that
/// this compiler knows nothing of, and are not read before they are written.
pub(crate) unsafe fn slice_mut<'a, T>(start: *mut T, len: usize) -> Result<&'a mut [T], Code> {
    check(start, len)?;
    if len == 0 {
        return Ok(&mut []);
    }
    // SAFETY: as the caller says; not null, and of a length that a slice can have.
    Ok(unsafe { core::slice::from_raw_parts_mut(start, len) })
}

/// Input and output of a call.
pub(crate) enum Buffers<'a> {
    /// They start at the same place: `len` bytes of input at the start of the room for the output.
    Same(&'a mut [u8]),
    /// They have nothing in common.
    Apart(&'a [u8], &'a mut [u8]),
}

/// Input and output of a call.
///
/// # Errors
/// As [`slice`]; [`Code::Overlap`] if they overlap without starting at the same place;
/// [`Code::OutputTooSmall`] if they do, and there is less room than input.
///
/// # Safety
/// As [`slice`] for the input and [`slice_mut`] for the output.
pub(crate) unsafe fn buffers<'a>(
    input: *const u8,
    len: usize,
    output: *mut u8,
    room: usize,
) -> Result<Buffers<'a>, Code> {
    check(input, len)?;
    check(output, room)?;
    let (from, to) = (input.addr(), output.addr());
    if len > 0 && from == to {
        // SAFETY: as the caller says; all of the input lies in the output.
        return unsafe { slice_mut(output, room) }.and_then(|all| {
            if len > room { Err(Code::OutputTooSmall) } else { Ok(Buffers::Same(all)) }
        });
    }
    if len > 0 && room > 0 && from < to + room && to < from + len {
        return Err(Code::Overlap);
    }
    // SAFETY: as the caller says; no byte is in both.
    unsafe { Ok(Buffers::Apart(slice(input, len)?, slice_mut(output, room)?)) }
}
