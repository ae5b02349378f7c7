//! What a user of the C library finds after `cargo xtask install`. (`cargo xtask install --compare` shows
//! that `cargo cinstall` installs the same.)

use crate::support::{here, scratch, succeed};
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn pkg_config_leads_to_headers_and_libraries() {
    let prefix = scratch().join("installed");
    let target = scratch().parent().expect("a folder of the target folder");
    let _ = fs::remove_dir_all(&prefix);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--package", "xtask", "--", "install", "--profile", "dev"]);
    cargo.arg("--prefix").arg(&prefix).env("CARGO_TARGET_DIR", target).current_dir(here());
    succeed(&mut cargo);

    let pkg_config = |arguments: &[&str]| {
        let mut command = Command::new("pkg-config");
        command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).args(arguments);
        succeed(&mut command).split_whitespace().map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(pkg_config(&["--modversion", "cipherloom"]), [env!("CARGO_PKG_VERSION")]);

    // A program far away from here, which knows nothing but pkg-config's answers.
    let source = here().join("examples/records.c");
    let libraries = prefix.join("lib");
    let cc = |name: &str, options: &[String]| {
        let program = prefix.join(name);
        let mut cc = Command::new("cc");
        cc.args(["-Wall", "-Wextra", "-Werror", "-std=c99"]).arg(&source);
        succeed(cc.args(options).arg("-o").arg(&program));
        succeed(Command::new(&program).env("LD_LIBRARY_PATH", &libraries))
    };
    let shared = cc("shared", &pkg_config(&["--cflags", "--libs", "cipherloom"]));
    assert!(shared.contains("998 records are right"), "{shared}");
    let name = succeed(Command::new("readelf").arg("-d").arg(prefix.join("shared")));
    let version: Vec<&str> = env!("CARGO_PKG_VERSION").split('.').collect();
    assert!(name.contains(&format!("[libcipherloom.so.{}.{}]", version[0], version[1])), "{name}");

    // With the archive alone, and what the pkg-config file says that it needs.
    fs::remove_file(libraries.join("libcipherloom.so")).expect("it was installed");
    let alone = cc("static", &pkg_config(&["--static", "--cflags", "--libs", "cipherloom"]));
    assert_eq!(alone, shared);

    // Every header is there, and can be included alone, also by C++.
    for header in ["cipherloom.h", "cipherloom/des.h", "cipherloom/rc4.h"] {
        for language in ["c", "c++"] {
            check_header(&prefix.join("include"), header, language);
        }
    }
    for header in ["openssl/des.h", "openssl/rc4.h"] {
        check_header(&prefix.join("include/cipherloom/compat"), header, "c++");
    }
}

/// Includes a header twice, and nothing else.
fn check_header(folder: &Path, header: &str, language: &str) {
    let source = folder.join(format!("check.{language}"));
    fs::write(&source, format!("#include <{header}>\n#include <{header}>\n")).expect("a new file");
    let mut cc = Command::new("cc");
    cc.args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "-x", language, "-I"]);
    succeed(cc.arg(folder).arg(&source));
}
