//! What the documents tell people to type.

use std::path::{Path, PathBuf};

/// Without `--locked` cargo takes versions that nobody has tested.
#[test]
fn whatever_is_installed_is_installed_as_it_was_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut pages: Vec<PathBuf> = vec![root.join("README.md")];
    pages.extend(std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    let mut lines = 0;
    for page in pages.iter().filter(|page| page.extension().is_some_and(|end| end == "md")) {
        let text = std::fs::read_to_string(page).unwrap();
        for line in text.lines().filter(|line| line.contains("cargo install ")) {
            assert!(line.contains("--locked"), "{}: {line}", page.display());
            lines += 1;
        }
    }
    assert!(lines > 0);
}
