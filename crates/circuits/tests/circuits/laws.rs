//! What may use what in this crate, read off the imports.

use cipherloom_testkit::laws;

/// The layers, lowest first.
const LAYERS: [laws::Layer; 7] = [
    ("the standard's tables; random numbers", &["fips", "random"]),
    ("operations, and what they have to give", &["gates", "sbox"]),
    ("a circuit", &["circuit"]),
    ("circuits as text", &["text"]),
    ("circuits compiled in, and on disk", &["committed", "store"]),
    ("the search for smaller ones", &["search"]),
    ("the same circuits with inversions elsewhere", &["kept"]),
];

#[test]
fn layers_use_what_stands_below_them() {
    laws::hold(env!("CARGO_MANIFEST_DIR"), &LAYERS);
}
