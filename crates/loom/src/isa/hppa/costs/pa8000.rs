//! HP PA-8000 to PA-8900: four instructions a cycle, two that compute as ports 0 and 1, two loads or
//! stores as 2 and 3.
//!
//! Units and the single cycle of integer operations as in Kumar, "The HP PA-8000 RISC CPU" (IEEE Micro
//! 1997): two ALUs and two units for shifts, of which two can begin a cycle (7-cpu.com, PA-8600). The
//! three cycles of a load are that site's measurement on a PA-8600.

use super::{Cpu, Pipeline, Row, SchedulingClass, row};

pub(super) const CPU: Cpu = Cpu {
    name: "pa8000",
    doc: "HP PA-8000 to PA-8900; what computes as ports 0 and 1, loads and stores as 2 and 3",
    width: 4,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

const ROWS: [Row; 6] = [
    row(SchedulingClass::Logic, 1, 0b11),
    row(SchedulingClass::Copy, 1, 0b11),
    row(SchedulingClass::Select, 1, 0b11),
    row(SchedulingClass::Shift, 1, 0b11),
    row(SchedulingClass::Load, 3, 0b1100),
    row(SchedulingClass::Store, 1, 0b1100),
];
