//! DES: FIPS 46-3.

use crate::bits::{add, concatenate, halves, of_block, permute, to_block};
use crate::tables::{E, IP, IP_INV, LEFT_SHIFTS, P, PC1, PC2, S};
use crate::{Block, BlockCipher};

/// DES under one key: the subkeys K1 to K16, `k[0]` being K1.
#[derive(Clone)]
pub struct Des {
    k: [[bool; 48]; 16],
}

impl Des {
    /// DES under `key`; the parity bits 8, 16, ..., 64 are not looked at.
    pub fn new(key: Block) -> Self {
        Self { k: ks(key) }
    }

    /// "Enciphering" and "Deciphering": the same computation, with the subkeys in the order that
    /// `subkeys` gives.
    fn compute<'k>(&self, input: Block, subkeys: impl Iterator<Item = &'k [bool; 48]>) -> Block {
        let (mut l, mut r) = halves::<64, 32>(&ip(&of_block(input)));
        for k in subkeys {
            // L' = R, R' = L ⊕ f(R, K)
            (l, r) = (r, add(&l, &f(&r, k)));
        }
        // The preoutput block is R16 L16.
        to_block(&ip_inv(&concatenate(&r, &l)))
    }
}

impl BlockCipher for Des {
    fn encrypt(&self, block: Block) -> Block {
        self.compute(block, self.k.iter())
    }

    fn decrypt(&self, block: Block) -> Block {
        self.compute(block, self.k.iter().rev())
    }
}

/// The initial permutation IP.
pub fn ip(input: &[bool; 64]) -> [bool; 64] {
    permute(&IP, input)
}

/// The inverse initial permutation IP⁻¹.
pub fn ip_inv(preoutput: &[bool; 64]) -> [bool; 64] {
    permute(&IP_INV, preoutput)
}

/// The cipher function f(R, K) = P(S1(B1) S2(B2) ... S8(B8)) with B1 B2 ... B8 = K ⊕ E(R).
pub fn f(r: &[bool; 32], k: &[bool; 48]) -> [bool; 32] {
    let b = add(k, &e(r));
    let mut selected = [false; 32];
    for n in 0..8 {
        let out = s(n + 1, core::array::from_fn(|bit| b[6 * n + bit]));
        selected[4 * n..4 * n + 4].copy_from_slice(&out);
    }
    p(&selected)
}

/// The bit selection E, 32 bits to 48.
pub fn e(r: &[bool; 32]) -> [bool; 48] {
    permute(&E, r)
}

/// The permutation P.
pub fn p(l: &[bool; 32]) -> [bool; 32] {
    permute(&P, l)
}

/// The selection function S`number`: the first and last bit of B are the number of the row, the
/// middle four bits that of the column.
///
/// # Panics
/// If `number` is not 1 to 8.
pub fn s(number: usize, b: [bool; 6]) -> [bool; 4] {
    let [b1, b2, b3, b4, b5, b6] = b.map(usize::from);
    let row = 2 * b1 + b6;
    let column = 8 * b2 + 4 * b3 + 2 * b4 + b5;
    let value = S[number - 1][row][column];
    [value & 8 != 0, value & 4 != 0, value & 2 != 0, value & 1 != 0]
}

/// The key schedule KS: the subkeys K1 to K16 (appendix 1), the first element being K1.
pub fn ks(key: Block) -> [[bool; 48]; 16] {
    let (mut c, mut d) = halves::<56, 28>(&pc1(&of_block(key)));
    LEFT_SHIFTS.map(|shifts| {
        c.rotate_left(shifts);
        d.rotate_left(shifts);
        pc2(&concatenate(&c, &d))
    })
}

/// Permuted choice 1: C0 D0 from the key.
pub fn pc1(key: &[bool; 64]) -> [bool; 56] {
    permute(&PC1, key)
}

/// Permuted choice 2: a subkey from C D.
pub fn pc2(cd: &[bool; 56]) -> [bool; 48] {
    permute(&PC2, cd)
}
