//! A few changes of quick kernels, one of every kernel, and the records.

use super::compare::for_the_record;
use super::record::Record;
use super::sets::{self, Listed, Set};
use super::{Change, Found, Loaded, change_all, compare};
use proof::image::{Image, name_of};
use proof::isa::Isa;
use proof::manifest::{self, Standing};

/// Kernels of every kind that take no time to prove, of any instruction set.
const QUICK: [&str; 17] = [
    "des_encrypt_table64",
    "des_decrypt_table64_x2_bmi2",
    "des_encrypt_table64_chain_bmi2",
    "des_encrypt1",
    "des_decrypt3",
    "des_encrypt_reg256_chain_avx2",
    "bitslice128_counters",
    "bitslice128_keys",
    "des_bitslice256_avx2",
    "des_bitslice128_lanes",
    "rc4_apply_s8",
    "rc4_keystreams_s8_x3",
    "des_encrypt_table32_chain",
    "des_decrypt_table32_bare",
    "tdes_encrypt_paired12_bare",
    "des_encrypt_paired_x2",
    "rc4_setup_s32",
];

fn is_quick(name: &str) -> bool {
    QUICK.contains(&name)
}

/// The numbers of all kernels of a set.
fn all_of(set: &Set) -> Vec<(usize, usize)> {
    let numbers = |(n, source): (usize, &sets::Source)| {
        (0..source.kernels.len()).map(move |k| (n, k)).collect::<Vec<_>>()
    };
    set.sources.iter().enumerate().flat_map(numbers).collect()
}

fn at(set: &Set, (source, kernel): (usize, usize)) -> &Listed {
    &set.sources[source].kernels[kernel]
}

/// Changes each quick kernel of a set some times.
fn changed_bytes_are_refused(set: fn(fn(&str) -> bool) -> Set, changes: usize) {
    let set = set(is_quick);
    let all = all_of(&set);
    assert!(all.len() > 2);
    let found = change_all(&set, &all, changes, |_| 2_000, |_, _| {});
    println!("{}: {} refused, {} the same", set.name, found.refused, found.same);
    assert!(found.refused * 4 > all.len() * changes * 3);
}

#[test]
fn slow_changed_bytes_of_code_are_refused() {
    changed_bytes_are_refused(sets::x86_64, 10);
}

/// What is accepted runs, which takes what `--all` alone installs.
#[test]
fn rare_changed_bytes_of_code_for_aarch64_are_refused() {
    changed_bytes_are_refused(sets::aarch64, 10);
}

#[test]
fn slow_changed_bytes_of_code_of_32_bits_are_refused() {
    changed_bytes_are_refused(sets::x86_32, 10);
}

#[test]
fn slow_changed_bytes_of_code_of_real_mode_are_refused() {
    changed_bytes_are_refused(sets::x86_16, 10);
}

#[test]
fn slow_changed_bytes_of_code_for_pa_risc_are_refused() {
    changed_bytes_are_refused(sets::hppa, 10);
}

#[test]
fn rare_changed_bytes_of_code_of_every_kernel_are_refused() {
    // Of what the library ships: all that loom makes would take minutes.
    for set in [sets::x86_64, sets::aarch64] {
        let set = set(|_| true);
        let found = change_all(&set, &all_of(&set), 1, |_| 2_000, |_, _| {});
        assert!((found.same + found.not_run) * 5 < found.refused);
    }
}

/// The name of tables that lie in a copy of an image as well, and a kernel that looks up in them.
fn looked_up(isa: Isa) -> (&'static str, &'static str) {
    match isa {
        Isa::X86_32 | Isa::X86_16 => ("des_encrypt_table32_chain", "des_table32_tables"),
        _ => ("des_encrypt_table64", "des_table64_tables"),
    }
}

/// What returns to the caller at once.
fn returns(image: &Image) -> &'static [u8] {
    match (image.isa, image.convention.name) {
        (Isa::AArch64, _) => &[0xc0, 0x03, 0x5f, 0xd6],
        // With a `nop` behind it.
        (Isa::Hppa, _) => &[0xe8, 0x40, 0xd0, 0, 8, 0, 2, 0x40],
        (_, "far16") => &[0xcb],
        _ => &[0xc3],
    }
}

/// Nobody asks the prover here: a kernel that differs must be found by running it.
fn differences_are_found(set: fn(fn(&str) -> bool) -> Set) {
    let set = set(is_quick);
    for source in set.sources.iter().filter(|source| !source.kernels.is_empty()) {
        let loaded = Loaded::new((source.image)());
        let image = &loaded.image;
        let (name, tables) = looked_up(image.isa);
        let symbol = image.kernels.keys().find(|symbol| name_of(symbol) == name).unwrap();
        let subject = loaded.subject(symbol);
        let entry = subject.entry;
        let code = image.code(&image.kernels[symbol]);
        let as_it_is = || Change { at: entry, bytes: code[..4].to_vec() };
        assert_eq!(compare(&subject, &[as_it_is()], 1_000), Ok(true));
        let returns = Change { at: entry, bytes: returns(image).to_vec() };
        let error = compare(&subject, &[as_it_is(), returns], 1_000).unwrap_err();
        assert!(error.contains("change 1 differs on input"), "{error}");
        // An entry of an S-box, where a changed kernel has tables of its own.
        let table = image.tables.iter().find(|(symbol, _)| name_of(symbol) == tables).unwrap().1;
        let entry = table.start + 8 * 37;
        let has = image.table(entry, 8).unwrap();
        let changed = Change { at: entry, bytes: has.iter().map(|byte| byte ^ 4).collect() };
        let found = compare(&subject, &[changed], 20_000);
        let is_found = found.as_ref().is_err_and(|error| error.contains("change 0 differs on"));
        assert_eq!(is_found, !has_addresses(&source.kernels[0]), "{found:?}");
    }
}

