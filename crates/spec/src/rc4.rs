//! RC4: the key-scheduling algorithm (KSA) and the pseudo-random generation algorithm (PRGA), the
//! cipher whose keystreams RFC 6229 lists.

/// The state after the KSA, or between two bytes of the PRGA.
#[derive(Clone)]
pub struct Rc4 {
    s: [u8; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    /// The state that the KSA makes from a key.
    ///
    /// # Panics
    /// If the key has not 1 to 256 bytes.
    pub fn new(key: &[u8]) -> Self {
        Self { s: ksa(key), i: 0, j: 0 }
    }

    /// One step of the PRGA: the next byte of keystream.
    pub fn prga(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        self.j = self.j.wrapping_add(self.s[usize::from(self.i)]);
        self.s.swap(usize::from(self.i), usize::from(self.j));
        let t = self.s[usize::from(self.i)].wrapping_add(self.s[usize::from(self.j)]);
        self.s[usize::from(t)]
    }

    /// The next `len` bytes of keystream.
    pub fn keystream(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.prga()).collect()
    }

    /// Discards `n` bytes of keystream (RC4-drop-n).
    pub fn drop_n(&mut self, n: usize) {
        for _ in 0..n {
            self.prga();
        }
    }

    /// Encrypts or decrypts: `data` ⊕ the next bytes of keystream.
    pub fn crypt(&mut self, data: &[u8]) -> Vec<u8> {
        data.iter().map(|byte| byte ^ self.prga()).collect()
    }
}

/// The KSA: the permutation S that a key makes.
///
/// # Panics
/// If the key has not 1 to 256 bytes.
pub fn ksa(key: &[u8]) -> [u8; 256] {
    assert!((1..=256).contains(&key.len()), "an RC4 key has 1 to 256 bytes, not {}", key.len());
    let mut s: [u8; 256] = core::array::from_fn(|i| i as u8);
    let mut j = 0;
    for i in 0..256 {
        j = (j + usize::from(s[i]) + usize::from(key[i % key.len()])) % 256;
        s.swap(i, j);
    }
    s
}
