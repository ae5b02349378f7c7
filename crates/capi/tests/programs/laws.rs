//! What may use what in the C face, read off the imports.

use cipherloom_testkit::laws;

/// The layers, lowest first.
const LAYERS: [laws::Layer; 5] = [
    ("errors as numbers", &["code", "header"]),
    ("C's numbers, pointers and lengths", &["memory", "names"]),
    ("keys and backends", &["backends", "keys"]),
    ("what is done with keys", &["batch", "incremental", "macs", "modes", "rc4"]),
    ("OpenSSL's functions; any sequence of calls", &["openssl", "sequence"]),
];

#[test]
fn layers_use_what_stands_below_them() {
    laws::hold(env!("CARGO_MANIFEST_DIR"), &LAYERS);
}
