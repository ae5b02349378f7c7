//! The laws of this crate, read off its imports.

use std::path::Path;

use cipherloom_testkit::imports::Imports;

#[test]
fn no_files_use_each_other_in_a_circle() {
    let imports = Imports::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(imports.uses().count() > 20, "{imports:?}");
    assert_eq!(imports.circles(), Vec::<Vec<String>>::new());
}
