//! Backends: which there are, and what is known of them.

use crate::code::answer;
use crate::names;
use core::ffi::{c_char, c_int};
use library::{Backend, Status};
use std::ffi::CString;
use std::sync::OnceLock;

/// The names of this processor's backends as C wants them.
fn c_names() -> &'static [CString] {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    // No name has a zero in it.
    let make = |backend: &Backend| CString::new(backend.name()).unwrap_or_default();
    NAMES.get_or_init(|| Backend::all().iter().map(make).collect())
}

fn c_name(backend: Backend) -> *const c_char {
    let position = Backend::all().iter().position(|other| *other == backend);
    position.and_then(|n| c_names().get(n)).map_or(core::ptr::null(), |name| name.as_ptr())
}

#[unsafe(no_mangle)]
extern "C" fn cl_backend_name(n: usize) -> *const c_char {
    Backend::all().get(n).map_or(core::ptr::null(), |backend| c_name(*backend))
}

#[unsafe(no_mangle)]
extern "C" fn cl_backend_for(cipher: c_int, blocks: usize, policy: c_int) -> *const c_char {
    match (names::algorithm(cipher), names::policy(policy)) {
        (Ok(algorithm), Ok(policy)) => c_name(Backend::detect(algorithm, blocks, policy)),
        _ => core::ptr::null(),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_backend_is_constant_time(name: *const c_char) -> c_int {
    // SAFETY: the header asks for a string.
    unsafe { names::backend(name) }.is_ok_and(|backend| backend.is_constant_time()).into()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_backend_works(name: *const c_char) -> c_int {
    // SAFETY: the header asks for a string.
    unsafe { names::backend(name) }.is_ok_and(|backend| backend.status() == Status::Works).into()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_backend_self_test(name: *const c_char) -> c_int {
    // SAFETY: the header asks for a string.
    answer(|| Ok(unsafe { names::backend(name) }?.self_test()?))
}

#[unsafe(no_mangle)]
extern "C" fn cl_self_test() -> c_int {
    answer(|| library::self_test().try_for_each(|(_, result)| Ok(result?)))
}
