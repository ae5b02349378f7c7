//! What the prover's own tests want of an image: changes, and a copy that can be run.

use super::Image;

impl Image {
    /// All that a program cannot write to, as it lies in memory, and its address: for running it elsewhere.
    pub fn span(&self) -> (u64, Vec<u8>) {
        let start = self.sections.iter().map(|section| section.start).min().unwrap_or(0);
        let ends = self.sections.iter().map(|section| section.start + section.bytes.len() as u64);
        let mut bytes = vec![0; (ends.max().unwrap_or(start) - start) as usize];
        for section in &self.sections {
            let at = (section.start - start) as usize;
            bytes[at..at + section.bytes.len()].copy_from_slice(&section.bytes);
        }
        (start, bytes)
    }

    /// Changes a byte of a kernel or table, for tests of the prover.
    pub fn change(&mut self, address: u64, change: impl FnOnce(u8) -> u8) {
        for section in &mut self.sections {
            let place = address.checked_sub(section.start).and_then(|n| usize::try_from(n).ok());
            if let Some(byte) = place.and_then(|place| section.bytes.get_mut(place)) {
                return *byte = change(*byte);
            }
        }
    }
}
