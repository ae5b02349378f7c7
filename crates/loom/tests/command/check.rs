//! `loom check` and `loom tune`: what is committed is what would be made, and what the search keeps.

use crate::{json, loom, nowhere, said};
use loom::isa::x86::conventions::SYSV64;
use loom::tune::{Measured, Search, Store, Tuned, code_hash};
use loom::variant::KernelVariant;

/// A source tree with nothing in it but what `check` looks at.
fn tree() -> tempfile::TempDir {
    let root = nowhere();
    let mark = root.path().join("crates/loom/Cargo.toml");
    std::fs::create_dir_all(mark.parent().unwrap()).unwrap();
    std::fs::write(mark, "").unwrap();
    root
}

#[test]
fn slow_check_finds_what_differs_and_repairs_it() {
    let tree = tree();
    let root = tree.path().to_str().unwrap();
    let check = ["check", "--root", root];
    let write = ["check", "--write", "--root", root];
    assert!(loom(&check).status.code() == Some(1), "everything is missing");
    let written = said(&write);
    assert_eq!(
        written,
        said(&["check", "--write", "--root", self::tree().path().to_str().unwrap()])
    );
    assert!(said(&check).ends_with("generated files are as loom makes them\n"));

    let kernel = "crates/cipherloom/kernels/x86_64/rc4_apply_s8.s";
    let rust = "crates/cipherloom/src/kernels/asm/x86_64/generated.rs";
    let extra = "crates/cipherloom/kernels/x86_64/rc5.s";
    let at = |path: &str| tree.path().join(path);
    let before = std::fs::read(at(kernel)).unwrap();
    let mut changed = before.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    std::fs::write(at(kernel), changed).unwrap();
    std::fs::remove_file(at(rust)).unwrap();
    std::fs::write(at(extra), "").unwrap();
    let output = loom(&check);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!(
            "{kernel}: is not what loom makes\n{rust}: is missing\n{extra}: is made by nothing\n"
        )
    );
    assert!(String::from_utf8_lossy(&output.stderr).contains("check --write"));

    said(&write);
    assert_eq!(std::fs::read(at(kernel)).unwrap(), before);
    assert!(at(rust).exists() && !at(extra).exists());
    said(&check);
}

