//! What may use what in the command, read off the imports.

use cipherloom_testkit::laws;

/// The layers, lowest first.
const LAYERS: [laws::Layer; 7] = [
    ("what can go wrong, and how it is said", &["errors", "process", "text"]),
    ("files, pipes and terminals", &["io"]),
    ("options; passwords; which option helps", &["advice", "args", "ciphers", "keying"]),
    (
        "a cipher or a preset made ready, and a message sent through it",
        &["job", "pipeline", "presets"],
    ),
    ("sub-commands", &["commands"]),
    ("the command line", &["command_line"]),
    ("what fuzz targets call", &["fuzz"]),
];

#[test]
fn layers_use_what_stands_below_them() {
    laws::hold(env!("CARGO_MANIFEST_DIR"), &LAYERS);
}
