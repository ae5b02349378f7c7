//! What may use what in the library, read off the imports. (`ARCHITECTURE.md` tells why; what each package
//! is built of is in the test kit's `tests/laws.rs`.)

use cipherloom_testkit::laws;

/// The library's layers, lowest first.
const LAYERS: [laws::Layer; 7] = [
    ("kernels: ciphers on raw blocks", &["kernels"]),
    ("what backends are called, and what can go wrong", &["backend", "error"]),
    ("dispatch: from an amount of work to a kernel", &["dispatch"]),
    ("keys: ciphers as data, and the object that holds a key", &["keys"]),
    ("what is done with a key: modes, MACs, RC4", &["modes", "padding", "verdict", "mac", "rc4"]),
    ("batch: many records", &["batch"]),
    ("what programs ask, and the traits of others", &["queries", "rustcrypto"]),
];

#[test]
fn layers_use_what_stands_below_them() {
    laws::hold(env!("CARGO_MANIFEST_DIR"), &LAYERS);
}
