//! The Cipher Block Chaining mode: SP 800-38A section 6.2.

use super::blocks;
use crate::{Block, BlockCipher, xor};

/// C_1 = CIPH_K(P_1 ⊕ IV); C_j = CIPH_K(P_j ⊕ C_(j-1)).
///
/// # Panics
/// If the plaintext is not whole blocks.
pub fn encrypt(cipher: &impl BlockCipher, iv: Block, plaintext: &[u8]) -> Vec<u8> {
    let mut previous = iv;
    let mut ciphertext = Vec::new();
    for p in blocks(plaintext) {
        let c = cipher.encrypt(xor(p, previous));
        ciphertext.extend(c);
        previous = c;
    }
    ciphertext
}

/// P_1 = CIPH⁻¹_K(C_1) ⊕ IV; P_j = CIPH⁻¹_K(C_j) ⊕ C_(j-1).
///
/// # Panics
/// If the ciphertext is not whole blocks.
pub fn decrypt(cipher: &impl BlockCipher, iv: Block, ciphertext: &[u8]) -> Vec<u8> {
    let mut previous = iv;
    let mut plaintext = Vec::new();
    for c in blocks(ciphertext) {
        plaintext.extend(xor(cipher.decrypt(c), previous));
        previous = c;
    }
    plaintext
}
