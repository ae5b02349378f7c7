//! Buffers beside inaccessible pages: a kernel that reads or writes past the end dies at once.

use std::ffi::c_int;
use std::io;
use std::ptr::NonNull;

/// A buffer of zeros whose end, or whose beginning, lies at an inaccessible page.
///
/// There is one such page before and one after the buffer's own pages. Only the side that the
/// constructor names is exact to the byte.
#[derive(Debug)]
pub struct GuardedBuf {
    map: NonNull<u8>,
    map_len: usize,
    start: usize,
    len: usize,
}

impl GuardedBuf {
    /// A buffer of `len` bytes that ends where an inaccessible page begins.
    ///
    /// # Panics
    /// If the system gives no memory.
    pub fn ending_at_guard(len: usize) -> Self {
        Self::new(len, 0, |page, inner| page + inner - len)
    }

    /// A buffer of `len` bytes that begins where an inaccessible page ends.
    ///
    /// # Panics
    /// If the system gives no memory.
    pub fn beginning_after_guard(len: usize) -> Self {
        Self::new(len, 0, |page, _| page)
    }

    /// As [`ending_at_guard`](Self::ending_at_guard), at an address below 2 GiB, which 32-bit code can
    /// name.
    ///
    /// # Panics
    /// If the system gives no memory.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    pub fn low_ending_at_guard(len: usize) -> Self {
        Self::new(len, libc::MAP_32BIT, |page, inner| page + inner - len)
    }

    /// As [`beginning_after_guard`](Self::beginning_after_guard), at an address below 2 GiB.
    ///
    /// # Panics
    /// If the system gives no memory.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    pub fn low_beginning_after_guard(len: usize) -> Self {
        Self::new(len, libc::MAP_32BIT, |page, _| page)
    }

    /// A copy of `bytes` in a buffer that [ends at a guard page](Self::ending_at_guard).
    ///
    /// # Panics
    /// If the system gives no memory.
    pub fn copy_ending_at_guard(bytes: &[u8]) -> Self {
        let mut buf = Self::ending_at_guard(bytes.len());
        buf.as_mut_slice().copy_from_slice(bytes);
        buf
    }

    /// A copy of `bytes` in a buffer that [begins after one](Self::beginning_after_guard).
    ///
    /// # Panics
    /// If the system gives no memory.
    pub fn copy_beginning_after_guard(bytes: &[u8]) -> Self {
        let mut buf = Self::beginning_after_guard(bytes.len());
        buf.as_mut_slice().copy_from_slice(bytes);
        buf
    }

    /// `flags` say where the map may lie; `start` gives the buffer's place from the page size and the
    /// length of the inner pages.
    fn new(len: usize, flags: c_int, start: impl Fn(usize, usize) -> usize) -> Self {
        let page = page_size();
        let inner = len.next_multiple_of(page).max(page);
        let map_len = inner + 2 * page;
        let map = map_inaccessible(map_len, flags).unwrap_or_else(|error| panic!("mmap: {error}"));
        let buf = Self { map, map_len, start: start(page, inner), len };
        buf.open(page, inner).unwrap_or_else(|error| panic!("mprotect: {error}"));
        buf
    }

    /// Makes the inner pages, and only them, readable and writable.
    fn open(&self, page: usize, inner: usize) -> io::Result<()> {
        // SAFETY: the range lies inside the map that `self` owns, begins at a page, and no
        // reference into it exists yet.
        #[allow(unsafe_code)]
        let result = unsafe {
            libc::mprotect(
                self.map.as_ptr().add(page).cast(),
                inner,
                libc::PROT_READ | libc::PROT_WRITE,
            )
        };
        if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// The buffer.
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: `start..start + len` lies in the inner pages, which are readable, initialised
        // (anonymous memory is zeros) and mapped as long as `self` lives.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts(self.map.as_ptr().add(self.start), self.len)
        }
    }

    /// The buffer.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as above; the pages are writable, and `&mut self` makes this the only reference.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts_mut(self.map.as_ptr().add(self.start), self.len)
        }
    }

    /// Reads the byte `distance` bytes from the buffer's beginning, in it or not, to show that a
    /// guard page kills.
    ///
    /// # Panics
    /// If the byte is not in the map at all. If it is in a guard page the process dies instead.
    pub fn probe(&self, distance: isize) -> u8 {
        let place = self.start.checked_add_signed(distance).filter(|&place| place < self.map_len);
        let place = place.expect("the byte must be in the map");
        // SAFETY: the byte lies in the map that `self` owns. If its page is inaccessible the read
        // does not return: the system ends the process, which is what this function is for.
        #[allow(unsafe_code)]
        unsafe {
            self.map.as_ptr().add(place).read_volatile()
        }
    }
}

impl Drop for GuardedBuf {
    fn drop(&mut self) {
        // SAFETY: the map is this object's own, is unmapped once, and no reference outlives it.
        #[allow(unsafe_code)]
        let result = unsafe { libc::munmap(self.map.as_ptr().cast(), self.map_len) };
        debug_assert_eq!(result, 0, "munmap: {}", io::Error::last_os_error());
    }
}

/// A private anonymous map without any access.
fn map_inaccessible(len: usize, flags: c_int) -> io::Result<NonNull<u8>> {
    // SAFETY: a new map at a place that the system chooses touches no memory that exists.
    #[allow(unsafe_code)]
    let map = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            len,
            libc::PROT_NONE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | flags,
            -1,
            0,
        )
    };
    if map == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    NonNull::new(map.cast()).ok_or_else(|| io::Error::other("a map at address 0"))
}

fn page_size() -> usize {
    // SAFETY: sysconf only reads a number.
    #[allow(unsafe_code)]
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).expect("a page size")
}
