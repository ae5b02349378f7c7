//! What may know what in loom, read off the imports, so that no rule becomes untrue.

use cipherloom_testkit::imports::Imports;
use std::collections::BTreeSet;
use std::path::Path;

/// Which parts of the crate each part may use beside itself, and what a part is. A part is a folder or a
/// file of `src`. (Tests inside files are read, too.)
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
    ("stats", &["ciphers", "variant", "ir", "isa", "pipeline"], "figures: generic over `Isa`"),
];

/// Parts that still know an instruction set. What is x86's in them belongs into `isa/x86`; the list only
/// shrinks. (The command is a crate of its own, whose imports are not read here.)
const STILL: [&str; 5] = ["variant", "emit", "library", "stats/baselines", "tune"];

/// What lists the instruction sets, and a test that needs any one.
const LISTS: [&str; 3] = ["isa/mod.rs", "isa/registry.rs", "allocate/moves.rs"];

/// Folders in whose files, and in whose folders' files, no more than two use each other.
const WITHOUT_CIRCLES: [&str; 5] = ["allocate/", "ciphers/", "ir/", "isa/", "schedule/"];

fn imports() -> Imports {
    Imports::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

fn uses() -> Vec<(String, String)> {
    imports().uses().map(|(from, to)| (from.to_owned(), to.to_owned())).collect()
}

/// The part that a file belongs to.
fn part(path: &str) -> &str {
    path.split('/').next().unwrap_or(path).trim_end_matches(".rs")
}

#[test]
fn each_part_uses_what_stands_before_it() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (from, to) in uses() {
        let own = LAYERS.iter().find(|(own, ..)| *own == part(&from));
        let Some((own, may, what)) = own.filter(|_| part(&from) != part(&to)) else { continue };
        count += 1;
        if !may.contains(&part(&to)) {
            wrong.push(format!("{from} uses {to}, but `{own}` is {what}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 100, "only {count} uses were read");
}

#[test]
fn an_instruction_set_is_known_in_its_folder_only() {
    let mut known = BTreeSet::new();
    for (from, to) in uses() {
        for set in ["isa/x86", "isa/hppa"] {
            if !to.starts_with(set) || from.starts_with(set) || LISTS.contains(&from.as_str()) {
                continue;
            }
            let still = STILL.into_iter().find(|part| from.starts_with(part));
            known.extend(still);
            assert!(
                still.is_some(),
                "{from} uses {to}: what it does with that belongs into {set}, and what it needs to \
                 know of it is data of a `Target` or a method of `Isa`"
            );
        }
    }
    let still: BTreeSet<_> = STILL.into_iter().collect();
    assert_eq!(known, still, "a part that knows no instruction set any more leaves the list");
}

#[test]
fn no_more_than_two_files_use_each_other() {
    let watched = |uses: &[String]| {
        let is_in = |used: &String| WITHOUT_CIRCLES.iter().any(|folder| used.starts_with(folder));
        uses.iter().all(is_in)
    };
    let circles = imports().circles();
    let circles: Vec<_> = circles
        .iter()
        .filter(|uses| uses.len() > 2 && watched(uses))
        .map(|uses| uses.join("\n"))
        .collect();
    assert!(
        circles.is_empty(),
        "what files of a circle share belongs into a file below them:\n{}",
        circles.join("\n\n")
    );
}
