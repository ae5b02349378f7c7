//! Extensions of AArch64 beyond the baseline, which has NEON.

use crate::isa::features::{Feature, Features};

/// FEAT_SHA3: `eor3`, `bcax`.
pub const SHA3: Features = Features::bit(16);

/// Every one.
pub const ALL: [Feature; 1] = [Feature { name: "sha3", set: SHA3 }];
