//! What Windows does in its own way; `unix.rs` has the same functions, `interrupts.rs` the signals.

use std::fs::{File, Metadata};
use std::io;
use std::os::windows::io::AsHandle;
use std::path::{Component, Path, Prefix};
use std::time::Duration;

use winapi_util::file::{information, typ};
use winapi_util::{AsHandleRef, Handle};

/// Standard input as a file without a buffer.
pub(super) fn stdin() -> io::Result<File> {
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

/// Standard output as a file without a buffer.
#[expect(clippy::disallowed_methods, reason = "the output is data, not words")]
pub(super) fn stdout() -> io::Result<File> {
    io::stdout().as_handle().try_clone_to_owned().map(File::from)
}

/// Whether reading gives something within some time, as far as is known: pipes and consoles do not say.
pub(super) fn is_ready(_: &File, _: Duration) -> bool {
    false
}

/// What is known of an open file: nothing of pipes, consoles and devices, where asking is an error.
pub(super) fn metadata(file: &File) -> io::Result<Option<Metadata>> {
    if typ(file)?.is_disk() { file.metadata().map(Some) } else { Ok(None) }
}

/// What no other file has; none for pipes and the like.
pub(super) fn identity(file: &File) -> io::Result<Option<(u64, u64)>> {
    if typ(file)?.is_disk() { known(file).map(Some) } else { Ok(None) }
}

/// The same of what a path leads to; none if that is nothing.
pub(super) fn identity_at(path: &Path) -> io::Result<Option<(u64, u64)>> {
    // Even a look at a named pipe would be a connection.
    if is_device_name(path) || !path.is_file() {
        return Ok(None);
    }
    known(Handle::from_path_any(path)?).map(Some)
}

/// The volume, and the file's number there.
fn known(file: impl AsHandleRef) -> io::Result<(u64, u64)> {
    let known = information(file)?;
    Ok((known.volume_serial_number(), known.file_index()))
}

/// Whether this is a disk: none has metadata here.
pub(super) fn is_block_device(_: &Metadata) -> bool {
    false
}

/// Whether a name alone makes it a device, as `NUL` and `\\.\pipe\name` do in any directory.
pub(super) fn is_device_name(path: &Path) -> bool {
    let whole = std::path::absolute(path).unwrap_or_default();
    matches!(whole.components().next(),
        Some(Component::Prefix(prefix)) if matches!(prefix.kind(), Prefix::DeviceNS(_)))
}

/// Whether a name means a part of a file, as `name:stream` does on NTFS.
pub(super) fn is_stream_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().contains(&b':'))
}

/// From here on Ctrl-C, Ctrl-Break, closing the console, logging off and shutting down remove the
/// partial file and end the process, with the exit code that the system gives by itself.
#[allow(
    unsafe_code,
    reason = "the crate `ctrlc` answers first and cleans up then, which is too late where a console \
              is closed: with the answer the system ends the process"
)]
pub(super) fn watch_console() {
    use windows_sys::Win32::Foundation::{STATUS_CONTROL_C_EXIT, TRUE};
    use windows_sys::Win32::System::Console::SetConsoleCtrlHandler;
    use windows_sys::core::BOOL;

    unsafe extern "system" fn clean_up(_: u32) -> BOOL {
        // Locked to the end, so that the output neither gets its name now nor fails to and says so.
        let partial = super::partial::lock();
        if let Some(path) = partial.as_ref() {
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(STATUS_CONTROL_C_EXIT)
    }
    // SAFETY: the handler has the signature that is asked for, and is there as long as the process.
    // The system calls it on a thread of its own, so it may lock, delete files and exit.
    unsafe { SetConsoleCtrlHandler(Some(clean_up), TRUE) };
}
