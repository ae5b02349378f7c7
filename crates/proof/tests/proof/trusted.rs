//! How many lines of the prover must be trusted, by what checks them. Who adds to them sees it here.

use std::path::Path;

/// What checks some files, the files and folders, and how many lines they may have.
const TRUSTED: [(&str, &[&str], usize); 4] = [
    (
        "reading alone",
        &[
            "memory.rs",
            "machine/convention.rs",
            "isa.rs",
            "machine/decoding.rs",
            "machine/instruction.rs",
            "machine/mod.rs",
            "machine/run.rs",
            "machine/state.rs",
            "machine/aarch64/mod.rs",
            "machine/x86/mod.rs",
            "induction/mod.rs",
            "image.rs",
            "machine/unwind.rs",
        ],
        1000,
    ),
    ("samples", &["domain.rs", "bits", "bytes"], 1640),
    (
        "co-simulation",
        &[
            "machine/aarch64/decode.rs",
            "machine/fields.rs",
            "machine/aarch64/general.rs",
            "machine/aarch64/text.rs",
            "machine/aarch64/transfers.rs",
            "machine/aarch64/vectors.rs",
            "machine/places.rs",
            "machine/x86/general.rs",
            "machine/x86/operands.rs",
            "machine/x86/shuffles.rs",
            "machine/x86/vectors.rs",
        ],
        2010,
    ),
    ("reading: the statements", &["theorems"], 1100),
];

/// Lines that are neither blank nor comment, without tests.
fn lines(path: &Path) -> usize {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        return entries.filter(|path| !path.ends_with("tests.rs")).map(|path| lines(&path)).sum();
    }
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(str::trim_start);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[test]
fn what_is_trusted_does_not_grow() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (checked_by, files, most) in TRUSTED {
        let found: usize = files.iter().map(|file| lines(&source.join(file))).sum();
        println!("{found} lines are checked by {checked_by}");
        assert!(found <= most, "{found} lines are checked by {checked_by}, which should be {most}");
        assert!(
            found + 60 > most,
            "{found} lines are checked by {checked_by}: lower the bound of {most}"
        );
    }
}
