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

use super::class::{Kind, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "zen2",
    doc: "AMD Zen 2; four integer units as ports 0 to 3, two loads as 4 and 5, a store as 6, vectors as 12 to 15",
    width: 6,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

const ROWS: [Row; 26] = [
    row(Kind::Logic, 1, 0b1111),
    row(Kind::Shift, 1, 0b1111),
    row(Kind::Copy, 0, 0b0),
    row(Kind::Low, 1, 0b1111),
    row(Kind::High, 1, 0b1111),
    row(Kind::Swap, 1, 0b1111),
    row(Kind::Address, 1, 0b1111),
    row(Kind::Load, 4, 0b110000),
    row(Kind::Store, 1, 0b1000000),
    row(Kind::Bits, 17, 0b1111),
    row(Kind::Select, 1, 0b1001),
    row(Kind::Vector, 1, 0b1111 << 12),
    row(Kind::VectorShift, 1, 0b10 << 12),
    row(Kind::Wide, 1, 0b11 << 12),
    row(Kind::Ternary, 1, 0b1111 << 12),
    row(Kind::WideTernary, 1, 0b11 << 12),
    row(Kind::WideShift, 1, 0b1 << 12),
    row(Kind::Splat, 3, 0b1 << 12),
    row(Kind::Shuffle, 1, 0b110 << 12),
    row(Kind::WideShuffle, 1, 0b10 << 12),
    row(Kind::Across, 3, 0b100 << 12),
    row(Kind::Pick, 5, 0b10 << 12),
    row(Kind::PickTwo, 5, 0b10 << 12),
    row(Kind::Matrix, 3, 0b1 << 12),
    row(Kind::Distance, 3, 0b1 << 12),
    row(Kind::Sign, 1, 0b1011 << 12),
];
