//! Taint analysis of machine code, for constant time: which instructions have an address, or branch, that
//! depends on a secret.
//!
//! Secret is what lies behind a pointer parameter that is not public, and all that is computed from
//! it; pointers and counts themselves are public. It is followed through registers, flags and the
//! stack, along every branch, until nothing new is found. What is not understood counts as secret,
//! so that only a kernel that keeps to plain forms is found clean.
//!
//! This looks at bytes. What the description says of itself is
//! [`Kernel::leaks`](crate::ir::Kernel::leaks), which shares no code with it.

mod state;

use std::collections::HashMap;

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, OpAccess, Register,
};

use crate::ir::{Access, Param};
use crate::isa::frame::Abi;
use crate::isa::leak::{Leak, What};
use crate::isa::x86::Mode;
use state::{Holder, Points, State, Value};

/// The leaks of a kernel: its code without the no-operations behind it, its parameters, and how it
/// is called.
///
/// # Panics
/// If there are more parameters than the ABI has registers for, of one that has any.
#[must_use]
pub fn leaks(code: &[u8], params: &[Param], abi: &Abi) -> Vec<Leak> {
    let in_registers = abi.arguments.len();
    assert!(in_registers == 0 || params.len() <= in_registers, "parameters in both places");
    let bits = Mode::of(abi.target).bits();
    let decoder = Decoder::with_ip(bits, code, 0, DecoderOptions::NONE);
    let instructions: Vec<Instruction> = decoder.into_iter().collect();
    let numbers: HashMap<u64, usize> =
        instructions.iter().enumerate().map(|(n, inst)| (inst.ip(), n)).collect();
    let mut analysis = Analysis { params, factory: InstructionInfoFactory::new() };
    let mut before: Vec<Option<State>> = vec![None; instructions.len()];
    let mut waiting = Vec::new();
    if let Some(first) = before.first_mut() {
        *first = Some(State::at_entry(params, abi));
        waiting.push(0);
    }
    while let Some(n) = waiting.pop() {
        let inst = &instructions[n];
        let Some(mut state) = before[n].clone() else { continue };
        analysis.step(inst, &mut state);
        let next = (inst.flow_control() != FlowControl::UnconditionalBranch
            && inst.flow_control() != FlowControl::Return)
            .then_some(n + 1);
        let target = numbers.get(&inst.near_branch_target()).copied();
        let target = target.filter(|_| inst.is_jcc_short_or_near() || inst.is_jmp_short_or_near());
        for to in next.into_iter().chain(target).filter(|&to| to < instructions.len()) {
            let known = match &before[to] {
                None => state.clone(),
                Some(known) => known.join(&state),
            };
            if before[to].as_ref() != Some(&known) {
                before[to] = Some(known);
                waiting.push(to);
            }
        }
    }
    let reached = instructions.iter().zip(&before);
    reached
        .filter_map(|(inst, state)| {
            let what = analysis.shows(inst, state.as_ref()?)?;
            Some(Leak { at: inst.ip() as usize, what, instruction: inst.to_string() })
        })
        .collect()
}

struct Analysis<'a> {
    params: &'a [Param],
    factory: InstructionInfoFactory,
}

