//! The laws that hold for every package, read off imports and manifests, and how breaks of laws are found.

use cipherloom_testkit::{imports::Imports, laws};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The packages of ours that each package is built of. Tests may use any.
const PACKAGES: [(&str, &[&str]); 19] = [
    ("cipherloom-spec", &[]),
    ("cipherloom-circuits", &[]),
    ("cipherloom-measure", &[]),
    ("cipherloom", &[]),
    ("cipherloom-formats", &["cipherloom"]),
    ("cipherloom-proved", &[]),
    ("cipherloom-proof", &["cipherloom-proved", "cipherloom-spec"]),
    ("cipherloom-testkit", &["cipherloom", "cipherloom-spec"]),
    ("cipherloom-loom", &["cipherloom-circuits", "cipherloom-measure"]),
    ("cipherloom-capi", &["cipherloom", "cipherloom-proved"]),
    ("cipherloom-provider", &["cipherloom", "cipherloom-formats"]),
    ("cipherloom-records", &["cipherloom", "cipherloom-formats"]),
    (
        "cipherloom-cli",
        &[
            "cipherloom",
            "cipherloom-formats",
            "cipherloom-measure",
            "cipherloom-proved",
            "cipherloom-records",
        ],
    ),
    ("cipherloom-python", &["cipherloom", "cipherloom-formats", "cipherloom-records"]),
    ("cipherloom-web", &["cipherloom", "cipherloom-formats"]),
    ("xtask", &["cipherloom"]),
    ("cipherloom-traces", &["cipherloom"]),
    ("cipherloom-peers", &["cipherloom", "cipherloom-measure", "cipherloom-spec"]),
    // Tests, but for cargo.
    (
        "cipherloom-fuzz",
        &[
            "cipherloom",
            "cipherloom-cli",
            "cipherloom-formats",
            "cipherloom-spec",
            "cipherloom-testkit",
        ],
    ),
];

/// All that the library is built of that is not ours.
const OTHERS: [&str; 2] = ["cipher", "zeroize"];

/// The folder of every package.
fn packages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = std::fs::read_dir(root.join("crates")).unwrap();
    let crates = crates.map(|folder| folder.unwrap().path());
    let others = ["bench/peers", "fuzz", "xtask", "xtask/traces"].map(|path| root.join(path));
    crates.chain(others).filter(|folder| folder.join("Cargo.toml").exists()).collect()
}

#[test]
fn packages_are_built_of_what_stands_below_them() {
    let folders = packages();
    assert_eq!(folders.len(), PACKAGES.len(), "a package of PACKAGES is not there");
    for folder in folders {
        let text = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let name = text.split("\nname = \"").nth(1).and_then(|rest| rest.split('"').next());
        let name = name.expect("a package has a name");
        let allowed = PACKAGES.iter().find(|(package, _)| *package == name);
        let (_, allowed) = allowed.unwrap_or_else(|| {
            panic!("{name} stands nowhere: say in PACKAGES of {} what it is built of", file!())
        });
        for needed in dependencies(&text) {
            if needed.starts_with("cipherloom") {
                assert!(
                    allowed.contains(&needed.as_str()),
                    "{name} is built of {needed}, and should be of {allowed:?} at most: what it \
                     wants there belongs into one of these, or what wants it, into a package above \
                     both"
                );
            } else {
                let is_allowed = name != "cipherloom" || OTHERS.contains(&needed.as_str());
                assert!(is_allowed, "the library is built of {OTHERS:?} and not of {needed}");
            }
        }
    }
}

/// The packages that a manifest asks for, but for tests.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut is_asking = false;
    let mut needed = Vec::new();
    for line in manifest.lines() {
        if let Some(section) = line.strip_prefix('[') {
            is_asking =
                section.ends_with("dependencies]") && !section.ends_with("dev-dependencies]");
        } else if is_asking && let Some((key, value)) = line.split_once('=') {
            let package =
                value.split("package = \"").nth(1).and_then(|rest| rest.split('"').next());
            let key = key.trim().split('.').next().unwrap_or_default();
            needed.push(package.unwrap_or(key).to_owned());
        }
    }
    needed
}

/// Whether a circle is one of two files of one folder, which may be read as one.
fn is_pair(circle: &[String]) -> bool {
    let files: BTreeSet<&str> = circle.iter().flat_map(|uses| uses.split(" uses ")).collect();
    let folders: BTreeSet<_> = files.iter().map(|file| Path::new(file).parent()).collect();
    files.len() == 2 && folders.len() == 1
}

