//! The architecture of a crate as data, held by its own test: which of its files stand above which.
//!
//! ```no_run
//! use cipherloom_testkit::laws;
//!
//! const LAYERS: [laws::Layer; 2] = [("numbers", &["clock"]), ("what is made of them", &["chart"])];
//! laws::hold(env!("CARGO_MANIFEST_DIR"), &LAYERS);
//! ```

use crate::imports::Imports;
use std::path::Path;

/// A layer: its subject, and the files and folders of `src` that make it, without `.rs`.
pub type Layer = (&'static str, &'static [&'static str]);

/// Holds a crate to its layers, lowest first: a file uses what stands in its own layer or below it, and no
/// files use each other in a circle. `package` is the folder of its `Cargo.toml`.
///
/// # Panics
/// If a file breaks a law (the message says where things belong), stands in no layer, or is in the list
/// and not there.
pub fn hold(package: &str, layers: &[Layer]) {
    let wrong = broken(&Imports::read(&Path::new(package).join("src")), layers);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What breaks the laws, a message each.
pub fn broken(imports: &Imports, layers: &[Layer]) -> Vec<String> {
    let parts: Vec<&str> = imports.files().map(part).collect();
    let layer = |part: &str| layers.iter().position(|(_, parts)| parts.contains(&part));
    let mut wrong = Vec::new();
    // The crate's root only lists what there is.
    let is_root = |part: &str| ["lib", "main"].contains(&part);
    for file in imports.files().filter(|file| layer(part(file)).is_none() && !is_root(part(file))) {
        wrong.push(format!(
            "{file} stands in no layer: put `{}` into one of LAYERS, above all that it uses and below all \
             that it is used by",
            part(file)
        ));
    }
    for listed in layers.iter().flat_map(|(_, parts)| *parts) {
        if !parts.contains(listed) {
            wrong.push(format!("`{listed}` is in LAYERS, and there is no such file or folder"));
        }
    }
    for (from, to) in imports.uses() {
        if let (Some(own), Some(other)) = (layer(part(from)), layer(part(to)))
            && other > own
        {
            wrong.push(format!(
                "{from} uses {to}, which stands above it.\n  {from}: {}\n  {to}: {}\n\
                 What both need belongs into the lower layer; what needs both, into the higher one.",
                layers[own].0, layers[other].0,
            ));
        }
    }
    wrong.extend(imports.circles().into_iter().map(|circle| {
        let told = circle.join("\n  ");
        format!("What files of a circle share belongs into a file below them:\n  {told}")
    }));
    wrong
}

/// The file or folder of `src` that a file belongs to.
fn part(path: &str) -> &str {
    path.split('/').next().unwrap_or(path).trim_end_matches(".rs")
}
