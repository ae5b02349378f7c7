//! Every kernel of the library is proved.

use crate::program;
use iced_x86::{CpuidFeature, Decoder, DecoderOptions};
use proof::image::name_of;
use proof::manifest::{self, Standing};
use proof::report::prove_all;
use proof::theorems::Lanes;
use std::collections::BTreeMap;

/// The Rust around the library's kernels: a row for each.
const GENERATED: &str = include_str!("../../../cipherloom/src/kernels/asm/x86_64/generated.rs");

/// `HASH_NAME` of every kernel that the library has, and of those for a vendor, with the feature that it is
/// called with.
fn listed() -> BTreeMap<String, &'static str> {
    let kernels = GENERATED.split("kernels! {").nth(1).unwrap();
    let mut listed = BTreeMap::new();
    for line in kernels.lines().take_while(|line| *line != "}") {
        let Some((name, rest)) = line.trim().split_once(" \"") else { continue };
        let (hash, mut rest) = rest.split_once('"').unwrap();
        let feature = rest.split_whitespace().next().filter(|word| !word.starts_with(['[', '(']));
        let feature = feature.unwrap_or("");
        listed.insert(format!("{hash}_{name}"), feature);
        while let Some((before, more)) = rest.split_once(" \"") {
            let vendor = before.rsplit('[').next().unwrap();
            let (hash, after) = more.split_once('"').unwrap();
            listed.insert(format!("{hash}_{name}_{vendor}"), feature);
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
    assert!(image.kernels.keys().eq(listed.keys()), "{listed:?}");
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

/// What a processor has on which the library makes a value of a feature (`kernels/cpu/x86_64/detect.rs`).
fn features(of: &str) -> Vec<CpuidFeature> {
    use CpuidFeature::*;
    let more = match of {
        "" => return vec![INTEL8086, INTEL186, INTEL386, X64, CMOV, MULTIBYTENOP, SSE, SSE2],
        "Bmi2" => return [features(""), vec![BMI2]].concat(),
        "Avx2" => return [features(""), vec![AVX, AVX2]].concat(),
        "Avx512" => vec![AVX512F, AVX512DQ, AVX512BW, AVX512VL],
        "Vbmi" => return [features("Avx512"), vec![AVX512_VBMI, GFNI]].concat(),
        _ => panic!("{of} is a new feature"),
    };
    [features("Avx2"), more].concat()
}

#[test]
fn what_a_kernel_needs_is_what_it_is_called_with() {
    let image = program::image();
    for (symbol, feature) in listed() {
        let kernel = &image.kernels[&symbol];
        let has = features(feature);
        for i in Decoder::with_ip(64, image.code(kernel), kernel.start, DecoderOptions::NONE) {
            let needs = i.cpuid_features();
            let lacks: Vec<_> = needs.iter().filter(|need| !has.contains(need)).collect();
            assert!(lacks.is_empty(), "{symbol} has `{i}`, which needs {lacks:?}");
        }
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
