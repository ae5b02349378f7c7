//! Random test data from a seed: the same seed gives the same data on every run.

/// A seeded generator.
#[derive(Clone, Debug)]
pub struct Rng(fastrand::Rng);

impl Rng {
    /// The generator of a seed; tests print the seed, or the input, when they fail.
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// `len` bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.fill(&mut bytes);
        bytes
    }

    /// Fills a buffer.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill(bytes);
    }

    /// A key, an initialization vector or a block: `N` bytes.
    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// A number of the range, whose ends are both possible.
    ///
    /// # Panics
    /// If the range is empty.
    pub fn number(&mut self, range: core::ops::RangeInclusive<usize>) -> usize {
        self.0.usize(range)
    }

    /// One element of a list.
    ///
    /// # Panics
    /// If the list is empty.
    pub fn choose<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.number(0..=list.len() - 1)]
    }

    /// `len` cut into chunks of random sizes: many small, some of 0, a few large.
    pub fn chunks(&mut self, len: usize) -> Vec<usize> {
        let mut chunks = Vec::new();
        let mut left = len;
        while left > 0 {
            let most = *self.choose(&[0, 1, 9, 40, 700]);
            let chunk = self.number(0..=most).min(left);
            chunks.push(chunk);
            left -= chunk;
        }
        chunks
    }
}

/// A number that a name decides and nothing else, such as its place in a list (FNV-1a).
pub fn of_name(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_data_and_chunks_add_up() {
        assert_eq!(Rng::new(7).bytes(100), Rng::new(7).bytes(100));
        assert_ne!(Rng::new(7).bytes(100), Rng::new(8).bytes(100));
        let mut rng = Rng::new(1);
        for len in 0..500 {
            assert_eq!(rng.chunks(len).iter().sum::<usize>(), len);
        }
    }
}
