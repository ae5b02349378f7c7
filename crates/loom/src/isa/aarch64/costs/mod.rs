//! What AArch64's instructions cost: its scheduling classes, and a file of data for each processor.

mod apple_m1;
mod class;
mod cortex_a72;
mod neoverse_n1;
mod neoverse_v1;
mod neoverse_v2;

pub use class::SchedulingClass;

use crate::isa::costs::Cpu;

/// The processors, the one that stands for many first: it has neither the most ports nor the fewest.
pub const ALL: [&Cpu; 5] =
    [&neoverse_n1::CPU, &apple_m1::CPU, &neoverse_v1::CPU, &neoverse_v2::CPU, &cortex_a72::CPU];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_one_row_in_every_model() {
        for cpu in ALL {
            for class in SchedulingClass::ALL {
                let rows = cpu.rows.iter().filter(|row| row.class == class.class()).count();
                assert_eq!(rows, 1, "{}: {class:?}", cpu.name);
            }
            assert_eq!(cpu.rows.len(), SchedulingClass::ALL.len(), "{}", cpu.name);
        }
    }
}
