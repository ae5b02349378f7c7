//! Backends: which there are, and what is known of them and their kernels.

use super::code::answer;
use super::names;
use core::ffi::{c_char, c_int};
use library::{Backend, Status};

#[unsafe(no_mangle)]
extern "C" fn cl_backend_name(n: usize) -> *const c_char {
    Backend::all().get(n).map_or(core::ptr::null(), |backend| backend.c_name().as_ptr())
}

#[unsafe(no_mangle)]
extern "C" fn cl_backend_for(cipher: c_int, blocks: usize, policy: c_int) -> *const c_char {
    match (names::algorithm(cipher), names::policy(policy)) {
        (Ok(algorithm), Ok(policy)) => Backend::detect(algorithm, blocks, policy).c_name().as_ptr(),
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

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_proof(kernels: *mut usize) -> usize {
    let is_proved = |kernel: &_| {
        let tables = library::tables_in_memory();
        proved::manifest().is_some_and(|all| proved::check(all, *kernel, tables).is_ok())
    };
    // SAFETY: the header asks for a number or null.
    if let Some(kernels) = unsafe { kernels.as_mut() } {
        *kernels = library::kernels_in_memory().count();
    }
    library::kernels_in_memory().filter(is_proved).count()
}
