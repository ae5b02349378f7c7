//! What the tuner may vary of an order, and how urgent each instruction is by it.

use cipherloom_circuits::Random;
use serde::{Deserialize, Serialize};

/// What the tuner may vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// How many instructions, from the first that is not placed yet, may be chosen from.
    pub window: u16,
    /// Seed of small changes to the priorities; 0 changes nothing.
    pub seed: u64,
    /// How large these changes are, in cycles.
    pub noise: u8,
    /// For processors that do instructions in order: how many beginnings of an order are kept in the
    /// search after allocation; none: the first one that is found is taken.
    #[serde(default, skip_serializing_if = "is_none")]
    pub beam: u16,
}

/// Nothing is said of what is not done.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants it")]
const fn is_none(count: &u16) -> bool {
    *count == 0
}

impl Default for Order {
    fn default() -> Self {
        Self { window: 24, seed: 0, noise: 0, beam: 0 }
    }
}

/// For each instruction how many others it waits for, and how much it is waited for, a little changed
/// as the order says.
pub(crate) fn wishes(followers: &[Vec<(usize, u32)>], order: &Order) -> (Vec<u32>, Vec<u32>) {
    let mut waits = vec![0u32; followers.len()];
    let mut height = vec![0u32; followers.len()];
    for n in (0..followers.len()).rev() {
        let tallest = followers[n].iter().map(|(to, after)| height[*to] + after).max();
        height[n] = tallest.unwrap_or(0);
        for (to, _) in &followers[n] {
            waits[*to] += 1;
        }
    }
    let mut random = Random::new(order.seed);
    let wish = height
        .iter()
        .map(|height| height + (random.bits() >> 40) as u32 % (u32::from(order.noise) + 1))
        .collect();
    (waits, wish)
}
