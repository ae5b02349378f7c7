//! DES: FIPS 46-3.

use crate::bits::{Bit, add, concatenate, halves, of_block, permute, to_block};
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

    fn compute<'k>(&self, input: Block, subkeys: impl Iterator<Item = &'k [bool; 48]>) -> Block {
        to_block(&compute(&of_block(input), subkeys))
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

/// "Enciphering" and "Deciphering": the same computation, with the subkeys in the order that
/// `subkeys` gives.
pub fn compute<'k, B: Bit + 'k>(
    input: &[B; 64],
    subkeys: impl Iterator<Item = &'k [B; 48]>,
) -> [B; 64] {
    let (l, r) = halves(&ip(input));
    let (l, r) = rounds(l, r, subkeys);
    // The preoutput block is R16 L16.
    ip_inv(&concatenate(&r, &l))
}

/// The rounds: L' = R, R' = L ⊕ f(R, K), with each of the subkeys.
pub fn rounds<'k, B: Bit + 'k>(
    mut l: [B; 32],
    mut r: [B; 32],
    subkeys: impl Iterator<Item = &'k [B; 48]>,
) -> ([B; 32], [B; 32]) {
    for k in subkeys {
        (l, r) = (r, add(&l, &f(&r, k)));
    }
    (l, r)
}

/// The initial permutation IP.
pub fn ip<B: Copy>(input: &[B; 64]) -> [B; 64] {
    permute(&IP, input)
}

/// The inverse initial permutation IP⁻¹.
pub fn ip_inv<B: Copy>(preoutput: &[B; 64]) -> [B; 64] {
    permute(&IP_INV, preoutput)
}

/// The cipher function f(R, K) = P(S1(B1) S2(B2) ... S8(B8)) with B1 B2 ... B8 = K ⊕ E(R).
pub fn f<B: Bit>(r: &[B; 32], k: &[B; 48]) -> [B; 32] {
    let b = add(k, &e(r));
    let selected: [[B; 4]; 8] =
        core::array::from_fn(|n| s(n + 1, core::array::from_fn(|bit| b[6 * n + bit])));
    p(&core::array::from_fn(|n| selected[n / 4][n % 4]))
}

/// The bit selection E, 32 bits to 48.
pub fn e<B: Copy>(r: &[B; 32]) -> [B; 48] {
    permute(&E, r)
}

/// The permutation P.
pub fn p<B: Copy>(l: &[B; 32]) -> [B; 32] {
    permute(&P, l)
}

/// The selection function S`number`: the first and last bit of B are the number of the row, the
/// middle four bits that of the column.
///
/// # Panics
/// If `number` is not 1 to 8.
pub fn s<B: Bit>(number: usize, b: [B; 6]) -> [B; 4] {
    B::select(b, |b| {
        let [b1, b2, b3, b4, b5, b6] = b.map(usize::from);
        let row = 2 * b1 + b6;
        let column = 8 * b2 + 4 * b3 + 2 * b4 + b5;
        let value = S[number - 1][row][column];
        [value & 8 != 0, value & 4 != 0, value & 2 != 0, value & 1 != 0]
    })
}

/// The key schedule KS: the subkeys K1 to K16 (appendix 1), the first element being K1.
pub fn ks(key: Block) -> [[bool; 48]; 16] {
    subkeys(&pc1(&of_block(key)))
}

/// The subkeys K1 to K16 from C0 D0.
pub fn subkeys<B: Copy>(cd: &[B; 56]) -> [[B; 48]; 16] {
    let (mut c, mut d): ([B; 28], [B; 28]) = halves(cd);
    LEFT_SHIFTS.map(|shifts| {
        c.rotate_left(shifts);
        d.rotate_left(shifts);
        pc2(&concatenate(&c, &d))
    })
}

/// Permuted choice 1: C0 D0 from the key.
pub fn pc1<B: Copy>(key: &[B; 64]) -> [B; 56] {
    permute(&PC1, key)
}

/// Permuted choice 2: a subkey from C D.
pub fn pc2<B: Copy>(cd: &[B; 56]) -> [B; 48] {
    permute(&PC2, cd)
}
