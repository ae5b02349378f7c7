//! What finished instructions of x86 read, write and cost.

use iced_x86::{
    Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, UsedMemory,
};

use super::costs::SchedulingClass;
use super::{VECTOR_0, X86};
use crate::isa::program::{LabelKind, Line, Program};
use crate::isa::timing::{Cost, Flow, Resource};

/// The place of flags among registers.
const FLAGS: Resource = Resource::register(VECTOR_0 + 32);
/// The first of masks.
const MASK_0: u8 = VECTOR_0 + 33;

fn place(register: Register) -> Resource {
    if register.is_k() {
        return Resource::register(MASK_0 + register.number() as u8);
    }
    let vector = if register.is_vector_register() { VECTOR_0 } else { 0 };
    Resource::register(vector + register.full_register().number() as u8)
}

/// The steps of a program; branches that are rarely taken are not.
pub(super) fn flow(program: &Program<X86>) -> Vec<(usize, Flow)> {
    let kind = |label: usize| program.labels[label - 1];
    let flow = |line: &Line<Instruction>| match line {
        Line::Label(label) if kind(*label) == LabelKind::Again => Some(Flow::Top(*label)),
        Line::Label(label) => Some(Flow::Label(*label)),
        Line::Inst(inst) if inst.mnemonic() == Mnemonic::Ret => Some(Flow::Return),
        Line::Inst(inst) if inst.is_jcc_short_or_near() => {
            let label = inst.near_branch64() as usize;
            Some(match kind(label) {
                LabelKind::Again => Flow::Again(label),
                LabelKind::Done => Flow::Around(label),
                LabelKind::Rare | LabelKind::Back | LabelKind::Here => Flow::Do,
            })
        }
        Line::Inst(_) => Some(Flow::Do),
        Line::Align(_) | Line::Comment(_) => None,
    };
    let lines = program.lines.iter().enumerate();
    lines.filter_map(|(n, line)| flow(line).map(|flow| (n, flow))).collect()
}

/// The costs of a program's lines; none for those that are no instructions.
pub(super) fn costs(program: &Program<X86>) -> Vec<Option<Cost>> {
    let mut factory = InstructionInfoFactory::new();
    let mut slots = Vec::new();
    let mut costs: Vec<Option<Cost>> = program
        .lines
        .iter()
        .map(|line| match line {
            Line::Inst(inst) => Some(cost(inst, &mut factory, &mut slots)),
            Line::Label(_) | Line::Align(_) | Line::Comment(_) => None,
        })
        .collect();
    for (n, pair) in program.lines.windows(2).enumerate() {
        if let [Line::Inst(first), Line::Inst(second)] = pair
            && let Some(cost) = &mut costs[n]
        {
            let compares =
                matches!(first.mnemonic(), Mnemonic::Cmp | Mnemonic::Test | Mnemonic::Dec);
            cost.fused = compares && second.is_jcc_short_or_near() && !cost.loads;
        }
    }
    costs
}

fn cost(inst: &Instruction, factory: &mut InstructionInfoFactory, slots: &mut Vec<i64>) -> Cost {
    let info = factory.info(inst);
    let zeroes = matches!(
        inst.mnemonic(),
        Mnemonic::Xor | Mnemonic::Sub | Mnemonic::Pxor | Mnemonic::Pcmpeqd
    ) && inst.op1_kind() == OpKind::Register
        && inst.op0_register() == inst.op1_register();
    let computes_address = inst.mnemonic() == Mnemonic::Lea;
    let stack = |memory: &UsedMemory| memory.base() == Register::RSP;
    let (mut address, mut reads, mut writes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut loads, mut stores) = (false, false);
    let (mut whole_reads, mut part) = (Vec::new(), false);
    for memory in info.used_memory() {
        let [read, write] = access(memory.access());
        loads |= read;
        stores |= write;
        if stack(memory) {
            let slot = Resource::slot(memory.displacement() as i64, slots);
            reads.extend(read.then_some(slot));
            writes.extend(write.then_some(slot));
        } else {
            address.extend([memory.base(), memory.index()]);
        }
    }
    address.retain(|register| *register != Register::None && *register != Register::RIP);
    for register in info.used_registers() {
        let whole = register.register().full_register();
        let [read, write] = access(register.access());
        let is_address = !computes_address && address.contains(&whole) && !is_operand(inst, whole);
        // Moving the stack pointer is free in every processor here.
        if whole == Register::RSP || whole == Register::RIP {
            continue;
        }
        // A result of a byte leaves the rest of its register as it was.
        let merges = write && register.register().size() < 4;
        if (read || merges) && !zeroes && !is_address {
            reads.push(place(whole));
        }
        if read && !zeroes && !is_address && register.register().size() >= 4 {
            whole_reads.push(place(whole));
        }
        part |= merges;
        if write {
            writes.push(place(whole));
        }
    }
    if inst.rflags_read() != 0 {
        reads.push(FLAGS);
    }
    if inst.rflags_modified() != 0 {
        writes.push(FLAGS);
    }
    let class = kind(inst).map(SchedulingClass::class);
    let address = address.into_iter().map(place).collect();
    Cost {
        class,
        loads,
        stores,
        address,
        reads,
        writes,
        fused: false,
        whole: whole_reads,
        part,
        clears: zeroes,
    }
}
/// Whether a register is an operand of its own, and not only part of an address.
fn is_operand(inst: &Instruction, whole: Register) -> bool {
    (0..inst.op_count()).any(|n| {
        inst.op_kind(n) == OpKind::Register && inst.op_register(n).full_register() == whole
    })
}