/// Whether kernels have the addresses of their tables in them.
fn has_addresses(kernel: &Listed) -> bool {
    ["cdecl.", "hppa."].iter().any(|abi| kernel.key.starts_with(abi))
}

#[test]
fn differences_on_this_processor_are_found() {
    differences_are_found(sets::x86_64);
    differences_are_found(sets::x86_32);
    differences_are_found(sets::x86_16);
}

/// Its compiler, unlike that for PA-RISC, is installed with `--all` alone.
#[test]
fn rare_differences_on_aarch64_are_found() {
    differences_are_found(sets::aarch64);
}

#[test]
fn differences_on_pa_risc_are_found() {
    differences_are_found(sets::hppa);
}

/// Whether the library's kernels are those of the manifests, whose hashes the records have.
fn is_as_proved() {
    for kernel in cipherloom::kernels_in_memory() {
        let tables = cipherloom::tables_in_memory();
        assert_eq!(proved::check(sets::X86_64, kernel, tables), Ok(()), "{}", kernel.0);
    }
    for (symbol, standing) in manifest::compare(&crate::aarch64::image(), sets::AARCH64) {
        assert_eq!(standing, Standing::Proved, "{symbol}");
    }
}

/// What `cargo xtask prove --mutants` runs: `CIPHERLOOM_MUTANTS` changes of each kernel that has not had so many,
/// each of which, if it is accepted, runs on as many inputs as [`for_the_record`] says. `CIPHERLOOM_MADE`: the lines
/// that say when, and with which prover. Without them it reads what the records say of what the library ships.
#[test]
fn slow_the_records_of_changed_bytes_go_on() {
    let wanted = std::env::var("CIPHERLOOM_MUTANTS").ok().map(|count| count.parse().unwrap());
    let least = wanted.unwrap_or(200);
    if wanted.is_some() {
        is_as_proved();
    }
    // One instruction set alone, if its name is given.
    let only = std::env::var("CIPHERLOOM_MUTANTS_OF").ok();
    for (name, set) in sets::ALL {
        // To make all that loom emits takes a minute.
        let is_shipped = ["x86_64", "aarch64"].contains(&name);
        if only.as_ref().map_or(wanted.is_none() && !is_shipped, |only| only != name) {
            continue;
        }
        let set = set(|_| true);
        let mut all = all_of(&set);
        // What two conventions have in common is one kernel.
        let mut hashes = std::collections::BTreeSet::new();
        all.retain(|&kernel| hashes.insert(&at(&set, kernel).hash));
        let missing = || {
            let record = Record::read(set.name);
            let is_missing = |kernel: &&_| record.tried(&at(&set, **kernel).hash) < least;
            all.iter().filter(is_missing).copied().collect::<Vec<_>>()
        };
        let mut left = missing();
        if let Some(changes) = wanted {
            // Short ones first: these take the least time, but for the loops of RC4's key set-up.
            let images: Vec<_> = set.sources.iter().map(|source| (source.image)()).collect();
            left.sort_by_key(|&(source, n)| {
                let symbol = &set.sources[source].kernels[n].symbol;
                let range = &images[source].kernels[symbol];
                (symbol.contains("rc4_setup"), range.end - range.start)
            });
            let made = std::env::var("CIPHERLOOM_MADE").unwrap();
            change_all(&set, &left, changes, for_the_record, |kernel, found| {
                record(&set, kernel, found, changes, &made);
            });
            left = missing();
        }
        let (done, all) = (all.len() - left.len(), all.len());
        println!("{}: {done} of {all} kernels have had {least} changes", set.name);
        // A kernel that was made anew has them when somebody had the time.
        assert!(!is_shipped || done * 10 >= all * 9, "cargo xtask prove --mutants");
    }
}

/// Writes what was found into the record.
fn record(set: &Set, kernel: &Listed, found: &Found, changes: usize, made: &str) {
    let Listed { symbol, key, hash, .. } = kernel;
    if found.not_run > 0 {
        println!("not recorded: this processor cannot run {key}");
        return;
    }
    // The library's symbols have hashes in them.
    let symbol =
        if symbol.starts_with('_') { String::new() } else { format!("symbol = \"{symbol}\"\n") };
    let fewer = if found.same > 0 && found.inputs < 1_000_000 {
        format!("inputs = \"{}\"\n", found.inputs)
    } else {
        String::new()
    };
    let (refused, same) = (found.refused, found.same);
    let entry = format!(
        "{symbol}bytes = \"{hash}\"\nchanges = \"{changes}\"\n\
         refused = \"{refused}\"\nsame = \"{same}\"\n{fewer}{made}"
    );
    Record::read(set.name).write(key, &entry);
}
