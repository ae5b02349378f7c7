//! The Output Feedback mode: SP 800-38A section 6.4.

use super::add_leading;
use crate::{Block, BlockCipher};

/// I_1 = IV; O_j = CIPH_K(I_j); I_(j+1) = O_j; C_j = P_j ⊕ O_j; C*_n = P*_n ⊕ MSB_u(O_n).
///
/// Encryption and decryption are the same.
pub fn crypt(cipher: &impl BlockCipher, iv: Block, text: &[u8]) -> Vec<u8> {
    let mut block = iv;
    let mut result = Vec::new();
    for segment in text.chunks(8) {
        block = cipher.encrypt(block);
        result.extend(add_leading(segment, block));
    }
    result
}
