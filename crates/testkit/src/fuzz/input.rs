//! Bytes of a fuzzer as parameters of a test.

/// Takes parameters from the front; past the end everything is zero, so that every input is one.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        self.array::<1>()[0]
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut array = [0; N];
        array.copy_from_slice(&self.bytes(N));
        array
    }

    /// The next `len` bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        let (now, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        let mut bytes = now.to_vec();
        bytes.resize(len, 0);
        bytes
    }

    /// A number of 0 to 65535, from two bytes.
    pub fn number(&mut self) -> usize {
        usize::from(u16::from_le_bytes(self.array()))
    }

    /// One element of a list.
    pub fn choose<T: Copy>(&mut self, list: &[T]) -> T {
        list[usize::from(self.byte()) % list.len()]
    }

    /// All that is left, at most `most` bytes of it.
    pub fn rest(self, most: usize) -> &'a [u8] {
        &self.0[..self.0.len().min(most)]
    }
}
