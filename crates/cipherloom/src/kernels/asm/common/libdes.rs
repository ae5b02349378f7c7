//! Single blocks of libdes' words, by its functions in assembly.

use super::generated;
use crate::kernels::asm::libdes::{Functions, Schedule, Words};
use crate::kernels::cpu::processor::Baseline;

/// The functions, where this processor has them.
#[inline(always)]
pub(crate) fn libdes_functions() -> Option<&'static Functions> {
    static FUNCTIONS: Functions = Functions {
        encrypt1: |data, schedule, encrypt| {
            on_bytes(data, |bytes| generated::des_encrypt1(bytes, flat(schedule), encrypt.into()));
        },
        encrypt2: |data, schedule, encrypt| {
            on_bytes(data, |bytes| generated::des_encrypt2(bytes, flat(schedule), encrypt.into()));
        },
        encrypt3: |data, [a, b, c]| {
            on_bytes(data, |bytes| generated::des_encrypt3(bytes, flat(a), flat(b), flat(c)));
        },
        decrypt3: |data, [a, b, c]| {
            on_bytes(data, |bytes| generated::des_decrypt3(bytes, flat(a), flat(b), flat(c)));
        },
    };
    Baseline::detect().map(|_| &FUNCTIONS)
}

/// Words as the kernels take them: the bytes that they are in memory.
#[inline(always)]
fn on_bytes(data: &mut Words, work: impl FnOnce(&mut [u8; 8])) {
    let mut bytes = (u64::from(data[1]) << 32 | u64::from(data[0])).to_le_bytes();
    work(&mut bytes);
    let word = u64::from_le_bytes(bytes);
    *data = [word as u32, (word >> 32) as u32];
}

/// A schedule as the kernels take it.
#[inline(always)]
fn flat(schedule: &Schedule) -> &[u32; 32] {
    schedule.as_flattened().first_chunk().expect("sixteen pairs")
}
