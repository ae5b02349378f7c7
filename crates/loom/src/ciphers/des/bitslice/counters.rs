//! Counter blocks, made as slices: there is nothing to transpose.
//!
//! The first counter is a multiple of the number of lanes, so the lowest bits of the counters are
//! the lane's own block number, always the same slices, and the others are the same in all lanes.
//! What the rounds want XORed into Y before they start is the same in all lanes, too: the caller
//! XORs it into the masks.

use super::blocks::{slice_of, state};
use super::slices::{Slices, mask_bytes};
use crate::ir::{Access, Builder, Extent, Kernel};

/// The slices of the lowest bits of the counters, lowest bit first: as many as number the lanes, in
/// 64-bit parts from the first byte up.
///
/// Lane v of part c is block c + v * lanes / 64, as in the kernel that takes blocks in.
#[must_use]
pub fn low_slices(lanes: u16) -> Vec<Vec<u64>> {
    let parts = u64::from(lanes / 64);
    let part =
        |bit: u32, c: u64| (0..64).fold(0, |word, v| word | ((c + v * parts) >> bit & 1) << v);
    (0..lanes.ilog2()).map(|bit| (0..parts).map(|c| part(bit, c)).collect()).collect()
}

pub(super) fn counters(name: String, slices: Slices) -> Kernel {
    let lanes = slices.lanes;
    let doc = format!("{lanes} counter blocks to bit slices, by IP: X = L0, Y = R0.");
    let mut b = Builder::new(name, doc);
    let own = lanes.ilog2() as i32;
    let extent = Extent::Fixed(slices.bytes(own) as u32);
    let low =
        b.pointer("low", Access::Read, extent, "slices of the lane's number, lowest bit first");
    b.aligned(low, slices.bytes(1) as u16);
    let mask = mask_bytes(lanes);
    let doc = "for each bit of a counter, highest first, what is the same in all lanes, as a mask";
    let high = b.pointer("high", Access::Read, Extent::Fixed(64 * mask), doc);
    b.aligned(high, mask as u16);
    let state = state(&mut b, slices, Access::Write);
    for bit in 1..=64 {
        let mut value = slices.mask(&mut b, high, bit - 1);
        if bit > 64 - own {
            let low = slices.load(&mut b, low, 64 - bit);
            value = b.xor(value, low);
        }
        slices.store(&mut b, value, state, slice_of(bit));
    }
    b.finish()
}
