//! DESX: Rivest's construction, as defined in J. Kilian and P. Rogaway, "How to Protect DES
//! Against Exhaustive Key Search" (Journal of Cryptology 14, 2001), section 1.

use crate::des::Des;
use crate::{Block, BlockCipher, xor};

/// DESX_K.K1.K2(x) = K2 ⊕ DES_K(K1 ⊕ x).
#[derive(Clone)]
pub struct Desx {
    des: Des,
    k1: Block,
    k2: Block,
}

impl Desx {
    /// `k` is the key of DES, `k1` the input whitening, `k2` the output whitening.
    pub fn new(k: Block, k1: Block, k2: Block) -> Self {
        Self { des: Des::new(k), k1, k2 }
    }
}

impl BlockCipher for Desx {
    fn encrypt(&self, block: Block) -> Block {
        xor(self.k2, self.des.encrypt(xor(self.k1, block)))
    }

    fn decrypt(&self, block: Block) -> Block {
        xor(self.k1, self.des.decrypt(xor(self.k2, block)))
    }
}
