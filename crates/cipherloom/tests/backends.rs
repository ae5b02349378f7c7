//! The seam: which backend serves what, who may choose, and what is known of each.

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

#[test]
fn names_are_unique_and_stable() {
    let names: Vec<_> = Backend::all().iter().map(|backend| backend.name()).collect();
    let expected =
        ["portable-table", "portable-bitslice", "portable-rc4-loop", "portable-rc4-scan"];
    assert_eq!(names, expected);
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

/// The documentation says: tables for a chain, bit slices for much work, one change between.
#[test]
fn detection_changes_once_with_the_amount_of_work() {
    for algorithm in Algorithm::ALL {
        let pick = |blocks| Backend::detect(algorithm, blocks, Policy::Fastest);
        assert_eq!((pick(0), pick(1)), (Backend::Table, Backend::Table), "{algorithm:?}");
        assert_eq!(pick(64), Backend::Bitslice, "{algorithm:?}: a whole word of lanes");
        assert_eq!(pick(usize::MAX), Backend::Bitslice, "{algorithm:?}");
        let changes = (1..=4096).filter(|&blocks| pick(blocks) != pick(blocks - 1)).count();
        assert_eq!(changes, 1, "{algorithm:?}");
    }
    assert_eq!(Rc4::from_slice(&[1]).unwrap().backend(), Backend::Rc4Loop);
}

/// Forcing holds for one object and what is made of it.
#[test]
fn a_forced_stream_says_so() {
    for way in Way::rc4() {
        let backend = way.stream(&[1, 2]).backend();
        match way {
            Way::Forced(forced) => assert_eq!(backend, forced),
            Way::ConstantTime => assert_eq!(backend, Backend::Rc4Scan),
            Way::Fastest => assert_eq!(backend, Backend::Rc4Loop),
        }
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
