//! The Electronic Codebook mode: SP 800-38A section 6.1.

use super::blocks;
use crate::BlockCipher;

/// C_j = CIPH_K(P_j).
///
/// # Panics
/// If the plaintext is not whole blocks.
pub fn encrypt(cipher: &impl BlockCipher, plaintext: &[u8]) -> Vec<u8> {
    blocks(plaintext).into_iter().flat_map(|p| cipher.encrypt(p)).collect()
}

/// P_j = CIPH⁻¹_K(C_j).
///
/// # Panics
/// If the ciphertext is not whole blocks.
pub fn decrypt(cipher: &impl BlockCipher, ciphertext: &[u8]) -> Vec<u8> {
    blocks(ciphertext).into_iter().flat_map(|c| cipher.decrypt(c)).collect()
}
