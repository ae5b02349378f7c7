//! CMAC: NIST SP 800-38B section 6, with b = 64.

use crate::bits::{of_block, to_block};
use crate::modes::blocks;
use crate::{Block, BlockCipher, xor};

/// R_64 (section 5.3): 0⁵⁹11011.
const R_64: Block = [0, 0, 0, 0, 0, 0, 0, 0x1b];

/// Subkey generation (section 6.1): K1 and K2.
pub fn subkeys(cipher: &impl BlockCipher) -> (Block, Block) {
    let l = cipher.encrypt([0; 8]);
    let k1 = next(l);
    (k1, next(k1))
}

/// If MSB_1(X) = 0, X << 1; else (X << 1) ⊕ R_b.
fn next(x: Block) -> Block {
    let mut bits = of_block(x);
    let msb = bits[0];
    bits.rotate_left(1);
    bits[63] = false;
    let shifted = to_block(&bits);
    if msb { xor(shifted, R_64) } else { shifted }
}

/// MAC generation (section 6.2): CMAC(K, M), 64 bits.
pub fn cmac(cipher: &impl BlockCipher, message: &[u8]) -> Block {
    let (k1, k2) = subkeys(cipher);
    // M = M_1 ... M_(n-1) M*_n; n is 1 for the empty message, and M*_n then empty.
    let n = message.len().div_ceil(8).max(1);
    let (complete, last) = message.split_at(8 * (n - 1));
    let mut m_n = [0; 8];
    m_n[..last.len()].copy_from_slice(last);
    let m_n = if last.len() == 8 {
        xor(k1, m_n)
    } else {
        // K2 ⊕ (M*_n 1 0^j)
        m_n[last.len()] = 0x80;
        xor(k2, m_n)
    };
    let c = blocks(complete).into_iter().fold([0; 8], |c, m| cipher.encrypt(xor(c, m)));
    cipher.encrypt(xor(c, m_n))
}
