//! OpenSSL's own test of ciphers, with the known answers that come with its sources: our provider in the place of its
//! own.

use crate::support::{BUILT, built, scratch};
use std::fs;
use std::path::Path;

/// Files of known answers: how many of them count, and how many are for FIPS' provider alone.
const FILES: [(&str, usize, usize); 4] = [
    ("evpciph_des.txt", 13, 0),
    ("evpciph_des3_common.txt", 3, 4),
    ("evpciph_rc4.txt", 11, 0),
    ("evpciph_rc4_stitched.txt", 2, 0),
];

/// Known answers say which of OpenSSL's providers has the cipher, and count only where that is there.
const CONFIGURATION: &str = "\
openssl_conf = openssl_init
[openssl_init]
providers = providers
[providers]
default = active
legacy = active
cipherloom = active
[active]
activate = 1
";

#[test]
fn rare_the_known_answers_of_openssl() {
    let Some(system) = built() else { return };
    let configuration = scratch().join("evp_test.cnf");
    fs::write(&configuration, CONFIGURATION).expect("a place to write");
    for (name, count, skipped) in FILES {
        let mut test = system.program(&Path::new(BUILT).join("evp_test"));
        test.arg("-config").arg(&configuration);
        // Ours, or none: a known answer of a cipher that is not to be had is skipped, and counted.
        test.args(["-propquery", "provider=cipherloom"]);
        let output = test.arg(Path::new(BUILT).join("data").join(name)).output();
        let output = output.expect("evp_test runs");
        let said = String::from_utf8_lossy(&output.stderr);
        let want = format!("Completed {count} tests with 0 errors and {skipped} skipped");
        assert!(output.status.success() && said.contains(&want), "{name}: {said}");
    }
}
