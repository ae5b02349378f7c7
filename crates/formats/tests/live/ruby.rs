//! Ruby's OpenSSL::Cipher.

use std::process::Command;

use cipherloom_testkit::peers::left_out;

use crate::drive::{Folder, WAY, Way, ask, compare, legacy_provider, script};

#[test]
fn rare_ruby() {
    if left_out("ruby") {
        return;
    }
    let folder = Folder::new("ruby");
    let provider = legacy_provider(&folder);
    let way = |cipher, what, salt| Way { preset: "ruby", cipher, what, salt, ..WAY };
    let ways = [
        way("des-ede3-cbc", "des-ede3-cbc", 0),
        way("des-ede3-cbc", "des-ede3-cbc", 8),
        way("des-cbc", "des-cbc", 0),
        way("des-cbc", "des-cbc", 8),
    ];
    compare(&ways, |questions| {
        let mut ruby = Command::new("ruby");
        ask(ruby.env("OPENSSL_CONF", &provider).arg(script("keyivgen.rb")), questions)
    });
}
