//! What may use what in the provider, read off the imports.

use cipherloom_testkit::laws;

/// The layers, lowest first.
const LAYERS: [laws::Layer; 4] = [
    ("numbers, rows", &["fault", "ciphers"]),
    ("modes and records", &["chain", "record_mac", "tls"]),
    ("a cipher at work", &["context", "pipes"]),
    ("what OpenSSL calls", &["boundary"]),
];

#[test]
fn layers_use_what_stands_below_them() {
    laws::hold(env!("CARGO_MANIFEST_DIR"), &LAYERS);
}
