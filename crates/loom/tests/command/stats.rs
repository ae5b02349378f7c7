//! `loom stats`: figures of kernels, beside those of earlier code.

use crate::{json, loom, said};
use loom::library;

#[test]
fn stats_counts_the_loop_that_emit_prints() {
    let rows = json(&["stats", "rc4_apply_s8", "--loop", "--no-run", "--json"]);
    let row = &rows[0];
    let text = row["loop"].as_str().unwrap();
    let is_instruction = |line: &&str| line.starts_with("        ");
    let instructions = text.lines().filter(is_instruction).count();
    assert_eq!(row["instructions"].as_f64().unwrap(), instructions as f64 / 8.0);
    assert!(row.get("cycles").is_none());
    let bounds = row["bounds"].as_array().unwrap();
    assert_eq!(bounds.len(), loom::isa::x86::costs::ALL.len());
    for bound in bounds {
        // RC4 stores twice a byte and loads three times; no processor here does that in less.
        let highest = bound["bound"].as_f64().unwrap();
        assert!((1.0..8.0).contains(&highest), "{bound}");
        assert!(bound["latency"].as_f64() > bound["chain"].as_f64(), "{bound}");
    }
}

#[test]
fn slow_stats_puts_the_heritage_beside_ours() {
    let report = json(&["stats", "--no-run", "--json"]);
    let baselines = report["baselines"].as_array().unwrap();
    let cycles: Vec<_> = baselines.iter().map(|row| row["cycles"].as_f64().unwrap()).collect();
    assert_eq!(cycles, [1303.0, 356.0, 192.0, 471.0, 7.2]);
    assert_eq!(baselines[4]["kernel"], "rc4_apply_s8");
    assert_eq!(baselines[4]["instructions"], 14);
    // HP's code beside ours for the same processor, not beside that for x86.
    assert_eq!(baselines[2]["kernel"], "pa-risc-2.0/des_encrypt_paired12_chain");
    assert!(baselines[2]["our_instructions"].as_f64() <= baselines[2]["instructions"].as_f64());
    assert_eq!(baselines[3]["kernel"], "pa-risc-2.0/tdes_encrypt_paired12_chain");
    assert_eq!(report["kernels"].as_array().unwrap().len(), library::variants().len());
    let text = said(&["stats", "--no-run"]);
    assert!(text.contains("281,000 blocks/s at 100 MHz"), "{text}");
}

#[test]
fn a_chain_waits_for_every_round() {
    // Sixteen rounds, each of an extraction, a load and two sums at the least.
    for (kernel, rounds) in
        [("des_encrypt_table64_chain", 16.0), ("tdes_encrypt_table64_chain", 48.0)]
    {
        let rows = json(&["stats", kernel, "--no-run", "--costs", "skylake", "--json"]);
        let bounds = &rows[0]["bounds"][0];
        let chain = bounds["chain"].as_f64().unwrap();
        assert!((8.0 * rounds..16.0 * rounds).contains(&chain), "{kernel}: {chain}");
        assert_eq!(bounds["bound"], bounds["chain"]);
    }
}

#[test]
fn slow_old_processors_are_held_against_what_was_written_for_them() {
    for (cpu, name, earlier) in [
        ("486", "x86/des_encrypt_table32_bswap", 1303.0),
        ("pentium", "x86/des_encrypt_table32_bswap", 356.0),
    ] {
        let rows = json(&["stats", name, "--no-run", "--costs", cpu, "--json"]);
        let row = &rows[0];
        let predicted = &row["predicted"];
        assert_eq!(predicted["earlier"]["cycles"].as_f64(), Some(earlier), "{row}");
        assert!(predicted["cycles"].as_f64() < predicted["unordered"].as_f64(), "{row}");
        assert!(row["table_bytes"].as_u64().unwrap() <= 2048, "{row}");
    }
    let wrong = loom(&["stats", "des_encrypt_table64", "--costs", "pentium"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("pentium has not"));
    // What was tuned on a processor of today is not taken for one of the past.
    let function = said(&["emit", "des_encrypt1", "--cpu", "pentium"]);
    assert!(function.contains("best plan by the costs of pentium"), "{function}");
    let text = said(&["emit", "des_encrypt_table32", "--cpu", "pentium"]);
    assert!(text.contains("best plan by the costs of pentium"), "{text}");
}
