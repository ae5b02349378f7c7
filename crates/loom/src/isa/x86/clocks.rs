//! The clocks of a line on a processor that does instructions in order, one at a time or two that pair:
//! an exact sum of what its costs say.
//!
//! Caches hit, and branches are foreseen as far as the processor foresees any.

use iced_x86::{
    Encoder, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
};

use super::X86;
use super::costs::Form;
use crate::isa::costs::{Bus, InOrder};
use crate::isa::program::{Line, Program};
use crate::isa::timing::InOrderSums;

/// The instructions of a program, by its lines; none for lines that are no instructions.
pub(super) struct Steps(Vec<Option<Step>>);

impl InOrderSums for Steps {
    fn clocks(&self, lines: &[usize], costs: &InOrder) -> u32 {
        clocks(lines, &self.0, costs)
    }

    fn prefixes(&self, lines: &[usize]) -> u32 {
        lines.iter().filter_map(|&line| self.0[line].as_ref()).map(|step| step.prefixes).sum()
    }

    fn bus(&self, lines: &[usize], costs: &Bus) -> f64 {
        bus(lines, &self.0, costs)
    }
}

/// What an instruction means to the pipes.
#[derive(Clone, Debug)]
struct Step {
    form: Form,
    /// Registers, by number, that an address is made of.
    address: Vec<usize>,
    /// Others that it reads, and whether the whole of each.
    reads: Vec<(usize, bool)>,
    /// Those that it writes, and whether the whole of each.
    writes: Vec<(usize, bool)>,
    /// Whether an index stands beside a base.
    indexed: bool,
    /// Whether the only register of an address is scaled.
    scaled: bool,
    /// Its prefixes: those of the sizes of operands and addresses, and of segments.
    prefixes: u32,
    /// How many bytes it has.
    bytes: u32,
    /// Whether the operation is one of two bytes, and no branch.
    escaped: bool,
    /// Whether a constant stands beside a displacement.
    both: bool,
    /// The line of the next instruction in the program.
    next: Option<usize>,
}

/// Registers.
const REGISTERS: usize = 16;

impl Steps {
    /// # Panics
    /// If there are instructions that old processors do not have.
    pub(super) fn of(program: &Program<X86>) -> Self {
        let mut factory = InstructionInfoFactory::new();
        let mut encoder = Encoder::new(program.isa.mode.bits());
        let mut steps: Vec<Option<Step>> = program
            .lines
            .iter()
            .map(|line| match line {
                Line::Inst(inst) => Some(Step::new(inst, &mut factory, &mut encoder)),
                Line::Label(_) | Line::Align(_) | Line::Comment(_) => None,
            })
            .collect();
        let mut next = None;
        for (n, step) in steps.iter_mut().enumerate().rev() {
            if let Some(step) = step {
                step.next = next;
                next = Some(n);
            }
        }
        Self(steps)
    }
}

