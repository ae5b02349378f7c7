//! `--force`: what the file keeps whose place is taken, and what is said of the rest.

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;

use crate::common::{Folder, ok, says};

const LINE: &str = "enc -des-cbc -K 0123456789abcdef -iv 0011223344556677 -out old";

fn replace(folder: &Folder) -> String {
    let output = folder.run_with(&format!("{LINE} --force"), b"text");
    let said = says(&output);
    ok(output);
    assert_eq!(folder.read("old").len(), 8, "the old content is there");
    // But for the line that the cipher is withdrawn.
    said.lines().skip(1).map(|line| format!("{line}\n")).collect()
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().mode() & 0o7777
}

#[test]
fn a_new_file_is_its_owners_alone() {
    let folder = Folder::new();
    ok(folder.run_with(LINE, b"text"));
    assert_eq!(mode(&folder.path().join("old")), 0o600);
}

#[test]
fn mode_owner_and_group_stay() {
    let folder = Folder::new();
    let path = folder.file("old", "old");
    // Only root can give files away.
    let is_root = chown(&path, Some(12345), Some(23456)).is_ok();
    let was = path.metadata().unwrap();
    assert_eq!(was.uid() == 12345, is_root);
    for bits in [0o644, 0o640, 0o664, 0o444, 0o755] {
        std::fs::set_permissions(&path, Permissions::from_mode(bits)).unwrap();
        assert_eq!(replace(&folder), "");
        let is = path.metadata().unwrap();
        assert_eq!((is.mode() & 0o7777, is.uid(), is.gid()), (bits, was.uid(), was.gid()));
    }
    // As writing to a file does, a new content loses the right to run as somebody else.
    std::fs::set_permissions(&path, Permissions::from_mode(0o6755)).unwrap();
    assert!(replace(&folder).contains("(setuid, setgid)"));
    assert_eq!(mode(&path), 0o755);
}

/// Extended attributes, and an access list as `setfacl -m u:1:rw` makes it.
#[test]
#[cfg(target_os = "linux")]
fn attributes_and_access_lists_stay() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    // Version 2; tag, permissions and number of each entry (Linux's posix_acl_xattr.h).
    let entries: [(u16, u16, u32); 5] =
        [(1, 6, u32::MAX), (2, 6, 1), (4, 4, u32::MAX), (0x10, 6, u32::MAX), (0x20, 0, u32::MAX)];
    let mut list = 2u32.to_le_bytes().to_vec();
    for (tag, bits, id) in entries {
        list.extend([tag.to_le_bytes(), bits.to_le_bytes()].concat());
        list.extend(id.to_le_bytes());
    }
    let folder = Folder::new();
    let path = folder.file("old", "old");
    let attributes = [("user.origin", &b"tape 7"[..]), ("system.posix_acl_access", &list)];
    for (name, value) in attributes {
        setxattr(&path, name, value, XattrFlags::empty()).unwrap();
    }
    assert_eq!(replace(&folder), "");
    for (name, value) in attributes {
        let mut buffer = [0; 100];
        let len = getxattr(&path, name, &mut buffer[..]).unwrap();
        assert_eq!(&buffer[..len], value, "{name}");
    }
    assert_eq!(mode(&path), 0o660);
}

/// Root may set these: a name of the system's own stays, a right that the old content had is lost.
#[test]
#[cfg(target_os = "linux")]
fn what_speaks_of_the_old_content_goes_and_is_named() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    // Version 2 of a file's capabilities: CAP_NET_BIND_SERVICE, permitted (linux/capability.h).
    let mut capability = 0x0200_0000_u32.to_le_bytes().to_vec();
    capability.extend([1_u32 << 10, 0, 0, 0].map(u32::to_le_bytes).concat());
    let folder = Folder::new();
    let path = folder.file("old", "old");
    let set = |name, value: &[u8]| setxattr(&path, name, value, XattrFlags::empty()).is_ok();
    let (is_trusted, is_capable) =
        (set("trusted.origin", b"tape 7"), set("security.capability", &capability));
    assert_eq!(replace(&folder).contains("it lost security.capability"), is_capable);
    let mut buffer = [0; 100];
    assert!(getxattr(&path, "security.capability", &mut buffer[..]).is_err());
    let kept = getxattr(&path, "trusted.origin", &mut buffer[..]);
    assert_eq!(kept.is_ok_and(|len| buffer[..len] == *b"tape 7"), is_trusted);
}

#[test]
fn other_names_of_the_file_keep_the_old_content_and_this_is_said() {
    let folder = Folder::new();
    let path = folder.file("old", "old");
    std::fs::hard_link(&path, folder.path().join("other")).unwrap();
    let said = replace(&folder);
    assert_eq!(
        said,
        "cipherloom: old was replaced: its other names (hard links) keep the old content\n"
            .replace("old was", &format!("{} was", path.canonicalize().unwrap().display()))
    );
    assert_eq!(folder.read("other"), b"old");
}

#[test]
fn a_symbolic_link_stays_and_what_it_leads_to_is_replaced() {
    let folder = Folder::new();
    folder.file("real", "old");
    symlink("real", folder.path().join("old")).unwrap();
    assert_eq!(replace(&folder), "");
    assert!(folder.path().join("old").is_symlink());
    assert_eq!(folder.read("real").len(), 8);
}
