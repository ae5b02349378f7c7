//! What may know what: the sources are read, so that no rule becomes untrue.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Which parts of the crate each part may use beside itself, and what a part is. A part is a folder or a
/// file of `src`.
const LAYERS: [(&str, &[&str], &str); 8] = [
    ("ir", &[], "the form of descriptions: it knows nothing"),
    ("ciphers", &["ir"], "strategies: they state requirements and know no instruction set"),
    ("isa", &["ir"], "instruction sets: what they need of later steps is a form in `isa`"),
    ("schedule", &["isa"], "order: generic over `Isa`"),
    ("allocate", &["isa", "schedule"], "registers: generic over `Isa`"),
    ("record", &["ir", "isa"], "what is known of a kernel"),
    (
        "pipeline",
        &["allocate", "ciphers", "ir", "isa", "record", "schedule"],
        "all steps one after the other: generic over `Isa`",
    ),
    ("stats", &["ciphers", "edition", "ir", "isa", "pipeline"], "figures: generic over `Isa`"),
];

/// Parts that still know x86. What is x86's in them belongs into `isa/x86`; the list only shrinks.
const STILL: [&str; 6] = ["command", "edition", "emit", "library", "stats/heritage", "tune"];

/// Files of the instruction sets' folder that know each of them: where they are listed.
const LISTS: [&str; 2] = ["isa/registry", "isa/mod"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Every source by its name without `.rs`, and its code without comments and tests.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&root, &mut found);
    let read = |path: PathBuf| {
        let name = path.strip_prefix(&root).expect("a path below").with_extension("");
        let text = std::fs::read_to_string(&path).expect("a source");
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        let code = code.lines().map(|line| line.split("//").next().unwrap_or(""));
        (name.to_string_lossy().replace('\\', "/"), code.collect::<Vec<_>>().join("\n"))
    };
    found.into_iter().map(read).collect()
}

fn part(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

/// The parts that a source names by `crate::`.
fn used(code: &str) -> BTreeSet<&str> {
    let paths = code.split("crate::").skip(1);
    paths.filter_map(|path| path.split(|c: char| !c.is_alphanumeric() && c != '_').next()).collect()
}

#[test]
fn each_part_uses_what_stands_before_it() {
    let sources = sources();
    assert!(sources.len() > 150, "only {} sources were found", sources.len());
    let mut wrong = Vec::new();
    for (name, code) in &sources {
        let Some((own, may, what)) = LAYERS.iter().find(|(own, ..)| *own == part(name)) else {
            continue;
        };
        for other in used(code).into_iter().filter(|other| other != own && !other.is_empty()) {
            // An item of the crate's root is none of a part's.
            if !may.contains(&other) && sources.iter().any(|(name, _)| part(name) == other) {
                wrong.push(format!("{name}.rs uses `{other}`, but `{own}` is {what}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether code names an instruction set's items.
fn names(code: &str, set: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let whole = |(at, _): (usize, &str)| !code[..at].ends_with(is_word);
    code.match_indices(&format!("{set}::")).any(whole)
        || code.contains(&format!("isa::{set}"))
        || set == "x86" && code.contains("iced_x86")
}

#[test]
fn an_instruction_set_is_known_in_its_folder_only() {
    let sets = ["x86", "hppa"];
    let mut known = BTreeSet::new();
    for (name, code) in sources() {
        for set in sets.into_iter().filter(|set| names(&code, set)) {
            let own = name.starts_with(&format!("isa/{set}"));
            if own || LISTS.contains(&name.as_str()) {
                continue;
            }
            let still = STILL.iter().find(|part| name.starts_with(**part));
            known.extend(still);
            assert!(
                still.is_some(),
                "{name}.rs knows {set}: what it does with it belongs into isa/{set}, and what it \
                 needs to know of it is data of a `Target` or a method of `Isa`"
            );
        }
    }
    let still: BTreeSet<_> = STILL.iter().collect();
    assert_eq!(known, still, "a part that knows no instruction set any more leaves the list");
}
