//! What most x86-64 processors since 2013 can do at least, four operations and two loads a cycle:
//! the rows of Skylake.
//!
//! Latencies and ports as measured and published by uops.info (Abel and Reineke 2019) and in Agner
//! Fog's instruction tables.

use super::skylake;
use crate::isa::costs::{Cpu, Pipeline};

pub(super) const CPU: Cpu = Cpu {
    name: "generic",
    doc: "What most x86-64 processors since 2013 can do at least: the rows of Skylake",
    width: 4,
    rows: skylake::CPU.rows,
    pipeline: Pipeline::OutOfOrder(&[]),
};
