//! What the emulator calls at each basic block, load and store: as quick as it can be, which Python is
//! not. A library that `trace.py` loads.

use std::cell::RefCell;
use std::ffi::{c_int, c_void};

/// Kinds of entries, as `trace.py` has them: in the lowest two bits. Above them are 14 bits of size,
/// then the address.
const BLOCK: u64 = 0;
const READ: u64 = 1;
const WRITE: u64 = 2;

/// The emulator's name of a store.
const UC_MEM_WRITE: c_int = 17;

thread_local! {
    static TRACE: RefCell<(bool, Vec<u64>)> = const { RefCell::new((false, Vec::new())) };
}

fn add(kind: u64, address: u64, size: u64) {
    TRACE.with_borrow_mut(|(on, entries)| {
        if *on {
            entries.push(address << 16 | (size & 0x3fff) << 2 | kind);
        }
    });
}

/// The emulator's hook for blocks.
#[unsafe(no_mangle)]
pub extern "C" fn block(_: *mut c_void, address: u64, size: u32, _: *mut c_void) {
    add(BLOCK, address, size.into());
}

/// The emulator's hook for loads and stores.
#[unsafe(no_mangle)]
pub extern "C" fn access(
    _: *mut c_void,
    kind: c_int,
    address: u64,
    size: c_int,
    _: i64,
    _: *mut c_void,
) {
    add(if kind == UC_MEM_WRITE { WRITE } else { READ }, address, size as u64);
}

/// Begins an empty trace.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    TRACE.set((true, Vec::new()));
}

/// Ends it; gives the number of entries.
#[unsafe(no_mangle)]
pub extern "C" fn stop() -> usize {
    TRACE.with_borrow_mut(|(on, entries)| {
        *on = false;
        entries.len()
    })
}

/// The entries, until the next trace begins.
#[unsafe(no_mangle)]
pub extern "C" fn entries() -> *const u64 {
    TRACE.with_borrow(|(_, entries)| entries.as_ptr())
}
