//! Standard output is for what was asked for, and for nothing else.
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

/// Where nothing is installed but a package manager that talks, all that it says is on standard error.
#[test]
fn what_the_package_manager_says_is_no_part_of_the_result() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for (name, says) in [("apt-get", "Reading package lists..."), ("apt-cache", ""), ("id", "0")] {
        let path = folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\necho {says}\n")).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    }
    symlink("/usr/bin/env", folder.join("env")).unwrap();

    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let output = xtask.args(["peers", "--quick", "--json"]).env("PATH", &folder).output().unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|said| String::from_utf8(said).unwrap());
    // There is still no compiler, so no result either.
    assert_eq!((stdout.as_str(), output.status.code()), ("", Some(1)), "{stderr}");
    assert!(
        stderr.contains("$ env DEBIAN_FRONTEND=noninteractive apt-get -qq install"),
        "{stderr}"
    );
    assert!(stderr.contains("Reading package lists..."), "{stderr}");
    assert!(stderr.contains("missing: "), "{stderr}");
}
