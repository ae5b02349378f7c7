//! How many lines of the prover must be trusted, by what checks them. Who adds to them sees it here.

use std::path::Path;

/// What checks some files, the files and folders, and how many lines they may have.
const TRUSTED: [(&str, &[&str], usize); 9] = [
    (
        "reading: the rules",
        &[
            "memory.rs",
            "machine/convention.rs",
            "machine/decoding.rs",
            "machine/run.rs",
            "machine/state.rs",
            "induction/mod.rs",
        ],
        675,
    ),
    (
        "reading: the statements",
        &[
            "theorems/bitslice.rs",
            "theorems/blocks.rs",
            "theorems/kernel.rs",
            "theorems/libdes.rs",
            "theorems/mod.rs",
            "theorems/rc4.rs",
            "theorems/rounds.rs",
        ],
        945,
    ),
    ("samples", &["domain.rs", "bits", "bytes"], 1815),
    (
        "co-simulation",
        &[
            "machine/aarch64/decode.rs",
            "machine/fields",
            "machine/hppa/decode.rs",
            "machine/hppa/general.rs",
            "machine/hppa/text.rs",
            "machine/hppa/transfers.rs",
            "machine/instruction.rs",
            "machine/aarch64/general.rs",
            "machine/aarch64/text.rs",
            "machine/aarch64/transfers.rs",
            "machine/aarch64/vectors.rs",
            "machine/places.rs",
            "machine/x86/alignment.rs",
            "machine/x86/decode.rs",
            "machine/x86/general.rs",
            "machine/x86/operands.rs",
            "machine/x86/shuffles.rs",
            "machine/x86/vectors.rs",
        ],
        3_060,
    ),
    ("the schedules that the library and loom make", &["theorems/schedules.rs"], 235),
    ("the kernels in memory", &["image/mod.rs"], 185),
    // Loom's tests step through every kernel, and ask it at each instruction.
    ("the system's unwinder", &["machine/unwind.rs"], 75),
    // They fill every register before a call, and look at it behind: what these conventions leave out shows.
    (
        "callers with all registers filled",
        &[
            "isa.rs",
            "machine/aarch64/mod.rs",
            "machine/hppa/mod.rs",
            "machine/x86/mod.rs",
            "machine/x86/segments.rs",
        ],
        240,
    ),
    ("following every lane", &["machine/lanes.rs", "machine/x86/lanes.rs"], 115),
];

/// It has these sums.
const SOUNDNESS: &str = include_str!("../../../../docs/SOUNDNESS.md");

/// What the prover finds, and checks; what it tells; lists of modules.
const UNTRUSTED: [&str; 11] = [
    "image/changed.rs",
    "induction/search.rs",
    "lib.rs",
    "link.rs",
    "machine/aarch64/links.rs",
    "machine/listing.rs",
    "machine/mod.rs",
    "main.rs",
    "manifest",
    "report.rs",
    "theorems/heads.rs",
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

fn lines_of(source: &Path, files: &[&str]) -> usize {
    files.iter().map(|file| lines(&source.join(file))).sum()
}

/// That the document has a sum in its row.
fn is_told(what: &str, found: usize) {
    let thousands = |n: usize| match n {
        1000.. => format!("{},{:03}", n / 1000, n % 1000),
        _ => n.to_string(),
    };
    let row = format!("\n| {what} | {} |\n", thousands(found));
    assert!(SOUNDNESS.contains(&row), "docs/SOUNDNESS.md should have `{}`", row.trim());
}

#[test]
fn what_is_trusted_does_not_grow() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut read = 0;
    for (checked_by, files, most) in TRUSTED {
        let found = lines_of(&source, files);
        read += if checked_by.starts_with("reading") { found } else { 0 };
        println!("{found} lines are checked by {checked_by}");
        is_told(checked_by, found);
        assert!(found <= most, "{found} lines are checked by {checked_by}, which should be {most}");
        assert!(
            found + 60 > most,
            "{found} lines are checked by {checked_by}: lower the bound of {most}"
        );
    }
    assert!(read <= 1600, "{read} lines are to be read: more than an afternoon has");
    is_told("nothing, as they need not be trusted", lines_of(&source, &UNTRUSTED));
    is_told("in all", lines(&source));
}

/// The files in a folder, but for tests, from `src` on.
fn files(source: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(source, &path, found);
        } else if !path.ends_with("tests.rs") {
            found.push(path.strip_prefix(source).unwrap().to_str().unwrap().to_owned());
        }
    }
}

#[test]
fn every_file_stands_in_one_of_these_lists() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&source, &source, &mut all);
    let listed = TRUSTED.iter().flat_map(|(_, files, _)| files.iter()).chain(&UNTRUSTED);
    let listed: Vec<&Path> = listed.map(Path::new).collect();
    for file in &all {
        let times = listed.iter().filter(|listed| Path::new(file).starts_with(listed)).count();
        assert_eq!(times, 1, "{file}: who checks it?");
    }
    for listed in listed {
        assert!(source.join(listed).exists(), "{}", listed.display());
    }
}
