//! TDEA: NIST SP 800-67 Rev. 2, with the keying options of ANSI X9.52 and FIPS 46-3; and the EEE
//! forms, which no standard above names.

use crate::des::Des;
use crate::{Block, BlockCipher};

/// TDEA (SP 800-67 section 3): EDE with the key bundle KEY1, KEY2, KEY3.
#[derive(Clone)]
pub struct Tdea {
    des1: Des,
    des2: Des,
    des3: Des,
}

impl Tdea {
    /// Keying option 1: KEY1, KEY2 and KEY3 are three keys.
    pub fn option1(key1: Block, key2: Block, key3: Block) -> Self {
        Self { des1: Des::new(key1), des2: Des::new(key2), des3: Des::new(key3) }
    }

    /// Keying option 2: KEY3 = KEY1.
    pub fn option2(key1: Block, key2: Block) -> Self {
        Self::option1(key1, key2, key1)
    }

    /// Keying option 3: KEY1 = KEY2 = KEY3, which makes TDEA the same as DES.
    pub fn option3(key: Block) -> Self {
        Self::option1(key, key, key)
    }
}

impl BlockCipher for Tdea {
    /// Section 3.1: O = E_KEY3(D_KEY2(E_KEY1(I))).
    fn encrypt(&self, block: Block) -> Block {
        self.des3.encrypt(self.des2.decrypt(self.des1.encrypt(block)))
    }

    /// Section 3.2: O = D_KEY1(E_KEY2(D_KEY3(I))).
    fn decrypt(&self, block: Block) -> Block {
        self.des1.decrypt(self.des2.encrypt(self.des3.decrypt(block)))
    }
}

/// Triple encryption without the decryption in the middle (DES-EEE3 and DES-EEE2).
#[derive(Clone)]
pub struct TdeaEee {
    des1: Des,
    des2: Des,
    des3: Des,
}

impl TdeaEee {
    /// DES-EEE3: three keys.
    pub fn eee3(key1: Block, key2: Block, key3: Block) -> Self {
        Self { des1: Des::new(key1), des2: Des::new(key2), des3: Des::new(key3) }
    }

    /// DES-EEE2: KEY3 = KEY1.
    pub fn eee2(key1: Block, key2: Block) -> Self {
        Self::eee3(key1, key2, key1)
    }
}

impl BlockCipher for TdeaEee {
    /// O = E_KEY3(E_KEY2(E_KEY1(I))).
    fn encrypt(&self, block: Block) -> Block {
        self.des3.encrypt(self.des2.encrypt(self.des1.encrypt(block)))
    }

    /// O = D_KEY1(D_KEY2(D_KEY3(I))).
    fn decrypt(&self, block: Block) -> Block {
        self.des1.decrypt(self.des2.decrypt(self.des3.decrypt(block)))
    }
}
