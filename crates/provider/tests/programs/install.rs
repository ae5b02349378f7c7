//! What a user finds after `cargo xtask install --provider`, and after it is removed.

use crate::support::{here, scratch, succeed};
use std::fs;
use std::process::Command;

#[test]
fn rare_installed_and_removed() {
    let root = scratch().join("provider-installed");
    let target = scratch().parent().expect("a folder of the target folder");
    let _ = fs::remove_dir_all(&root);
    let xtask = |words: &[&str]| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["run", "--quiet", "--package", "xtask", "--", "install", "--provider"]);
        cargo.args(words).arg("--destdir").arg(&root);
        succeed(cargo.env("CARGO_TARGET_DIR", target).current_dir(here()))
    };
    let said = xtask(&["--profile", "dev"]);
    let place = said.trim();
    assert!(
        place.starts_with(&*root.to_string_lossy()) && place.ends_with("cipherloom.so"),
        "{said}"
    );
    let modules = place.strip_suffix("/cipherloom.so").expect("a file in a folder");
    let mut openssl = Command::new("openssl");
    openssl.env("OPENSSL_MODULES", modules).args(["list", "-providers", "-provider", "cipherloom"]);
    let said = succeed(&mut openssl);
    assert!(
        said.contains("name: Cipherloom provider") && said.contains("status: active"),
        "{said}"
    );
    xtask(&["--remove"]);
    assert!(!fs::exists(place).expect("its folder is ours"));
}
