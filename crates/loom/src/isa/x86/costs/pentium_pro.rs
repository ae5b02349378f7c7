//! Intel Pentium Pro, II and III: out of order, three operations a cycle; ports 0 and 1 compute, 2
//! loads, 3 makes addresses of stores, 4 stores.
//!
//! Latencies and ports as measured by Agner Fog ("Instruction tables"; "How to optimize for the Pentium
//! family of microprocessors").
//!
//! What a use of a whole register waits for after a byte of it was written: two sources disagree. Both
//! have been right: the processor remembers that a register was cleared by `xor` with itself (Agner
//! Fog), and the code that was measured had cleared it. So each is the cost of its own case.

use super::class::{SchedulingClass, row};
use crate::isa::costs::{Cpu, Pipeline, Row, Use, Wait};

pub(super) const CPU: Cpu = Cpu {
    name: "pentiumpro",
    doc: "Intel Pentium Pro, II, III; ports 0 and 1 compute, 2 loads, 3 and 4 store",
    width: 3,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&PARTIAL),
};

const PARTIAL: [Wait; 2] = [
    Wait {
        of: Use::Whole { cleared: false },
        clocks: 7,
        source: "Intel, Optimizations for Intel's 32-bit Processors, page 22: at least 7 cycles",
    },
    Wait {
        of: Use::Whole { cleared: true },
        clocks: 0,
        source: "libdes' users, measured on Pentium Pros (22 November 1996): bytes moved into a \
                 cleared register are still the faster way",
    },
];

const ROWS: [Row; 11] = [
    row(SchedulingClass::Logic, 1, 0b11),
    row(SchedulingClass::Shift, 1, 0b1),
    row(SchedulingClass::Copy, 1, 0b11),
    row(SchedulingClass::Low, 1, 0b11),
    row(SchedulingClass::Extend, 1, 0b11),
    row(SchedulingClass::High, 1, 0b11),
    row(SchedulingClass::Swap, 2, 0b11),
    row(SchedulingClass::Address, 1, 0b1),
    row(SchedulingClass::Load, 3, 0b100),
    row(SchedulingClass::Store, 1, 0b10000),
    row(SchedulingClass::Select, 1, 0b10),
];
