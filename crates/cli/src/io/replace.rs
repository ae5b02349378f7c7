//! What a file keeps when new content takes its name.
//!
//! The new content is another file, which gets the name in one step: nobody ever sees half of it, and
//! a failure costs nothing. So it has to be made like the old one first.

use std::fs::File;
use std::path::Path;

/// Gives `new` owner, group, permissions and extended attributes (access lists are among them) of the
/// file `old`, as far as this process may. Returns what will be different, in words.
#[cfg(unix)]
pub(super) fn inherit(old: &Path, new: &File) -> std::io::Result<Vec<String>> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    // What is gone has nothing to hand on.
    let Ok(was) = std::fs::metadata(old) else { return Ok(Vec::new()) };
    let mut changes = Vec::new();
    // Only root may give a file away; its owner may choose among groups.
    if fchown(new, Some(was.uid()), Some(was.gid())).is_err() {
        let _ = fchown(new, None, Some(was.gid()));
    }
    let is = new.metadata()?;
    let mut mode = was.mode() & 0o777;
    if is.uid() != was.uid() {
        changes.push(format!("its owner is user {} now, not {}", is.uid(), was.uid()));
    }
    if is.gid() != was.gid() {
        changes.push(format!("its group is {} now, not {}", is.gid(), was.gid()));
        // Another group may do what everybody may.
        mode = mode & 0o707 | (mode & 0o007) << 3;
    }
    if was.mode() & 0o6000 != 0 {
        changes.push("it does not run as its owner or group any more (setuid, setgid)".to_owned());
    }
    let lost = attributes(old, new);
    if !lost.is_empty() {
        changes.push(format!("it lost {}", lost.join(", ")));
    }
    // Behind the access list, whose mask it sets.
    new.set_permissions(Permissions::from_mode(mode))?;
    if was.nlink() > 1 {
        changes.push("its other names (hard links) keep the old content".to_owned());
    }
    Ok(changes)
}

/// Elsewhere a new file has what its directory gives it.
#[cfg(not(unix))]
pub(super) fn inherit(_: &Path, _: &File) -> std::io::Result<Vec<String>> {
    Ok(Vec::new())
}

/// Copies extended attributes, and takes away those that only `new` has. Returns the names of those
/// that could not be kept.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn attributes(old: &Path, new: &File) -> Vec<String> {
    use rustix::fs::{
        XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr, getxattr, listxattr,
    };

    let names = |list: Vec<u8>| -> Vec<Vec<u8>> {
        list.split(|&byte| byte == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect()
    };
    // A file system without attributes has none.
    let before = names(whole(|buffer| listxattr(old, buffer)).unwrap_or_default());
    let mut lost = Vec::new();
    for name in &before {
        let value = whole(|buffer| getxattr(old, &name[..], buffer));
        let is_same = |value: &Vec<u8>| {
            whole(|buffer| fgetxattr(new, &name[..], buffer)).is_ok_and(|now| now == *value)
        };
        let has_it = value.is_ok_and(|value| {
            let set = || fsetxattr(new, &name[..], &value, XattrFlags::empty()).is_ok();
            is_same(&value) || is_kept(name) && set()
        });
        if !has_it {
            lost.push(String::from_utf8_lossy(name).into_owned());
        }
    }
    for name in names(whole(|buffer| flistxattr(new, buffer)).unwrap_or_default()) {
        if is_kept(&name) && !before.contains(&name) {
            // An access list that the directory gave must not open the file to more people.
            let _ = fremovexattr(new, &name[..]);
        }
    }
    lost
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android", target_vendor = "apple"))))]
fn attributes(_: &Path, _: &File) -> Vec<String> {
    Vec::new()
}

/// Whether an attribute says something of the file, and not of its old content as capabilities and
/// checksums do.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn is_kept(name: &[u8]) -> bool {
    !name.starts_with(b"security.") || name == b"security.selinux"
}

#[cfg(target_vendor = "apple")]
fn is_kept(_: &[u8]) -> bool {
    true
}

/// All that a call has to say which fills a buffer.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn whole(
    mut call: impl FnMut(&mut [u8]) -> rustix::io::Result<usize>,
) -> rustix::io::Result<Vec<u8>> {
    let mut buffer = vec![0; 4096];
    loop {
        match call(&mut buffer) {
            Ok(len) => {
                buffer.truncate(len);
                return Ok(buffer);
            }
            // Linux allows 64 KiB.
            Err(rustix::io::Errno::RANGE) if buffer.len() < 1 << 20 => {
                buffer.resize(buffer.len() * 4, 0);
            }
            Err(error) => return Err(error),
        }
    }
}
