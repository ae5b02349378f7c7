//! What Unix does in its own way; `windows.rs` has the same functions.

use std::fs::{File, Metadata};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::time::Duration;

/// Standard input as a file without a buffer.
pub(super) fn stdin() -> io::Result<File> {
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

/// Standard output as a file without a buffer.
#[expect(clippy::disallowed_methods, reason = "the output is data, not words")]
pub(super) fn stdout() -> io::Result<File> {
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

/// Whether reading gives something, or the end, within some time.
pub(super) fn is_ready(file: &File, within: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let within = Timespec::try_from(within).ok();
    poll(&mut [PollFd::new(file, PollFlags::IN)], within.as_ref()).is_ok_and(|ready| ready > 0)
}

/// What is known of an open file: here something of every one.
pub(super) fn metadata(file: &File) -> io::Result<Option<Metadata>> {
    file.metadata().map(Some)
}

/// What no other file or disk has; none for pipes and the like.
pub(super) fn identity(file: &File) -> io::Result<Option<(u64, u64)>> {
    file.metadata().map(|metadata| known(&metadata))
}

/// The same of what a path leads to; none if that is nothing.
pub(super) fn identity_at(path: &Path) -> io::Result<Option<(u64, u64)>> {
    Ok(std::fs::metadata(path).ok().and_then(|metadata| known(&metadata)))
}

/// The volume, and the file's number there.
fn known(metadata: &Metadata) -> Option<(u64, u64)> {
    let is_kept = metadata.is_file() || is_block_device(metadata);
    is_kept.then(|| (metadata.dev(), metadata.ino()))
}

/// Whether a name alone makes it a device: not here, where a device is a file that says so.
pub(super) fn is_device_name(_: &Path) -> bool {
    false
}

/// Whether a name means a part of a file: none does here.
pub(super) fn is_stream_name(_: &Path) -> bool {
    false
}

/// Whether this is a disk, or another device of blocks.
pub(super) fn is_block_device(metadata: &Metadata) -> bool {
    metadata.file_type().is_block_device()
}
