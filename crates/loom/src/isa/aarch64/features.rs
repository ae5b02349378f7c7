//! Extensions of AArch64 beyond the baseline, which has NEON.

use crate::isa::features::{Feature, Features};

/// FEAT_SHA3: `eor3`, `bcax`.
pub const SHA3: Features = Features::bit(16);

/// That of logic on three vectors `bsl` is cheapest: every processor has it, but on some, such as Cortex-A72,
/// it is two operations, and on others `eor3` and `bcax` are as cheap.
pub const BSL: Features = Features::bit(17);

/// That `eor3` and `bcax` begin once a cycle where other logic on vectors begins four times, as on Neoverse V1 and V2.
pub const ONCE: Features = Features::bit(18);

/// Every one.
pub const ALL: [Feature; 3] = [
    Feature { name: "sha3", set: SHA3 },
    Feature { name: "bsl", set: BSL },
    Feature { name: "once", set: ONCE },
];
