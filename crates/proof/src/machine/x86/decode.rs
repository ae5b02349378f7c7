//! From bytes to instructions.

use crate::Result;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic};

/// The instruction that some bytes begin with, in code of so many bits.
pub(in crate::machine) fn decode(bytes: &[u8], address: u64, bits: u32) -> Result<Instruction> {
    let i = Decoder::with_ip(bits, bytes, address, DecoderOptions::NONE).decode();
    if i.is_invalid() {
        return Err("no instruction".into());
    }
    let is_masked = i.has_op_mask() != (i.mnemonic() == Mnemonic::Vpblendmb);
    if i.has_lock_prefix() || i.has_rep_prefix() || i.has_repne_prefix() || is_masked {
        return Err(format!("`{i}` has a prefix or a mask"));
    }
    Ok(i)
}