/// Whether something is read, and written.
pub(super) fn access(access: OpAccess) -> [bool; 2] {
    match access {
        OpAccess::Read | OpAccess::CondRead => [true, false],
        OpAccess::Write => [false, true],
        OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => [true, true],
        _ => [false, false],
    }
}

/// What an instruction for vectors does.
///
/// # Panics
/// If it is not known.
fn vector_kind(inst: &Instruction) -> Option<SchedulingClass> {
    let wide = (0..inst.op_count())
        .any(|n| inst.op_kind(n) == OpKind::Register && inst.op_register(n).is_zmm());
    let by_width = |narrow, wider| Some(if wide { wider } else { narrow });
    let register = |n: u32| inst.op_kind(n) == OpKind::Register;
    match inst.mnemonic() {
        Mnemonic::Psllq | Mnemonic::Psrlq | Mnemonic::Vpsllq | Mnemonic::Vpsrlq => {
            by_width(SchedulingClass::VectorShift, SchedulingClass::WideShift)
        }
        Mnemonic::Movdqa | Mnemonic::Vmovdqa | Mnemonic::Vmovdqa64
            if register(0) && register(1) =>
        {
            Some(SchedulingClass::Copy)
        }
        Mnemonic::Movdqu | Mnemonic::Vmovdqu | Mnemonic::Vmovdqu64 => None,
        Mnemonic::Vmovq | Mnemonic::Movq | Mnemonic::Vmovd | Mnemonic::Movd
            if !register(0) || !register(1) =>
        {
            None
        }
        Mnemonic::Pshufb
        | Mnemonic::Punpcklbw
        | Mnemonic::Punpcklwd
        | Mnemonic::Punpckldq
        | Mnemonic::Punpckhwd
        | Mnemonic::Punpckhdq
        | Mnemonic::Punpckhqdq
        | Mnemonic::Vpunpcklwd
        | Mnemonic::Vpunpckldq
        | Mnemonic::Vpunpcklqdq
        | Mnemonic::Vpunpckhwd
        | Mnemonic::Vpunpckhdq
        | Mnemonic::Vpunpckhqdq => Some(SchedulingClass::Shuffle),
        Mnemonic::Vpshufb | Mnemonic::Vshufps => {
            by_width(SchedulingClass::Shuffle, SchedulingClass::WideShuffle)
        }
        Mnemonic::Vpinsrb => Some(SchedulingClass::Shuffle),
        Mnemonic::Vpalignr => by_width(SchedulingClass::Shuffle, SchedulingClass::WideShuffle),
        Mnemonic::Vperm2i128 | Mnemonic::Valignq => Some(SchedulingClass::Across),
        // Into a mask.
        Mnemonic::Vpcmpeqb if inst.op0_register().is_k() => Some(SchedulingClass::Across),
        Mnemonic::Vpermb => Some(SchedulingClass::Pick),
        Mnemonic::Vpermi2b => Some(SchedulingClass::PickTwo),
        Mnemonic::Vgf2p8affineqb | Mnemonic::Gf2p8affineqb => Some(SchedulingClass::Matrix),
        Mnemonic::Vpsadbw => Some(SchedulingClass::Distance),
        Mnemonic::Vpsignb => Some(SchedulingClass::Sign),
        Mnemonic::Vpbroadcastd | Mnemonic::Vpbroadcastq if !register(1) => None,
        Mnemonic::Movq | Mnemonic::Vmovq | Mnemonic::Movd | Mnemonic::Vmovd
            if !inst.op0_register().is_vector_register() =>
        {
            Some(SchedulingClass::FromVector)
        }
        Mnemonic::Movq
        | Mnemonic::Vmovq
        | Mnemonic::Movd
        | Mnemonic::Vmovd
        | Mnemonic::Vpbroadcastd
        | Mnemonic::Vpbroadcastq
        | Mnemonic::Pshufd
        | Mnemonic::Punpcklqdq => Some(SchedulingClass::Splat),
        Mnemonic::Pxor
        | Mnemonic::Pand
        | Mnemonic::Por
        | Mnemonic::Pandn
        | Mnemonic::Pcmpeqd
        | Mnemonic::Pcmpeqb
        | Mnemonic::Paddb
        | Mnemonic::Vpaddb
        | Mnemonic::Vpcmpeqb
        | Mnemonic::Vpblendmb
        | Mnemonic::Vpxor
        | Mnemonic::Vpand
        | Mnemonic::Vpor
        | Mnemonic::Vpandn
        | Mnemonic::Vpcmpeqd
        | Mnemonic::Vpxord
        | Mnemonic::Vpandd
        | Mnemonic::Vpord
        | Mnemonic::Vpandnd
        | Mnemonic::Vpxorq
        | Mnemonic::Vpandq
        | Mnemonic::Vporq
        | Mnemonic::Vpandnq => by_width(SchedulingClass::Vector, SchedulingClass::Wide),
        Mnemonic::Vpternlogd | Mnemonic::Vpternlogq => {
            by_width(SchedulingClass::Ternary, SchedulingClass::WideTernary)
        }
        other => panic!("no costs of {other:?}"),
    }
}