impl Step {
    fn new(
        inst: &Instruction,
        factory: &mut InstructionInfoFactory,
        encoder: &mut Encoder,
    ) -> Self {
        let form = form(inst);
        let bytes = encoder.encode(inst, 0).expect("an instruction that can be encoded") as u32;
        let encoded = encoder.take_buffer();
        let is_prefix = |byte: &&u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x64..=0x67);
        let stack = matches!(form, Form::Push | Form::Pop | Form::Return);
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
    fn waits_for(&self, first: &Self) -> bool {
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
fn form(inst: &Instruction) -> Form {
    let memory = |n: u32| inst.op_count() > n && inst.op_kind(n) == OpKind::Memory;
    let one =
        inst.op_count() > 1 && inst.op1_kind() == OpKind::Immediate8 && inst.immediate8() == 1;
    match inst.mnemonic() {
        Mnemonic::Mov if memory(0) => Form::Store,
        Mnemonic::Mov if memory(1) => Form::Load,
        Mnemonic::Mov => Form::Move,
        Mnemonic::Cmp | Mnemonic::Test if memory(0) || memory(1) => Form::AluLoad,
        Mnemonic::Xor if memory(1) => Form::XorLoad,
        Mnemonic::Xor
        | Mnemonic::And
        | Mnemonic::Or
        | Mnemonic::Add
        | Mnemonic::Sub
        | Mnemonic::Cmp
        | Mnemonic::Test
        | Mnemonic::Inc
        | Mnemonic::Dec => match (memory(0), memory(1)) {
            (true, _) => Form::AluStore,
            (_, true) => Form::AluLoad,
            _ => Form::Alu,
        },
        Mnemonic::Not => Form::Not,
        Mnemonic::Shl | Mnemonic::Shr | Mnemonic::Sar if one => Form::ShiftOne,
        Mnemonic::Shl | Mnemonic::Shr | Mnemonic::Sar => Form::Shift,
        Mnemonic::Rol | Mnemonic::Ror if one => Form::RotateOne,
        Mnemonic::Rol | Mnemonic::Ror => Form::Rotate,
        Mnemonic::Movzx if memory(1) => Form::ExtendLoad,
        Mnemonic::Movzx => Form::Extend,
        Mnemonic::Bswap => Form::Swap,
        Mnemonic::Lea => Form::Address,
        Mnemonic::Push => Form::Push,
        Mnemonic::Pop => Form::Pop,
        Mnemonic::Ret | Mnemonic::Retf => Form::Return,
        Mnemonic::Je | Mnemonic::Jne => Form::Branch,
        Mnemonic::Jmp => Form::Jump,
        other => panic!("{other:?} is not of the first processors"),
    }
}

/// When a register was written last, in clocks.
#[derive(Clone, Copy, Default)]
struct Ready {
    at: u32,
    /// Whether what was written is a part of it.
    part: bool,
}

/// The clocks of the lines, in the order in which they are done.
fn clocks(lines: &[usize], steps: &[Option<Step>], costs: &InOrder) -> u32 {
    let mut ready = [Ready::default(); REGISTERS];
    let mut now = 0;
    let mut rest = lines.iter().filter_map(|&line| Some((line, steps[line].as_ref()?))).peekable();
    while let Some((_, first)) = rest.next() {
        let begin = start(first, now, &ready, costs);
        let taken = |step: &Step, next: Option<usize>| {
            matches!(step.form, Form::Branch | Form::Jump) && next.is_some() && next != step.next
        };
        let after = rest.peek().map(|(line, _)| *line);
        let own = length(first, costs) + if taken(first, after) { costs.taken.clocks } else { 0 };
        let mut end = begin + own;
        put(first, end, &mut ready);
        let row = costs.of(first.form.class());
        let pairs = |second: &Step| {
            row.pairing.with(costs.of(second.form.class()).pairing)
                && !(first.both || second.both || second.prefixes > 0 || second.escaped)
                && !second.waits_for(first)
        };
        if let Some((_, second)) = rest.next_if(|(_, second)| pairs(second)) {
            // It shares no register with the first one, so what that wrote does not matter.
            let start = start(second, begin, &ready, costs);
            let after = rest.peek().map(|(line, _)| *line);
            let more = if taken(second, after) { costs.taken.clocks } else { 0 };
            let length = length(second, costs) + more;
            // Of two that read and write memory one does after the other what it can.
            let both = [first.form, second.form];
            let crowded = both.contains(&Form::AluStore)
                && both
                    .iter()
                    .all(|form| matches!(form, Form::AluStore | Form::AluLoad | Form::XorLoad));
            end = if crowded { start + own + length - 1 } else { end.max(start + length) };
            put(second, end, &mut ready);
        }
        now = end;
    }
    now
}

/// The clocks for which the bus is busy with the lines, code and data, where there is no cache.
fn bus(lines: &[usize], steps: &[Option<Step>], costs: &Bus) -> f64 {
    let steps = lines.iter().filter_map(|&line| steps[line].as_ref());
    let each = |step: &Step| {
        let accesses = match step.form {
            Form::Load | Form::AluLoad | Form::XorLoad | Form::ExtendLoad | Form::Store => 1,
            Form::Push | Form::Pop | Form::Return => 1,
            Form::AluStore => 2,
            _ => 0,
        };
        f64::from(step.bytes) / f64::from(costs.bytes) + f64::from(accesses)
    };
    steps.map(each).sum::<f64>() * f64::from(costs.access)
}

/// When an instruction can begin.
fn start(step: &Step, now: u32, ready: &[Ready; REGISTERS], costs: &InOrder) -> u32 {
    let partial = |at: Ready| if at.part { costs.partial.clocks } else { 0 };
    let address = step.address.iter().map(|&register| {
        let at = ready[register];
        // What was written before the first clock is long there.
        if at.at == 0 { 0 } else { at.at + costs.address.clocks + partial(at) }
    });
    let whole = step.reads.iter().filter(|(_, whole)| *whole).map(|&(register, _)| {
        let at = ready[register];
        at.at + partial(at)
    });
    address.chain(whole).fold(now, u32::max)
}

fn length(step: &Step, costs: &InOrder) -> u32 {
    costs.of(step.form.class()).clocks
        + if step.indexed { costs.index.clocks } else { 0 }
        + if step.scaled { costs.scaled.clocks } else { 0 }
        + costs.prefix.clocks * step.prefixes
        + if step.escaped { costs.escape.clocks } else { 0 }
        + if step.both { costs.constant_and_displacement.clocks } else { 0 }
}

fn put(step: &Step, end: u32, ready: &mut [Ready; REGISTERS]) {
    for &(register, whole) in &step.writes {
        ready[register] = Ready { at: end, part: !whole };
    }
}

#[cfg(test)]
mod tests {
    use Register::{AH, AL, BL, BP, CL, EAX, EBX, ECX, EDX, ESI, SI};
    use iced_x86::{Code, MemoryOperand};

    use super::*;
    use crate::isa::costs::Cpu;
    use crate::isa::x86::X86_32;
    use crate::isa::{Features, Isa, RegSet};

    fn mov(to: Register, from: Register) -> Instruction {
        Instruction::with2(Code::Mov_rm32_r32, to, from).unwrap()
    }

    fn byte(to: Register, from: Register) -> Instruction {
        Instruction::with2(Code::Mov_rm8_r8, to, from).unwrap()
    }

    fn add(to: Register, from: Register) -> Instruction {
        Instruction::with2(Code::Add_rm32_r32, to, from).unwrap()
    }

    fn at(base: Register) -> MemoryOperand {
        MemoryOperand::with_base(base)
    }

    fn load(to: Register, base: Register) -> Instruction {
        Instruction::with2(Code::Mov_r32_rm32, to, at(base)).unwrap()
    }

    fn add_load(to: Register, base: Register) -> Instruction {
        Instruction::with2(Code::Add_r32_rm32, to, at(base)).unwrap()
    }

    fn add_store(base: Register, from: Register) -> Instruction {
        Instruction::with2(Code::Add_rm32_r32, at(base), from).unwrap()
    }

    fn by(code: Code, register: Register, constant: u32) -> Instruction {
        Instruction::with2(code, register, constant).unwrap()
    }

    fn one(code: Code, register: Register) -> Instruction {
        Instruction::with1(code, register).unwrap()
    }

    /// The clocks of instructions in a row.
    fn of(cpu: &str, insts: &[Instruction]) -> u32 {
        let lines: Vec<Line<Instruction>> = insts.iter().copied().map(Line::Inst).collect();
        let program = Program {
            isa: X86::new(&X86_32, Features::NONE),
            lines,
            labels: Vec::new(),
            stack: 0,
            scratch: RegSet::EMPTY,
            each: None,
        };
        let all: Vec<usize> = (0..insts.len()).collect();
        let costs = Cpu::by_name(cpu).unwrap().in_order().unwrap();
        Steps::of(&program).clocks(&all, costs)
    }

    fn pentium(insts: &[Instruction]) -> u32 {
        of("pentium", insts)
    }

    #[test]
    fn what_is_independent_pairs() {
        assert_eq!(pentium(&[mov(EAX, EBX), mov(ECX, EDX)]), 1);
        assert_eq!(pentium(&[load(EAX, ESI), add(ECX, EDX)]), 1);
        // A result that the second one reads, or writes over, is waited for; the other way round not.
        assert_eq!(pentium(&[mov(EAX, EBX), add(ECX, EAX)]), 2);
        assert_eq!(pentium(&[mov(EAX, EBX), mov(EAX, ECX)]), 2);
        assert_eq!(pentium(&[mov(EAX, EBX), mov(EBX, ECX)]), 1);
        // Parts of one register are one register.
        assert_eq!(pentium(&[byte(AL, BL), byte(AH, CL)]), 2);
        assert_eq!(pentium(&[byte(AL, CL), byte(BL, CL)]), 1);
    }

    #[test]
    fn some_begin_in_one_pipe_only() {
        let shift = by(Code::Shr_rm32_imm8, EAX, 8);
        assert_eq!(pentium(&[shift, mov(ECX, EDX)]), 1);
        assert_eq!(pentium(&[mov(ECX, EDX), shift]), 2);
        let rotate = by(Code::Rol_rm32_imm8, EAX, 4);
        assert_eq!(pentium(&[rotate, mov(ECX, EDX)]), 2);
        assert_eq!(pentium(&[mov(ECX, EDX), rotate]), 2);
        let rotate = by(Code::Rol_rm32_1, EAX, 1);
        assert_eq!(pentium(&[rotate, mov(ECX, EDX)]), 1);
        assert_eq!(pentium(&[one(Code::Not_rm32, EAX), mov(ECX, EDX)]), 2);
        // Two-byte operations take a clock to decode.
        assert_eq!(pentium(&[one(Code::Bswap_r32, EAX), mov(ECX, EDX)]), 3);
        let extend = Instruction::with2(Code::Movzx_r32_rm8, EAX, BL).unwrap();
        assert_eq!(pentium(&[extend, mov(ECX, EDX)]), 5);
        // A prefix takes one, too, and begins in the U pipe.
        let halves = by(Code::Rol_rm16_imm8, SI, 8);
        assert_eq!(pentium(&[halves]), 2);
        let narrow = Instruction::with2(Code::Mov_rm16_r16, BP, SI).unwrap();
        assert_eq!(pentium(&[mov(ECX, EDX), narrow]), 3);
        assert_eq!(pentium(&[narrow, mov(ECX, EDX)]), 2);
    }

    #[test]
    fn constants_beside_displacements_do_not_pair() {
        let place = |displacement| MemoryOperand::with_base_displ_size(ESI, displacement, 1);
        let store = |displacement| {
            let place = if displacement == 0 { at(ESI) } else { place(displacement) };
            Instruction::with2(Code::Mov_rm32_imm32, place, 1u32).unwrap()
        };
        assert_eq!(pentium(&[store(0), mov(ECX, EDX)]), 1);
        assert_eq!(pentium(&[store(4), mov(ECX, EDX)]), 2);
        assert_eq!(of("486", &[store(4)]), of("486", &[store(0)]) + 1);
    }

    #[test]
    fn branches_pair_as_the_second_one() {
        let compare = Instruction::with2(Code::Cmp_rm32_r32, EAX, EBX).unwrap();
        let branch = Instruction::with_branch(Code::Jne_rel32_32, 1).unwrap();
        assert_eq!(pentium(&[compare, branch]), 1);
        assert_eq!(pentium(&[branch, compare]), 2);
        let push = |register| one(Code::Push_r32, register);
        assert_eq!(pentium(&[push(EAX), push(EBX)]), 1);
    }

    #[test]
    fn arithmetic_with_memory_takes_longer() {
        assert_eq!(pentium(&[add_load(EAX, ESI)]), 2);
        assert_eq!(pentium(&[add_load(EAX, ESI), add_load(EBX, ESI)]), 2);
        assert_eq!(pentium(&[add_load(EAX, ESI), mov(EBX, ECX)]), 2);
        assert_eq!(pentium(&[add_store(ESI, EAX)]), 3);
        assert_eq!(pentium(&[add_store(ESI, EAX), add_store(EBX, ECX)]), 5);
        assert_eq!(pentium(&[add_load(EAX, ESI), add_store(EBX, ECX)]), 4);
    }

    #[test]
    fn addresses_wait_for_results() {
        assert_eq!(pentium(&[mov(EAX, EBX), load(ECX, EAX)]), 3);
        // One clock between them is enough, and two instructions fit into it.
        let between = [add(EDX, EBX), add(ESI, EBX)];
        assert_eq!(pentium(&[mov(EAX, EBX), add(EDX, ESI), between[0], load(ECX, EAX)]), 3);
        assert_eq!(of("486", &[mov(EAX, EBX), load(ECX, EAX)]), 3);
        assert_eq!(of("486", &[mov(EAX, EBX), between[0], load(ECX, EAX)]), 3);
        assert_eq!(of("386", &[mov(EAX, EBX), load(ECX, EAX)]), 6);
    }

    #[test]
    fn whole_registers_wait_for_parts() {
        // As published for the 486: both penalties, of which one instruction between saves one.
        let [first, part, use_] = [add(ECX, EDX), byte(BL, AL), load(EAX, EBX)];
        assert_eq!(of("486", &[first, part, use_]), 5);
        assert_eq!(of("486", &[first, part, add(ESI, EDX), use_]), 5);
        assert_eq!(of("486", &[byte(BL, AL), add(ECX, EBX)]), 3);
        assert_eq!(of("386", &[byte(BL, AL), add(ECX, EBX)]), 5);
        assert_eq!(pentium(&[byte(BL, AL), add(ECX, EBX)]), 2);
        // A part alone is not waited for.
        assert_eq!(of("486", &[byte(BL, AL), byte(CL, BL)]), 2);
    }

    #[test]
    fn indices_and_prefixes_take_clocks() {
        let indexed = MemoryOperand::with_base_index(EBX, ESI);
        let indexed = Instruction::with2(Code::Mov_r32_rm32, EAX, indexed).unwrap();
        let scaled = MemoryOperand::with_index_scale_displ_size(ESI, 4, 64, 4);
        let scaled = Instruction::with2(Code::Mov_r32_rm32, EAX, scaled).unwrap();
        assert_eq!(["386", "486", "pentium"].map(|cpu| of(cpu, &[scaled])), [4, 2, 1]);
        assert_eq!(["386", "486", "pentium"].map(|cpu| of(cpu, &[indexed])), [5, 2, 1]);
        let halves = by(Code::Rol_rm16_imm8, SI, 8);
        assert_eq!(["386", "486"].map(|cpu| of(cpu, &[halves])), [3, 3]);
    }

    #[test]
    fn taken_branches_take_more() {
        let branch = Instruction::with_branch(Code::Jne_rel32_32, 1).unwrap();
        let insts = [mov(EAX, EBX), branch];
        let lines: Vec<Line<Instruction>> = insts.into_iter().map(Line::Inst).collect();
        let program = Program {
            isa: X86::new(&X86_32, Features::NONE),
            lines,
            labels: Vec::new(),
            stack: 0,
            scratch: RegSet::EMPTY,
            each: None,
        };
        let steps = Steps::of(&program);
        let twice = |cpu: &str| {
            let costs = Cpu::by_name(cpu).unwrap().in_order().unwrap();
            steps.clocks(&[0, 1, 0, 1], costs)
        };
        // The last branch falls through.
        assert_eq!(["386", "486", "pentium"].map(twice), [2 + 9 + 2 + 3, 1 + 3 + 1 + 1, 2]);
    }
}
