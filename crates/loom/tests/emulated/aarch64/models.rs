//! Cost models beside LLVM's, by llvm-mca: latency and throughput of an instruction of every class.

use std::collections::HashMap;

use loom::isa::aarch64::costs::{self, SchedulingClass as S};
use loom::isa::costs::Cpu;

use super::program::run;
use crate::folder::Folder;

/// Instructions of each class.
const EXAMPLES: [(S, &[&str]); 24] = [
    (S::Load, &["ldr x0, [x1]", "ldr w0, [x1, x2, lsl #2]", "ldrb w0, [x1, x2]"]),
    (S::Store, &["str x0, [x1]", "strb w0, [x1, x2]"]),
    (
        S::Logic,
        &["and x0, x1, x2", "eor w0, w1, #0xff", "add x0, x1, #8", "movz x0, #1", "mvn x0, x1"],
    ),
    (S::Shifted, &["eor x0, x1, x2, lsl #8", "eor w0, w1, w2, ror #4"]),
    (S::Field, &["ubfx x0, x1, #3, #6", "lsl x0, x1, #5"]),
    (S::Rotate, &["ror x0, x1, #5", "ror w0, w1, #5"]),
    (S::Reverse, &["rev x0, x1", "rev w0, w1"]),
    (S::Copy, &["mov x0, x1"]),
    (S::Select, &["csel x0, x1, x2, eq"]),
    (S::Branch, &["cbnz x0, 0", "b 0"]),
    (S::VectorLoad, &["ldr q0, [x1]"]),
    (S::VectorStore, &["str q0, [x1]"]),
    (S::VectorRepeat, &["ld1r {v0.2d}, [x1]"]),
    (S::VectorLogic, &["eor v0.16b, v1.16b, v2.16b", "orn v0.16b, v1.16b, v2.16b"]),
    (
        S::VectorThree,
        &[
            "eor3 v0.16b, v1.16b, v2.16b, v3.16b",
            "bcax v0.16b, v1.16b, v2.16b, v3.16b",
            "xar v0.2d, v1.2d, v2.2d, #3",
        ],
    ),
    (S::VectorSelect, &["bsl v0.16b, v1.16b, v2.16b", "bit v0.16b, v1.16b, v2.16b"]),
    (S::VectorShift, &["ushr v0.2d, v1.2d, #3", "shl v0.2d, v1.2d, #3", "sli v0.16b, v1.16b, #4"]),
    (S::VectorBytes, &["trn1 v0.16b, v1.16b, v2.16b", "ext v0.16b, v1.16b, v2.16b, #8"]),
    (S::VectorMove, &["ushl v0.16b, v1.16b, v2.16b"]),
    (S::VectorLookUp, &["tbl v0.16b, {v1.16b, v2.16b}, v3.16b"]),
    (S::VectorLookUpFar, &["tbl v0.16b, {v4.16b, v5.16b, v6.16b, v7.16b}, v3.16b"]),
    (S::VectorCopy, &["mov v0.16b, v1.16b"]),
    (S::ToVector, &["dup v0.2d, x1"]),
    (S::FromVector, &["fmov x0, d1"]),
];

/// Where a model of ours is another than LLVM's, and why.
const OTHERS: [(&str, S, &str); 4] = [
    ("neoverse-n1", S::VectorThree, "an instruction that it has not is two others"),
    ("cortex-a72", S::VectorThree, "an instruction that it has not is two others"),
    ("cortex-a72", S::Rotate, "LLVM has `ror` as `extr` of two registers"),
    (
        "neoverse-v2",
        S::Select,
        "a comparison, which is of this class, has fewer pipes than a choice",
    ),
];

/// Latency and cycles of a pipe, as LLVM has them.
fn of_llvm(folder: &Folder, cpu: &str) -> Vec<(S, &'static str, f64, f64)> {
    let all: Vec<_> =
        EXAMPLES.iter().flat_map(|(class, each)| each.iter().map(|text| (*class, *text))).collect();
    let text: String = all.iter().map(|(_, text)| format!("{text}\n")).collect();
    let source = folder.file(&format!("{cpu}.s"), &text);
    let mut mca = std::process::Command::new("llvm-mca-19");
    mca.args(["-mtriple=aarch64", "-mattr=+sha3", "-iterations=1", "-all-views=false"]);
    mca.args(["-instruction-info", "--json"]).arg(format!("-mcpu={cpu}")).arg(source);
    let output = run(&mut mca, "llvm-mca");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = json["CodeRegions"][0]["InstructionInfoView"]["InstructionList"].as_array();
    let rows = rows.expect("a row for each instruction");
    assert_eq!(rows.len(), all.len());
    let figure = |row: &serde_json::Value, name: &str| row[name].as_f64().expect("a figure");
    let rows = rows.iter().map(|row| (figure(row, "Latency"), figure(row, "RThroughput")));
    all.into_iter()
        .zip(rows)
        .map(|((class, text), (wait, pipe))| (class, text, wait, pipe))
        .collect()
}

fn cpu(name: &str) -> &'static Cpu {
    costs::ALL.into_iter().find(|cpu| cpu.name == name).expect("a model")
}

/// LLVM's models of N1, V1 and V2 follow Arm's guides; that of A72 is A57's, which is alike. That of M1 is an
/// older core's, and says nothing.
#[test]
fn rare_models_are_those_of_llvm() {
    let folder = Folder::new();
    let mut used = HashMap::new();
    let mut compared = 0;
    for name in ["neoverse-n1", "neoverse-v1", "neoverse-v2", "cortex-a72"] {
        for (class, text, wait, pipe) in of_llvm(&folder, name) {
            let row = cpu(name).row(class.class());
            let ours = f64::from(row.times) / f64::from(row.ports.count_ones().max(1));
            // Nobody waits for a store or a branch; what needs no pipe is bound by the width.
            let waits = !matches!(class, S::Store | S::VectorStore | S::Branch);
            let same = (!waits || wait == f64::from(row.latency))
                && (row.ports == 0 || (ours - pipe).abs() < 0.01);
            let known = OTHERS.iter().position(|other| (other.0, other.1) == (name, class));
            match known {
                Some(other) => *used.entry(other).or_insert(false) |= !same,
                None => assert!(
                    same,
                    "{name}: `{text}` waits {wait} and takes {pipe:.2} of a pipe; {row:?}, {ours:.2}"
                ),
            }
            compared += 1;
        }
    }
    for (n, (name, class, why)) in OTHERS.iter().enumerate() {
        assert_eq!(used.get(&n), Some(&true), "{name}, {class:?} is as LLVM's, though {why}");
    }
    println!("{compared} rows compared");
}
