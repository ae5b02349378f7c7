//! The faces of `faces/`: libraries in C and C++, and C of our own.

#![allow(unsafe_code, reason = "foreign functions")]

use std::ffi::{CStr, c_char, c_int, c_void};

#[cfg(ipsec_mb)]
use super::ipsec_version;
use super::participant::{IPSEC_MB, Kind, ONE_JOB, OPENSSL, Participant};
use crate::rows::{Operation, Row};
use crate::work::{Work, each, each_message, iv, ready_key};

/// `struct work` of `face.h`.
#[repr(C)]
struct RawWork {
    run: Option<unsafe extern "C" fn(*mut c_void, *const u8, *mut u8, usize)>,
    close: Option<unsafe extern "C" fn(*mut c_void)>,
    state: *mut c_void,
}

/// `struct records` of `face.h`.
#[repr(C)]
struct RawRecords {
    keys: *const u8,
    ivs: *const u8,
    data: *mut u8,
    count: usize,
    len: usize,
}

/// `struct each` of `face.h`.
#[repr(C)]
struct RawEach {
    run: Option<unsafe extern "C" fn(*mut c_void, *const RawRecords)>,
    close: Option<unsafe extern "C" fn(*mut c_void)>,
    state: *mut c_void,
}

/// `enum answer` of `face.h`.
const READY: c_int = 0;
const ABSENT: c_int = 1;

type LoadFn = unsafe extern "C" fn() -> *const c_char;
type OpenFn =
    unsafe extern "C" fn(*mut RawWork, c_int, c_int, key: *const u8, iv: *const u8) -> c_int;
type OpenEachFn = unsafe extern "C" fn(*mut RawEach, c_int, encrypts: c_int) -> c_int;

/// A face and what is known of it.
struct Face {
    name: &'static str,
    library: &'static str,
    /// The package on Debian and its kin.
    package: &'static str,
    /// Whether its makers promise that no address and no branch depends on a secret.
    is_constant_time: bool,
    load: LoadFn,
    open: OpenFn,
    /// For messages with a key each, if it has that.
    open_each: Option<OpenEachFn>,
}

/// Declares the functions of faces, and lists them.
macro_rules! faces {
    ($list:ident: $($name:expr, $library:expr, $package:expr, $constant_time:literal, $load:ident, $open:ident $(, $each:ident)?;)*) => {
        unsafe extern "C" {
            $(
                fn $load() -> *const c_char;
                fn $open(work: *mut RawWork, cipher: c_int, operation: c_int, key: *const u8, iv: *const u8) -> c_int;
                $(fn $each(each: *mut RawEach, cipher: c_int, encrypts: c_int) -> c_int;)?
            )*
        }

        static $list: &[Face] = &[
            $(Face {
                name: $name,
                library: $library,
                package: $package,
                is_constant_time: $constant_time,
                load: $load,
                open: $open,
                open_each: [$(Some($each as OpenEachFn),)? None][0],
            },)*
        ];
    };
}

faces! { PEERS:
    "OpenSSL EVP", OPENSSL, "libssl3, openssl-provider-legacy", false, openssl_evp_load, openssl_evp_open, openssl_evp_open_each;
    "OpenSSL low-level", OPENSSL, "libssl3", false, openssl_low_load, openssl_low_open, openssl_low_open_each;
    "OpenSSL low-level, 16 B a call", OPENSSL, "libssl3", false, openssl_pieces_load, openssl_pieces_open;
    "libgcrypt", "libgcrypt", "libgcrypt20", false, libgcrypt_load, libgcrypt_open;
    "Nettle", "Nettle", "libnettle8", false, nettle_load, nettle_open;
    "Botan", "Botan", "libbotan-2-19", false, botan_load, botan_open;
    "Crypto++", "Crypto++", "libcrypto++8", false, cryptopp_load, cryptopp_open;
}

#[cfg(ipsec_mb)]
faces! { IPSEC_MB_FACES:
    ONE_JOB, IPSEC_MB, ipsec_version::PACKAGE, true, ipsec_mb_one_load, ipsec_mb_one_open;
    "ipsec-mb, jobs", IPSEC_MB, ipsec_version::PACKAGE, true, ipsec_mb_jobs_load, ipsec_mb_jobs_open, ipsec_mb_jobs_open_each;
    "ipsec-mb, jobs, keys ready", IPSEC_MB, ipsec_version::PACKAGE, true, ipsec_mb_ready_load, ipsec_mb_ready_open, ipsec_mb_ready_open_each;
}

// `build.rs` compiles the same.
faces! { PLAIN:
    "C -O0", "C", "gcc", false, plain_o0_load, plain_o0_open;
    "C -O1", "C", "gcc", false, plain_o1_load, plain_o1_open;
    "C -O2", "C", "gcc", false, plain_o2_load, plain_o2_open;
    "C -O3", "C", "gcc", false, plain_o3_load, plain_o3_open;
    "C -O3 -fomit-frame-pointer", "C", "gcc", false, plain_o3_omit_load, plain_o3_omit_open;
    "C -O3 -fno-omit-frame-pointer", "C", "gcc", false, plain_o3_keep_load, plain_o3_keep_open;
}

