//! Every kernel of the library is proved.

use crate::program;
use cipherloom::libdes;
use iced_x86::{CpuidFeature, Decoder, DecoderOptions};
use proof::bits::Bit;
use proof::image::{Image, name_of};
use proof::manifest::{self, Standing};
use proof::report::prove_all;
use proof::theorems::schedules::libdes_words;
use proof::theorems::{Kernel, Lanes, Proof};
use std::collections::BTreeMap;
use std::process::Command;

/// The Rust around the library's kernels: a row for each.
const GENERATED: &str = include_str!("../../../cipherloom/src/kernels/asm/x86_64/generated.rs");

/// The manifest that is committed.
const MANIFEST: &str = include_str!("../../../proved/x86_64.toml");

fn listed() -> BTreeMap<String, &'static str> {
    rows(GENERATED)
}

/// `HASH_NAME` of every kernel that the library has, and of those for a vendor, with the feature that it is
/// called with, by the Rust around them.
pub(crate) fn rows(generated: &str) -> BTreeMap<String, &str> {
    let kernels = generated.split("kernels! {").nth(1).unwrap();
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
    is_the_manifest_of(&image, &proofs, MANIFEST);
}

/// The manifest that is committed is that of these kernels.
pub(crate) fn is_the_manifest_of(
    image: &Image,
    proofs: &BTreeMap<String, proof::Result<Proof>>,
    committed: &str,
) {
    let written = manifest::write(image, proofs, image.isa.coverage()).unwrap();
    let lines = committed.lines().filter(|line| {
        // When it was written, and by which prover.
        !line.starts_with("date = ") && !line.starts_with("prover = ")
    });
    assert!(written.lines().eq(lines), "cargo xtask prove --write makes the manifest again");
    for (symbol, standing) in manifest::compare(image, committed) {
        assert_eq!(standing, Standing::Proved, "{symbol}");
    }
}

/// A proof depends on nothing but the file: not on what was proved before it, nor in which thread or process. So
/// statements and hashes are the same.
#[test]
fn slow_a_proof_is_the_same_each_time() {
    const SOME: &str = "crypt_table64";
    let mut image = program::image();
    image.kernels.retain(|symbol, _| symbol.contains(SOME));
    assert!(image.kernels.len() > 20, "{:?}", image.kernels.keys());
    let covered = proof::covered();
    let written = |proofs: &_| manifest::write(&image, proofs, image.isa.coverage()).unwrap();
    let statements = |proofs: &BTreeMap<String, proof::Result<Proof>>| {
        let proofs = proofs.values().map(|proof| proof.clone().unwrap());
        proofs.map(|proof| format!("{} {:?}", proof.statement, proof.leaks)).collect::<Vec<_>>()
    };
    let on_all = prove_all(&image, &covered, Lanes::First);
    // One thread, and the last first.
    let on_one = image.kernels.keys().rev().map(|symbol| {
        let kernel = Kernel { image: &image, symbol, covered: &covered, lanes: Lanes::First };
        (symbol.clone(), kernel.prove())
    });
    let on_one = on_one.collect();
    assert_eq!(statements(&on_one), statements(&on_all));
    assert_eq!(written(&on_one), written(&on_all));
    let mut prove = Command::new(env!("CARGO_BIN_EXE_prove"));
    prove.args(["--manifest", &format!("--only={SOME}")]).arg(std::env::current_exe().unwrap());
    let output = prove.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), written(&on_all));
}

/// What a processor has on which the library makes a value of a feature (`kernels/cpu/x86_64/detect.rs`).
fn features(of: &str) -> Vec<CpuidFeature> {
    use CpuidFeature::*;
    let more = match of {
        "" => return vec![INTEL8086, INTEL186, INTEL386, X64, CMOV, MULTIBYTENOP, SSE, SSE2],
        "Bmi2" => return [features(""), vec![BMI1, BMI2]].concat(),
        "Gfni" => return [features("Bmi2"), vec![SSSE3, GFNI]].concat(),
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
    let name = "des_encrypt_table64";
    let symbol = image.kernels.keys().find(|symbol| name_of(symbol) == name).unwrap().clone();
    let standing = |image: &_| manifest::compare(image, MANIFEST)[&symbol].clone();
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

/// libdes' schedules, which are affine functions of the key as those are that the library's own
/// `kernels/asm/common/handed.rs` compares: no key bit set and each alone are all keys.
#[test]
fn schedules_of_libdes_are_those_of_the_statements() {
    for key in std::iter::once(0).chain((0..64).map(|bit| 1u64 << bit)) {
        let mut words = [[0; 2]; 16];
        libdes::schedule(key, &mut words);
        let words = words.as_flattened().iter();
        let made: Vec<bool> =
            words.flat_map(|word| (0..32).map(move |bit| word >> bit & 1 == 1)).collect();
        let keys = cipherloom_spec::des::ks(key.to_be_bytes()).map(|key| key.map(Bit::constant));
        let stated = libdes_words(&keys).into_iter().map(|bit| bit.known().unwrap());
        assert!(made.into_iter().eq(stated), "{key:#x}");
    }
}

/// What `cipherloom info` and `cl_proof` tell, here of this program.
#[test]
fn the_kernels_in_memory_are_the_proved_ones() {
    let kernels: BTreeMap<_, _> = cipherloom::kernels_in_memory().collect();
    assert!(kernels.keys().copied().eq(listed().keys()), "{:?}", kernels.keys());
    let check = |symbol: &str, code: &[u8]| {
        proved::check(MANIFEST, (symbol, code), cipherloom::tables_in_memory())
    };
    let image = program::image();
    for (symbol, code) in kernels {
        assert_eq!(check(symbol, code), Ok(()), "{symbol}");
        // Where they end is where the file says so.
        assert_eq!(code, image.code(&image.kernels[symbol]), "{symbol}");
        // A change of any byte is seen; here of some, as a copy lies elsewhere than its tables want.
        let mut copy = code.to_vec();
        let at = copy.len() / 2;
        copy[at] ^= 1;
        check(symbol, &copy).unwrap_err();
    }
}
