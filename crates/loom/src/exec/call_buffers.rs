//! Memory for calls: every region begins at a cache line, as kernels for vectors want it, and has an
//! address of 32 bits where there is 32-bit code to be called.

use super::low::Low;
use crate::ir::Memory;

/// A cache line.
const LINE: usize = 64;

/// Regions of memory, each at a multiple of 64 bytes.
#[derive(Debug)]
pub struct CallBuffers {
    memory: Low,
    /// Where each region begins, and its bytes.
    places: Vec<(usize, usize)>,
}

impl CallBuffers {
    /// A copy of some regions.
    ///
    /// # Panics
    /// If the system has no memory for it.
    #[must_use]
    pub fn of(memory: &[Memory]) -> Self {
        let mut end = 0;
        let mut place = |bytes: usize| {
            let at = end;
            // An empty region has an address, too.
            end += (bytes + 1).next_multiple_of(LINE);
            (at, bytes)
        };
        let places: Vec<_> = memory.iter().map(|region| place(region.bytes.len())).collect();
        let mut low = Low::new(end).expect("memory");
        for (&(at, length), region) in places.iter().zip(memory) {
            low.bytes_mut()[at..at + length].copy_from_slice(&region.bytes);
        }
        Self { memory: low, places }
    }

    /// Where a region begins.
    pub fn address(&mut self, region: usize) -> usize {
        self.memory.bytes_mut()[self.places[region].0..].as_mut_ptr() as usize
    }

    /// What the regions hold.
    #[must_use]
    pub fn memory(&self) -> Vec<Memory> {
        let region = |&(at, length): &(usize, usize)| Memory {
            bytes: self.memory.bytes()[at..at + length].to_vec(),
        };
        self.places.iter().map(region).collect()
    }
}

impl Clone for CallBuffers {
    fn clone(&self) -> Self {
        Self::of(&self.memory())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_come_back_and_lie_at_lines() {
        let memory: Vec<Memory> =
            [0, 1, 64, 65, 200].map(|n| Memory { bytes: (0..n).collect() }).into();
        let mut buffers = CallBuffers::of(&memory);
        assert_eq!(buffers.memory(), memory);
        let mut addresses: Vec<usize> = (0..5).map(|region| buffers.address(region)).collect();
        assert!(addresses.iter().all(|address| address % 64 == 0));
        addresses.dedup();
        assert_eq!(addresses.len(), 5);
    }
}
