//! crypto-js of npm under Node: the last version, and 3.1.9, which filled keys up with zeros.

use std::path::Path;
use std::process::Command;

use cipherloom_testkit::peers::left_out;

use crate::drive::{Kind, WAY, Way, ask, compare, script};

const BLOCK: &[usize] = &[8];
const ALL_KEYS: Kind<'_> = Kind::Key(&[16, 24, 32]);

fn by_password() -> [Way<'static>; 4] {
    let way = |preset, cipher, what| Way { preset, cipher, what, ..WAY };
    [
        way("cryptojs", "des-ede3-cbc", "TripleDES"),
        way("cryptojs", "des-cbc", "DES"),
        way("cryptojs-rc4", "", "RC4"),
        way("cryptojs-rc4drop", "", "RC4Drop"),
    ]
}

fn by_key(preset: &'static str, keys: Kind<'static>) -> [Way<'static>; 2] {
    let way = |cipher, what, secret| Way { preset, cipher, what, secret, iv: BLOCK, ..WAY };
    [way("des-ede3-cbc", "TripleDES!", keys), way("des-cbc", "DES!", Kind::Key(&[8, 16]))]
}

fn compared(version: &str, ways: &[Way<'_>]) {
    let package = format!("../../target/tools/crypto-js-{version}/node_modules/crypto-js");
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join(package);
    compare(ways, |questions| {
        ask(Command::new("node").arg(script("crypto.js")).arg(&package), questions)
    });
}

#[test]
fn rare_crypto_js_4() {
    if left_out("crypto-js") {
        return;
    }
    let mut ways = Vec::from(by_password());
    ways.extend(by_key("cryptojs-key", ALL_KEYS));
    ways.push(Way {
        preset: "cryptojs-key-rc4",
        what: "RC4!",
        secret: Kind::Key(&[5, 16, 32]),
        ..WAY
    });
    compared("4.2.0", &ways);
}

#[test]
fn rare_crypto_js_3() {
    if left_out("crypto-js") {
        return;
    }
    let mut ways = Vec::from(by_password());
    ways.extend(by_key("cryptojs-3-key", ALL_KEYS));
    compared("3.1.9-1", &ways);
}
