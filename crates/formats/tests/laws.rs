//! What may use what in this crate, read off the imports.

use cipherloom_testkit::laws;

/// The layers, lowest first.
const LAYERS: [laws::Layer; 7] = [
    ("what ciphers are called; what is found of a plaintext", &["cipher", "damage", "looks"]),
    ("OpenSSL's header and wrapped keys; hex and base64", &["encoding", "key_wrap", "salted"]),
    ("a cipher at work, and keys in hex and in files", &["engine", "key_file", "key_text"]),
    ("from a password to a key", &["derivation"]),
    ("ways in which programs wrote data", &["preset"]),
    ("which of them wrote a value", &["recognise"]),
    ("what fuzz targets call", &["fuzz"]),
];

#[test]
fn layers_use_what_stands_below_them() {
    laws::hold(env!("CARGO_MANIFEST_DIR"), &LAYERS);
}