impl Analysis<'_> {
    /// What an instruction shows of a secret, by what is known before it.
    fn shows(&mut self, inst: &Instruction, state: &State) -> Option<What> {
        let known = matches!(
            inst.flow_control(),
            FlowControl::Next
                | FlowControl::UnconditionalBranch
                | FlowControl::ConditionalBranch
                | FlowControl::Return
        ) && !inst.is_jmp_near_indirect();
        if !known || inst.is_invalid() {
            return Some(What::Unknown);
        }
        if inst.is_jcc_short_or_near() && state.get(Holder::Flags).secret {
            return Some(What::Branch);
        }
        let secret = |register: Register| {
            register != Register::None
                && register != Register::RIP
                && state.get(Holder::register(register)).secret
        };
        let info = self.factory.info(inst);
        let mut places = info.used_memory().iter();
        places
            .any(|memory| secret(memory.base()) || secret(memory.index()))
            .then_some(What::Address)
    }

    /// What is known after an instruction.
    fn step(&mut self, inst: &Instruction, state: &mut State) {
        let info = self.factory.info(inst).clone();
        let mut result = Value::PUBLIC;
        for register in info.used_registers() {
            let merges = register.register().size() < 4;
            let reads = match register.access() {
                OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite => true,
                OpAccess::ReadCondWrite | OpAccess::CondWrite => true,
                OpAccess::Write => merges,
                _ => false,
            };
            if reads && register.register().full_register() != Register::RSP {
                result.secret |= state.get(Holder::register(register.register())).secret;
            }
        }
        for memory in info.used_memory() {
            let reads = !matches!(memory.access(), OpAccess::Write | OpAccess::NoMemAccess);
            if reads {
                let place = state.stack_place(memory);
                result.secret |= match (place, self.points(inst, memory.base(), state)) {
                    (Some(place), _) => state.get(place).secret,
                    (None, Some(Points::Tables)) => false,
                    (None, Some(Points::Param(n))) => self.is_secret(n),
                    (None, None) => true,
                };
            }
        }
        if inst.rflags_read() != 0 {
            result.secret |= state.get(Holder::Flags).secret;
        }
        if state::is_constant(inst) {
            result = Value::PUBLIC;
        }
        result.points = self.result_points(inst, state);
        // A pop takes from where the stack pointer is now, a push puts where it will be.
        let popped = state.popped(inst);
        state.move_stack(inst);
        for memory in info.used_memory() {
            if memory.access() != OpAccess::Read
                && let Some(place) = state.written_place(inst, memory)
            {
                state.set(place, result);
            }
        }
        for register in info.used_registers() {
            let whole = register.register().full_register();
            let writes = !matches!(register.access(), OpAccess::Read | OpAccess::CondRead);
            if writes && whole != Register::RSP {
                state.set(Holder::Register(whole), popped.unwrap_or(result));
            }
        }
        if inst.rflags_modified() != 0 {
            state.set(Holder::Flags, Value { points: None, ..result });
        }
    }

    fn is_secret(&self, param: usize) -> bool {
        let Param { public, memory, .. } = &self.params[param];
        !(*public && matches!(memory, Some((Access::Read, _))))
    }

    /// What the base of a memory operand points to.
    fn points(&self, inst: &Instruction, base: Register, state: &State) -> Option<Points> {
        if inst.is_ip_rel_memory_operand() {
            return Some(Points::Tables);
        }
        (base != Register::None).then(|| state.get(Holder::register(base)).points).flatten()
    }

    /// What the result points to: pointers are copied, moved by numbers, and kept on the stack.
    fn result_points(&self, inst: &Instruction, state: &State) -> Option<Points> {
        use iced_x86::{Mnemonic, OpKind};
        let operand = |n: u32| match inst.op_kind(n) {
            OpKind::Register => Some(Holder::register(inst.op_register(n))),
            OpKind::Memory => state.operand_place(inst),
            _ => None,
        };
        match inst.mnemonic() {
            Mnemonic::Lea => self.points(inst, inst.memory_base(), state),
            Mnemonic::Mov => state.get(operand(1)?).points,
            Mnemonic::Add | Mnemonic::Sub if inst.op_kind(1) != OpKind::Register => {
                state.get(operand(0)?).points
            }
            Mnemonic::Push => state.get(operand(0)?).points,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Builder, Extent, Type};
    use crate::isa::x86::conventions::SYSV64;
    use iced_x86::{
        BlockEncoder, BlockEncoderOptions, Code, InstructionBlock, MemoryOperand,
        Register::{EAX, R8, R9, RAX, RBX, RCX, RDI, RDX, RSI, RSP, XMM1, ZMM0, ZMM1, ZMM2},
    };

    /// A branch leads to the number of an instruction.
    fn found(code: &[Result<Instruction, iced_x86::IcedError>]) -> Vec<What> {
        let mut b = Builder::new("k", "K.");
        b.pointer("secret", Access::ReadWrite, Extent::Fixed(64), "a secret");
        let public = b.pointer("public", Access::Read, Extent::Fixed(64), "known to all");
        b.public(public);
        b.word("count", Type::W64, "how often");
        let params = b.finish().params;
        let mut code: Vec<Instruction> =
            code.iter().map(|inst| *inst.as_ref().expect("an instruction")).collect();
        code.push(Instruction::with(Code::Retnq));
        (0..).zip(&mut code).for_each(|(n, inst)| inst.set_ip(n));
        let block = InstructionBlock::new(&code, 0);
        let bytes = BlockEncoder::encode(64, block, BlockEncoderOptions::NONE).unwrap();
        leaks(&bytes.code_buffer, &params, &SYSV64).into_iter().map(|leak| leak.what).collect()
    }

    fn load(to: Register, from: Register) -> Result<Instruction, iced_x86::IcedError> {
        Instruction::with2(Code::Mov_r64_rm64, to, MemoryOperand::with_base(from))
    }

    fn slot() -> MemoryOperand {
        MemoryOperand::with_base_displ(RSP, -8)
    }

    #[test]
    fn an_address_from_a_secret_is_found() {
        let through = |index| {
            let place = MemoryOperand::with_base_index_scale(RSI, index, 8);
            let vector = Instruction::with2(Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512, ZMM0, place);
            found(&[load(RAX, RDI), load(RCX, RSI), vector])
        };
        assert_eq!(through(RAX), [What::Address]);
        assert_eq!(through(RCX), []);
        assert_eq!(through(RDX), []);
        assert_eq!(through(R9), [What::Address], "what nobody passed is not known");
    }

    #[test]
    fn secrets_go_through_vectors_the_stack_and_loops() {
        let place = MemoryOperand::with_base_index(RSI, RAX);
        let secret = MemoryOperand::with_base(RBX);
        let all = found(&[
            Instruction::with1(Code::Push_r64, RBX),
            Instruction::with2(Code::Mov_r64_rm64, RBX, RDI),
            Instruction::with2(Code::Xor_r32_rm32, EAX, EAX),
            Instruction::with2(Code::Mov_r64_rm64, RCX, place),
            Instruction::with2(Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512, ZMM1, secret),
            Instruction::with3(Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64, ZMM2, ZMM1, ZMM1),
            Instruction::with2(Code::VEX_Vmovq_rm64_xmm, R8, XMM1),
            Instruction::with2(Code::Mov_rm64_r64, slot(), R8),
            Instruction::with2(Code::Mov_r64_rm64, RAX, slot()),
            Instruction::with2(Code::Add_rm64_imm8, RBX, 8),
            Instruction::with1(Code::Dec_rm64, RDX),
            Instruction::with_branch(Code::Jne_rel32_64, 3),
            Instruction::with1(Code::Pop_r64, RBX),
        ]);
        // Only the second time around the address is secret.
        assert_eq!(all, [What::Address]);
    }

    #[test]
    fn a_branch_on_a_secret_is_found_and_one_on_a_count_is_not() {
        let on = |register| {
            found(&[
                load(RAX, RDI),
                Instruction::with2(Code::Test_rm64_r64, register, register),
                Instruction::with_branch(Code::Je_rel32_64, 4),
                Instruction::with2(Code::Xor_r32_rm32, EAX, EAX),
            ])
        };
        assert_eq!(on(RAX), [What::Branch]);
        assert_eq!(on(RDX), []);
    }

    #[test]
    fn what_is_wiped_is_no_secret_and_calls_are_not_known() {
        let found = found(&[
            load(RAX, RDI),
            Instruction::with2(Code::Xor_r32_rm32, EAX, EAX),
            load(RCX, RAX),
            Instruction::with1(Code::Call_rm64, RCX),
        ]);
        assert_eq!(found, [What::Unknown]);
    }
}
