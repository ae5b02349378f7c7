//! Keys, their parity, and schedules.

use super::cipher::be_ready;
use super::{Block, Schedule, need, read, write};
use core::ffi::c_int;
use library::{des_faults, fix_parity, libdes};

/// OpenSSL compares with its list byte by byte: a weak key is one only if its parity is odd.
fn is_weak(key: Block) -> c_int {
    let [weak, even] = des_faults(key);
    (weak & (1 ^ even)).into()
}

/// # Safety
/// `schedule` is null or leads to one. (The key was read before: it may have lain there.)
unsafe fn set_key(key: Block, schedule: *mut Schedule) {
    be_ready();
    // SAFETY: as the caller says.
    libdes::schedule(u64::from_be_bytes(key), need(unsafe { schedule.as_mut() }));
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_set_key_unchecked(key: *const Block, schedule: *mut Schedule) {
    // SAFETY: as the header says.
    unsafe { set_key(read(key), schedule) };
}

/// What is wrong with a key, in OpenSSL's numbers: -1 for a byte of even parity, else -2 for a weak
/// key, else 0.
fn fault(key: Block) -> c_int {
    let [_, even] = des_faults(key);
    // Without a check for overflow, which is a branch.
    (c_int::from(even) | is_weak(key) << 1).wrapping_neg()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_set_key_checked(key: *const Block, schedule: *mut Schedule) -> c_int {
    // SAFETY: as the header says.
    let key = unsafe { read(key) };
    let fault = fault(key);
    if fault == 0 {
        // SAFETY: the same.
        unsafe { set_key(key, schedule) };
    }
    fault
}

/// Makes a schedule of every key, as OpenSSL does.
#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_set_key(key: *const Block, schedule: *mut Schedule) -> c_int {
    // SAFETY: as the header says.
    let key = unsafe { read(key) };
    // SAFETY: the same.
    unsafe { set_key(key, schedule) };
    fault(key)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_key_sched(key: *const Block, schedule: *mut Schedule) -> c_int {
    // SAFETY: as the header says.
    unsafe { cl_DES_set_key(key, schedule) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_is_weak_key(key: *const Block) -> c_int {
    // SAFETY: as the header says.
    is_weak(unsafe { read(key) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_check_key_parity(key: *const Block) -> c_int {
    // SAFETY: as the header says.
    let [_, even] = des_faults(unsafe { read(key) });
    (1 ^ even).into()
}

#[unsafe(no_mangle)]
extern "C" fn cl_DES_set_odd_parity(key: Option<&mut Block>) {
    fix_parity(need(key).as_mut_slice());
}

/// 1, and a key of odd parity that is not weak; 0 if the system gives no random bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_random_key(key: *mut Block) -> c_int {
    let mut made = [0; 8];
    loop {
        if getrandom::fill(&mut made).is_err() {
            return 0;
        }
        fix_parity(&mut made);
        if is_weak(made) == 0 {
            // SAFETY: as the header says.
            unsafe { write(key, made) };
            return 1;
        }
    }
}
