//! What PA-RISC's instructions cost: its scheduling classes, and a file of data for each processor.

mod pa8000;

use crate::isa::costs::{Class, Cpu, Pipeline, Row};

/// The processors.
pub const ALL: [&Cpu; 1] = [&pa8000::CPU];

/// Scheduling classes of PA-RISC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SchedulingClass {
    /// A load, from address to result.
    Load = Class::LOAD.0,
    /// A store.
    Store = Class::STORE.0,
    /// Arithmetic, logic, immediate moves.
    Logic,
    /// Shifts and fields of bits.
    Shift,
    /// A copy of a register.
    Copy,
    /// A compare that skips a copy, or a branch.
    Select,
}

impl SchedulingClass {
    /// Its number.
    #[must_use]
    pub const fn class(self) -> Class {
        Class(self as u8)
    }
}

const fn row(kind: SchedulingClass, latency: u32, ports: u16) -> Row {
    Row { class: kind.class(), latency, ports, times: 1 }
}
