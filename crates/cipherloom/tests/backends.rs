//! Backends: which one serves what, who may choose, and what is known of each.

use cipherloom::batch::Batch;
use cipherloom::{
    Algorithm, Backend, BlockCipher as _, Des, Error, Family, Padding, Policy, Rc4, Status,
    TdesEde3, self_test,
};
use cipherloom_testkit::ways::Way;

const LENGTHS: [usize; 12] = [0, 1, 2, 7, 8, 16, 63, 64, 65, 512, 100_000, usize::MAX];

#[test]
fn every_backend_is_forced_by_the_tests() {
    let forced: Vec<Backend> = [Way::des(), Way::rc4()]
        .concat()
        .into_iter()
        .filter_map(|way| match way {
            Way::Forced(backend) => Some(backend),
            _ => None,
        })
        .collect();
    assert_eq!(forced.len(), Backend::all().len());
    for &backend in Backend::all() {
        assert!(forced.contains(&backend), "{backend:?} runs here and no test forces it");
    }
    for family in [Family::Des, Family::Rc4] {
        let own: Vec<_> = Backend::all().iter().filter(|one| one.family() == family).collect();
        assert!(own.iter().any(|one| one.is_constant_time()), "{family:?}");
        assert!(own.iter().any(|one| !one.is_constant_time()), "{family:?}");
    }
}

/// Names are for programs that keep them: one that is here stays as it is.
#[test]
fn names_are_stable() {
    let names = Backend::EVERY.map(Backend::name);
    let expected = [
        "x86-64-bmi2-table",
        "x86-64-gfni-table",
        "x86-64-table",
        "x86-64-rc4-loop",
        "x86-64-avx2-rc4-loop",
        "x86-64-rc4-words",
        "aarch64-table",
        "aarch64-rc4",
        "portable-table",
        "portable-rc4-loop",
        "x86-64-vbmi-registers",
        "x86-64-avx2-registers",
        "aarch64-tbl-registers",
        "x86-64-avx512-bitslice",
        "x86-64-avx2-bitslice",
        "x86-64-sse2-bitslice",
        "aarch64-sha3-bitslice",
        "aarch64-neon-bitslice",
        "portable-bitslice",
        "x86-64-vbmi-rc4-registers",
        "x86-64-avx2-rc4-registers",
        "portable-rc4-scan",
    ];
    assert_eq!(names, expected);
}

/// What this processor can run, by the standard library's word: none of it may be missing.
#[test]
fn every_backend_that_can_run_here_is_there() {
    let can_run = |backend: &Backend| match backend.needs() {
        None => true,
        Some(feature) => has_assembly() && has(feature),
    };
    let expected: Vec<_> = Backend::EVERY.into_iter().filter(can_run).collect();
    assert_eq!(Backend::all(), expected);
}

/// Whether the library has assembly: it must on these systems; of others its word is taken.
fn has_assembly() -> bool {
    const MUST: bool = cfg!(all(
        any(target_arch = "x86_64", target_arch = "aarch64"),
        any(target_os = "linux", windows, target_vendor = "apple"),
        not(any(miri, cipherloom_portable))
    ));
    MUST || cipherloom::kernels_in_memory().next().is_some()
}

/// Whether this processor has a feature, as backends name them.
#[cfg(target_arch = "x86_64")]
fn has(feature: &str) -> bool {
    use std::arch::x86_64::__cpuid;
    let has_avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    match feature {
        "x86-64" => true,
        "bmi2" => {
            // "AuthenticAMD" and "HygonGenuine"; before Zen 3 (19h) `pext` takes hundreds of cycles.
            let amd = [0x6874_7541, 0x6f67_7948].contains(&__cpuid(0).ebx);
            let family = (__cpuid(1).eax >> 8 & 0xf) + (__cpuid(1).eax >> 20 & 0xff);
            let has_both = is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2");
            has_both && !(amd && family < 0x19)
        }
        "gfni" => {
            let has_gfni = is_x86_feature_detected!("gfni");
            has("bmi2") && is_x86_feature_detected!("ssse3") && has_gfni
        }
        "avx2" => is_x86_feature_detected!("avx2"),
        "avx512" => has_avx512,
        "vbmi" => {
            let has_vbmi = is_x86_feature_detected!("avx512vbmi");
            has_avx512 && has_vbmi && is_x86_feature_detected!("gfni")
        }
        "aarch64" | "sha3" => false,
        _ => panic!("{feature}: how does the standard library ask for it?"),
    }
}

