//! Perl's Crypt::CBC.

use std::process::Command;

use cipherloom_testkit::peers::left_out;

use crate::drive::{WAY, Way, ask, compare, script};

#[test]
fn rare_crypt_cbc() {
    if left_out("Crypt::CBC") {
        return;
    }
    let way = |preset, cipher, what| Way { preset, cipher, what, ..WAY };
    // Version 3.04 takes the IV for the key where it decrypts these.
    let old = |cipher, what| Way { opens: false, ..way("crypt-cbc-randomiv", cipher, what) };
    let ways = [
        old("des-cbc", "DES/randomiv"),
        old("des-ede3-cbc", "DES_EDE3/randomiv"),
        way("openssl-1.0", "des-cbc", "DES/salt"),
        way("openssl-1.0", "des-ede3-cbc", "DES_EDE3/salt"),
    ];
    compare(&ways, |questions| ask(Command::new("perl").arg(script("crypt-cbc.pl")), questions));
}
