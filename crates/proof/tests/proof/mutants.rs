//! Kernels with a byte of their code changed: each change is refused, or does on the processor what the kernel
//! does.
//!
//! `mutants.toml` says of each kernel how many changes were tried, with which prover. `cargo xtask prove --mutants`
//! goes on where it ends, a kernel after the other: the changes of a kernel follow from its hash, so that it does
//! not matter who tries them when.

use crate::refusals::{instructions, prove, symbol};
use crate::{native, program};
use proof::image::name_of;
use proof::theorems::{Kernel, Lanes};
use proved::Entry;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The manifest that is committed.
const MANIFEST: &str = include_str!("../../../proved/x86_64.toml");

/// Kernels of every kind that take no time to prove.
const QUICK: [&str; 12] = [
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
];

/// What became of changes.
#[derive(Default)]
struct Found {
    refused: usize,
    /// Accepted, and did the same on the processor.
    same: usize,
    /// Accepted, but not for this processor.
    not_run: usize,
    accepted: Vec<String>,
}

/// Changes random bytes of a kernel, one at a time.
fn change(symbol: &str, changes: usize, inputs: usize) -> Found {
    let mut image = program::image();
    let covered = proof::covered();
    let name = Kernel { image: &image, symbol, covered: &covered, lanes: Lanes::First }.name();
    let name = name.to_owned();
    let kernel = image.kernels[symbol].clone();
    let before = image.span();
    let (hash, _) = symbol.split_once('_').unwrap();
    let mut random = fastrand::Rng::with_seed(u64::from_str_radix(hash, 16).unwrap());
    let mut found = Found::default();
    for _ in 0..changes {
        let at = random.u64(kernel.start..kernel.end);
        let change = random.u8(1..);
        image.change(at, |byte| byte ^ change);
        if prove(&image, symbol).is_err() {
            found.refused += 1;
        } else {
            let all = instructions(&image, symbol);
            let i = all.iter().find(|i| (i.ip()..i.next_ip()).contains(&at));
            found.accepted.push(i.map_or(String::new(), ToString::to_string));
            // It panics where they differ.
            match native::compare(&name, kernel.start, &before, &image.span(), inputs) {
                true => found.same += 1,
                false => found.not_run += 1,
            }
        }
        image.change(at, |byte| byte ^ change);
    }
    found
}

/// [`change`] for some kernels, on all cores; `done` gets each of them.
fn change_all(
    symbols: &[String],
    changes: usize,
    inputs: usize,
    done: impl Fn(&str, &Found) + Sync,
) -> Found {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Found::default()));
    let work = || {
        while let Some(symbol) = symbols.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = Instant::now();
            let found = change(symbol, changes, inputs);
            let mut all = all.lock().unwrap();
            println!(
                "{}: {} refused, {} the same, {} not run: {:?} ({:.0} s)",
                name_of(symbol),
                found.refused,
                found.same,
                found.not_run,
                found.accepted,
                start.elapsed().as_secs_f64()
            );
            done(symbol, &found);
            all.refused += found.refused;
            all.same += found.same;
            all.not_run += found.not_run;
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    all.into_inner().unwrap()
}

#[test]
fn slow_changed_bytes_of_code_are_refused() {
    let image = program::image();
    let found = change_all(&QUICK.map(|name| symbol(&image, name)), 10, 2_000, |_, _| {});
    assert!(found.refused > 90);
}

#[test]
fn rare_changed_bytes_of_code_of_every_kernel_are_refused() {
    let symbols: Vec<String> = program::image().kernels.into_keys().collect();
    let found = change_all(&symbols, 1, 2_000, |_, _| {});
    assert!((found.same + found.not_run) * 5 < found.refused);
}

fn place() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutants.toml")
}

fn record() -> String {
    std::fs::read_to_string(place()).unwrap()
}

/// How many changes of a kernel the record has, if it is of the kernel's bytes.
fn tried(record: &str, symbol: &str) -> usize {
    let bytes = |of| Entry::find(of, symbol).ok().and_then(|entry| entry.get("bytes"));
    let number = |key| Entry::find(record, symbol).ok()?.get(key)?.parse::<usize>().ok();
    let numbers = ["changes", "refused", "same"].map(number);
    let (Some(recorded), [Some(changes), Some(refused), Some(same)]) = (bytes(record), numbers)
    else {
        return 0;
    };
    assert_eq!(refused + same, changes, "{symbol}");
    if bytes(MANIFEST) == Some(recorded) { changes } else { 0 }
}

/// The record with what it says of a kernel.
fn with(record: &str, symbol: &str, entry: &str) -> String {
    let mut parts = record.trim_end().split("\n\n[");
    let head = parts.next().unwrap().to_owned();
    let mut entries: BTreeMap<&str, &str> =
        parts.map(|part| part.split_once("]\n").unwrap()).collect();
    entries.insert(name_of(symbol), entry.trim_end());
    let entries = entries.iter().map(|(name, entry)| format!("\n\n[{name}]\n{entry}"));
    head + &entries.collect::<String>() + "\n"
}

/// What `cargo xtask prove --mutants` runs: `CIPHERLOOM_MUTANTS` changes of each kernel that has not had so many,
/// each of which, if it is accepted, runs on a million inputs. `CIPHERLOOM_MADE`: the lines that say when, and with
/// which prover. Without them it reads what the record says.
#[test]
fn the_record_of_changed_bytes_goes_on() {
    let image = program::image();
    let wanted = std::env::var("CIPHERLOOM_MUTANTS").ok().map(|count| count.parse().unwrap());
    let least = wanted.unwrap_or(200);
    let mut symbols: Vec<String> = image.kernels.keys().cloned().collect();
    // Short ones first: these take the least time, but for the loops of RC4's key set-up.
    symbols.sort_by_key(|symbol| {
        (symbol.contains("rc4_setup"), image.code(&image.kernels[symbol]).len())
    });
    let missing = |symbols: &[String]| {
        let record = record();
        let missing = symbols.iter().filter(|symbol| tried(&record, symbol) < least);
        missing.cloned().collect::<Vec<_>>()
    };
    let mut left = missing(&symbols);
    if let Some(changes) = wanted {
        let made = std::env::var("CIPHERLOOM_MADE").unwrap();
        for kernel in cipherloom::kernels_in_memory() {
            let tables = cipherloom::tables_in_memory();
            assert_eq!(proved::check(MANIFEST, kernel, tables), Ok(()), "{}", kernel.0);
        }
        change_all(&left, changes, 1_000_000, |symbol, found| {
            if found.not_run > 0 {
                println!("not recorded: this processor cannot run {}", name_of(symbol));
                return;
            }
            let bytes = Entry::find(MANIFEST, symbol).unwrap().get("bytes").unwrap();
            let (refused, same) = (found.refused, found.same);
            let entry = format!(
                "symbol = \"{symbol}\"\nbytes = \"{bytes}\"\nchanges = \"{changes}\"\n\
                 refused = \"{refused}\"\nsame = \"{same}\"\n{made}"
            );
            let record = with(&record(), symbol, &entry);
            // As a whole, so that it can be stopped at any time.
            let beside = place().with_extension("new");
            std::fs::write(&beside, record).unwrap();
            std::fs::rename(beside, place()).unwrap();
        });
        left = missing(&symbols);
    }
    println!(
        "{} of {} kernels have had {least} changes",
        symbols.len() - left.len(),
        symbols.len()
    );
}
