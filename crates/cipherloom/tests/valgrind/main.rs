//! Constant time, watched: memcheck reports every branch and every address that depends on a
//! secret.
//!
//! Each test runs this program again under valgrind, where the work makes its secrets undefined,
//! and judges what is reported. What machine code *can* do is looked at by
//! `crates/loom/tests/codegen/leaks.rs`, for kernels; here it is what a whole call does, with all that the
//! compiler made of the Rust around them. (`cargo xtask test` runs this in the tests' own build and
//! in one that is optimised as a release is.)
#![cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]

mod decisions;
mod work;

use std::collections::BTreeMap;
use std::io::Write as _;

use cipherloom::{Backend, Family};
use cipherloom_testkit::valgrind::{Finding, Outcome, is_running, make_undefined, valgrind};
use cipherloom_testkit::ways::Way;

/// Says to a child, which is this program again, what to do.
const CHILD: &str = "CIPHERLOOM_TEST_UNDER_VALGRIND";

/// The library chooses, in constant time.
const POLICY: &str = "Policy::ConstantTime";
/// Work whose outcome is public.
const DECISIONS: &str = "decisions";
/// A branch on a secret.
const BRANCH: &str = "branch";

/// What a child says that has not the backend which it should use.
const ABSENT: &str = "no such backend here";

/// Valgrind's processor has neither AVX-512 nor GFNI: backends with such names cannot run on it.
const BEYOND: [&str; 3] = ["avx512", "vbmi", "gfni"];

/// Blocks of the longest messages: more than any register has lanes there.
const MOST: usize = 300;

/// Where the library is.
const LIBRARY: &str = "crates/cipherloom/src";

/// A file of the library, and a line in it without its indentation.
type Line = (&'static str, &'static str);

/// The lines that make a call's result of what is known of a padding, and of why a key is refused.
/// Nothing else may tell anything of it.
const PUBLIC: [Line; 3] = [
    ("verdict.rs", "if bit == 0 { zero } else { one }"),
    ("keys/fault.rs", "FAULTS.get(usize::from(first)).copied()"),
    ("keys/block_key.rs", "match Self::fault(algorithm, key, parity)? {"),
];

/// Runs in the children only: the work that the parent names.
#[test]
fn child() {
    let Ok(name) = std::env::var(CHILD) else { return };
    assert!(is_running(), "without valgrind this would check nothing");
    match &name[..] {
        POLICY => {
            work::des(Way::ConstantTime, MOST);
            work::rc4(Way::ConstantTime);
        }
        DECISIONS => decisions::decisions(Way::ConstantTime),
        BRANCH => branch(),
        name => match Backend::all().iter().find(|backend| backend.name() == name) {
            Some(backend) if backend.family() == Family::Rc4 => work::rc4(Way::Forced(*backend)),
            Some(backend) if backend.is_constant_time() => work::des(Way::Forced(*backend), MOST),
            Some(backend) => work::one_block(Way::Forced(*backend)),
            None => println!("{ABSENT}"),
        },
    }
}

fn branch() {
    let mut byte = [7];
    make_undefined(&mut byte);
    if std::hint::black_box(byte[0]) == 7 {
        println!("seven");
    }
}

/// Runs the child. `None` if the user wants to do without valgrind.
fn run(name: &str) -> Option<Outcome> {
    Some(valgrind()?.run_test("child", CHILD, name))
}

/// Says how it went, past the test harness, which would keep it back.
fn tell(name: &str, how: &str) {
    let line = format!("under valgrind: {name}: {how}\n");
    std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written");
}

/// Findings of the same place are shown once.
fn listed(findings: &[&Finding]) -> String {
    let mut places: BTreeMap<String, (&Finding, usize)> = BTreeMap::new();
    for finding in findings {
        let place = finding.innermost(LIBRARY).map_or(String::new(), |frame| frame.text.clone());
        places.entry(place).or_insert((finding, 0)).1 += 1;
    }
    let one = |(finding, times): &(&Finding, usize)| format!("{times} times: {finding}\n");
    places.values().map(one).collect()
}

/// Whether the innermost line of the library is this one.
fn is_at(finding: &Finding, (name, line): Line) -> bool {
    finding.innermost(LIBRARY).is_some_and(|frame| {
        frame.file.ends_with(format!("{LIBRARY}/{name}")) && frame.source() == line
    })
}

/// Whether valgrind's processor has what a backend needs: if not, nothing was found out, which is told.
fn has_run(backend: Backend, outcome: &Outcome) -> bool {
    let absent = outcome.stdout.contains(ABSENT);
    let beyond = BEYOND.iter().any(|feature| backend.name().contains(feature));
    assert_eq!(absent, beyond, "{}", backend.name());
    if absent {
        tell(backend.name(), "not run, as valgrind's processor has neither AVX-512 nor GFNI");
    }
    !absent
}

/// No branch and no address of these depends on a secret.
fn must_be_silent(name: &str, outcome: &Outcome) {
    let findings: Vec<&Finding> = outcome.findings.iter().collect();
    assert!(findings.is_empty(), "{name} tells secrets:\n{}", listed(&findings));
    tell(name, "no branch and no address depends on a secret");
}

#[test]
fn slow_what_the_library_chooses_in_constant_time() {
    let Some(outcome) = run(POLICY) else { return };
    must_be_silent(POLICY, &outcome);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "the check of what is released has it")]
fn rare_every_constant_time_backend() {
    for backend in Backend::all().iter().filter(|backend| backend.is_constant_time()) {
        let Some(outcome) = run(backend.name()) else { return };
        if has_run(*backend, &outcome) {
            must_be_silent(backend.name(), &outcome);
        }
    }
}

/// A table's addresses are secret, and memcheck sees that: it would see others.
#[test]
fn slow_every_other_backend_is_found_out() {
    for backend in Backend::all().iter().filter(|backend| !backend.is_constant_time()) {
        let Some(outcome) = run(backend.name()) else { return };
        if !has_run(*backend, &outcome) {
            continue;
        }
        let address = |finding: &Finding| finding.what.starts_with("Use of uninitialised value");
        assert!(outcome.findings.iter().any(address), "{}: {outcome:?}", backend.name());
    }
}

#[test]
fn a_branch_is_found_out() {
    let Some(outcome) = run(BRANCH) else { return };
    assert_eq!(outcome.findings.len(), 1, "{outcome:?}");
    assert!(outcome.findings[0].what.starts_with("Conditional jump"), "{outcome:?}");
}

/// Paddings and tags are judged, messages wiped or kept, without a branch: only the result with which the
/// call returns is one of two.
#[test]
fn decisions_are_all_that_is_told() {
    let Some(outcome) = run(DECISIONS) else { return };
    // What the test itself does with results is no matter of the library's.
    let (public, secret): (Vec<&Finding>, Vec<&Finding>) = outcome
        .findings
        .iter()
        .filter(|finding| finding.innermost(LIBRARY).is_some())
        .partition(|finding| PUBLIC.iter().any(|line| is_at(finding, *line)));
    assert!(secret.is_empty(), "more than the decision is told:\n{}", listed(&secret));
    assert!(!public.is_empty(), "a padding was taken off, and nobody was told");
}
