//! RC4: the key-scheduling algorithm (KSA) and the pseudo-random generation algorithm (PRGA), the
//! cipher whose keystreams RFC 6229 lists.

/// A byte as RC4 uses it: `u8`, or an expression that stands for a byte (`crates/proof`).
pub trait Byte: Copy {
    /// An array S of 256 bytes.
    type S: Clone;
    /// Addition modulo 256.
    fn add(self, other: Self) -> Self;
    /// This byte + 1 modulo 256.
    fn next(self) -> Self;
    /// S\[i\].
    fn get(s: &Self::S, i: Self) -> Self;
    /// Makes S\[i\] this value.
    fn set(s: &mut Self::S, i: Self, value: Self);
}

impl Byte for u8 {
    type S = [u8; 256];

    fn add(self, other: u8) -> u8 {
        self.wrapping_add(other)
    }

    fn next(self) -> u8 {
        self.wrapping_add(1)
    }

    fn get(s: &[u8; 256], i: u8) -> u8 {
        s[usize::from(i)]
    }

    fn set(s: &mut [u8; 256], i: u8, value: u8) {
        s[usize::from(i)] = value;
    }
}

/// Swaps S\[i\] and S\[j\].
fn swap<B: Byte>(s: &mut B::S, i: B, j: B) {
    let (x, y) = (B::get(s, i), B::get(s, j));
    B::set(s, i, y);
    B::set(s, j, x);
}

/// The state after the KSA, or between two bytes of the PRGA.
#[derive(Clone)]
pub struct Rc4<B: Byte = u8> {
    /// The permutation.
    pub s: B::S,
    /// The counter.
    pub i: B,
    /// The index that depends on the key.
    pub j: B,
}

impl<B: Byte> Rc4<B> {
    /// One step of the PRGA: the next byte of keystream.
    pub fn prga(&mut self) -> B {
        self.i = self.i.next();
        self.j = self.j.add(B::get(&self.s, self.i));
        swap(&mut self.s, self.i, self.j);
        let t = B::get(&self.s, self.i).add(B::get(&self.s, self.j));
        B::get(&self.s, t)
    }

    /// One step of the KSA, with the byte of the key that belongs to it.
    pub fn ksa_step(s: &mut B::S, i: B, j: B, key: B) -> B {
        let j = j.add(B::get(s, i)).add(key);
        swap(s, i, j);
        j
    }
}

impl Rc4 {
    /// The state that the KSA makes from a key.
    ///
    /// # Panics
    /// If the key has not 1 to 256 bytes.
    pub fn new(key: &[u8]) -> Self {
        Self { s: ksa(key), i: 0, j: 0 }
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
    for i in 0..=255 {
        j = Rc4::ksa_step(&mut s, i, j, key[usize::from(i) % key.len()]);
    }
    s
}
