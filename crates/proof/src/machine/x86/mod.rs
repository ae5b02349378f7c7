//! x86-64: decoding, and what each instruction does to a state.

mod alignment;
mod general;
mod lanes;
mod operands;
mod shuffles;
mod vectors;

use crate::Result;
use crate::isa::Convention;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

/// General registers, by number.
pub const RSP: usize = 4;
/// Bits of a vector register.
pub const VECTOR: usize = 512;
/// Where registers of masks stand behind those of vectors.
pub const MASKS: usize = 32;

/// System V's. A call has put the return address on the stack.
pub(super) const CONVENTION: Convention = Convention {
    registers: 16,
    stack_pointer: RSP,
    stack_name: "rsp",
    // rdi, rsi, rdx, rcx.
    arguments: &[7, 6, 2, 1],
    // rbx, rbp, r12 to r15.
    saved: &[3, 5, 12, 13, 14, 15],
    vectors: (MASKS + 8, VECTOR),
    return_bytes: 8,
    number: |register| match register {
        3 => 3,
        RSP => 7,
        5 => 6,
        register => register as u16,
    },
};

/// The form of an instruction: its code, the kinds of its operands, and immediates of one byte. What
/// co-simulation covers is a list of forms.
pub fn form(i: &Instruction) -> String {
    let mut form = format!("{:?}", i.code());
    for n in 0..i.op_count() {
        match i.op_kind(n) {
            OpKind::Register if n > 0 && i.op_register(n) == i.op_register(n - 1) => {
                form.push_str(" same");
            }
            OpKind::Register => form.push_str(" register"),
            OpKind::Memory if i.is_broadcast() => form.push_str(" broadcast"),
            OpKind::Memory if i.memory_base() == Register::RIP => form.push_str(" table"),
            OpKind::Memory if i.memory_index() != Register::None => form.push_str(" indexed"),
            OpKind::Memory => form.push_str(" memory"),
            OpKind::Immediate8 => form += &format!(" {:#04x}", i.immediate8()),
            OpKind::NearBranch64 => form.push_str(" target"),
            _ => form.push_str(" immediate"),
        }
    }
    if i.has_op_mask() {
        form.push_str(" masked");
    }
    form
}

/// The instruction that some bytes begin with.
pub(super) fn decode(bytes: &[u8], address: u64) -> Result<Instruction> {
    let i = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
    if i.is_invalid() {
        return Err("no instruction".into());
    }
    let is_masked = i.has_op_mask() != (i.mnemonic() == Mnemonic::Vpblendmb);
    if i.has_lock_prefix() || i.has_rep_prefix() || i.has_repne_prefix() || is_masked {
        return Err(format!("`{i}` has a prefix or a mask"));
    }
    Ok(i)
}
