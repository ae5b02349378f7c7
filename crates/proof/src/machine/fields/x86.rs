//! Instructions of x86, as `iced-x86` decodes them: their forms.

use iced_x86::{Instruction, OpKind, Register};

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
            OpKind::Memory if i.memory_base().is_gpr16() => {
                form += &format!(" {:?}", i.memory_segment());
            }
            OpKind::Memory if i.memory_index() != Register::None => form.push_str(" indexed"),
            OpKind::Memory => form.push_str(" memory"),
            OpKind::Immediate8 => form += &format!(" {:#04x}", i.immediate8()),
            OpKind::NearBranch64 | OpKind::NearBranch32 | OpKind::NearBranch16 => {
                form.push_str(" target");
            }
            _ => form.push_str(" immediate"),
        }
    }
    if i.has_op_mask() {
        form.push_str(" masked");
    }
    form
}
