//! ISO/IEC 9797-1:2011: padding methods (section 6.2) and MAC algorithms 1 and 3 (section 7).

use crate::modes::blocks;
use crate::padding::{pad_iso7816, pad_zero};
use crate::{Block, BlockCipher, xor};

/// How a data string is filled up to whole blocks, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaddingMethod {
    /// As few 0 bits as possible, on the right; an empty string becomes one block of zeros.
    Method1,
    /// One 1 bit, then as few 0 bits as possible, on the right.
    Method2,
    /// Method 1, and on the left a block with the length of the data string in bits.
    Method3,
}

impl PaddingMethod {
    /// The padded data string.
    pub fn pad(self, data: &[u8]) -> Vec<u8> {
        match self {
            Self::Method1 if data.is_empty() => vec![0; 8],
            Self::Method1 => pad_zero(data),
            Self::Method2 => pad_iso7816(data),
            Self::Method3 => {
                let length = 8 * data.len() as u64;
                [length.to_be_bytes().to_vec(), Self::Method1.pad(data)].concat()
            }
        }
    }
}

/// H_q: initial transformation 1, H_1 = e_K(D_1), and iteration, H_i = e_K(D_i ⊕ H_(i-1)), of the
/// padded data string D_1 ... D_q.
fn iterate(cipher: &impl BlockCipher, padded: &[u8]) -> Block {
    blocks(padded).into_iter().fold([0; 8], |h, d| cipher.encrypt(xor(d, h)))
}

/// MAC algorithm 1 (section 7.2), CBC-MAC: output transformation 1, G = H_q.
///
/// With DES and padding method 1 it is the DAC of FIPS 113.
pub fn algorithm_1(cipher: &impl BlockCipher, padding: PaddingMethod, data: &[u8]) -> Block {
    iterate(cipher, &padding.pad(data))
}

/// MAC algorithm 3 (section 7.4): output transformation 3, G = e_K(d_K'(H_q)).
///
/// `k` and `k_prime` are one block cipher, as a rule DES, under the keys K and K'.
pub fn algorithm_3<C: BlockCipher>(
    k: &C,
    k_prime: &C,
    padding: PaddingMethod,
    data: &[u8],
) -> Block {
    k.encrypt(k_prime.decrypt(iterate(k, &padding.pad(data))))
}

/// The name most people use for [`algorithm_1`].
pub use algorithm_1 as cbc_mac;
/// The name that banks use for [`algorithm_3`], after ANSI X9.19, "retail" message authentication.
pub use algorithm_3 as retail_mac;
