//! The Counter mode: SP 800-38A section 6.5, with the standard incrementing function of appendix
//! B.1 over the whole block (m = b = 64): a big-endian number that wraps to 0.

use super::add_leading;
use crate::{Block, BlockCipher};

/// O_j = CIPH_K(T_j); C_j = P_j ⊕ O_j; C*_n = P*_n ⊕ MSB_u(O_n); T_(j+1) = T_j + 1 mod 2⁶⁴.
///
/// Encryption and decryption are the same. `counter` is T_1.
pub fn crypt(cipher: &impl BlockCipher, counter: Block, text: &[u8]) -> Vec<u8> {
    let mut t = u64::from_be_bytes(counter);
    let mut result = Vec::new();
    for segment in text.chunks(8) {
        result.extend(add_leading(segment, cipher.encrypt(t.to_be_bytes())));
        t = t.wrapping_add(1);
    }
    result
}
