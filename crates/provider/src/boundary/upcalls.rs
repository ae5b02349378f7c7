//! What we call of OpenSSL: the functions by which a provider raises errors. Panics end here.

use super::structures::{Dispatch, core_functions};
use crate::fault::Fault;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::transmute;
use core::ptr;
use std::panic::{AssertUnwindSafe, catch_unwind};

type NewError = unsafe extern "C" fn(*const c_void);
type SetErrorDebug = unsafe extern "C" fn(*const c_void, *const c_char, c_int, *const c_char);
/// The last argument is C's `va_list`: by every convention of today a pointer, or passed by one.
type SetError = unsafe extern "C" fn(*const c_void, u32, *const c_char, *mut c_void);

/// OpenSSL, as it introduced itself to the provider.
pub(super) struct Core {
    handle: *const c_void,
    new_error: Option<NewError>,
    set_error_debug: Option<SetErrorDebug>,
    set_error: Option<SetError>,
}

impl Core {
    /// # Safety
    /// OpenSSL's handle, and its table of functions, which are there as long as the provider.
    pub(super) unsafe fn new(handle: *const c_void, mut functions: *const Dispatch) -> Self {
        let mut core = Self { handle, new_error: None, set_error_debug: None, set_error: None };
        // SAFETY: a table has an end; each function has the type that goes with its number.
        unsafe {
            while !functions.is_null() && (*functions).number != 0 {
                let Dispatch { number, function } = *functions;
                match number {
                    core_functions::NEW_ERROR => {
                        core.new_error = transmute::<*const (), Option<NewError>>(function);
                    }
                    core_functions::SET_ERROR_DEBUG => {
                        core.set_error_debug =
                            transmute::<*const (), Option<SetErrorDebug>>(function);
                    }
                    core_functions::SET_ERROR => {
                        core.set_error = transmute::<*const (), Option<SetError>>(function);
                    }
                    _ => {}
                }
                functions = functions.add(1);
            }
        }
        core
    }

    /// Puts an error onto the thread's queue.
    #[cold]
    fn raise(&self, fault: Fault, function: &CStr) {
        // No text, so nothing is read from this list; but some processors copy it on the way.
        let mut no_arguments = [0_u64; 8];
        // SAFETY: OpenSSL's own functions, with its handle; strings that end.
        unsafe {
            if let Some(new) = self.new_error {
                new(self.handle);
            }
            if let Some(set) = self.set_error_debug {
                set(self.handle, c"cipherloom".as_ptr(), 0, function.as_ptr());
            }
            if let Some(set) = self.set_error {
                set(self.handle, fault.number(), ptr::null(), no_arguments.as_mut_ptr().cast());
            }
        }
    }

    /// What a function of ours returns for what `work` did, 1 or 0; a fault is raised.
    #[inline]
    pub(super) fn answer(
        &self,
        function: &CStr,
        work: impl FnOnce() -> Result<(), Fault>,
    ) -> c_int {
        // What a panic leaves half done is never looked at again but by its owner, who is told.
        match catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Fault::Internal)) {
            Ok(()) => 1,
            Err(fault) => {
                self.raise(fault, function);
                0
            }
        }
    }
}
