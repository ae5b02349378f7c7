//! RC4 with S in memory: which layouts of S there are kernels for.

use super::generated;
use super::rc4_layout::{self, GROUP, KEY, Layout, first};
use crate::kernels::cpu::Feature;
use crate::kernels::cpu::processor::Baseline;
use crate::kernels::rc4_state::State;

pub(crate) use super::rc4_layout::INTERLEAVED;

layout! {
    /// A byte an entry: S fills four cache lines.
    Bytes: 1, Baseline(),
    set_up rc4_setup_s8, rc4_setup_s8_x4;
    keystreams rc4_apply_s8, rc4_keystreams_s8_x2, rc4_keystreams_s8_x3, rc4_keystreams_s8_x4;
}

by_layout! { Bytes }
