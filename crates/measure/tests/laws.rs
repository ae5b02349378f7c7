//! What may use what in this crate, read off the imports.

use cipherloom_testkit::laws;

/// The layers, lowest first.
const LAYERS: [laws::Layer; 2] = [
    ("clocks, processors, statistics, tables", &["clock", "columns", "distribution", "processor"]),
    ("samples, comparisons, charts", &["chart", "paired", "sampler"]),
];

#[test]
fn layers_use_what_stands_below_them() {
    laws::hold(env!("CARGO_MANIFEST_DIR"), &LAYERS);
}