#[test]
fn no_folders_and_no_three_files_use_each_other_in_a_circle() {
    for folder in packages().iter().filter(|folder| folder.join("src").exists()) {
        let mut circles = Imports::read(&folder.join("src")).circles();
        circles.retain(|circle| !is_pair(circle));
        let told: Vec<_> = circles.iter().map(|circle| circle.join("\n  ")).collect();
        assert!(
            circles.is_empty(),
            "{}: what files of a circle share belongs into a file below them:\n  {}",
            folder.display(),
            told.join("\nand\n  ")
        );
    }
}

/// The sources of a crate, made for a test.
fn sources(name: &str, files: &[(&str, &str)]) -> Imports {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (path, text) in files {
        std::fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        std::fs::write(folder.join(path), text).unwrap();
    }
    Imports::read(&folder)
}

#[test]
fn circles_and_what_is_handed_on_are_seen() {
    let imports = sources(
        "circles",
        &[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("main.rs", "fn main() { name::a() }"),
            (
                "a/mod.rs",
                "mod deep; pub use deep::{Thing, other as Other};\n\
                 fn f<'a>(a: &'a str) -> impl Sized + use<'a> { (a, r#\"} crate::c \"{\"#) }",
            ),
            ("a/deep.rs", "use crate::b::self_made; // crate::c\npub struct Thing;"),
            ("b.rs", "use super::a::Other;\nfn f() { crate::c::g(\"crate::a\") }"),
            ("c.rs", "mod tests { use super::*; use super::super::b; }"),
        ],
    );
    let uses: Vec<_> = imports.uses().collect();
    assert_eq!(
        uses,
        [("a/deep.rs", "b.rs"), ("b.rs", "a/deep.rs"), ("b.rs", "c.rs"), ("c.rs", "b.rs")]
    );
    let circle = ["a/deep.rs uses b.rs", "b.rs uses a/deep.rs", "b.rs uses c.rs", "c.rs uses b.rs"];
    assert_eq!(imports.circles(), [circle]);
}

#[test]
fn a_name_that_is_handed_on_in_a_circle_has_an_end() {
    let imports = sources(
        "handed-on",
        &[
            ("lib.rs", "mod a; mod b; fn f() { a::Name }"),
            ("a.rs", "pub use crate::b::Name;"),
            ("b.rs", "pub use crate::a::Name;"),
        ],
    );
    let uses: Vec<_> = imports.uses().collect();
    assert!(uses == [("lib.rs", "a.rs")] || uses == [("lib.rs", "b.rs")], "{uses:?}");
}

/// What it means by `super` is another file for each.
#[test]
fn a_file_is_a_module_of_those_that_take_it_in() {
    let imports = sources(
        "taken-in",
        &[
            ("lib.rs", "mod one; mod two;"),
            ("one/mod.rs", "mod own;\n#[path = \"../common/both.rs\"]\nmod both;\nuse both::f;"),
            ("one/own.rs", "use super::both::f;"),
            ("two/mod.rs", "mod own;\n#[path = \"../common/both.rs\"]\nmod both;"),
            ("two/own.rs", ""),
            ("common/both.rs", "use super::own::g;"),
        ],
    );
    let uses: Vec<_> = imports.uses().collect();
    let both = "common/both.rs";
    let of_one = [("one/mod.rs", both), (both, "one/own.rs"), ("one/own.rs", both)];
    assert_eq!(uses, [&of_one[..], &[(both, "two/own.rs")]].concat());
    assert_eq!(
        imports.circles(),
        [["common/both.rs uses one/own.rs", "one/own.rs uses common/both.rs"]]
    );
}

#[test]
fn broken_laws_are_told() {
    let imports = sources(
        "layers",
        &[
            ("lib.rs", "mod low; mod high; mod stray;"),
            ("low/mod.rs", "use crate::high::f;"),
            ("high.rs", ""),
            ("stray.rs", ""),
        ],
    );
    let layers: [laws::Layer; 2] = [("numbers", &["low"]), ("charts", &["high", "gone"])];
    let wrong = laws::broken(&imports, &layers);
    assert_eq!(wrong.len(), 3, "{wrong:?}");
    assert!(wrong[0].starts_with("stray.rs stands in no layer"), "{wrong:?}");
    assert!(wrong[1].starts_with("`gone` is in LAYERS"), "{wrong:?}");
    assert!(wrong[2].starts_with("low/mod.rs uses high.rs, which stands above it.\n"), "{wrong:?}");
    assert!(wrong[2].contains("low/mod.rs: numbers\n  high.rs: charts\n"), "{wrong:?}");
}
