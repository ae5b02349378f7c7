//! The laws of the architecture, read off the imports and the manifests: what stands where, and that
//! nothing uses what stands above it. (`ARCHITECTURE.md` tells why.)

use cipherloom_testkit::imports::Imports;
use std::path::{Path, PathBuf};

/// The library's layers, each with its files and folders: one uses what stands in its own line or
/// above it here, never what stands below.
const LAYERS: [(&str, &[&str]); 7] = [
    ("kernels: ciphers on raw blocks", &["kernels"]),
    ("what backends are called, and what can go wrong", &["backend", "error"]),
    ("dispatch: from an amount of work to a kernel", &["dispatch"]),
    ("keys: ciphers as data, and the object that holds a key", &["keys"]),
    ("what is done with a key: modes, MACs, RC4", &["modes", "padding", "verdict", "mac", "rc4"]),
    ("batch: many records", &["batch"]),
    ("what programs ask, and the traits of others", &["queries", "rustcrypto"]),
];

fn library() -> Imports {
    Imports::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// The layer of a file, or none for the crate's root, which only lists.
fn layer(path: &str) -> Option<usize> {
    let top = path.split('/').next().unwrap_or(path).trim_end_matches(".rs");
    let found = LAYERS.iter().position(|(_, names)| names.contains(&top));
    assert!(
        found.is_some() || top == "lib",
        "{path} stands in no layer: put `{top}` into one of LAYERS in tests/laws.rs, above all that \
         it is used by and below all that it uses"
    );
    found
}

#[test]
fn the_library_s_layers_use_what_stands_below_them() {
    let mut count = 0;
    for (from, to) in library().uses() {
        let (Some(own), Some(other)) = (layer(from), layer(to)) else { continue };
        assert!(
            other <= own,
            "{from} uses {to}, which stands above it.\n  {from}: {}\n  {to}: {}\n\
             What both need belongs into the lower layer; what needs both, into the higher one.",
            LAYERS[own].0,
            LAYERS[other].0,
        );
        count += 1;
    }
    assert!(count > 200, "{count} uses read");
}

#[test]
fn no_files_of_the_library_use_each_other_in_a_circle() {
    let circles = library().circles();
    let told: Vec<_> = circles.iter().map(|circle| circle.join("\n  ")).collect();
    assert!(
        circles.is_empty(),
        "what files of a circle share belongs into a file below them:\n  {}",
        told.join("\nand\n  ")
    );
}

/// The packages that each package is built of, beside others' crates. Tests may use any.
const PACKAGES: [(&str, &[&str]); 10] = [
    ("cipherloom-spec", &[]),
    ("cipherloom-circuits", &[]),
    ("cipherloom-measure", &[]),
    ("cipherloom", &[]),
    ("cipherloom-formats", &["cipherloom"]),
    ("cipherloom-testkit", &["cipherloom", "cipherloom-spec"]),
    ("cipherloom-loom", &["cipherloom-circuits", "cipherloom-measure"]),
    ("cipherloom-capi", &["cipherloom"]),
    ("cipherloom-cli", &["cipherloom", "cipherloom-formats", "cipherloom-measure"]),
    ("xtask", &["cipherloom"]),
];

/// All that the library is built of that is not ours.
const OTHERS: [&str; 2] = ["cipher", "zeroize"];

#[test]
fn packages_are_built_of_what_stands_below_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = std::fs::read_dir(root.join("crates")).unwrap();
    let mut manifests: Vec<PathBuf> = folders.map(|folder| folder.unwrap().path()).collect();
    manifests.push(root.join("xtask"));
    for manifest in manifests.iter().map(|folder| folder.join("Cargo.toml")) {
        let Ok(text) = std::fs::read_to_string(&manifest) else { continue };
        let name = text.split("\nname = \"").nth(1).and_then(|rest| rest.split('"').next());
        let name = name.expect("a package has a name");
        let allowed = PACKAGES.iter().find(|(package, _)| *package == name);
        let (_, allowed) = allowed.unwrap_or_else(|| {
            panic!("{name} stands nowhere: say in PACKAGES in tests/laws.rs what it is built of")
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

#[test]
fn circles_and_what_is_handed_on_are_seen() {
    let folder = tempfile();
    for (path, text) in [
        ("lib.rs", "mod a; mod b; mod c;"),
        (
            "a/mod.rs",
            "mod deep; pub use deep::{Thing, other as Other};\n\
             fn f<'a>(a: &'a str) -> impl Sized + use<'a> { (a, r#\"} crate::c \"{\"#) }",
        ),
        ("a/deep.rs", "use crate::b::self_made; // crate::c\npub struct Thing;"),
        ("b.rs", "use super::a::Other;\nfn f() { crate::c::g(\"crate::a\") }"),
        ("c.rs", "mod tests { use super::*; use super::super::b; }"),
    ] {
        std::fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        std::fs::write(folder.join(path), text).unwrap();
    }
    let imports = Imports::read(&folder);
    let uses: Vec<_> = imports.uses().collect();
    assert_eq!(
        uses,
        [("a/deep.rs", "b.rs"), ("b.rs", "a/deep.rs"), ("b.rs", "c.rs"), ("c.rs", "b.rs")]
    );
    let circle = ["a/deep.rs uses b.rs", "b.rs uses a/deep.rs", "b.rs uses c.rs", "c.rs uses b.rs"];
    assert_eq!(imports.circles(), [circle]);
}

/// A folder for this test alone.
fn tempfile() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("laws");
    let _ = std::fs::remove_dir_all(&folder);
    folder
}
