//! Bytes that leave no copy behind.

use std::io::{self, Write};
use std::mem::MaybeUninit;
use std::ops::Deref;

/// A buffer that is used again and again, and wiped when its memory is given up: when it is dropped,
/// when it needs more room, and when it is larger than what is kept.
#[derive(Default)]
pub(crate) struct Bytes(Vec<u8>);

impl Bytes {
    /// The vector, with room for `more` bytes. Who appends more makes it leave a copy behind.
    pub(crate) fn room(&mut self, more: usize) -> &mut Vec<u8> {
        if self.0.capacity() - self.0.len() < more {
            let room = (self.0.len() + more).max(2 * self.0.capacity());
            let mut larger = Vec::with_capacity(room);
            larger.extend_from_slice(&self.0);
            wipe(&mut std::mem::replace(&mut self.0, larger));
        }
        &mut self.0
    }

    /// Appends bytes.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.room(bytes.len()).extend_from_slice(bytes);
    }

    /// Appends a byte.
    pub(crate) fn push(&mut self, byte: u8) {
        self.room(1).push(byte);
    }

    /// Forgets all but the first `len` bytes. They are overwritten by what comes next, or wiped.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Keeps the first `len` bytes, or appends zeros until there are so many.
    pub(crate) fn resize(&mut self, len: usize) {
        self.room(len.saturating_sub(self.len())).resize(len, 0);
    }

    /// Forgets the bytes, and gives the memory up if there are more than `keep` bytes of it.
    pub(crate) fn clear(&mut self, keep: usize) {
        if self.0.capacity() > keep {
            wipe(&mut std::mem::take(&mut self.0));
        }
        self.0.clear();
    }

    /// The bytes, to be changed.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Wipes all memory of a vector. `Zeroize` would do it byte by byte, and megabytes are wiped here.
fn wipe(bytes: &mut Vec<u8>) {
    bytes.fill(0);
    bytes.spare_capacity_mut().fill(MaybeUninit::new(0));
    zeroize::optimization_barrier(bytes.as_slice());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_grows_and_memory_is_given_up_where_it_is_too_much() {
        let mut bytes = Bytes::default();
        for n in 0..1000 {
            bytes.extend(&[n as u8; 7]);
        }
        assert!((0..1000).all(|n| bytes[7 * n..7 * n + 7] == [n as u8; 7]));
        let before = bytes.0.capacity();
        assert!(before < 4 * 7000, "{before}");
        bytes.clear(before);
        assert_eq!((bytes.len(), bytes.0.capacity()), (0, before));
        bytes.clear(before - 1);
        assert_eq!(bytes.0.capacity(), 0);
    }

    #[test]
    fn what_fits_stays_where_it_is() {
        let mut bytes = Bytes::default();
        bytes.room(100);
        let place = bytes.0.as_ptr();
        for _ in 0..100 {
            bytes.push(1);
        }
        assert_eq!(bytes.0.as_ptr(), place);
    }
}
