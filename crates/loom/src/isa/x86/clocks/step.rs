//! What an instruction means to the pipes of a processor that does instructions in order.

use iced_x86::{
    Encoder, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
};

use crate::isa::x86::costs::InOrderClass;

/// What an instruction means to the pipes.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) form: InOrderClass,
    /// Registers, by number, that an address is made of.
    pub(super) address: Vec<usize>,
    /// Others that it reads, and whether the whole of each.
    pub(super) reads: Vec<(usize, bool)>,
    /// Those that it writes, and whether the whole of each.
    pub(super) writes: Vec<(usize, bool)>,
    /// Whether an index stands beside a base.
    pub(super) indexed: bool,
    /// Whether the only register of an address is scaled.
    pub(super) scaled: bool,
    /// Its prefixes: those of the sizes of operands and addresses, and of segments.
    pub(super) prefixes: u32,
    /// How many bytes it has.
    pub(super) bytes: u32,
    /// Whether the operation is one of two bytes, and no branch.
    pub(super) escaped: bool,
    /// Whether a constant stands beside a displacement.
    pub(super) both: bool,
    /// The line of the next instruction in the program.
    pub(super) next: Option<usize>,
}

impl Step {
    pub(super) fn new(
        inst: &Instruction,
        factory: &mut InstructionInfoFactory,
        encoder: &mut Encoder,
    ) -> Self {
        let form = form(inst);
        let bytes = encoder.encode(inst, 0).expect("an instruction that can be encoded") as u32;
        let encoded = encoder.take_buffer();
        let is_prefix = |byte: &&u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x64..=0x67);
        let stack = matches!(form, InOrderClass::Push | InOrderClass::Pop | InOrderClass::Return);
        let number = |register: Register| register.full_register().number();
        let memory = [inst.memory_base(), inst.memory_index()];
        let address: Vec<usize> = memory
            .into_iter()
            .filter(|&register| register != Register::None && inst_has_memory(inst))
            .map(number)
            .collect();
        let operand = |register: Register| {
            (0..inst.op_count()).any(|n| {
                inst.op_kind(n) == OpKind::Register
                    && inst.op_register(n).full_register() == register.full_register()
            })
        };
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for used in factory.info(inst).used_registers() {
            let register = used.register();
            // The processor counts along the stack by itself.
            if !register.is_gpr() || stack && register.full_register() == Register::RSP {
                continue;
            }
            let whole = register.size() >= 4;
            let (read, write) = match used.access() {
                OpAccess::Read | OpAccess::CondRead => (true, false),
                OpAccess::Write => (false, true),
                OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
                _ => (false, false),
            };
            if read && operand(register) {
                reads.push((number(register), whole));
            }
            if write {
                writes.push((number(register), whole));
            }
        }
        let constant = (0..inst.op_count()).any(|n| {
            matches!(
                inst.op_kind(n),
                OpKind::Immediate8 | OpKind::Immediate8to32 | OpKind::Immediate32
            )
        });
        let escaped = matches!(inst.mnemonic(), Mnemonic::Movzx | Mnemonic::Bswap);
        Self {
            form,
            indexed: address.len() == 2,
            scaled: address.len() == 1 && inst.memory_index_scale() > 1,
            address,
            reads,
            writes,
            prefixes: encoded.iter().take_while(is_prefix).count() as u32,
            bytes,
            escaped,
            both: constant && inst_has_memory(inst) && inst.memory_displ_size() > 0,
            next: None,
        }
    }

    /// Whether it must not begin together with one before it, for the registers that they share.
    pub(super) fn waits_for(&self, first: &Self) -> bool {
        first.writes.iter().any(|(register, _)| {
            self.address.contains(register)
                || self.reads.iter().chain(&self.writes).any(|(other, _)| other == register)
        })
    }
}

fn inst_has_memory(inst: &Instruction) -> bool {
    (0..inst.op_count()).any(|n| inst.op_kind(n) == OpKind::Memory)
}

/// # Panics
/// If old processors do not have it.
fn form(inst: &Instruction) -> InOrderClass {
    let memory = |n: u32| inst.op_count() > n && inst.op_kind(n) == OpKind::Memory;
    let one =
        inst.op_count() > 1 && inst.op1_kind() == OpKind::Immediate8 && inst.immediate8() == 1;
    match inst.mnemonic() {
        Mnemonic::Mov if memory(0) => InOrderClass::Store,
        Mnemonic::Mov if memory(1) => InOrderClass::Load,
        Mnemonic::Mov => InOrderClass::Move,
        Mnemonic::Cmp | Mnemonic::Test if memory(0) || memory(1) => InOrderClass::AluLoad,
        Mnemonic::Xor if memory(1) => InOrderClass::XorLoad,
        Mnemonic::Xor
        | Mnemonic::And
        | Mnemonic::Or
        | Mnemonic::Add
        | Mnemonic::Sub
        | Mnemonic::Cmp
        | Mnemonic::Test
        | Mnemonic::Inc
        | Mnemonic::Dec => match (memory(0), memory(1)) {
            (true, _) => InOrderClass::AluStore,
            (_, true) => InOrderClass::AluLoad,
            _ => InOrderClass::Alu,
        },
        Mnemonic::Not => InOrderClass::Not,
        Mnemonic::Shl | Mnemonic::Shr | Mnemonic::Sar if one => InOrderClass::ShiftOne,
        Mnemonic::Shl | Mnemonic::Shr | Mnemonic::Sar => InOrderClass::Shift,
        Mnemonic::Rol | Mnemonic::Ror if one => InOrderClass::RotateOne,
        Mnemonic::Rol | Mnemonic::Ror => InOrderClass::Rotate,
        Mnemonic::Movzx if memory(1) => InOrderClass::ExtendLoad,
        Mnemonic::Movzx => InOrderClass::Extend,
        Mnemonic::Bswap => InOrderClass::Swap,
        Mnemonic::Lea => InOrderClass::Address,
        Mnemonic::Push => InOrderClass::Push,
        Mnemonic::Pop => InOrderClass::Pop,
        Mnemonic::Ret | Mnemonic::Retf => InOrderClass::Return,
        Mnemonic::Je | Mnemonic::Jne => InOrderClass::Branch,
        Mnemonic::Jmp => InOrderClass::Jump,
        other => panic!("{other:?} is not of the first processors"),
    }
}