#[test]
fn what_is_committed_is_what_is_made() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let output = loom(&["check", "--root", root]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// A tuned file as the search would write it.
fn tuned(variant: &KernelVariant) -> Tuned {
    let plan = variant.untuned();
    let made = variant.make(&SYSV64, &plan).unwrap();
    let measured = Measured {
        processor: "a processor".to_owned(),
        ghz: 3.0,
        per: "byte".to_owned(),
        cycles: 3.0,
        worst: 3.0,
        untuned: 3.0,
        gain: 1.0,
        over_generic: None,
        over_usual: None,
        processes: 1,
        samples: 1,
    };
    Tuned {
        kernel: variant.name(),
        convention: None,
        description: made.record().description.clone(),
        code: code_hash(&*made),
        plan,
        measured,
        search: Search { seed: 7, seconds: 100, candidates: 1000 },
    }
}

#[test]
fn slow_check_makes_kernels_by_their_tuned_files_and_says_which_are_out_of_date() {
    let tree = tree();
    let root = tree.path().to_str().unwrap();
    said(&["check", "--write", "--root", root]);
    let store = Store::new(tree.path().join("crates/loom/tuned"));
    let variant: KernelVariant = "rc4_apply_s8".parse().unwrap();
    let mut tuned = tuned(&variant);
    tuned.plan.choices.branch = false;
    store.save(&variant, &SYSV64, "generic", &tuned).unwrap();
    let output = loom(&["check", "--root", root]);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "crates/cipherloom/kernels/x86_64/rc4_apply_s8.s: is not what loom makes\n\
         crates/cipherloom/src/kernels/asm/x86_64/generated.rs: is not what loom makes\n\
         crates/loom/src/tune/generic.rs: is not what loom makes\n"
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("rc4_apply_s8.toml: its plan makes other code"), "{errors}");
    tuned.description = "0".to_owned();
    store.save(&variant, &SYSV64, "generic", &tuned).unwrap();
    let errors = loom(&["check", "--write", "--root", root]).stderr;
    assert!(String::from_utf8_lossy(&errors).contains("description has changed"));
    let text = std::fs::read_to_string(
        tree.path().join("crates/cipherloom/kernels/x86_64/rc4_apply_s8.s"),
    );
    let text = text.unwrap();
    assert!(text.contains("branch = false") && text.contains("cmov"), "made by the tuned plan");

    // A vendor's plan ships beside it.
    tuned.plan.choices.ahead = 2;
    store.save(&variant, &SYSV64, "intel", &tuned).unwrap();
    let output = loom(&["check", "--write", "--root", root]).stdout;
    let output = String::from_utf8_lossy(&output);
    assert!(output.contains("rc4_apply_s8_intel.s: written"), "{output}");
    let generated = tree.path().join("crates/cipherloom/src/kernels/asm/x86_64/generated.rs");
    let generated = std::fs::read_to_string(generated).unwrap();
    let row = generated.lines().find(|line| line.contains(" rc4_apply_s8 ")).unwrap();
    assert!(row.contains("[intel \""), "{row}");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn slow_tune_goes_on_from_its_file_and_keeps_what_is_right() {
    let folder = nowhere();
    let variant: KernelVariant = "rc4_apply_s8".parse().unwrap();
    let store = Store::new(folder.path());
    let run = || {
        let tuned = folder.path().to_str().unwrap();
        let result = json(&[
            "tune",
            "rc4_apply_s8",
            "--seconds",
            "1",
            "--processes",
            "2",
            "--cpu",
            "here",
            "--tuned",
            tuned,
            "--json",
        ]);
        result[0].clone()
    };
    let first = run();
    assert_eq!(first["from"], "the untuned plan");
    assert_eq!(first["each"].as_array().unwrap().len(), 2);
    assert!(first["cycles"].as_f64().unwrap() > 0.5 && first["gain"].as_f64().unwrap() > 0.5);
    let begun = tuned(&variant);
    store.save(&variant, &SYSV64, "here", &begun).unwrap();
    let second = run();
    assert_eq!(second["from"], "its own file");
    let found = store.load(&variant, &SYSV64, "here").unwrap().unwrap();
    if second["written"].is_null() {
        assert_eq!(found, begun);
    } else {
        assert_eq!(found.search.seconds, begun.search.seconds + 1);
        assert!(found.search.candidates > begun.search.candidates);
        let made = variant.make(&SYSV64, &found.plan).unwrap();
        assert_eq!(found.code, code_hash(&*made), "the file's plan makes what was measured");
    }
    assert!(store.load(&variant, &SYSV64, "generic").unwrap().is_none());
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn tune_writes_the_plan_of_a_convention_or_says_that_it_is_called_otherwise() {
    let folder = nowhere();
    let tuned = folder.path().to_str().unwrap();
    let tune = ["tune", "--seconds", "1", "--processes", "2", "--cpu", "generic", "--tuned", tuned];
    // Its program asks where it is, which has its costs, too.
    let kernel = "x86/des_encrypt1";
    let result = json(&[&tune[..], &["--json", "--abi", "cdecl-pic", kernel]].concat());
    assert_eq!(result[0]["convention"], "cdecl-pic");
    assert!(result[0]["over_usual"].as_f64().unwrap() > 0.5);
    let variant: KernelVariant = kernel.parse().unwrap();
    let abi =
        loom::isa::frame::Abi::of(variant.target).find(|abi| abi.name == "cdecl-pic").unwrap();
    let found = Store::new(folder.path()).load(&variant, abi, "generic").unwrap();
    assert_eq!(found.is_some(), !result[0]["written"].is_null());
    if let Some(found) = found {
        let made = variant.make(abi, &found.plan).unwrap();
        assert_eq!(found.code, code_hash(&*made), "the file's plan makes what was measured");
    }
    for (kernel, abi, expected) in [
        ("des_encrypt_table64", "win64", "not called as those of sysv64"),
        ("x86/des_encrypt1", "win64", "no calling convention `win64` for x86"),
    ] {
        let line = crate::refused(&[&tune[..], &["--abi", abi, kernel]].concat(), 2);
        assert!(line.contains(expected), "{line}");
    }
}
