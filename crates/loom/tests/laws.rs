//! What may know what in loom, read off the imports, so that no rule becomes untrue.

use cipherloom_testkit::imports::Imports;
use std::path::Path;

/// Which parts of the crate each part may use beside itself, and what a part is. A part is a folder or a
/// file of `src`. (Tests inside files are read, too.)
const LAYERS: [(&str, &[&str], &str); 14] = [
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
    (
        "variant",
        &["allocate", "ciphers", "isa", "pipeline", "schedule"],
        "what has a name: a strategy on a target",
    ),
    ("emit", &["ir", "isa", "pipeline", "record"], "compiled kernels as files"),
    (
        "exec",
        &["ciphers", "ir", "isa", "pipeline", "variant"],
        "compiled kernels in memory, called: it finds nothing better",
    ),
    ("stats", &["ciphers", "ir", "isa", "pipeline", "variant"], "figures: they run nothing"),
    (
        "tune",
        &["allocate", "ciphers", "exec", "ir", "isa", "pipeline", "schedule", "stats", "variant"],
        "the search for plans: it writes no assembly",
    ),
    (
        "calibrate",
        &["exec", "ir", "isa", "stats"],
        "what instructions cost: it knows which ones from `Isa`",
    ),
    (
        "library",
        &["allocate", "ciphers", "emit", "ir", "isa", "pipeline", "record", "tune", "variant"],
        "what ships: it measures nothing",
    ),
];

/// What uses all of them: the command, and tests of all steps.
const ABOVE: [&str; 4] = ["command", "lib", "main", "tests"];

/// What lists the instruction sets, or what ships for each; and a test that needs any one.
const LISTS: [&str; 7] = [
    "isa/mod.rs",
    "isa/registry.rs",
    "library/list/mod.rs",
    "library/list/aarch64.rs",
    "library/list/x86_64.rs",
    "allocate/moves.rs",
    "tests.rs",
];

fn imports() -> Imports {
    Imports::read_as(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "loom")
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
    for (from, to) in uses().iter().filter(|(from, to)| part(from) != part(to)) {
        if ABOVE.contains(&part(from)) {
            continue;
        }
        let own = LAYERS.iter().find(|(own, ..)| *own == part(from));
        let (own, may, what) =
            own.unwrap_or_else(|| panic!("{from}: say in LAYERS what `{}` may use", part(from)));
        count += 1;
        if !may.contains(&part(to)) {
            wrong.push(format!("{from} uses {to}, but `{own}` is {what}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 100, "only {count} uses were read");
}

#[test]
fn an_instruction_set_is_known_in_its_folder_only() {
    let sets = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/isa");
    let folders = std::fs::read_dir(&sets).unwrap().map(|entry| entry.unwrap().path());
    let sets: Vec<_> = folders.filter(|folder| folder.join("target.rs").is_file()).collect();
    let sets = sets.iter().map(|set| format!("isa/{}", set.file_name().unwrap().display()));
    let sets: Vec<_> = sets.collect();
    assert!(sets.len() > 1, "{sets:?}");
    let (mut command, mut wrong) = (0, Vec::new());
    for (from, to) in uses() {
        command += usize::from(part(&from) == "command" && part(&to) == "isa");
        let set = sets.iter().find(|set| to.starts_with(*set) && !from.starts_with(*set));
        let Some(set) = set.filter(|_| !LISTS.contains(&from.as_str())) else { continue };
        wrong.push(format!(
            "{from} uses {to}: what it does with that belongs into {set}, and what it needs to know of \
             it is data of a `Target` or a method of `Isa`"
        ));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(command > 5, "the command's imports were not read");
}
