//! Every kernel of the library is proved.

use crate::program;
use proof::image::name_of;
use proof::manifest::{self, Standing};
use proof::report::prove_all;
use proof::theorems::Lanes;
use std::collections::BTreeSet;

/// The Rust around the library's kernels: a row for each.
const GENERATED: &str = include_str!("../../../cipherloom/src/kernels/asm/x86_64/generated.rs");

/// `HASH_NAME` of every kernel that the library has, and of those for a vendor.
fn listed() -> BTreeSet<String> {
    let kernels = GENERATED.split("kernels! {").nth(1).unwrap();
    let mut listed = BTreeSet::new();
    for line in kernels.lines().take_while(|line| *line != "}") {
        let Some((name, rest)) = line.trim().split_once(" \"") else { continue };
        let (hash, mut rest) = rest.split_once('"').unwrap();
        listed.insert(format!("{hash}_{name}"));
        while let Some((before, more)) = rest.split_once(" \"") {
            let vendor = before.rsplit('[').next().unwrap();
            let (hash, after) = more.split_once('"').unwrap();
            listed.insert(format!("{hash}_{name}_{vendor}"));
            rest = after;
        }
    }
    listed
}

#[test]
fn slow_every_kernel_is_proved() {
    let image = program::image();
    let listed = listed();
    assert!(listed.len() > 120, "{listed:?}");
    assert_eq!(image.kernels.keys().cloned().collect::<BTreeSet<_>>(), listed);
    let proofs = prove_all(&image, &proof::covered(), Lanes::First);
    let refused: Vec<_> =
        proofs.iter().filter_map(|(symbol, proof)| Some((symbol, proof.as_ref().err()?))).collect();
    assert!(refused.is_empty(), "{refused:#?}");
    println!("{} kernels proved", proofs.len());
    // The manifest that is committed is that of these kernels.
    let written = manifest::write(&image, &proofs, proof::COVERAGE).unwrap();
    let committed = include_str!("../../../../proofs/x86_64.toml");
    assert_eq!(written, committed, "cargo xtask prove --write makes the manifest again");
    for (symbol, standing) in manifest::compare(&image, committed) {
        assert_eq!(standing, Standing::Proved, "{symbol}");
    }
}

#[test]
fn a_manifest_does_not_know_changed_code_or_tables() {
    let mut image = program::image();
    let manifest = include_str!("../../../../proofs/x86_64.toml");
    let name = "des_encrypt_table64";
    let symbol = image.kernels.keys().find(|symbol| name_of(symbol) == name).unwrap().clone();
    let standing = |image: &_| manifest::compare(image, manifest)[&symbol].clone();
    assert_eq!(standing(&image), Standing::Proved);
    let (table, at) =
        image.tables.iter().find(|(symbol, _)| name_of(symbol) == "des_table64_tables").unwrap();
    let (at, _) = (at.start + 100, table);
    image.change(at, |byte| byte ^ 1);
    assert!(matches!(standing(&image), Standing::Not(reason) if reason.contains("tables")));
    image.change(at, |byte| byte ^ 1);
    let at = image.kernels[&symbol].start + 20;
    image.change(at, |byte| byte ^ 1);
    assert!(matches!(standing(&image), Standing::Not(reason) if reason.contains("stream")));
}
