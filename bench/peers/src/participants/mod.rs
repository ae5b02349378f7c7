//! Who takes part: our library, the peers, and C of our own.

mod foreign;
mod go;
#[allow(dead_code, reason = "build.rs uses the rest")]
pub(crate) mod ipsec_version;
mod ours;
mod participant;
mod rustcrypto;

use std::sync::Mutex;

use serde::Serialize;

pub(crate) use ours::SLICES;
pub(crate) use participant::{IPSEC_MB, Kind, ONE_JOB, OPENSSL, Participant};

/// A library that takes part where it can be had, and cannot be had here.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Absent {
    pub(crate) library: &'static str,
    /// In one line.
    pub(crate) why: String,
}

/// Everyone, and who is not there.
pub(crate) struct Everyone {
    /// Ours first.
    pub(crate) present: Vec<Participant>,
    pub(crate) absent: Vec<Absent>,
}

/// Everyone.
///
/// # Errors
/// A library that cannot be used, with its package.
pub(crate) fn all() -> Result<Everyone, String> {
    // Libraries become ready one at a time; tests have several threads.
    static LOADING: Mutex<()> = Mutex::new(());
    let _loading = LOADING.lock();
    let mut all = ours::all();
    let mut absent = Vec::new();
    all.extend(foreign::peers()?);
    match foreign::ipsec_mb() {
        Ok(participants) => all.extend(participants),
        Err(why) => absent.push(Absent { library: IPSEC_MB, why }),
    }
    all.push(rustcrypto::participant());
    all.push(go::participant());
    all.extend(foreign::plain()?);
    Ok(Everyone { present: all, absent })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Expected, check};
    use crate::rows::{BULK, Cipher, Operation, ROWS, Row};

    #[test]
    fn every_participant_is_right_in_every_row() {
        for row in ROWS {
            let expected = Expected::new(&row);
            for participant in all().unwrap().present {
                let work = participant.open(&row).unwrap();
                // A backend says itself for which work it is.
                if participant.kind != Kind::Backend {
                    let name = &participant.name;
                    assert_eq!(work.is_none(), has_no(&participant, &row), "{name}, {}", row.id);
                }
                if let Some(mut work) = work {
                    check(&row, &participant.name, &mut work, &expected).unwrap();
                }
            }
        }
    }

    /// Every gap that there may be.
    fn has_no(participant: &Participant, row: &Row) -> bool {
        let is_ctr = row.operation == Operation::Ctr;
        let is_constant_time = row.operation == Operation::ConstantTime;
        match (participant.library, participant.kind) {
            (_, Kind::Ours) => false,
            (IPSEC_MB, _) => ipsec_mb_has_no(participant, row),
            _ if is_constant_time => true,
            _ if participant.name.ends_with("a call") => row.operation != Operation::Stream,
            (OPENSSL, _) => is_ctr,
            _ if row.operation.is_each() => true,
            (_, Kind::Plain) => {
                let is_key = row.operation == Operation::NewKey && row.cipher != Cipher::Rc4;
                is_ctr || is_key || row.bytes >= BULK
            }
            _ => false,
        }
    }

    /// Its lanes need AVX-512.
    fn ipsec_mb_has_no(participant: &Participant, row: &Row) -> bool {
        let (one, ready) =
            (participant.name.ends_with("1 job"), participant.name.ends_with("ready"));
        row.cipher == Cipher::Rc4
            || !one && !has_avx512()
            || match row.operation {
                Operation::CbcDecrypt => ready || one && row.bytes >= BULK,
                Operation::CbcEncrypt | Operation::ConstantTime => !one,
                Operation::EachCbcEncrypt => one,
                Operation::EachCbcDecrypt => one || ready,
                _ => true,
            }
    }

    fn has_avx512() -> bool {
        #[cfg(target_arch = "x86_64")]
        return std::arch::is_x86_feature_detected!("avx512bw");
        #[cfg(not(target_arch = "x86_64"))]
        return false;
    }

    #[test]
    fn every_backend_has_work() {
        for backend in all().unwrap().present.iter().filter(|who| who.kind == Kind::Backend) {
            let rows = ROWS.iter().filter(|row| backend.open(row).unwrap().is_some());
            println!("{}: {} rows", backend.name, rows.clone().count());
            assert!(rows.count() > 0, "{}", backend.name);
        }
    }

    #[test]
    fn in_constant_time_nobody_else_takes_part() {
        let row = ROWS.iter().find(|row| row.operation == Operation::ConstantTime).unwrap();
        for participant in all().unwrap().present {
            let name = &participant.name;
            let may = participant.library == IPSEC_MB
                || participant.kind == Kind::Ours
                || cipherloom::Backend::all()
                    .iter()
                    .any(|b| b.name() == name && b.is_constant_time());
            assert!(may || participant.open(row).unwrap().is_none(), "{name}");
        }
    }

    #[test]
    fn everyone_has_a_name_of_their_own_and_a_version() {
        let Everyone { present: all, absent } = all().unwrap();
        for (n, participant) in all.iter().enumerate() {
            assert!(!participant.version.is_empty(), "{}", participant.name);
            assert!(all[..n].iter().all(|other| other.name != participant.name));
        }
        let is_there = |library| all.iter().any(|p| p.library == library && p.kind == Kind::Peer);
        for library in [OPENSSL, "libgcrypt", "Nettle", "Botan", "Crypto++", "RustCrypto", "Go"] {
            assert!(is_there(library), "{library}");
        }
        let reason = absent.iter().find(|absent| absent.library == IPSEC_MB);
        assert_eq!(reason.is_some(), !is_there(IPSEC_MB));
        assert!(absent.iter().all(|absent| absent.why.lines().count() == 1), "{absent:?}");
        for backend in cipherloom::Backend::all() {
            assert!(all.iter().any(|p| p.name == backend.name()), "{backend:?}");
        }
    }

    #[test]
    fn ipsec_mb_takes_part_in_versions_that_are_right() {
        for right in ["1.3.0", "1.5"] {
            assert_eq!(ipsec_version::check(right), Ok(()), "{right}");
        }
        let wrong = ipsec_version::check("2.0.0").unwrap_err();
        assert!(wrong.contains("2.0.0 computes DES wrongly") && wrong.contains("1.x"), "{wrong}");
        for unknown in ["0.55", "3.0", "", "1x", "unknown"] {
            let why = ipsec_version::check(unknown).unwrap_err();
            assert!(why.contains("unknown here") && why.lines().count() == 1, "{why}");
        }
        let header = "#define X\n#define IMB_VERSION_STR \"2.0.0\"\n#define IMB_VERSION_NUM 1\n";
        assert_eq!(ipsec_version::of_header(header), Some("2.0.0"));
        assert_eq!(ipsec_version::of_header("/* nothing */"), None);
    }
}
