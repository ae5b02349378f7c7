//! RC4 with S in memory: which layouts of S there are kernels for.

use super::generated;
use super::rc4_layout::{self, GROUP, KEY, Layout, first};
use crate::kernels::cpu::Feature;
use crate::kernels::cpu::processor::{Avx2, Baseline, is_intel};
use crate::kernels::rc4_state::State;

pub(crate) use super::rc4_layout::INTERLEAVED;

layout! {
    /// A byte an entry: S fills four cache lines.
    Bytes: 1, Baseline(),
    set_up rc4_setup_s8, rc4_setup_s8_x4;
    keystreams rc4_apply_s8, rc4_keystreams_s8_x2, rc4_keystreams_s8_x3, rc4_keystreams_s8_x4;
}

layout! {
    /// A 32-bit word an entry: no two entries share an aligned word of 64 bits that is stored often. AMD's processors
    /// before Zen 4 let a load wait for stores near to it (measured: 6.1 cycles a byte by bytes, 3.2 by words).
    Words: 4, Baseline(),
    set_up rc4_setup_s32, rc4_setup_s32_x4;
    keystreams rc4_apply_s32, rc4_keystreams_s32_x2, rc4_keystreams_s32_x3, rc4_keystreams_s32_x4;
}

layout! {
    /// A byte an entry, and bytes of keystream go from memory to a vector at once. One stream has registers enough without:
    /// Zen 5 takes a tenth longer with the vector (measured: 2.82 cycles a byte and 2.57), Zen 4 as long.
    Inserted: 1, Avx2(avx2),
    set_up rc4_setup_s8, rc4_setup_s8_x4;
    keystreams rc4_apply_s8_avx2 or rc4_apply_s8, rc4_keystreams_s8_x2_avx2, rc4_keystreams_s8_x3_avx2, rc4_keystreams_s8_x4_avx2;
}

by_layout! { Bytes Words Inserted }
