//! The key schedule of strategy `table`.

use super::group_shift;
use crate::kernels::{Passes, fips};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Subkeys of all passes in the order of encryption, as the differences that the rounds add.
///
/// Decryption is the same list walked backwards. Wiped on drop.
#[derive(Clone)]
pub(crate) struct Schedule {
    pub(super) passes: usize,
    /// Before, between and after the passes: for the half that is nearer to the joint (used in the
    /// round next to it), then for the other one.
    pub(super) joints: [[u64; 2]; 4],
    /// For each pass the differences of subkeys two rounds apart.
    pub(super) rounds: [[u64; 14]; 3],
}

impl Schedule {
    /// The schedule of `passes`, in constant time.
    pub(crate) fn new(passes: &Passes) -> Self {
        let n = passes.shape.passes();
        let mut schedule = Self { passes: n, joints: [[0; 2]; 4], rounds: [[0; 14]; 3] };
        for pass in 0..n {
            let mut k = subkeys(passes.keys[pass]);
            if passes.shape.reversed(pass) {
                k.reverse();
            }
            let [before, after] = [pass, pass + 1];
            schedule.joints[before][0] ^= k[0];
            schedule.joints[before][1] ^= k[1];
            schedule.joints[after][0] ^= k[15];
            schedule.joints[after][1] ^= k[14];
            for (i, difference) in schedule.rounds[pass].iter_mut().enumerate() {
                *difference = k[i] ^ k[i + 2];
            }
            k.zeroize();
        }
        schedule
    }
}

impl Drop for Schedule {
    fn drop(&mut self) {
        self.joints.zeroize();
        self.rounds.zeroize();
    }
}

impl ZeroizeOnDrop for Schedule {}

/// For each bit of C and D before the rounds, what it becomes in each of the sixteen subkeys.
static KEY_BITS: [[u64; 16]; 56] = {
    let mut rows = [[0; 16]; 56];
    let mut round = 0;
    while round < 16 {
        let mut bit = 0;
        while bit < 48 {
            let from = fips::PC2[bit] as usize - 1;
            let half = from / 28 * 28;
            let source = half + (from - half + fips::SHIFTS[round] as usize) % 28;
            rows[source][round] |= 1 << group_shift(bit);
            bit += 1;
        }
        round += 1;
    }
    rows
};

/// K1 to K16, each group of six bits in a byte of its own. Every row is read, whatever the key.
fn subkeys(key: u64) -> [u64; 16] {
    let mut k = [0; 16];
    for (row, position) in KEY_BITS.iter().zip(fips::PC1) {
        // Seen through, the mask becomes a jump over the row: slow, and it tells the key.
        let mask = core::hint::black_box((key >> (64 - position) & 1).wrapping_neg());
        for (subkey, bits) in k.iter_mut().zip(row) {
            *subkey |= bits & mask;
        }
    }
    k
}
