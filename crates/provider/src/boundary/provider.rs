//! The functions of the provider, as provider-base(7) has them, and where OpenSSL enters.

use super::cipher::Of;
use super::params::{self, Value};
use super::structures::{
    Algorithm, Dispatch, OPERATION_CIPHER, Param, TEXT_POINTER, provider_functions as number,
};
use super::upcalls::Core;
use crate::ciphers::CIPHERS;
use crate::fault::Fault;
use cipherloom::{Backend, Status};
use core::ffi::{CStr, c_int, c_void};
use core::ptr;

/// By this programs choose our ciphers, and not others' of the same name.
const PROPERTIES: &CStr = c"provider=cipherloom,fips=no";

const NAME: &CStr = c"Cipherloom provider";

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };

/// A row for each number, and the end.
macro_rules! algorithms {
    ($($n:literal)*) => {
        [$(Algorithm {
            names: CIPHERS[$n].names.as_ptr(),
            properties: PROPERTIES.as_ptr(),
            functions: Of::<$n>::FUNCTIONS.as_ptr(),
            description: ptr::null(),
        },)* Algorithm::END]
    };
}

static ALGORITHMS: [Algorithm; CIPHERS.len() + 1] =
    algorithms!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20);

static FUNCTIONS: [Dispatch; 6] = [
    Dispatch::new(number::TEARDOWN, teardown as *const ()),
    Dispatch::new(number::GETTABLE_PARAMS, gettable_params as *const ()),
    Dispatch::new(number::GET_PARAMS, get_params as *const ()),
    Dispatch::new(number::QUERY_OPERATION, query as *const ()),
    Dispatch::new(number::SELF_TEST, self_test as *const ()),
    Dispatch::END,
];

static KNOWN: [Param; 5] = [
    Param::known(c"name", TEXT_POINTER, 0),
    Param::known(c"version", TEXT_POINTER, 0),
    Param::known(c"buildinfo", TEXT_POINTER, 0),
    Param::unsigned(c"status"),
    Param::END,
];

/// Where OpenSSL enters: it hands over its functions, and takes ours.
#[unsafe(no_mangle)]
unsafe extern "C" fn OSSL_provider_init(
    handle: *const c_void,
    functions: *const Dispatch,
    ours: *mut *const Dispatch,
    provider: *mut *mut Core,
) -> c_int {
    if ours.is_null() || provider.is_null() {
        return 0;
    }
    // SAFETY: provider(7): a table with an end, and two places to write to.
    unsafe {
        *provider = Box::into_raw(Box::new(Core::new(handle, functions)));
        *ours = FUNCTIONS.as_ptr();
    }
    1
}

unsafe extern "C" fn teardown(core: Option<Box<Core>>) {
    drop(core);
}

extern "C" fn gettable_params(_: *const Core) -> *const Param {
    KNOWN.as_ptr()
}

unsafe extern "C" fn get_params(core: Option<&Core>, list: *mut Param) -> c_int {
    let Some(core) = core else { return 0 };
    let know = |key: &[u8]| {
        Ok(Some(match key {
            b"name" => Value::Text(NAME),
            b"version" | b"buildinfo" => Value::Text(VERSION),
            b"status" => Value::Number(u64::from(works())),
            _ => return Ok(None),
        }))
    };
    // SAFETY: OpenSSL hands over a list.
    core.answer(c"provider_get_params", || unsafe { params::answer(list, know) })
}

/// Whether no kernel has failed its self-test.
fn works() -> bool {
    Backend::all().iter().all(|backend| backend.status() != Status::Failed)
}

unsafe extern "C" fn query(
    _: *const Core,
    operation: c_int,
    no_cache: *mut c_int,
) -> *const Algorithm {
    if !no_cache.is_null() {
        // SAFETY: OpenSSL hands over a place.
        unsafe { *no_cache = 0 };
    }
    if operation == OPERATION_CIPHER { ALGORITHMS.as_ptr() } else { ptr::null() }
}

extern "C" fn self_test(core: Option<&Core>) -> c_int {
    let Some(core) = core else { return 0 };
    core.answer(c"provider_self_test", || {
        // All are run, whatever the first says.
        match cipherloom::self_test().filter(|(_, result)| result.is_err()).count() {
            0 => Ok(()),
            _ => Err(Fault::SelfTest),
        }
    })
}
