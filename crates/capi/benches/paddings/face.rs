//! The C face, as a program that loads the shared library sees it.

use std::ffi::{OsStr, c_int, c_void};
use std::hint::black_box;
use std::ptr::{null, null_mut};

use libloading::Library;
use library::{Algorithm, Policy};

use crate::{BATCH, Case, Way};

/// Numbers of `cipherloom.h`.
const OK: c_int = 0;
const ERROR_PADDING: c_int = 25;
const CBC: c_int = 2;
const PKCS7: c_int = 1;

#[repr(C)]
struct Mode {
    mode: c_int,
    padding: c_int,
    iv: [u8; 8],
}

#[repr(C)]
struct CBatch {
    cipher: c_int,
    mode: c_int,
    padding: c_int,
    policy: c_int,
    backend: *const c_void,
}

#[repr(C)]
struct Record {
    key: *const u8,
    key_len: usize,
    iv: *const u8,
    iv_len: usize,
    data: *mut u8,
    len: usize,
    room: usize,
    result_len: usize,
    error: c_int,
}

type KeyNew = unsafe extern "C" fn(*mut *mut c_void, c_int, *const u8, usize) -> c_int;
type SetPolicy = unsafe extern "C" fn(*mut c_void, c_int) -> c_int;
type Free = unsafe extern "C" fn(*mut c_void);
type Decrypt = unsafe extern "C" fn(
    *const c_void,
    *const Mode,
    *const u8,
    usize,
    *mut u8,
    usize,
    *mut usize,
) -> c_int;
type MessageNew = unsafe extern "C" fn(*mut *mut c_void, *const c_void, *const Mode) -> c_int;
type Update =
    unsafe extern "C" fn(*mut c_void, *const u8, usize, *mut u8, usize, *mut usize) -> c_int;
type Finish = unsafe extern "C" fn(*mut c_void, *mut u8, usize, *mut usize) -> c_int;
type DecryptRecords = unsafe extern "C" fn(*const CBatch, *mut Record, usize) -> c_int;

/// The functions that are measured, and those around them.
pub(crate) struct Face {
    key_new: KeyNew,
    set_policy: SetPolicy,
    key_free: Free,
    decrypt: Decrypt,
    message_new: MessageNew,
    update: Update,
    finish: Finish,
    message_free: Free,
    decrypt_records: DecryptRecords,
    _library: Library,
}

/// A key of the C face.
fn key(face: &Face, case: &Case) -> *mut c_void {
    let (cipher, bytes) = (cipher(case.algorithm), case.key_bytes());
    let mut key = null_mut();
    // SAFETY: as the header asks.
    let codes = unsafe {
        let made = (face.key_new)(&raw mut key, cipher, bytes.as_ptr(), bytes.len());
        [made, (face.set_policy)(key, policy(case.policy))]
    };
    assert_eq!(codes, [OK, OK]);
    key
}

fn cipher(algorithm: Algorithm) -> c_int {
    match algorithm {
        Algorithm::Des => 1,
        _ => 3,
    }
}

fn policy(policy: Policy) -> c_int {
    (policy == Policy::ConstantTime).into()
}

fn is_right(code: c_int) -> bool {
    assert!(code == OK || code == ERROR_PADDING, "error {code}");
    code == OK
}

impl Face {
    /// Loads the shared library.
    pub(crate) fn load(path: &OsStr) -> Self {
        // SAFETY: it is the one that was just built, whose start does nothing.
        let library = unsafe { Library::new(path) }.expect("the shared library can be loaded");
        macro_rules! get {
            ($name:literal) => {
                // SAFETY: the types above are those of the header.
                *unsafe { library.get($name) }.expect("the library has this function")
            };
        }
        Self {
            key_new: get!(b"cl_key_new"),
            set_policy: get!(b"cl_key_set_policy"),
            key_free: get!(b"cl_key_free"),
            decrypt: get!(b"cl_decrypt"),
            message_new: get!(b"cl_decryptor_new"),
            update: get!(b"cl_message_update"),
            finish: get!(b"cl_message_finish"),
            message_free: get!(b"cl_message_free"),
            decrypt_records: get!(b"cl_batch_decrypt"),
            _library: library,
        }
    }

    /// The same ways as those of the Rust library.
    pub(crate) fn ways<'a>(&'a self, case: &'a Case) -> Vec<Way<'a>> {
        vec![
            ("one call", self.one_shot(case)),
            ("in place", self.in_place(case)),
            ("in pieces", self.in_pieces(case)),
            ("batch, one wrong", self.batch(case, 1)),
            ("batch, all wrong", self.batch(case, usize::MAX)),
        ]
    }