/// Libraries that others wrote.
///
/// # Errors
/// A library that cannot be used, with its package.
pub(super) fn peers() -> Result<Vec<Participant>, String> {
    PEERS.iter().map(|face| participant(face, Kind::Peer)).collect()
}

/// intel-ipsec-mb, which is not to be had everywhere.
///
/// # Errors
/// One line that says why it does not take part.
#[cfg(ipsec_mb)]
pub(super) fn ipsec_mb() -> Result<Vec<Participant>, String> {
    let participants: Result<Vec<Participant>, String> =
        IPSEC_MB_FACES.iter().map(|face| participant(face, Kind::Peer)).collect();
    let participants = participants?;
    participants.iter().try_for_each(|participant| ipsec_version::check(&participant.version))?;
    Ok(participants)
}

/// intel-ipsec-mb, which is not to be had everywhere.
///
/// # Errors
/// One line that says why it does not take part.
#[cfg(not(ipsec_mb))]
pub(super) fn ipsec_mb() -> Result<Vec<Participant>, String> {
    Err(env!("IPSEC_MB_ABSENT").into())
}

/// C of our own, by flags.
///
/// # Errors
/// None in practice.
pub(super) fn plain() -> Result<Vec<Participant>, String> {
    PLAIN.iter().map(|face| participant(face, Kind::Plain)).collect()
}

fn participant(face: &'static Face, kind: Kind) -> Result<Participant, String> {
    // SAFETY: the function takes nothing; the caller holds the lock that keeps others out.
    let version = unsafe { (face.load)() };
    if version.is_null() {
        return Err(format!("{} cannot be used: see to the package {}", face.name, face.package));
    }
    // SAFETY: a face gives a string with an end that lives as long as the process.
    let version = unsafe { CStr::from_ptr(version) }.to_string_lossy().into_owned();
    Ok(Participant {
        name: face.name.into(),
        kind,
        library: face.library,
        version: if kind == Kind::Plain { format!("gcc {version}") } else { version },
        is_constant_time: face.is_constant_time,
        open: Box::new(|row| match row.operation {
            // `face.h` knows no work of several streams.
            Operation::Streams => Ok(None),
            Operation::EachCbcEncrypt | Operation::EachCbcDecrypt => open_each(face, row),
            _ => open(face, row),
        }),
    })
}

fn open(face: &Face, row: &Row) -> Result<Option<Work>, String> {
    let mut raw = RawWork { run: None, close: None, state: std::ptr::null_mut() };
    let (key, iv) = (ready_key(row.cipher), iv());
    let operation = match row.operation {
        Operation::ConstantTime => Operation::CbcEncrypt,
        other => other,
    };
    // SAFETY: the numbers are those of the enums in `face.h`; `key` has the length that they give
    // the cipher, `iv` has 8 bytes, and a face keeps neither pointer.
    let answer = unsafe {
        (face.open)(&mut raw, row.cipher as c_int, operation as c_int, key.as_ptr(), iv.as_ptr())
    };
    match (answer, raw.run) {
        (READY, Some(run)) => {
            let opened = Opened { close: raw.close, state: raw.state };
            Ok(Some(each(move |key, data| {
                // SAFETY: the face made `state` for `run`, and `opened` closes it only later; keys
                // have the cipher's length and data are whole blocks where the cipher has blocks.
                unsafe { run(opened.state(), key.as_ptr(), data.as_mut_ptr(), data.len()) }
            })))
        }
        (ABSENT, _) => Ok(None),
        _ => Err(refusal(face)),
    }
}

fn open_each(face: &Face, row: &Row) -> Result<Option<Work>, String> {
    let Some(open_each) = face.open_each else { return Ok(None) };
    let mut raw = RawEach { run: None, close: None, state: std::ptr::null_mut() };
    let encrypts = c_int::from(row.operation == Operation::EachCbcEncrypt);
    // SAFETY: the numbers are those of `face.h`, which the face fills `raw` in after.
    let answer = unsafe { open_each(&mut raw, row.cipher as c_int, encrypts) };
    match (answer, raw.run) {
        (READY, Some(run)) => {
            let opened = Opened { close: raw.close, state: raw.state };
            let (count, len) = (row.messages / row.parts(), row.message_len());
            Ok(Some(each_message(row, row.parts(), move |messages| {
                let records = RawRecords {
                    keys: messages.keys.as_ptr(),
                    ivs: messages.ivs.as_ptr(),
                    data: messages.data.as_mut_ptr(),
                    count,
                    len,
                };
                // SAFETY: the face made `state` for `run`, and `opened` closes it only later; there
                // are keys, IVs and data of `count` messages, and the face keeps no pointer.
                unsafe { run(opened.state(), &records) }
            })))
        }
        (ABSENT, _) => Ok(None),
        _ => Err(refusal(face)),
    }
}

fn refusal(face: &Face) -> String {
    format!("the library refuses: see to the package {}", face.package)
}

/// Closed when it is no longer needed.
struct Opened {
    close: Option<unsafe extern "C" fn(*mut c_void)>,
    state: *mut c_void,
}

impl Opened {
    /// A closure that calls this takes the whole, and not only a copy of the pointer.
    fn state(&self) -> *mut c_void {
        self.state
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        if let Some(close) = self.close {
            // SAFETY: the face made `state` for `close`, which is called once.
            unsafe { close(self.state) }
        }
    }
}
