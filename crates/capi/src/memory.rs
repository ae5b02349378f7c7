//! From C's pointers and lengths to slices: the promises of the header, which a compiler cannot
//! check, and everything about them that can be checked.
//!
//! What is written while something else is read is compared with it. Structures are copied before
//! anything is written, and results (handles, lengths) are written last: they may lie anywhere.

use super::code::Code;
use core::mem::MaybeUninit;
use library::leaving_nothing;
use std::alloc::{Layout, alloc};
use zeroize::optimization_barrier;

/// Where a handle goes.
pub(crate) type Slot<T> = *mut Option<Box<T>>;

/// Memory for a value, in which there is no secret yet: what is moved leaves copies.
///
/// # Errors
/// [`Code::Memory`].
pub(crate) fn boxed<T>(value: T) -> Result<Box<T>, Code> {
    const { assert!(size_of::<T>() > 0) };
    // SAFETY: the layout has a size.
    let place = unsafe { alloc(Layout::new::<T>()) }.cast::<T>();
    if place.is_null() {
        return Err(Code::Memory);
    }
    // SAFETY: there is room for the value, from the allocator of boxes.
    unsafe {
        place.write(value);
        Ok(Box::from_raw(place))
    }
}

/// Frees a handle, and wipes all of its memory, whatever it was used for.
pub(crate) fn release<T>(handle: Option<Box<T>>) {
    let Some(handle) = handle else { return };
    let place = Box::into_raw(handle);
    // SAFETY: the value is dropped once; its memory is then one of bytes, and goes back to the
    // allocator that it came from.
    unsafe {
        place.drop_in_place();
        place.write_bytes(0, 1);
        let memory = Box::from_raw(place.cast::<MaybeUninit<T>>());
        optimization_barrier(&*memory);
    }
}

/// Makes a handle, or writes null. Nothing of its secrets stays on the stack.
///
/// # Errors
/// [`Code::Null`] if there is no place; those of `make`.
///
/// # Safety
/// `place` is null or leads to a pointer.
pub(crate) unsafe fn hand_out<const KIB: usize, T>(
    place: Slot<T>,
    make: impl FnOnce() -> Result<Box<T>, Code>,
) -> Result<(), Code> {
    if place.is_null() {
        return Err(Code::Null);
    }
    // SAFETY: as the caller says.
    unsafe { give(place, None, || leaving_nothing::<KIB, _>(make).map(Some)) }
}

/// Writes a length, unless its place is null: what `work` gives, and 0 if it fails.
///
/// # Errors
/// Those of `work`.
///
/// # Safety
/// `place` is null or leads to a length.
pub(crate) unsafe fn written(
    place: *mut usize,
    work: impl FnOnce() -> Result<usize, Code>,
) -> Result<(), Code> {
    // SAFETY: as the caller says.
    unsafe { give(place, 0, work) }
}

/// Writes what `work` gives, or else, also after a panic, `otherwise`: when the work is done, as the
/// place may lie in something that it reads.
///
/// # Safety
/// `place` is null or leads to a value of C.
unsafe fn give<T>(
    place: *mut T,
    otherwise: T,
    work: impl FnOnce() -> Result<T, Code>,
) -> Result<(), Code> {
    struct Given<T>(*mut T, Option<T>);
    impl<T> Drop for Given<T> {
        fn drop(&mut self) {
            if let (Some(value), false) = (self.1.take(), self.0.is_null()) {
                // SAFETY: as the caller says. What was there is C's, and is not dropped.
                unsafe { self.0.write(value) };
            }
        }
    }
    let mut given = Given(place, Some(otherwise));
    given.1 = Some(work()?);
    Ok(())
}

/// A structure of C.
///
/// # Errors
/// [`Code::Null`].
///
/// # Safety
/// `place` is null or leads to the structure.
pub(crate) unsafe fn copied<T: Copy>(place: *const T) -> Result<T, Code> {
    // SAFETY: as the caller says.
    if place.is_null() { Err(Code::Null) } else { Ok(unsafe { place.read() }) }
}

/// The start of some memory, and how many bytes it has.
pub(crate) type Region = (usize, usize);

/// Of so many values.
///
/// # Errors
/// [`Code::Null`] for null with a length other than 0, [`Code::Length`].
pub(crate) fn region<T>(start: *const T, len: usize) -> Result<Region, Code> {
    let bytes = len.checked_mul(size_of::<T>()).filter(|bytes| *bytes <= isize::MAX as usize);
    match bytes {
        None => Err(Code::Length),
        Some(bytes) if start.addr().checked_add(bytes).is_none() => Err(Code::Length),
        Some(1..) if start.is_null() => Err(Code::Null),
        Some(bytes) => Ok((start.addr(), bytes)),
    }
}

/// # Errors
/// [`Code::Overlap`] if two regions have a byte in common.
pub(crate) fn apart(a: Region, b: Region) -> Result<(), Code> {
    let is_before = |(start, bytes): Region, (other, _): Region| start + bytes <= other;
    let is_empty = a.1 == 0 || b.1 == 0;
    if is_empty || is_before(a, b) || is_before(b, a) { Ok(()) } else { Err(Code::Overlap) }
}

/// What C calls an array to read.
///
/// # Errors
/// Those of [`region`].
///
/// # Safety
/// Unless it is null, there are `len` values at `start`, and nothing writes them while the result
/// is used.
pub(crate) unsafe fn slice<'a, T>(start: *const T, len: usize) -> Result<&'a [T], Code> {
    region(start, len)?;
    if len == 0 {
        return Ok(&[]);
    }
    // SAFETY: as the caller says; not null, and of a length that a slice can have.
    Ok(unsafe { core::slice::from_raw_parts(start, len) })
}

/// What C calls an array to write.
///
/// # Errors
/// Those of [`region`].
///
/// # Safety
/// Unless it is null, there are `len` values at `start`, and nothing else uses them while the
/// result is used. Bytes may be uninitialised as far as C is concerned: they come from memory that
/// this compiler knows nothing of, and are not read before they are written.
pub(crate) unsafe fn slice_mut<'a, T>(start: *mut T, len: usize) -> Result<&'a mut [T], Code> {
    region(start, len)?;
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
/// Those of [`region`]; [`Code::Overlap`] if they overlap without starting at the same place;
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
    let (from, to) = (region(input, len)?, region(output, room)?);
    if len > 0 && input.addr() == output.addr() {
        // SAFETY: as the caller says; all of the input lies in the output.
        return unsafe { slice_mut(output, room) }.and_then(|all| {
            if len > room { Err(Code::OutputTooSmall) } else { Ok(Buffers::Same(all)) }
        });
    }
    apart(from, to)?;
    // SAFETY: as the caller says; no byte is in both.
    unsafe { Ok(Buffers::Apart(slice(input, len)?, slice_mut(output, room)?)) }
}

/// # Errors
/// [`Code::Overlap`] if a length would be written into the output. It is not written then.
pub(crate) fn not_into(result: *const usize, output: *const u8, room: usize) -> Result<(), Code> {
    // Other faults of the output have codes of their own, which come with a length.
    match (region(result, usize::from(!result.is_null())), region(output, room)) {
        (Ok(result), Ok(output)) => apart(result, output),
        _ => Ok(()),
    }
}

/// What work on keys and MACs uses of the stack, in KiB: 500 bytes were found.
pub(crate) const SHALLOW: usize = 2;
/// What moves messages and RC4's states uses of it: 6,100 bytes were found.
pub(crate) const DEEP: usize = 8;
