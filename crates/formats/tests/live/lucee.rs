//! Lucee, which runs ColdFusion's language, in OpenJDK.

use std::path::Path;
use std::process::Command;

use cipherloom_testkit::peers::left_out;

use crate::drive::{Folder, Kind, WAY, Way, ask, compare, script};

/// Where `cargo xtask setup` has Maven put it and what it needs.
const JARS: &str = "../../target/tools/lucee/*";

#[test]
fn rare_lucee() {
    if left_out("lucee") {
        return;
    }
    let way = |preset, what, secret| Way { preset, what, secret, ..WAY };
    let ways = [
        way("coldfusion-des", "DES", Kind::Key(&[8])),
        way("coldfusion-desede", "DESEDE", Kind::Key(&[24])),
        Way { empty: false, ..way("coldfusion", "CFMX_COMPAT", Kind::Ascii) },
    ];
    // It unpacks itself, and keeps what it unpacked.
    let folder = Folder::new("lucee");
    compare(&ways, |questions| {
        let mut java = Command::new("java");
        let base = format!("-Dlucee.base.dir={}", folder.0.display());
        java.current_dir(&folder.0).args([&base, "-Dlucee.extensions.install=false", "-cp"]);
        java.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(JARS)).arg(script("Lucee.java"));
        ask(&mut java, questions)
    });
}
