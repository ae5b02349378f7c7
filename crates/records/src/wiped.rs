//! Bytes that are wiped.

use std::ops::{Deref, DerefMut};

use zeroize::optimization_barrier;

/// A vector whose memory is wiped before it is freed, at the speed of memory: [`zeroize::Zeroizing`] writes byte by
/// byte, which for short records takes longer than to decrypt them. It grows by [`make_room`](Self::make_room); what
/// makes the vector itself grow leaves a copy behind.
#[derive(Default)]
pub struct Wiped(Vec<u8>);

impl Wiped {
    /// Empty, with room for so many bytes.
    #[must_use]
    pub fn with_room(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    /// Makes room for so many more bytes; of the memory that they were in before nothing is left.
    #[inline]
    pub fn make_room(&mut self, more: usize) {
        if self.0.capacity() - self.0.len() < more {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let need = self.0.len() + more;
        let mut new = Self::with_room(need.max(2 * self.0.capacity()));
        new.extend_from_slice(&self.0);
        *self = new;
    }
}

impl Deref for Wiped {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for Wiped {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

impl Drop for Wiped {
    fn drop(&mut self) {
        let all = self.0.capacity();
        self.0.clear();
        self.0.resize(all, 0);
        optimization_barrier(&self.0[..]);
    }
}
