//! Jasypt in OpenJDK.

use std::process::Command;

use cipherloom_testkit::peers::left_out;

use crate::drive::{Kind, WAY, Way, ask, compare, script};

/// Debian's `libjasypt-java`.
const JASYPT: &str = "/usr/share/java/jasypt.jar";

#[test]
fn rare_jasypt() {
    if left_out("jasypt") {
        return;
    }
    // The JDK takes no other passwords.
    let way = |preset, what| Way { preset, what, secret: Kind::Ascii, ..WAY };
    // Of nothing it makes a salt, and does not open that.
    let stream = |preset, what| Way { empty: false, ..way(preset, what) };
    let ways = [
        way("jasypt", "PBEWithMD5AndDES"),
        way("jasypt-3des", "PBEWithMD5AndTripleDES"),
        way("jasypt-sha1-3des", "PBEWithSHA1AndDESede"),
        stream("jasypt-rc4-128", "PBEWithSHA1AndRC4_128"),
        stream("jasypt-rc4-40", "PBEWithSHA1AndRC4_40"),
    ];
    let java = || {
        let mut java = Command::new("java");
        java.args(["-cp", JASYPT]).arg(script("Jasypt.java"));
        java
    };
    compare(&ways, |questions| {
        let mut questions = questions.to_vec();
        for question in questions.iter_mut().filter(|question| !question.encrypts) {
            // The parentheses are of Spring, not of Jasypt itself.
            let inside =
                question.text.strip_prefix(b"ENC(").and_then(|text| text.strip_suffix(b")"));
            question.text = inside.expect("parentheses").to_vec();
        }
        ask(&mut java(), &questions)
    });
}