/// # Panics
/// If it is not known.
fn kind(inst: &Instruction) -> Option<SchedulingClass> {
    if (0..inst.op_count())
        .any(|n| inst.op_kind(n) == OpKind::Register && inst.op_register(n).is_vector_register())
    {
        return vector_kind(inst);
    }
    let register = |n: u32| inst.op_kind(n) == OpKind::Register;
    Some(match inst.mnemonic() {
        Mnemonic::Xor
        | Mnemonic::And
        | Mnemonic::Andn
        | Mnemonic::Or
        | Mnemonic::Add
        | Mnemonic::Sub
        | Mnemonic::Not
        | Mnemonic::Cmp
        | Mnemonic::Test
        | Mnemonic::Inc
        | Mnemonic::Dec => SchedulingClass::Logic,
        Mnemonic::Shl
        | Mnemonic::Shr
        | Mnemonic::Sar
        | Mnemonic::Rol
        | Mnemonic::Ror
        | Mnemonic::Rorx
        | Mnemonic::Shrx => SchedulingClass::Shift,
        Mnemonic::Bswap => SchedulingClass::Swap,
        Mnemonic::Pext | Mnemonic::Pdep => SchedulingClass::Bits,
        Mnemonic::Lea => SchedulingClass::Address,
        Mnemonic::Mov if register(0) && register(1) => SchedulingClass::Copy,
        Mnemonic::Mov if register(0) && inst.op1_kind() != OpKind::Memory => SchedulingClass::Logic,
        Mnemonic::Movzx if register(1) => match inst.op1_register() {
            Register::AH | Register::BH | Register::CH | Register::DH => SchedulingClass::High,
            src if src.size() > 1 || src.full_register() == inst.op0_register().full_register() => {
                SchedulingClass::Extend
            }
            _ => SchedulingClass::Low,
        },
        Mnemonic::Cmove => SchedulingClass::Select,
        Mnemonic::Je | Mnemonic::Jne | Mnemonic::Jmp => SchedulingClass::Select,
        Mnemonic::Vzeroupper => return None,
        // A call to the next instruction, by which code learns where it is.
        Mnemonic::Call => return None,
        Mnemonic::Mov | Mnemonic::Movzx | Mnemonic::Push | Mnemonic::Pop | Mnemonic::Ret => {
            return None;
        }
        other => panic!("no costs of {other:?}"),
    })
}

#[cfg(test)]
mod tests {
    use iced_x86::Code;

    use super::*;

    #[test]
    fn a_byte_costs_by_where_it_comes_from_and_goes_to() {
        let class = |code, from| {
            let inst = Instruction::with2(code, Register::EAX, from);
            kind(&inst.expect("a form that exists"))
        };
        for (code, from, expected) in [
            (Code::Movzx_r32_rm8, Register::CL, SchedulingClass::Low),
            (Code::Movzx_r32_rm8, Register::R9L, SchedulingClass::Low),
            (Code::Movzx_r32_rm8, Register::AL, SchedulingClass::Extend),
            (Code::Movzx_r32_rm8, Register::CH, SchedulingClass::High),
            (Code::Movzx_r32_rm8, Register::AH, SchedulingClass::High),
            (Code::Movzx_r32_rm16, Register::CX, SchedulingClass::Extend),
        ] {
            assert_eq!(class(code, from), Some(expected), "{from:?}");
        }
    }
}
