//! Memory for calls: every region begins at a cache line, as kernels for vectors want it.

use crate::ir::Memory;

/// A cache line.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
struct Line([u8; 64]);

/// Regions of memory, each at a multiple of 64 bytes.
#[derive(Clone, Debug)]
pub struct Arena {
    lines: Vec<Line>,
    /// The first line of each region, and its bytes.
    places: Vec<(usize, usize)>,
}

impl Arena {
    /// A copy of some regions.
    #[must_use]
    pub fn of(memory: &[Memory]) -> Self {
        let (mut lines, mut places) = (Vec::new(), Vec::new());
        for Memory { bytes } in memory {
            places.push((lines.len(), bytes.len()));
            for chunk in bytes.chunks(64) {
                let mut line = Line([0; 64]);
                line.0[..chunk.len()].copy_from_slice(chunk);
                lines.push(line);
            }
            // An empty region has an address, too.
            lines.push(Line([0; 64]));
        }
        Self { lines, places }
    }

    /// Where a region begins.
    pub fn address(&mut self, region: usize) -> usize {
        let (first, _) = self.places[region];
        // The last line of a region is never its own: there is always one.
        (&raw mut self.lines[first..]).cast::<u8>() as usize
    }

    /// What the regions hold.
    #[must_use]
    pub fn memory(&self) -> Vec<Memory> {
        let region = |&(first, length): &(usize, usize)| {
            let lines = self.lines[first..].iter().flat_map(|line| line.0);
            Memory { bytes: lines.take(length).collect() }
        };
        self.places.iter().map(region).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_come_back_and_lie_at_lines() {
        let memory: Vec<Memory> =
            [0, 1, 64, 65, 200].map(|n| Memory { bytes: (0..n).collect() }).into();
        let mut arena = Arena::of(&memory);
        assert_eq!(arena.memory(), memory);
        let mut addresses: Vec<usize> = (0..5).map(|region| arena.address(region)).collect();
        assert!(addresses.iter().all(|address| address % 64 == 0));
        addresses.dedup();
        assert_eq!(addresses.len(), 5);
    }
}
