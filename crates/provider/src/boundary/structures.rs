//! Structures and numbers that OpenSSL and its providers share: OSSL_DISPATCH(3), OSSL_ALGORITHM(3),
//! OSSL_PARAM(3), openssl-core_dispatch.h(7). They are the same in every OpenSSL 3.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::ptr;

/// `OSSL_DISPATCH`: a function and its number.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Dispatch {
    pub(super) number: c_int,
    /// A function, of the type that goes with the number.
    pub(super) function: *const (),
}

impl Dispatch {
    /// What stands behind the last.
    pub(super) const END: Self = Self::new(0, ptr::null());

    pub(super) const fn new(number: c_int, function: *const ()) -> Self {
        Self { number, function }
    }
}

/// `OSSL_ALGORITHM`: names and properties of an algorithm, and its functions.
#[repr(C)]
pub(super) struct Algorithm {
    pub(super) names: *const c_char,
    pub(super) properties: *const c_char,
    pub(super) functions: *const Dispatch,
    pub(super) description: *const c_char,
}

impl Algorithm {
    /// What stands behind the last.
    pub(super) const END: Self = Self {
        names: ptr::null(),
        properties: ptr::null(),
        functions: ptr::null(),
        description: ptr::null(),
    };
}

/// `OSSL_PARAM`: a value that is passed or asked for, or what can be.
#[repr(C)]
pub(super) struct Param {
    pub(super) key: *const c_char,
    pub(super) kind: c_uint,
    pub(super) data: *mut c_void,
    pub(super) size: usize,
    pub(super) returned: usize,
}

impl Param {
    /// What stands behind the last.
    pub(super) const END: Self =
        Self { key: ptr::null(), kind: 0, data: ptr::null_mut(), size: 0, returned: 0 };

    /// That there is a parameter of this kind and size.
    pub(super) const fn known(key: &'static CStr, kind: c_uint, size: usize) -> Self {
        let (key, data) = (key.as_ptr(), ptr::null_mut());
        // `OSSL_PARAM_UNMODIFIED`
        Self { key, kind, data, size, returned: usize::MAX }
    }

    /// A `size_t`.
    pub(super) const fn size(key: &'static CStr) -> Self {
        Self::known(key, UNSIGNED, size_of::<usize>())
    }

    /// An `unsigned int`.
    pub(super) const fn unsigned(key: &'static CStr) -> Self {
        Self::known(key, UNSIGNED, size_of::<c_uint>())
    }

    /// An `int`.
    pub(super) const fn integer(key: &'static CStr) -> Self {
        Self::known(key, INTEGER, size_of::<c_int>())
    }
}

// SAFETY: what the pointers of tables lead to is part of the library, and nobody writes it.
unsafe impl Sync for Dispatch {}
// SAFETY: the same.
unsafe impl Sync for Algorithm {}
// SAFETY: the same; only tables of what is known are shared.
unsafe impl Sync for Param {}

/// Kinds of parameters.
pub(super) const INTEGER: c_uint = 1;
pub(super) const UNSIGNED: c_uint = 2;
pub(super) const TEXT: c_uint = 4;
pub(super) const BYTES: c_uint = 5;
pub(super) const TEXT_POINTER: c_uint = 6;
pub(super) const BYTES_POINTER: c_uint = 7;

/// The kind of operation that ciphers are.
pub(super) const OPERATION_CIPHER: c_int = 2;

/// OpenSSL's functions for providers.
pub(super) mod core_functions {
    use core::ffi::c_int;
    pub(in super::super) const NEW_ERROR: c_int = 5;
    pub(in super::super) const SET_ERROR_DEBUG: c_int = 6;
    pub(in super::super) const SET_ERROR: c_int = 7;
}

/// Functions of a provider.
pub(super) mod provider_functions {
    use core::ffi::c_int;
    pub(in super::super) const TEARDOWN: c_int = 1024;
    pub(in super::super) const GETTABLE_PARAMS: c_int = 1025;
    pub(in super::super) const GET_PARAMS: c_int = 1026;
    pub(in super::super) const QUERY_OPERATION: c_int = 1027;
    pub(in super::super) const SELF_TEST: c_int = 1031;
}

/// Functions of a cipher.
pub(super) mod cipher_functions {
    use core::ffi::c_int;
    pub(in super::super) const NEW: c_int = 1;
    pub(in super::super) const ENCRYPT_INIT: c_int = 2;
    pub(in super::super) const DECRYPT_INIT: c_int = 3;
    pub(in super::super) const UPDATE: c_int = 4;
    pub(in super::super) const FINAL: c_int = 5;
    pub(in super::super) const CIPHER: c_int = 6;
    pub(in super::super) const FREE: c_int = 7;
    pub(in super::super) const DUPLICATE: c_int = 8;
    pub(in super::super) const GET_PARAMS: c_int = 9;
    pub(in super::super) const GET_CONTEXT_PARAMS: c_int = 10;
    pub(in super::super) const SET_CONTEXT_PARAMS: c_int = 11;
    pub(in super::super) const GETTABLE_PARAMS: c_int = 12;
    pub(in super::super) const GETTABLE_CONTEXT_PARAMS: c_int = 13;
    pub(in super::super) const SETTABLE_CONTEXT_PARAMS: c_int = 14;
    // From OpenSSL 3.5 on; earlier ones pass over them.
    pub(in super::super) const PIPELINE_ENCRYPT_INIT: c_int = 15;
    pub(in super::super) const PIPELINE_DECRYPT_INIT: c_int = 16;
    pub(in super::super) const PIPELINE_UPDATE: c_int = 17;
    pub(in super::super) const PIPELINE_FINAL: c_int = 18;
}
