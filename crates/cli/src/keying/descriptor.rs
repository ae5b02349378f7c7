//! `-pass fd:N`: the very descriptor that the process was given.

use std::fs::File;

use crate::errors::{Error, Result};

/// The descriptor as a file, at its present position and of whatever kind: a socket has no name that
/// could be opened again, and what a privileged parent opened may not be.
///
/// # Errors
/// Bad usage: no such descriptor was handed to this process.
#[cfg(unix)]
pub(super) fn open(number: u32) -> Result<File> {
    use rustix::io::{FdFlags, fcntl_getfd};
    use std::os::fd::BorrowedFd;

    let none = || {
        Error::usage(format!(
            "-pass fd:{number}: this process was given no descriptor {number}; a shell gives it as \
             in {number}<file"
        ))
    };
    let raw = i32::try_from(number).map_err(|_| none())?;
    // SAFETY: `raw` is not -1. If it is not open, the two calls below say so. It does not outlive this
    // function, in which nothing is closed.
    #[allow(unsafe_code, reason = "a number is all that the command line can say of a descriptor")]
    let descriptor = unsafe { BorrowedFd::borrow_raw(raw) };
    // A descriptor that came through `exec` lacks this flag; those that we opened have it.
    let is_own = fcntl_getfd(descriptor).map_err(|_| none())?.contains(FdFlags::CLOEXEC);
    if is_own {
        return Err(none());
    }
    descriptor.try_clone_to_owned().map(File::from).map_err(|_| none())
}

/// Elsewhere descriptors are not handed on by their numbers.
#[cfg(not(unix))]
pub(super) fn open(_: u32) -> Result<File> {
    Err(Error::usage("-pass fd: is for Unix; give the password by env:, file: or stdin"))
}