    fn one_shot<'a>(&'a self, case: &'a Case) -> Box<dyn FnMut(usize) -> bool + 'a> {
        let (key, mode) = (Key(self, key(self, case)), mode(case));
        let mut output = vec![0; case.messages[0].len()];
        Box::new(move |which| {
            let (input, mut written) = (&case.messages[which], 0);
            let Key(face, key) = &key;
            // SAFETY: lengths are those of the buffers.
            is_right(unsafe {
                (face.decrypt)(
                    *key,
                    &raw const mode,
                    input.as_ptr(),
                    input.len(),
                    output.as_mut_ptr(),
                    output.len(),
                    &raw mut written,
                )
            })
        })
    }

    fn in_place<'a>(&'a self, case: &'a Case) -> Box<dyn FnMut(usize) -> bool + 'a> {
        let (key, mode) = (Key(self, key(self, case)), mode(case));
        let mut buffer = vec![0; case.messages[0].len()];
        Box::new(move |which| {
            buffer.copy_from_slice(&case.messages[which]);
            let (start, len, mut written) = (buffer.as_mut_ptr(), buffer.len(), 0);
            let Key(face, key) = &key;
            // SAFETY: lengths are those of the buffer.
            is_right(unsafe {
                (face.decrypt)(*key, &raw const mode, start, len, start, len, &raw mut written)
            })
        })
    }

    fn in_pieces<'a>(&'a self, case: &'a Case) -> Box<dyn FnMut(usize) -> bool + 'a> {
        let (key, mode) = (Key(self, key(self, case)), mode(case));
        let mut output = vec![0; case.messages[0].len() + 16];
        Box::new(move |which| {
            let (input, mut message, mut at, mut written) =
                (&case.messages[which], null_mut(), 0, 0);
            let Key(face, key) = &key;
            // SAFETY: lengths are those of the buffers, and the message is freed once.
            unsafe {
                assert_eq!((face.message_new)(&raw mut message, *key, &raw const mode), OK);
                for piece in input.chunks(input.len().div_ceil(2)) {
                    let rest = &mut output[at..];
                    let (to, len) = (rest.as_mut_ptr(), rest.len());
                    let from = piece.as_ptr();
                    let code = (face.update)(message, from, piece.len(), to, len, &raw mut written);
                    assert_eq!(code, OK);
                    at += written;
                }
                let rest = &mut output[at..];
                let (to, len) = (rest.as_mut_ptr(), rest.len());
                let code = (face.finish)(message, to, len, &raw mut written);
                (face.message_free)(message);
                is_right(code)
            }
        })
    }

    fn batch<'a>(&'a self, case: &'a Case, wrong: usize) -> Box<dyn FnMut(usize) -> bool + 'a> {
        let size = case.messages[0].len();
        let inputs = [case.records(0), case.records(wrong)];
        let batch = CBatch {
            cipher: cipher(case.algorithm),
            mode: CBC,
            padding: PKCS7,
            policy: policy(case.policy),
            backend: null(),
        };
        let mut data = vec![0; BATCH];
        let mut records: Vec<Record> = data
            .chunks_mut(size)
            .map(|data| Record {
                key: case.key.as_ptr(),
                key_len: case.key_bytes().len(),
                iv: case.iv.as_ptr(),
                iv_len: case.iv.len(),
                data: data.as_mut_ptr(),
                len: size,
                room: size,
                result_len: 0,
                error: OK,
            })
            .collect();
        Box::new(move |which| {
            data.copy_from_slice(&inputs[which]);
            let (start, count) = (records.as_mut_ptr(), records.len());
            // SAFETY: every record has its part of `data`.
            let code = unsafe { (self.decrypt_records)(&raw const batch, start, count) };
            assert_eq!(code, OK);
            let wrong = black_box(&records).iter().filter(|record| record.error == ERROR_PADDING);
            wrong.count() == 0
        })
    }
}

/// A key, freed at the end.
struct Key<'a>(&'a Face, *mut c_void);

impl Drop for Key<'_> {
    fn drop(&mut self) {
        // SAFETY: nobody else frees it.
        unsafe { (self.0.key_free)(self.1) };
    }
}

fn mode(case: &Case) -> Mode {
    Mode { mode: CBC, padding: PKCS7, iv: case.iv }
}
