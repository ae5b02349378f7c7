//! x86-64: decoding, and what each instruction does to a state.

mod alignment;
mod general;
mod lanes;
mod operands;
mod shuffles;
mod vectors;

use crate::Result;
use crate::domain::Domain;
use crate::machine::state::Machine;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

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

impl<D: Domain> Machine<'_, D> {
    /// The instruction at an address of the kernel.
    pub(super) fn fetch(&mut self, address: u64) -> Result<Instruction> {
        if let Some(instruction) = self.decoded.get(&address) {
            return Ok(*instruction);
        }
        if !self.code.contains(&address) {
            return Err("it leaves its own code".into());
        }
        let bytes = &self.image.code(&self.code)[(address - self.code.start) as usize..];
        let i = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
        if i.is_invalid() || i.next_ip() > self.code.end {
            return Err(format!("no instruction at {:#x}", address - self.code.start));
        }
        let is_masked = i.has_op_mask() != (i.mnemonic() == Mnemonic::Vpblendmb);
        if i.has_lock_prefix() || i.has_rep_prefix() || i.has_repne_prefix() || is_masked {
            return Err(format!("`{i}` has a prefix or a mask"));
        }
        let form = form(&i);
        if !self.covered.contains(&form) {
            return Err(format!("`{i}`, {form}, is not covered by co-simulation"));
        }
        self.decoded.insert(address, i);
        Ok(i)
    }
}
