//! AMD Zen 4; integer units, loads and stores as in Zen 3.
//!
//! Latencies and ports as measured and published by uops.info (Abel and Reineke 2019) and in Agner
//! Fog's instruction tables.

use super::{Cpu, zen3};

pub(super) const CPU: Cpu = Cpu {
    name: "zen4",
    doc: "AMD Zen 4; integer units, loads and stores as in Zen 3",
    width: 6,
    rows: zen3::CPU.rows,
};