#[cfg(target_arch = "aarch64")]
fn has(feature: &str) -> bool {
    match feature {
        "aarch64" => true,
        "sha3" => std::arch::is_aarch64_feature_detected!("sha3"),
        "x86-64" | "bmi2" | "gfni" | "avx2" | "avx512" | "vbmi" => false,
        _ => panic!("{feature}: how does the standard library ask for it?"),
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn has(_: &str) -> bool {
    false
}

/// The fastest backend in slices.
fn widest() -> Backend {
    let sliced = |backend: &&Backend| backend.lanes().is_some();
    *Backend::all().iter().find(sliced).unwrap()
}

#[test]
fn a_backend_of_the_other_family_is_refused() {
    for &backend in Backend::all() {
        let refused = Err(Error::Backend(backend));
        let key = backend.force(Des::new(&[1; 8])).map(|_| ());
        let stream = backend.force_rc4(&[1; 8]).map(|_| ());
        let block_batch = Batch::ctr(Algorithm::Des).with_backend(backend).map(|_| ());
        let stream_batch = Batch::rc4().with_backend(backend).map(|_| ());
        let (own, other) = match backend.family() {
            Family::Des => ([key, block_batch], [stream, stream_batch]),
            Family::Rc4 => ([stream, stream_batch], [key, block_batch]),
        };
        assert_eq!((own, other), ([Ok(()); 2], [refused; 2]), "{backend:?}");
    }
}

#[test]
fn constant_time_never_picks_and_never_takes_a_table() {
    for algorithm in Algorithm::ALL {
        for blocks in LENGTHS {
            let backend = Backend::detect(algorithm, blocks, Policy::ConstantTime);
            assert!(backend.is_constant_time(), "{algorithm:?}, {blocks} blocks: {backend:?}");
            assert_eq!(backend.family(), Family::Des);
        }
    }
    assert!(Rc4::with_policy(&[1], Policy::ConstantTime).unwrap().backend().is_constant_time());
    for &backend in Backend::all() {
        let refused =
            if backend.is_constant_time() { Ok(()) } else { Err(Error::Backend(backend)) };
        let key = Des::new(&[1; 8]).with_policy(Policy::ConstantTime);
        let batch = match backend.family() {
            Family::Des => Batch::ecb(Algorithm::Des, Padding::None),
            Family::Rc4 => Batch::rc4(),
        };
        let batch = batch.with_policy(Policy::ConstantTime).with_backend(backend).map(|_| ());
        assert_eq!(batch, refused);
        if backend.family() == Family::Des {
            assert_eq!(key.with_backend(backend).map(|_| ()), refused);
        }
    }
}

/// The documentation says: tables for a chain, look-ups in registers for a few blocks where these are
/// faster, bit slices for much work. In constant time registers are for chains, too.
#[test]
fn detection_changes_little_with_the_amount_of_work() {
    let in_registers = |backend: Backend| backend.name().ends_with("-registers");
    let registers = Backend::all().iter().copied().find(|one| in_registers(*one));
    for algorithm in Algorithm::ALL {
        for policy in [Policy::Fastest, Policy::ConstantTime] {
            let pick = |blocks| Backend::detect(algorithm, blocks, policy);
            let one = match policy {
                Policy::Fastest => {
                    let one = pick(1);
                    assert!(one.name().ends_with("-table"), "{algorithm:?}: {one:?}");
                    one
                }
                Policy::ConstantTime => registers.unwrap_or_else(widest),
            };
            assert_eq!(one.is_constant_time(), policy == Policy::ConstantTime);
            assert_eq!((pick(0), pick(1)), (one, one), "{algorithm:?}");
            assert_eq!(pick(128), widest(), "{algorithm:?}: as many as any vector has lanes");
            assert_eq!(pick(usize::MAX), widest(), "{algorithm:?}");
            let mut picks: Vec<_> = (0..=4096).map(pick).collect();
            picks.dedup();
            let others: Vec<_> =
                picks.iter().filter(|other| ![one, widest()].contains(*other)).collect();
            assert!(picks.len() <= 3, "{algorithm:?}: {picks:?}");
            assert!(others.iter().all(|other| in_registers(**other)), "{algorithm:?}: {picks:?}");
        }
    }
    let stream = Rc4::from_slice(&[1]).unwrap().backend().name();
    // On AArch64 there is no other in assembly from which its name would have to tell it.
    let is_loop = ["-rc4-loop", "-rc4-words"].iter().any(|end| stream.ends_with(end));
    assert!(is_loop || stream == "aarch64-rc4", "{stream}");
}

/// Forcing holds for one object and what is made of it.
#[test]
fn a_forced_stream_says_so() {
    for way in Way::rc4() {
        let backend = way.stream(&[1, 2]).backend();
        match way {
            Way::Forced(forced) => assert_eq!(backend, forced),
            Way::ConstantTime => assert!(backend.is_constant_time()),
            Way::Fastest => assert!(!backend.is_constant_time()),
        }
    }
}

/// What a program wants on a processor that lacks it.
#[test]
fn a_backend_that_cannot_run_here_is_refused() {
    for backend in Backend::EVERY {
        if Backend::all().contains(&backend) {
            continue;
        }
        let refused = Err(Error::Backend(backend));
        assert_eq!(backend.self_test(), refused);
        assert_eq!(backend.force(Des::new(&[1; 8])).map(|_| ()), refused);
        assert_eq!(backend.force_rc4(&[1; 8]).map(|_| ()), refused);
        assert_eq!(backend.status(), Status::Untested);
    }
}

#[test]
fn self_tests_pass_and_are_remembered() {
    let results: Vec<_> = self_test().collect();
    assert_eq!(results.len(), Backend::all().len());
    for (&backend, (tested, result)) in Backend::all().iter().zip(results) {
        assert_eq!((tested, result), (backend, Ok(())));
        assert_eq!(backend.status(), Status::Works);
        assert_eq!(backend.self_test(), Ok(()), "again");
    }
}

/// Says to a child, which is this test again, which backend to use.
const CHILD: &str = "CIPHERLOOM_TEST_STATUS_OF";

/// Runs in a process of its own, where nothing was used before.
#[test]
fn first_use_tests_the_backend_and_no_other() {
    if let Ok(name) = std::env::var(CHILD) {
        let used = *Backend::all().iter().find(|backend| backend.name() == name).unwrap();
        for &backend in Backend::all() {
            assert_eq!(backend.status(), Status::Untested);
        }
        match used.family() {
            Family::Des => {
                let key = used.force(TdesEde3::new(&[7; 24])).unwrap();
                assert_eq!(used.status(), Status::Untested, "making a key runs no kernel");
                key.encrypt_block(&mut [0; 8]).unwrap();
            }
            Family::Rc4 => drop(used.force_rc4(&[7]).unwrap()),
        }
        for &backend in Backend::all() {
            let expected = if backend == used { Status::Works } else { Status::Untested };
            assert_eq!(backend.status(), expected, "{backend:?} after {used:?}");
        }
        return;
    }
    for backend in Backend::all() {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "first_use_tests_the_backend_and_no_other"])
            .env(CHILD, backend.name())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{backend:?}: {text}");
    }
}
