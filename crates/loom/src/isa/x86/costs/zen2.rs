//! AMD Zen 2; four integer units as ports 0 to 3, two loads as 4 and 5, a store as 6.
//!
//! Units and latencies of arithmetic, shifts, loads and stores as in LLVM's scheduling model
//! (`X86ScheduleZnver2.td`, read in November 2026). `pext` and `pdep` are microcode: 17 cycles there,
//! hundreds by other reports; a row can say only the least.
//!
//! Not from there, and not measured: six operations a cycle, copies that cost nothing, `bswap` as
//! often as other arithmetic (there once a cycle), and compares with branches on two units as in
//! Zen 3. Who has a Zen 2 may measure them.
//!
//! What moves bytes in vectors: from the same model, but for `vperm2i128` (Zen 3's there); what it
//! has not (AVX-512, GFNI) as in Zen 4.

use super::class::{SchedulingClass, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "zen2",
    doc: "AMD Zen 2; four integer units as ports 0 to 3, two loads as 4 and 5, a store as 6, vectors as 12 to 15",
    width: 6,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

const ROWS: [Row; 28] = [
    row(SchedulingClass::Logic, 1, 0b1111),
    row(SchedulingClass::Shift, 1, 0b1111),
    row(SchedulingClass::Copy, 0, 0b0),
    row(SchedulingClass::Low, 1, 0b1111),
    row(SchedulingClass::Extend, 1, 0b1111),
    row(SchedulingClass::High, 1, 0b1111),
    row(SchedulingClass::Swap, 1, 0b1111),
    row(SchedulingClass::Address, 1, 0b1111),
    row(SchedulingClass::Load, 4, 0b110000),
    row(SchedulingClass::Store, 1, 0b1000000),
    row(SchedulingClass::Bits, 17, 0b1111),
    row(SchedulingClass::Select, 1, 0b1001),
    row(SchedulingClass::Vector, 1, 0b1111 << 12),
    row(SchedulingClass::VectorShift, 1, 0b10 << 12),
    row(SchedulingClass::Wide, 1, 0b11 << 12),
    row(SchedulingClass::Ternary, 1, 0b1111 << 12),
    row(SchedulingClass::WideTernary, 1, 0b11 << 12),
    row(SchedulingClass::WideShift, 1, 0b1 << 12),
    row(SchedulingClass::Splat, 3, 0b1 << 12),
    row(SchedulingClass::FromVector, 3, 0b1 << 12),
    row(SchedulingClass::Shuffle, 1, 0b110 << 12),
    row(SchedulingClass::WideShuffle, 1, 0b10 << 12),
    row(SchedulingClass::Across, 3, 0b100 << 12),
    row(SchedulingClass::Pick, 5, 0b10 << 12),
    row(SchedulingClass::PickTwo, 5, 0b10 << 12),
    row(SchedulingClass::Matrix, 3, 0b1 << 12),
    row(SchedulingClass::Distance, 3, 0b1 << 12),
    row(SchedulingClass::Sign, 1, 0b1011 << 12),
];
