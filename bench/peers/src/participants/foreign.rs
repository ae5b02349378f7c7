//! The faces of `faces/`: libraries in C and C++, and C of our own.

#![allow(unsafe_code, reason = "foreign functions")]

use std::ffi::{CStr, c_char, c_int, c_void};

use super::{Kind, OPENSSL, Participant};
use crate::work::{Row, Work, each, iv, ready_key};

/// `struct work` of `face.h`.
#[repr(C)]
struct RawWork {
    run: Option<unsafe extern "C" fn(*mut c_void, *const u8, *mut u8, usize)>,
    close: Option<unsafe extern "C" fn(*mut c_void)>,
    state: *mut c_void,
}

/// `enum answer` of `face.h`.
const READY: c_int = 0;
const ABSENT: c_int = 1;

type LoadFn = unsafe extern "C" fn() -> *const c_char;
type OpenFn =
    unsafe extern "C" fn(*mut RawWork, c_int, c_int, key: *const u8, iv: *const u8) -> c_int;

/// A face and what is known of it.
struct Face {
    name: &'static str,
    library: &'static str,
    /// The package on Debian and its kin.
    package: &'static str,
    load: LoadFn,
    open: OpenFn,
}

/// Declares the functions of faces, and lists them.
macro_rules! faces {
    ($list:ident, $count:literal: $($name:literal, $library:expr, $package:literal, $load:ident, $open:ident;)*) => {
        unsafe extern "C" {
            $(
                fn $load() -> *const c_char;
                fn $open(work: *mut RawWork, cipher: c_int, operation: c_int, key: *const u8, iv: *const u8) -> c_int;
            )*
        }

        static $list: [Face; $count] = [
            $(Face { name: $name, library: $library, package: $package, load: $load, open: $open },)*
        ];
    };
}

faces! { PEERS, 7:
    "OpenSSL EVP", OPENSSL, "libssl3, openssl-provider-legacy", openssl_evp_load, openssl_evp_open;
    "OpenSSL low-level", OPENSSL, "libssl3", openssl_low_load, openssl_low_open;
    "OpenSSL low-level, 16 B a call", OPENSSL, "libssl3", openssl_pieces_load, openssl_pieces_open;
    "libgcrypt", "libgcrypt", "libgcrypt20", libgcrypt_load, libgcrypt_open;
    "Nettle", "Nettle", "libnettle8", nettle_load, nettle_open;
    "Botan", "Botan", "libbotan-2-19", botan_load, botan_open;
    "Crypto++", "Crypto++", "libcrypto++8", cryptopp_load, cryptopp_open;
}

// `build.rs` compiles the same.
faces! { PLAIN, 6:
    "C -O0", "C", "gcc", plain_o0_load, plain_o0_open;
    "C -O1", "C", "gcc", plain_o1_load, plain_o1_open;
    "C -O2", "C", "gcc", plain_o2_load, plain_o2_open;
    "C -O3", "C", "gcc", plain_o3_load, plain_o3_open;
    "C -O3 -fomit-frame-pointer", "C", "gcc", plain_o3_omit_load, plain_o3_omit_open;
    "C -O3 -fno-omit-frame-pointer", "C", "gcc", plain_o3_keep_load, plain_o3_keep_open;
}

/// Libraries that others wrote.
///
/// # Errors
/// A library that cannot be used, with its package.
pub(super) fn peers() -> Result<Vec<Participant>, String> {
    PEERS.iter().map(|face| participant(face, Kind::Peer)).collect()
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
        open: Box::new(|row| open(face, row)),
    })
}

fn open(face: &Face, row: &Row) -> Result<Option<Work>, String> {
    // `face.h` knows no work of several streams.
    if row.operation == crate::work::Operation::Streams {
        return Ok(None);
    }
    let mut raw = RawWork { run: None, close: None, state: std::ptr::null_mut() };
    let (key, iv) = (ready_key(row.cipher), iv());
    // SAFETY: the numbers are those of the enums in `face.h`; `key` has the length that they give
    // the cipher, `iv` has 8 bytes, and a face keeps neither pointer.
    let answer = unsafe {
        (face.open)(
            &mut raw,
            row.cipher as c_int,
            row.operation as c_int,
            key.as_ptr(),
            iv.as_ptr(),
        )
    };
    match (answer, raw.run) {
        (READY, Some(run)) => {
            let raw = Opened(raw);
            Ok(Some(each(move |key, data| {
                // SAFETY: the face made `state` for `run`, and `raw` closes it only later; keys have
                // the cipher's length and data are whole blocks where the cipher has blocks.
                unsafe { run(raw.state(), key.as_ptr(), data.as_mut_ptr(), data.len()) }
            })))
        }
        (ABSENT, _) => Ok(None),
        _ => Err(format!("the library refuses: see to the package {}", face.package)),
    }
}

/// Closed when it is no longer needed.
struct Opened(RawWork);

impl Opened {
    /// A closure that calls this takes the whole, and not only a copy of the pointer.
    fn state(&self) -> *mut c_void {
        self.0.state
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        if let Some(close) = self.0.close {
            // SAFETY: the face made `state` for `close`, which is called once.
            unsafe { close(self.0.state) }
        }
    }
}
